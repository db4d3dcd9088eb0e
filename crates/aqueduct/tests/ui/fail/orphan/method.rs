//! Marked methods whose impl block is not marked.

use aqueduct::prelude::*;

struct Notes;

impl Notes {
    #[tool]
    async fn read(&self, name: String) -> String { //~ works inside of an impl block that is marked with `#[tools]`
        name
    }

    #[resource("notes://{name}")]
    async fn note(&self, name: String) -> String { //~ make this a free function that takes `State<T>`
        name
    }
}

fn main() {}
