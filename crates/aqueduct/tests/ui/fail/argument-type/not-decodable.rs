//! A type that cannot be read from the arguments of a call.

use aqueduct::prelude::*;

struct Plain;

#[args]
struct Known {
    n: u8,
}

#[tool]
async fn plain(good: String, point: Plain) -> String { //~ mark a type of your own with `#[args]`
    good
}

#[tool]
async fn inside(known: Known, list: Vec<Plain>) -> String { //~ cannot be read from the arguments of a call
    String::new()
}

#[prompt]
async fn asked(point: Option<Plain>) -> String { //~ cannot be an argument of a tool, a prompt or a resource
    String::new()
}

#[tools]
impl Known {
    #[tool]
    async fn method(&self, point: &Plain) -> String { //~ cannot be read from the arguments of a call
        String::new()
    }
}

fn main() {
    let _ = (list![plain, inside], list![asked]);
}
