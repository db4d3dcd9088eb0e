//! Extractors that are none.

use aqueduct::prelude::*;

struct Plain;

#[tool]
async fn own(#[extract] plain: Plain) {} //~ implement `Extract` for types of your own

#[tool]
async fn optional(state: Option<State<Plain>>) {} //~ not something that a call holds

fn main() {
    let _ = list![own, optional];
}
