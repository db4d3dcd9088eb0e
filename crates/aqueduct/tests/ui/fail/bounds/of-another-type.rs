//! Rules that do not fit the type.

use aqueduct::prelude::*;

#[tool]
async fn text(#[arg(range = 1..=5)] text: String) {} //~ bound texts and lists with `length = 1..=80`

#[tool]
async fn number(#[arg(length = 1..5)] number: u32) {} //~ bound numbers with `range = 1..=80`

#[tool]
async fn pattern(#[arg(pattern = "x")] number: u32) {} //~ `u32` is not text

#[tool]
async fn fraction(#[arg(range = 0.5..)] number: u32) {} //~ expected `u32`, found floating-point number

#[tool]
async fn negative(#[arg(range = -1..)] number: u32) {} //~ cannot apply unary operator `-` to type `u32`

#[tool]
async fn default(#[arg(default = "x")] number: u32) {} //~ the trait `From<&str>` is not implemented for `u32`

#[tool]
async fn no_default(#[arg(default)] number: std::num::NonZeroU8) {} //~ the trait `Default` is not implemented

#[args]
struct Page {
    #[arg(range = 1..=5)] //~ bound texts and lists with `length = 1..=80`
    title: String,
}

fn main() {
    let _ = list![text, number, pattern, fraction, negative, default, no_default];
}
