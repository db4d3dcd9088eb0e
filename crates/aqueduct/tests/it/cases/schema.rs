//! Schemas and names as hosts see them, and what is refused when the server is built.

use std::collections::{BTreeMap, HashMap};

use aqueduct::Server;
use aqueduct::prelude::*;
use aqueduct::protocol::capabilities::ClientCapabilities;
use aqueduct::schema::Validator;
use aqueduct::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::peer::{Peer, fixtures, on_each};

fn takes<T>(name: &'static str) -> Tool
where
    T: for<'de> Deserialize<'de> + JsonSchema + Send + 'static,
{
    Tool::new(name).handler(|Args(_): Args<T>| async { "taken" })
}

/// The schemas of a server of these tools, by name.
async fn listed(tools: Vec<Tool>, member: &str) -> BTreeMap<String, Value> {
    let service = Server::new("schemas", "1").tools(tools).build().unwrap();
    let mut peer = Peer::memory(service);
    let list = peer.request("tools/list", json!({})).await;
    let tools = list.result()["tools"].as_array().unwrap();
    tools
        .iter()
        .map(|tool| (tool["name"].as_str().unwrap().to_owned(), tool[member].clone()))
        .collect()
}

/// Calls `visit` with every schema below and with this one; data in `default`, `enum`, `const`
/// and `examples` is none.
fn each(schema: &Value, visit: &mut dyn FnMut(&serde_json::Map<String, Value>)) {
    let Value::Object(map) = schema else { return };
    visit(map);
    for (keyword, value) in map {
        match (keyword.as_str(), value) {
            ("default" | "enum" | "const" | "examples", _) => {}
            ("properties" | "$defs" | "patternProperties", Value::Object(members)) => {
                members.values().for_each(|member| each(member, visit));
            }
            (_, Value::Array(items)) => items.iter().for_each(|item| each(item, visit)),
            (_, other) => each(other, visit),
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema matters")]
enum Tagged {
    Circle { radius: f64 },
    Square { side: f64 },
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema matters")]
struct Plain {
    text: String,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema matters")]
struct Alias(Plain);

/// TOOL-04: the root of an input schema is an object.
#[tokio::test]
async fn b52_the_root_of_an_input_schema_is_a_plain_object() {
    let schemas = listed(
        vec![
            takes::<Tagged>("tagged"),
            takes::<Alias>("alias"),
            takes::<()>("unit"),
            takes::<HashMap<String, String>>("map"),
            Tool::new("none").handler(|| async { "" }),
        ],
        "inputSchema",
    )
    .await;
    for (name, schema) in &schemas {
        assert_eq!(schema["type"], "object", "{name}: {schema}");
        assert!(schema.get("$ref").is_none(), "{name}: {schema}");
    }
    assert_eq!(schemas["alias"]["properties"]["text"]["type"], "string");
    assert_eq!(schemas["map"]["additionalProperties"]["type"], "string");
    assert_eq!(schemas["unit"]["properties"], json!({}));

    let error = Server::new("s", "1").tool(takes::<Vec<u8>>("bytes")).build().unwrap_err();
    let message = error.to_string();
    assert!(message.contains("\"bytes\"") && message.contains("object"), "{message}");
    for schema in [json!(true), json!({}), json!({ "type": "array" }), json!({ "anyOf": [] })] {
        let tool = Tool::new("written").input_schema(schema).handler(|| async { "" });
        let error = Server::new("s", "1").tool(tool).build().unwrap_err().to_string();
        assert!(error.contains("object"), "{error}");
    }
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Inner {
    depth: u8,
}

#[derive(Deserialize, Serialize, JsonSchema)]
enum Colour {
    Red,
    Green,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Node {
    children: Vec<Self>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Nested {
    inner: Inner,
    front: Colour,
    back: Colour,
    tree: Node,
}

/// BASE-21: each `$ref` leads to a definition that is there.
#[tokio::test]
async fn b53_every_reference_leads_to_a_definition() {
    let schemas =
        listed(vec![takes::<Nested>("nested"), takes::<Node>("node")], "inputSchema").await;
    for (name, schema) in &schemas {
        each(schema, &mut |map| {
            if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
                let defined = reference.strip_prefix("#/$defs/").map(|key| &schema["$defs"][key]);
                let is_root = reference == "#";
                assert!(is_root || defined.is_some_and(Value::is_object), "{name}: {reference}");
            }
        });
        assert_eq!(schema["type"], "object", "{name}");
    }
    let service =
        Server::new("s", "1").tools([takes::<Nested>("nested"), takes::<Node>("node")]).build();
    let mut peer = Peer::memory(service.unwrap());
    let nested = json!({
        "inner": { "depth": 1 }, "front": "Red", "back": "Green",
        "tree": { "children": [{ "children": [] }] },
    });
    assert_eq!(peer.call("nested", nested).await.text(), "taken");
    let bad = json!({ "children": [{ "children": [{ "kids": [] }] }] });
    assert!(peer.call("node", bad).await.failure().contains("children"));
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Numbers {
    a_u8: u8,
    a_u32: u32,
    a_u64: u64,
    a_usize: usize,
    an_i64: i64,
    an_f32: f32,
    an_f64: f64,
    maybe_u32: Option<u32>,
    maybe_text: Option<String>,
    #[serde(default)]
    flag: bool,
    #[schemars(extend("format" = "date-time"))]
    when: String,
}

fn numbers() -> Value {
    json!({
        "a_u8": 1, "a_u32": 1, "a_u64": 1, "a_usize": 1, "an_i64": -1, "an_f32": 1.5,
        "an_f64": 1, "when": "2026-07-28T00:00:00Z",
    })
}

/// BASE-21: no format that only Rust knows, and the schema says what is refused.
#[tokio::test]
async fn b54_numbers_have_bounds_and_options_are_optional() {
    let tools = || {
        vec![
            takes::<Numbers>("in"),
            Tool::new("out").handler(|Args(numbers): Args<Numbers>| async move { Json(numbers) }),
        ]
    };
    for member in ["inputSchema", "outputSchema"] {
        for (name, schema) in listed(tools(), member).await {
            each(&schema, &mut |map| {
                let format = map.get("format").and_then(Value::as_str);
                assert!(format.is_none_or(|format| format == "date-time"), "{name}: {format:?}");
                assert!(!map.contains_key("nullable"), "{name}: {map:?}");
            });
        }
    }
    let schema = listed(tools(), "inputSchema").await["in"].clone();
    let property = |name: &str| &schema["properties"][name];
    assert_eq!(
        (&property("a_u8")["minimum"], &property("a_u8")["maximum"]),
        (&json!(0), &json!(255))
    );
    assert_eq!(property("a_u32")["maximum"], json!(u32::MAX));
    assert_eq!(property("a_u64")["minimum"], 0);
    assert_eq!(property("when")["format"], "date-time");
    let required: Vec<_> = schema["required"].as_array().unwrap().iter().collect();
    for optional in ["maybe_u32", "maybe_text", "flag"] {
        assert!(!required.contains(&&json!(optional)), "{required:?}");
    }

    // The schema and the handler agree, about null too.
    let validator = Validator::compile(&schema).unwrap();
    let service = Server::new("s", "1").tools(tools()).build().unwrap();
    let mut peer = Peer::memory(service);
    for (name, value) in [
        ("a_u8", json!(255)),
        ("a_u8", json!(256)),
        ("a_u8", json!(-1)),
        ("a_u8", json!(1.5)),
        ("a_u8", json!("1")),
        ("a_u32", json!(u64::from(u32::MAX) + 1)),
        ("a_u64", json!(-1)),
        ("an_i64", json!(i64::MIN)),
        ("maybe_u32", json!(7)),
        ("maybe_u32", json!(null)),
        ("maybe_text", json!(null)),
        ("maybe_text", json!("null")),
        ("flag", json!(null)),
        ("flag", json!(true)),
        ("when", json!(null)),
    ] {
        let mut arguments = numbers();
        arguments[name] = value.clone();
        let advertised = validator.is_valid(&arguments);
        let said = peer.call("in", arguments).await;
        let taken = said.result()["isError"] != json!(true);
        assert_eq!(taken, advertised, "{name} = {value}: {}", said.answer);
        if !taken {
            assert!(said.failure().contains(name), "{}", said.answer);
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema matters")]
struct Arrays {
    anything: Vec<Value>,
    grid: Vec<Vec<f64>>,
    triple: [f64; 3],
    pair: (String, u8),
    map: BTreeMap<String, Vec<Value>>,
    any: Value,
}

/// Strict hosts refuse an array without `items` and an object without `properties`.
#[tokio::test]
async fn b55_arrays_have_items_and_objects_have_properties() {
    let none = Tool::new("none").handler(|| async { "" });
    let schemas = listed(vec![takes::<Arrays>("arrays"), none], "inputSchema").await;
    let array_type = |map: &serde_json::Map<String, Value>, name: &str| {
        map.get("type").is_some_and(|kind| {
            kind == name || kind.as_array().is_some_and(|kinds| kinds.contains(&json!(name)))
        })
    };
    for (name, schema) in &schemas {
        each(schema, &mut |map| {
            if array_type(map, "array") {
                assert!(map.contains_key("items"), "{name}: {map:?}");
            }
            if array_type(map, "object") {
                let said =
                    map.contains_key("properties") || map.contains_key("additionalProperties");
                assert!(said, "{name}: {map:?}");
            }
        });
    }
    let expected = json!({ "type": "object", "properties": {}, "additionalProperties": false });
    assert_eq!(schemas["none"], expected);
}

/// TOOL-07: names that hosts take, each once.
#[tokio::test]
async fn b56_a_name_is_one_that_hosts_take_and_there_once() {
    let tool = |name: &str| Tool::new(name.to_owned()).handler(|| async { "" });
    let long = "x".repeat(129);
    for name in ["", "my tool", "a/b", "größe", &long, "a,b", "a\n"] {
        let error = Server::new("s", "1").tool(tool(name)).build().unwrap_err().to_string();
        assert!(error.contains("name"), "{error}");
    }
    let error = Server::new("s", "1").tools([tool("echo"), tool("echo")]).build().unwrap_err();
    assert!(error.to_string().contains("\"echo\" is there twice"), "{error}");
    // Everything that is wrong is told at once.
    let many = Server::new("", "").tools([tool("a b"), tool("c"), tool("c")]).build().unwrap_err();
    assert_eq!(many.problems().len(), 4, "{many}");

    let longest = "x".repeat(128);
    let names = ["admin.tools.list", "Echo", "echo", "a-b_c.1", &longest];
    on_each(
        || Server::new("s", "1").tools(names.map(tool)),
        async |peer: &mut Peer| {
            for name in names {
                peer.call(name, json!({})).await.text();
            }
            peer.call("ECHO", json!({})).await.is_error(-32602, 200);
            peer.call(&"x".repeat(5_000), json!({})).await.code();
        },
    )
    .await;
}

fn written(name: &'static str, schema: Value) -> Tool {
    Tool::new(name).input_schema(schema).handler(|| async { "taken" })
}

/// A tool of each dialect, which say the same in their own words.
fn dialects() -> Server {
    Server::new("dialects", "1").tools([
        written(
            "modern",
            json!({
                "type": "object",
                "properties": {
                    "pair": {
                        "type": "array",
                        "prefixItems": [{ "type": "string" }, { "type": "integer" }],
                    },
                    "card": { "type": "string" },
                    "address": { "type": "string" },
                },
                "dependentRequired": { "card": ["address"] },
                "unevaluatedProperties": false,
            }),
        ),
        written(
            "draft-07",
            json!({
                "$schema": "http://json-schema.org/draft-07/schema#",
                "type": "object",
                "properties": {
                    "pair": {
                        "type": "array",
                        "items": [{ "type": "string" }, { "type": "integer" }],
                        "additionalItems": false,
                    },
                    "card": { "type": "string" },
                    "address": { "type": "string" },
                },
                "dependencies": { "card": ["address"] },
            }),
        ),
    ])
}

/// BASE-20: a schema is read by the dialect that it declares, and one that cannot be read is
/// refused by name.
#[tokio::test]
async fn b58_a_schema_is_read_by_its_own_dialect() {
    on_each(dialects, async |peer: &mut Peer| {
        for (tool, arguments, good) in [
            ("modern", json!({ "pair": ["a", 1, null], "card": "1", "address": "x" }), true),
            ("modern", json!({ "pair": [1, "a"] }), false),
            ("modern", json!({ "card": "1" }), false),
            ("modern", json!({ "zzz": 1 }), false),
            ("draft-07", json!({ "pair": ["a", 1], "card": "1", "address": "x" }), true),
            ("draft-07", json!({ "pair": ["a", 1, null] }), false),
            ("draft-07", json!({ "pair": [1, "a"] }), false),
            ("draft-07", json!({ "card": "1" }), false),
            ("draft-07", json!({ "zzz": 1 }), true),
        ] {
            let said = peer.call(tool, arguments.clone()).await;
            let failed = said.result()["isError"] == json!(true);
            assert_eq!(failed, !good, "{tool} {arguments}: {}", said.answer);
        }
    })
    .await;

    let old = "http://json-schema.org/draft-03/schema#";
    let tool = written("old", json!({ "$schema": old, "type": "object" }));
    let error = dialects().tool(tool).build().unwrap_err();
    assert_eq!(error.problems().len(), 1, "{error}");
    assert!(error.to_string().contains("draft-03"), "{error}");
}

/// BASE-22: no schema makes the server fetch anything, and one that needs it is refused.
#[tokio::test]
async fn a_reference_to_elsewhere_is_refused_without_looking() {
    let canary = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    canary.set_nonblocking(true).unwrap();
    let uri = format!("http://{}/x", canary.local_addr().unwrap());
    let schema = json!({ "type": "object", "properties": { "a": { "$ref": uri } } });
    let tool = Tool::new("t").input_schema(schema.clone()).handler(|| async { "" });
    let error = Server::new("s", "1").tool(tool).build().unwrap_err().to_string();
    assert!(error.contains("$ref"), "{error}");
    let tool = Tool::new("t").output_schema(schema).handler(|| async { "" });
    assert!(Server::new("s", "1").tool(tool).build().is_err());
    let nobody = canary.accept().unwrap_err();
    assert_eq!(nobody.kind(), std::io::ErrorKind::WouldBlock);
}

/// BASE-23: a schema is bounded, and so is the work that one argument makes.
#[tokio::test]
async fn a_schema_without_bounds_is_refused_and_checking_is_bounded() {
    let mut deep = json!({ "type": "object" });
    for _ in 0..aqueduct::schema::MAX_JSON_DEPTH {
        deep = json!({ "allOf": [deep] });
    }
    let schema = json!({ "type": "object", "allOf": [deep] });
    let tool = Tool::new("deep").input_schema(schema).handler(|| async { "" });
    assert!(Server::new("s", "1").tool(tool).build().is_err());

    // Each level asks the next one twice.
    let doubling = |depth: u32| {
        let mut levels = json!({ "d0": { "type": "string", "minLength": 99 } });
        for level in 1..=depth {
            let next = json!({ "$ref": format!("#/$defs/d{}", level - 1) });
            levels[format!("d{level}")] = json!({ "anyOf": [next, next] });
        }
        let items = json!({ "$ref": format!("#/$defs/d{depth}") });
        let schema = json!({
            "type": "object",
            "$defs": levels,
            "properties": { "a": { "type": "array", "items": items } },
        });
        let tool = Tool::new("wide").input_schema(schema).handler(|| async { "" });
        Server::new("s", "1").tool(tool)
    };
    assert!(doubling(40).build().is_err());
    on_each(
        || doubling(10),
        async |peer: &mut Peer| {
            let since = std::time::Instant::now();
            peer.call("wide", json!({ "a": vec!["x"; 10_000] })).await.failure();
            assert!(since.elapsed().as_secs() < 5, "{:?}", since.elapsed());
        },
    )
    .await;
}

/// BASE-21: every schema that is published is one in its dialect.
#[tokio::test]
async fn every_published_schema_compiles() {
    on_each(fixtures, async |peer: &mut Peer| {
        let list = peer.request("tools/list", json!({})).await;
        for tool in list.result()["tools"].as_array().unwrap() {
            for member in ["inputSchema", "outputSchema"] {
                if let Some(schema) = tool.get(member) {
                    assert!(jsonschema::meta::validate(schema).is_ok(), "{schema}");
                    assert!(Validator::compile(schema).is_ok(), "{schema}");
                }
            }
            // TOOL-04: no `execution` in this revision; that of the session has one.
            assert!(peer.is_session() || tool.get("execution").is_none());
            assert!(tool["description"].is_string(), "{tool}");
        }
    })
    .await;
}

/// TOOL-04: a schema that was written by hand is published with every keyword of it.
#[tokio::test]
async fn a_written_schema_is_published_with_every_keyword() {
    on_each(fixtures, async |peer: &mut Peer| {
        let list = peer.request("tools/list", json!({})).await;
        let text = &list.texts[0];
        for word in
            ["\"$anchor\":\"addressDef\"", "\"if\":{", "\"allOf\":[{\"anyOf\":", "\"else\":{"]
        {
            assert!(text.contains(word), "{word}");
        }
    })
    .await;
}

/// A tool that needs what the client lacks is not run, whatever else is wrong.
#[tokio::test]
async fn a_capability_is_asked_for_before_the_arguments_are_read() {
    let server = || {
        let needed =
            ClientCapabilities::default().with_extension("com.example/x", serde_json::Map::new());
        Server::new("s", "1").tool(takes::<Plain>("t").requires(needed))
    };
    on_each(server, async |peer: &mut Peer| {
        let said = peer.call("t", json!({})).await;
        let error = said.is_error(-32021, 400);
        let required = &error["data"]["requiredCapabilities"];
        assert_eq!(required, &json!({ "extensions": { "com.example/x": {} } }));
    })
    .await;
}
