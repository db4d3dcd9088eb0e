//! Parameters that borrow more than a call can lend.

use aqueduct::prelude::*;

#[tool]
async fn inside(words: Vec<&str>) {} //~ cannot borrow inside

#[tool]
async fn twice(words: &[&str]) {} //~ use `String` for `&str`

#[tool]
async fn changed(words: &mut Vec<String>) {} //~ take it by value and declare it `mut`

#[tool]
async fn forever(word: &'static str) {} //~ leave the lifetime out

fn main() {
    let _ = list![inside, twice, changed, forever];
}
