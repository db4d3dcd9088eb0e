//! The stores, each against the contract that all of them must meet.

mod memory;
mod open;
#[cfg(feature = "redb")]
mod redb;
#[cfg(feature = "redis")]
pub(crate) mod redis;
mod sealed;

use std::path::Path;

/// Each line of the page is held by a test, which must be there under that name.
#[test]
fn every_promise_names_a_test_that_is_there() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let page = std::fs::read_to_string(docs.join("stores.md")).expect("the page");
    let mut count = 0;
    for line in page.lines().filter(|line| line.starts_with("- ")) {
        let (_, link) = line.rsplit_once("[`").unwrap_or_else(|| panic!("no test: {line}"));
        let (name, file) = link.split_once("`](").expect("a link");
        let file = docs.join(file.trim_end_matches(')'));
        let code = std::fs::read_to_string(&file).unwrap_or_else(|_| panic!("no file: {line}"));
        assert!(code.contains(&format!("fn {name}(")), "no such test: {line}");
        count += 1;
    }
    assert!(count > 40, "only {count} promises were read");
}
