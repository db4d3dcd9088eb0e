//! Attributes on what they do not stand on.

use aqueduct::prelude::*;

#[tool] //~ `#[tool]` stands on a function
struct Type {
    n: u8,
}

#[prompt] //~ `#[prompt]` stands on a function
mod module {}

#[resource("a://b")] //~ `#[resource]` stands on a function
const CONSTANT: u8 = 1;

fn main() {
    let _ = (Type { n: CONSTANT }, 1);
}
