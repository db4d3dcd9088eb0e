//! Extractors where they make no sense.

use aqueduct::prelude::*;

struct Plain;

#[tool]
async fn typed(prefix: Prefix) {} //~ for the completers that `#[arg(complete = …)]` names

#[tool]
async fn both(#[arg(default)] #[extract] n: u8) {} //~ keep `#[arg]` or `#[extract]`

#[tool]
async fn options(#[extract(now)] plain: Plain) {} //~ `#[extract]` takes no options

fn main() {
    let _ = list![typed, both, options];
}
