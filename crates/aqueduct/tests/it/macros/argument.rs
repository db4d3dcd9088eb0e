//! Parameters that the caller fills in: their types, and the options of `#[arg]`.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroU16;

use aqueduct::prelude::*;
use aqueduct::schema::Validator;
use serde_json::{Value, json};

use super::{listed, of_tools, only, said, schema};

#[tool]
async fn described(
    /// In words
    ///
    /// of two lines
    first: String,
    /// Not this
    #[arg(title = "Second", description = concat!("but ", "this"), examples(1, 2 + 3))]
    second: u8,
    /** In a block
     *  comment */
    third: bool,
    fourth: Option<String>,
) -> String {
    format!("{first} {second} {third} {fourth:?}")
}

#[tokio::test]
async fn an_argument_is_described() {
    let tool = || only(list![described]);
    assert_eq!(schema(tool(), "first").await["description"], "In words\n\nof two lines");
    let second = schema(tool(), "second").await;
    assert_eq!(second["title"], "Second");
    assert_eq!(second["description"], "but this");
    assert_eq!(second["examples"], json!([1, 5]));
    assert_eq!(schema(tool(), "third").await["description"], "In a block\n comment");
    assert_eq!(
        listed(tool()).await["inputSchema"]["required"],
        json!(["first", "second", "third"])
    );
}

const START: &str = "2026-01-01";

fn yesterday() -> String {
    "yesterday".to_owned()
}

#[tool]
async fn defaults(
    #[arg(default = 20)] limit: u32,
    #[arg(default)] page: u32,
    #[arg(default = "name")] sort: String,
    #[arg(default = Cow::Borrowed(START))] from: Cow<'_, str>,
    #[arg(default = yesterday())] to: String,
    #[arg(default = vec![1, 2])] numbers: Vec<u8>,
) -> String {
    format!("{limit} {page} {sort} {from} {to} {numbers:?}")
}

#[tokio::test]
async fn a_default_is_published_and_used() {
    let tool = listed(only(list![defaults])).await;
    assert_eq!(tool["inputSchema"]["required"], Value::Null);
    let published = |name: &str| tool["inputSchema"]["properties"][name]["default"].clone();
    assert_eq!(published("limit"), 20);
    assert_eq!(published("page"), 0);
    assert_eq!(published("sort"), "name");
    assert_eq!(published("from"), START);
    assert_eq!(published("to"), "yesterday");
    assert_eq!(published("numbers"), json!([1, 2]));
    let client = of_tools(list![defaults]);
    assert_eq!(said(&client, "defaults", json!({})).await, "20 0 name 2026-01-01 yesterday [1, 2]");
    assert_eq!(
        said(&client, "defaults", json!({ "limit": 1, "sort": "age", "numbers": [] })).await,
        "1 0 age 2026-01-01 yesterday []"
    );
}

#[tool]
async fn bounded(
    #[arg(range = 1..=100)] both: u32,
    #[arg(range = 0..10)] below: i64,
    #[arg(range = -5..)] least: Option<i8>,
    #[arg(range = ..=0.5)] greatest: f64,
    #[arg(range = 0.0..1.0)] share: f32,
    #[arg(range = 2..=3)] not_zero: NonZeroU16,
    #[arg(length = 1..=80)] text: String,
    #[arg(length = ..4)] list: Vec<u8>,
    #[arg(length = 1..)] map: BTreeMap<String, u8>,
    #[arg(length = 2..)] maybe: Option<HashSet<u8>>,
) -> String {
    format!(
        "{both} {below} {least:?} {greatest} {share} {not_zero} {text} {list:?} {map:?} {maybe:?}"
    )
}

#[tokio::test]
async fn bounds_are_published() {
    let tool = listed(only(list![bounded])).await;
    let published = |name: &str, keys: [&str; 2]| {
        let argument = &tool["inputSchema"]["properties"][name];
        keys.map(|key| argument[key].clone())
    };
    let numbers = ["minimum", "maximum"];
    assert_eq!(published("both", numbers), [json!(1), json!(100)]);
    assert_eq!(published("below", numbers), [json!(0), json!(9)]);
    assert_eq!(published("least", ["minimum", "default"]), [json!(-5), Value::Null]);
    assert_eq!(published("greatest", ["exclusiveMaximum", "maximum"]), [Value::Null, json!(0.5)]);
    assert_eq!(published("share", ["minimum", "exclusiveMaximum"]), [json!(0.0), json!(1.0)]);
    assert_eq!(published("not_zero", numbers), [json!(2), json!(3)]);
    assert_eq!(published("text", ["minLength", "maxLength"]), [json!(1), json!(80)]);
    assert_eq!(published("list", ["minItems", "maxItems"]), [Value::Null, json!(3)]);
    assert_eq!(published("map", ["minProperties", "maxProperties"]), [json!(1), Value::Null]);
    assert_eq!(published("maybe", ["minItems", "maxItems"]), [json!(2), Value::Null]);
}

#[tool]
async fn worded(
    #[arg(pattern = "^[a-z]+$", format = "hostname")] word: String,
    #[arg(pattern = "^#")] tags: Vec<String>,
    #[arg(values("north", "south"))] way: String,
    #[arg(values("up", "down"))] maybe: Option<&str>,
    #[arg(format = "date-time")] when: Option<String>,
) -> String {
    format!("{word} {tags:?} {way} {maybe:?} {when:?}")
}

#[tokio::test]
async fn what_is_said_of_texts_is_published() {
    let tool = listed(only(list![worded])).await;
    let argument = |name: &str| tool["inputSchema"]["properties"][name].clone();
    assert_eq!(argument("word")["pattern"], "^[a-z]+$");
    assert_eq!(argument("word")["format"], "hostname");
    assert_eq!(argument("tags")["items"]["pattern"], "^#");
    assert_eq!(argument("tags")["pattern"], Value::Null);
    assert_eq!(argument("way")["enum"], json!(["north", "south"]));
    assert_eq!(argument("when")["format"], "date-time");
}

/// Holds arguments against the schema that a tool publishes.
async fn accepts(tool: Tool, arguments: &Value) -> bool {
    let schema = listed(tool).await["inputSchema"].take();
    Validator::compile(&schema).unwrap().is_valid(arguments)
}

/// A call with one argument changed is refused by the published schema and by the server, which
/// names the argument.
async fn refuses(tool: fn() -> Tool, good: &Value, bad: &[(&str, Value)]) {
    let name = tool().name().to_owned();
    let client = of_tools([tool()]);
    assert!(accepts(tool(), good).await);
    assert_eq!(client.call_tool(&name, good.clone()).await.unwrap().is_error, None);
    for (argument, value) in bad {
        let mut arguments = good.clone();
        arguments[argument] = value.clone();
        assert!(!accepts(tool(), &arguments).await, "{argument}: {value}");
        let refused = client.call_tool(&name, arguments).await.unwrap();
        assert_eq!(refused.is_error, Some(true), "{argument}: {value}");
        let text = refused.content[0].as_text().unwrap();
        assert!(text.contains(argument), "{text}");
    }
}

#[tokio::test]
async fn bounds_are_enforced() {
    let good = json!({
        "both": 100, "below": 9, "least": -5, "greatest": 0.5, "share": 0.99, "not_zero": 2,
        "text": "é", "list": [1, 2, 3], "map": { "a": 1 },
    });
    let bad = [
        ("both", json!(101)),
        ("both", json!(0)),
        ("below", json!(10)),
        ("least", json!(-6)),
        ("greatest", json!(0.6)),
        ("share", json!(1.0)),
        ("not_zero", json!(1)),
        ("text", json!("")),
        ("list", json!([1, 2, 3, 4])),
        ("map", json!({})),
        ("maybe", json!([1])),
        ("unheard_of", json!(1)),
    ];
    refuses(|| only(list![bounded]), &good, &bad).await;
}

#[tokio::test]
async fn what_is_said_of_texts_is_enforced() {
    let good = json!({ "word": "a", "tags": ["#a"], "way": "north" });
    let bad =
        [("word", json!("A")), ("tags", json!(["a"])), ("way", json!("up")), ("maybe", json!("x"))];
    refuses(|| only(list![worded]), &good, &bad).await;
}

#[tool(rename_all = "camelCase")]
async fn renamed(
    page_size: u8,
    #[arg(rename = "sort-by")] sort_by: u8,
    _page: u8,
    r#type: u8,
    #[arg(header = "Region")] region: String,
) -> String {
    format!("{page_size} {sort_by} {_page} {type} {region}", r#type = r#type)
}

#[tokio::test]
async fn an_argument_is_called_as_the_caller_likes() {
    let tool = listed(only(list![renamed])).await;
    let arguments = json!({ "pageSize": 1, "sort-by": 2, "page": 3, "type": 4, "region": "eu" });
    let names = tool["inputSchema"]["properties"].as_object().unwrap().keys();
    let mut expected: Vec<&String> = arguments.as_object().unwrap().keys().collect();
    expected.sort();
    assert_eq!(names.collect::<Vec<_>>(), expected);
    assert_eq!(tool["inputSchema"]["properties"]["region"]["x-mcp-header"], "Region");
    let client = of_tools(list![renamed]);
    assert_eq!(said(&client, "renamed", arguments).await, "1 2 3 4 eu");
}

type Alias = Option<u8>;

#[tool]
async fn borrowed(
    text: &str,
    list: &[String],
    maybe_text: Option<&str>,
    maybe_list: Option<&[u8]>,
    maybe: Option<&String>,
    cow: Cow<'_, str>,
    number: &u64,
    mut owned: Vec<u8>,
    alias: Alias,
) -> String {
    owned.push(0);
    format!(
        "{text} {list:?} {maybe_text:?} {maybe_list:?} {maybe:?} {cow} {number} {owned:?} {alias:?}"
    )
}

#[tokio::test]
async fn an_argument_may_be_borrowed() {
    let client = of_tools(list![borrowed]);
    let few = json!({ "text": "t", "list": ["l"], "cow": "c", "number": 7, "owned": [1] });
    assert_eq!(said(&client, "borrowed", few).await, r#"t ["l"] None None None c 7 [1, 0] None"#);
    let all = json!({
        "text": "t", "list": [], "maybe_text": "m", "maybe_list": [1], "maybe": "s", "cow": "c",
        "number": 7, "owned": [], "alias": 3,
    });
    assert_eq!(
        said(&client, "borrowed", all).await,
        r#"t [] Some("m") Some([1]) Some("s") c 7 [0] Some(3)"#
    );
}

#[tokio::test]
async fn an_option_may_be_missing_and_all_else_is_named() {
    let client = of_tools(list![described]);
    let arguments = json!({ "first": "f", "second": 2, "third": true });
    assert_eq!(said(&client, "described", arguments).await, "f 2 true None");
    let refused = client.call_tool("described", json!({ "first": "f" })).await.unwrap();
    assert_eq!(refused.is_error, Some(true));
    let text = refused.content[0].as_text().unwrap();
    assert!(text.contains("second"), "{text}");
}

#[tokio::test]
async fn an_argument_that_is_there_twice_is_refused() {
    let client = of_tools(list![described]);
    let text = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"described",
        "arguments":{"first":"a","first":"b","second":1,"third":true},
        "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
        "io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    let answer = client.send(text).await.answer.unwrap();
    assert!(answer.contains("duplicate") || answer.contains("twice"), "{answer}");
}
