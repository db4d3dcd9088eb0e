//! Rules that say nothing, or that nothing could meet.

use aqueduct::prelude::*;

#[tool]
async fn everything(#[arg(range = ..)] n: u8) {} //~ leave `range` out

#[tool]
async fn nothing(#[arg(range = 5..=1)] n: u8) {} //~ this range holds nothing

#[tool]
async fn empty(#[arg(length = 3..3)] s: String) {} //~ this range holds nothing

#[tool]
async fn outside(#[arg(default = 200, range = 1..=100)] n: u8) {} //~ the default lies outside

#[tool]
async fn one(#[arg(range = 5)] n: u8) {} //~ `range` takes a range

fn main() {
    let _ = list![everything, nothing, empty, outside, one];
}
