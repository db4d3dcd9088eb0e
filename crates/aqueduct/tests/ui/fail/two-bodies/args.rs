//! Arguments that are taken twice.

use aqueduct::prelude::*;

#[args]
struct Page {
    size: u8,
}

#[tool]
async fn beside(page: Args<Page>, query: String) {} //~ none is left for `query`

#[tool]
async fn twice(first: Args<Page>, Args(second): Args<Page>) {} //~ so there can be only one

fn main() {
    let _ = list![beside, twice];
}
