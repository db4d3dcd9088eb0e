//! What is said of parameters beyond their types: checks, defaults, titles, lenient reading.

use aqueduct::Server;
use aqueduct::prelude::*;
use serde_json::{Value, json};

use crate::cases::peer::{Peer, on_each, stateless};

fn is_even(n: &u32) -> Result<(), String> {
    if n.is_multiple_of(2) { Ok(()) } else { Err(format!("{n} is odd; give an even number")) }
}

fn is_short(text: &str) -> Result<(), &'static str> {
    if text.len() < 5 { Ok(()) } else { Err("write less") }
}

#[args]
struct Inner {
    #[arg(check = is_even)]
    n: u32,
}

/// How to sort.
#[args(rename_all = "lowercase")]
#[derive(Debug)]
enum Order {
    /// The newest first
    #[arg(title = "By date")]
    Date,
    /// The best first
    #[arg(rename = "best")]
    Score,
}

#[args]
struct Sorted {
    #[arg(default = Order::Score)]
    by: Order,
}

/// Everything that can be checked.
#[tool]
async fn checked(
    #[arg(check = is_even)] a: u32,
    #[arg(check = is_short)] b: String,
    inner: Option<Inner>,
) -> String {
    format!("{a} {b} {:?}", inner.map(|inner| inner.n))
}

/// Defaults that are choices.
#[tool]
async fn sorted(#[arg(default = Order::Date)] order: Order, inner: Sorted) -> String {
    format!("{order:?} {:?}", inner.by)
}

/// Takes texts for what they say.
#[tool(lenient)]
async fn lenient(#[arg(range = 18..)] age: u32, bag: Option<Inner>, open: bool) -> String {
    format!("{age} {:?} {open}", bag.map(|bag| bag.n))
}

fn server() -> Server {
    Server::new("parameters", "1").tools(list![checked, sorted, lenient])
}

#[tokio::test]
async fn a_check_of_the_author_s_own_says_what_is_wrong() {
    on_each(server, async |peer: &mut Peer| {
        let said = peer.call("checked", json!({ "a": 2, "b": "x", "inner": { "n": 4 } })).await;
        assert_eq!(said.text(), "2 x Some(4)");
        // All at once.
        let said = peer.call("checked", json!({ "a": 3, "b": "too long" })).await;
        assert_eq!(
            said.failure(),
            "checked: 2 problems\n- /a: 3 is odd; give an even number\n- /b: write less"
        );
        let said = peer.call("checked", json!({ "a": 2, "b": "x", "inner": { "n": 5 } })).await;
        assert_eq!(said.failure(), "checked: 1 problem\n- /n: 5 is odd; give an even number");
        // What the schema refuses comes first.
        let said = peer.call("checked", json!({ "a": "3", "b": "x" })).await;
        assert!(said.failure().contains("/a: expected an integer"), "{}", said.answer);
    })
    .await;
}

#[tokio::test]
async fn a_default_that_is_a_choice_is_published_and_a_choice_has_titles() {
    stateless(server, async |peer: &mut Peer| {
        let list = peer.request("tools/list", json!({})).await;
        let tools = list.result()["tools"].as_array().unwrap();
        let schema = &tools.iter().find(|tool| tool["name"] == "sorted").unwrap()["inputSchema"];
        let text = schema.to_string();
        assert_eq!(schema["properties"]["order"]["default"], "date", "{text}");
        assert!(text.contains(r#""default":"best""#), "{text}");
        assert!(text.contains(r#""title":"By date""#), "{text}");
        assert!(text.contains(r#""const":"best""#), "{text}");
        assert_eq!(peer.call("sorted", json!({ "inner": {} })).await.text(), "Date Score");
    })
    .await;
}

#[tokio::test]
async fn texts_are_read_as_what_the_schema_asks_for() {
    on_each(server, async |peer: &mut Peer| {
        let call = json!({ "age": "25", "open": "TRUE", "bag": { "n": "4" } });
        assert_eq!(peer.call("lenient", call).await.text(), "25 Some(4) true");
        let said = peer.call("lenient", json!({ "age": 25, "open": true })).await;
        assert_eq!(said.text(), "25 None true");
        for (wrong, place) in [
            (json!({ "age": "25x", "open": true }), "/age"),
            // Read first, then held against the bounds.
            (json!({ "age": "5", "open": true }), "/age"),
            (json!({ "age": "20", "open": "yes" }), "/open"),
        ] {
            let said = peer.call("lenient", wrong).await;
            assert!(said.failure().contains(place), "{}", said.answer);
        }
        // Off by default.
        let said = peer.call("checked", json!({ "a": "2", "b": "x" })).await;
        assert!(said.failure().contains("/a"), "{}", said.answer);
        let number: Value = json!({ "a": 2, "b": 5 });
        assert!(peer.call("checked", number).await.failure().contains("/b"));
    })
    .await;
}
