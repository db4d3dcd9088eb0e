//! `#[args]` and `#[output]`.

use aqueduct::prelude::*;
use serde_json::{Value, json};

use super::{listed, of_tools, only, said};

/// Where to look.
#[derive(Clone, Copy, Debug)]
#[args(rename_all = "lowercase")]
enum Scope {
    /// In the titles
    Titles,
    /// In all the text
    Text,
}

/// A page of something.
#[derive(Debug)]
#[args]
struct Page<T> {
    /// How many
    #[arg(default = 20, range = 1..=100)]
    size: u32,
    #[arg(default)]
    after: Option<T>,
    #[arg(rename = "sort-by", values("name", "age"), default = "name", title = "Order")]
    sort_by: String,
}

#[args]
enum Filter {
    Tag {
        #[arg(length = 1..=8)]
        name: String,
        #[arg(default = 3)]
        depth: u8,
    },
    All,
}

#[tool]
async fn search(scope: Scope, page: Page<u16>, filter: Filter) -> String {
    let filter = match filter {
        Filter::Tag { name, depth } => format!("{name} {depth}"),
        Filter::All => "all".to_owned(),
    };
    format!("{scope:?} {} {:?} {} {filter}", page.size, page.after, page.sort_by)
}

/// The definition that an argument refers to.
fn definition(schema: &Value, argument: &str) -> Value {
    let property = &schema["properties"][argument];
    match property["$ref"].as_str() {
        Some(path) => schema.pointer(path.trim_start_matches('#')).unwrap().clone(),
        None => property.clone(),
    }
}

#[tokio::test]
async fn what_is_said_of_fields_is_published() {
    let schema = listed(only(list![search])).await["inputSchema"].take();
    let page = definition(&schema, "page");
    assert_eq!(page["additionalProperties"], false);
    assert_eq!(page["description"], "A page of something.");
    let size = &page["properties"]["size"];
    assert_eq!(size["description"], "How many");
    assert_eq!(
        [&size["minimum"], &size["maximum"], &size["default"]],
        [&json!(1), &json!(100), &json!(20)]
    );
    let sort = &page["properties"]["sort-by"];
    assert_eq!(
        [&sort["enum"], &sort["default"], &sort["title"]],
        [&json!(["name", "age"]), &json!("name"), &json!("Order")]
    );
    assert_eq!(page["required"], Value::Null);
    let scope = definition(&schema, "scope").to_string();
    assert!(scope.contains("titles") && scope.contains("In all the text"), "{scope}");
    let filter = definition(&schema, "filter").to_string();
    assert!(filter.contains(r#""maxLength":8"#), "{filter}");
}

#[tokio::test]
async fn a_type_is_decoded() {
    let client = of_tools(list![search]);
    let few = json!({ "scope": "text", "page": {}, "filter": { "Tag": { "name": "x" } } });
    assert_eq!(said(&client, "search", few).await, "Text 20 None name x 3");
    let more = json!({
        "scope": "titles", "page": { "size": 5, "after": 7, "sort-by": "age" }, "filter": "All",
    });
    assert_eq!(said(&client, "search", more).await, "Titles 5 Some(7) age all");
    let unknown = json!({ "scope": "text", "page": { "pages": 1 }, "filter": "All" });
    let refused = client.call_tool("search", unknown).await.unwrap();
    assert_eq!(refused.is_error, Some(true));
}

#[args]
#[output]
#[derive(Clone)]
struct Both {
    #[serde(rename = "n")]
    number: u8,
}

#[output(rename_all = "camelCase")]
struct Hit {
    /// What it is called
    book_title: String,
    score: Option<f32>,
}

#[tool]
async fn both(value: Both) -> Json<Both> {
    Json(value.clone())
}

#[tool]
async fn hit() -> Json<Hit> {
    Json(Hit { book_title: "Rust".to_owned(), score: None })
}

#[tokio::test]
async fn a_type_may_go_in_and_out() {
    let client = of_tools(list![both, hit]);
    assert_eq!(said(&client, "both", json!({ "value": { "n": 7 } })).await, r#"{"n":7}"#);
    assert_eq!(said(&client, "hit", json!({})).await, r#"{"bookTitle":"Rust","score":null}"#);
    let schema = listed(only(list![hit])).await["outputSchema"].take();
    assert_eq!(schema["properties"]["bookTitle"]["description"], "What it is called");
}

#[args]
struct Outer {
    own: u8,
    #[serde(flatten)]
    inner: Inner,
}

#[args]
struct Inner {
    deep: u8,
}

#[args]
#[serde(transparent)]
struct Wrapped(u8);

#[args]
struct Newtype(#[arg(range = 1..=9)] u8);

#[args]
#[serde(tag = "kind")]
enum Tagged {
    Circle { radius: u8 },
    Point,
}

#[tool]
async fn odd(Args(outer): Args<Outer>) -> String {
    format!("{} {}", outer.own, outer.inner.deep)
}

#[tool]
async fn odder(wrapped: Wrapped, newtype: Newtype, tagged: Tagged) -> String {
    let radius = match tagged {
        Tagged::Circle { radius } => radius,
        Tagged::Point => 0,
    };
    format!("{} {} {radius}", wrapped.0, newtype.0)
}

#[tokio::test]
async fn the_attributes_of_serde_work() {
    let client = of_tools(list![odd, odder]);
    assert_eq!(said(&client, "odd", json!({ "own": 1, "deep": 2 })).await, "1 2");
    let arguments =
        json!({ "wrapped": 1, "newtype": 2, "tagged": { "kind": "Circle", "radius": 3 } });
    assert_eq!(said(&client, "odder", arguments).await, "1 2 3");
    let arguments = json!({ "wrapped": 1, "newtype": 2, "tagged": { "kind": "Point" } });
    assert_eq!(said(&client, "odder", arguments).await, "1 2 0");
}
