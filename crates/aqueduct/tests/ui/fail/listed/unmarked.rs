//! Names in `list!` that are no tool.

use aqueduct::prelude::*;

fn plain() {}

struct Type;

fn main() {
    let _: [Tool; 1] = list![plain]; //~ expected type, found function `plain`
    let _: [Tool; 1] = list![missing]; //~ cannot find type `missing`
    let _: [Tool; 1] = list![Type]; //~ not marked with `#[tool]`, `#[prompt]` or `#[resource]` //~ nothing that a server can offer
}
