//! Every limit, at what it allows and one above.

use aqueduct_protocol::code::INVALID_REQUEST;
use aqueduct_protocol::jsonrpc::{Limits, decode};

fn message(params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{params}}}"#)
}

/// Accepted as it is, and refused one above, naming the limit.
fn check(limits: &Limits, fits: &str, exceeds: &str, named: &str) {
    if let Err(malformed) = decode(fits, limits) {
        panic!("{named}: {malformed}");
    }
    let malformed = decode(exceeds, limits).unwrap_err();
    assert_eq!(malformed.code(), INVALID_REQUEST, "{named}");
    assert!(malformed.message().contains(named), "{named}: {malformed}");
}

fn nested(levels: usize) -> String {
    // The message and its params are two levels, the innermost array the last.
    let (open, close) = ("[".repeat(levels - 2), "]".repeat(levels - 2));
    message(&format!(r#"{{"a":{open}{close}}}"#))
}

#[test]
fn depth() {
    let limits = Limits::default();
    check(&limits, &nested(64), &nested(65), "64 levels");
    let mut limits = Limits::new();
    limits.depth = 300;
    check(&limits, &nested(300), &nested(301), "300 levels");
}

#[test]
fn nodes() {
    // Six values are there anyway: the message, its version, id and method, params and the array.
    let items = |count: usize| message(&format!(r#"{{"a":[{}0]}}"#, "0,".repeat(count - 7)));
    check(&Limits::default(), &items(50_000), &items(50_001), "50000 values");
}

#[test]
fn members() {
    let members = |count: usize| {
        let members: Vec<String> = (0..count).map(|n| format!(r#""{n}":0"#)).collect();
        message(&format!(r#"{{"a":{{{}}}}}"#, members.join(",")))
    };
    check(&Limits::default(), &members(2_000), &members(2_001), "2000 members");
}

#[test]
fn number() {
    let number = |bytes: usize| message(&format!(r#"{{"a":{}}}"#, "1".repeat(bytes)));
    check(&Limits::default(), &number(64), &number(65), "64 bytes");
}

#[test]
fn a_long_number_is_finite_even_where_the_limit_is_raised() {
    let mut limits = Limits::new();
    limits.number = 1_000;
    let number = |bytes: usize| message(&format!(r#"{{"a":{}}}"#, "1".repeat(bytes)));
    check(&limits, &number(309), &number(310), "out of range");
}

#[test]
fn id() {
    let id =
        |bytes: usize| format!(r#"{{"jsonrpc":"2.0","id":"{}","method":"x"}}"#, "i".repeat(bytes));
    check(&Limits::default(), &id(256), &id(257), "256 bytes");
}

#[test]
fn method() {
    let method =
        |bytes: usize| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{}"}}"#, "m".repeat(bytes));
    check(&Limits::default(), &method(128), &method(129), "128 bytes");
}

#[test]
fn two_thousand_members_are_not_quadratic() {
    // 25 objects of 2,000 members is as much as the nodes allow. Quadratic comparing would be
    // fifty million comparisons of equally long names with a late difference.
    let long = "x".repeat(200);
    let members: Vec<String> = (0..1_990).map(|n| format!(r#""{long}{n:04}":0"#)).collect();
    let object = format!("{{{}}}", members.join(","));
    let text = message(&format!(r#"{{"a":[{}]}}"#, vec![object; 25].join(",")));
    let start = std::time::Instant::now();
    assert!(decode(&text, &Limits::default()).is_ok());
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}
