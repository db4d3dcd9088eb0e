//! Answers that borrow from the call.

use aqueduct::prelude::*;

#[tool]
async fn back(word: &str) -> &str { //~ return `String` for `&str`
    word
}

#[tool]
async fn inside(word: &str) -> Result<Vec<&str>> { //~ outlives the call
    Ok(vec![word])
}

#[prompt]
async fn nothing() {} //~ a prompt must return something: `-> String`

fn main() {
    let _ = (list![back, inside], list![nothing]);
}
