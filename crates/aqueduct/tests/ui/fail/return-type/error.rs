//! Errors that no `?` could have made.

use aqueduct::prelude::*;

#[derive(Debug)]
struct Oops;

#[tool]
async fn own() -> Result<String, Oops> { //~ return `aqueduct::Result<T>`
    Err(Oops)
}

#[tool]
async fn words() -> Result<String, String> { //~ `ToolError::new("…")` from words
    Err("no".to_owned())
}

fn main() {
    let _ = list![own, words];
}
