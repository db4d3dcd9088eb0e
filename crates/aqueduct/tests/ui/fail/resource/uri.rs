//! URIs that do not fit their parameters.

use aqueduct::prelude::*;

struct Db;

#[resource] //~ a resource needs its URI first
async fn none() -> String {
    String::new()
}

#[resource("notes://{nmae}/{id}")]
async fn slip(name: String, id: u8) -> String { //~ the URI has no variable `name`; did you mean `nmae`?
    name
}

#[resource("notes://{name}")] //~ add a parameter `name: String`
async fn forgotten(db: State<Db>) -> String {
    String::new()
}

#[resource("notes://all")]
async fn fixed(name: String) -> String { //~ put `{name}` into it
    name
}

#[resource("notes://{name")] //~ do not close
async fn open(name: String) -> String {
    name
}

#[resource("notes://{na me}")] //~ is no expression of a URI template
async fn spaced(name: String) -> String {
    name
}

#[resource("notes")] //~ begins with a scheme
async fn bare() -> String {
    String::new()
}

#[resource("notes://{name}", size = 5)] //~ differ in size
async fn sized(name: String) -> String {
    name
}

#[resource("notes://x", cache_public)] //~ say for how long
async fn kept() -> String {
    String::new()
}

#[resource(uri = "notes://x")] //~ the URI comes first
async fn named() -> String {
    String::new()
}

fn main() {
    let _ = list![none, slip, forgotten, fixed, open, spaced, bare, sized, kept, named];
}
