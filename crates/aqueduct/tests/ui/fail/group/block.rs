//! Blocks that are no group, and methods that cannot share their value.

use aqueduct::prelude::*;

struct Generic<T>(T);

#[tools]
impl<T> Generic<T> { //~ the value behind tools has one type
    #[tool]
    async fn read(&self) {}
}

struct Plain;

#[tools]
impl Default for Plain { //~ not of a trait //~ no method here is marked
    fn default() -> Self {
        Self
    }
}

struct Notes;

#[tools]
impl Notes {
    #[tool]
    async fn change(&mut self) {} //~ keep what changes in a `Mutex`

    #[tool]
    async fn consume(self) {} //~ calls run at the same time

    #[tool(name = "change")]
    async fn twice(&self) {} //~ two tools are called "change"

    #[tool]
    #[prompt] //~ a method is one thing
    async fn both(&self) -> String {
        String::new()
    }
}

#[tools]
fn function() {} //~ `#[tools]` stands on an impl block

fn main() {
    let _ = Notes.into_tools();
}
