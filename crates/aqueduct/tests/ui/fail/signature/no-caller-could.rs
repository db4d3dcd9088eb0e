//! What no caller could give to a function.

use aqueduct::prelude::*;

#[tool]
async fn generic<T: ToString>(n: u8) {} //~ write out the types

#[tool]
async fn lifetime<'a>(text: &'a str) {} //~ `&str` is fine without

#[tool]
const fn constant() {} //~ leave out `const`

#[tool]
async unsafe fn dangerous() {} //~ nobody can promise

#[tool]
extern "C" fn foreign() {} //~ leave out `extern`

#[tool]
async fn pair((a, b): (u8, u8)) {} //~ take it apart inside of the function

#[tool]
async fn nameless(_: u8) {} //~ an argument needs a name

fn main() {
    let _ = list![generic, lifetime, constant, dangerous, foreign, pair, nameless];
}
