//! `#[tool]`: its options, and what the function becomes and remains.

use aqueduct::prelude::*;
use aqueduct::protocol::capabilities::ClientCapabilities;
use aqueduct::protocol::icons::Icon;
use aqueduct::protocol::meta::Meta;
use aqueduct::testing::TestError;
use serde_json::{Value, json};

use super::{listed, of_tools, only, said};

/// Add two numbers.
///
/// - whole ones
///   - of any sign
#[tool]
async fn add(a: i64, b: i64) -> String {
    (a + b).to_string()
}

#[tokio::test]
async fn the_documentation_is_the_description() {
    let tool = listed(only(list![add])).await;
    assert_eq!(tool["name"], "add");
    assert_eq!(tool["description"], "Add two numbers.\n\n- whole ones\n  - of any sign");
    assert_eq!(tool["inputSchema"]["required"], json!(["a", "b"]));
    assert_eq!(tool["inputSchema"]["additionalProperties"], false);
    assert_eq!(tool["annotations"], Value::Null);
    assert_eq!(tool["outputSchema"], Value::Null);
}

#[tokio::test]
async fn the_function_stays_a_function() {
    assert_eq!(add(1, 2).await, "3");
    let client = of_tools(list![add]);
    assert_eq!(said(&client, "add", json!({ "a": 40, "b": 2 })).await, "42");
}

fn meta() -> Meta {
    let mut meta = Meta::new();
    meta.insert("com.example/area", &"math").unwrap();
    meta
}

const SOURCE: &str = "https://example.com/2.png";

#[tool(
    name = "math.add",
    title = "Add",
    description = concat!("Add ", "numbers"),
    read_only,
    idempotent,
    destructive = false,
    open_world = false,
    icon = "https://example.com/1.png",
    icon = Icon::new(SOURCE).mime_type("image/png"),
    meta = meta(),
)]
async fn every_word() {}

#[tokio::test]
async fn what_the_options_say_is_listed() {
    let tool = listed(only(list![every_word])).await;
    assert_eq!(tool["name"], "math.add");
    assert_eq!(tool["title"], "Add");
    assert_eq!(tool["description"], "Add numbers");
    assert_eq!(
        tool["annotations"],
        json!({
            "readOnlyHint": true,
            "idempotentHint": true,
            "destructiveHint": false,
            "openWorldHint": false,
        })
    );
    assert_eq!(tool["icons"][0]["src"], "https://example.com/1.png");
    assert_eq!(tool["icons"][1], json!({ "src": SOURCE, "mimeType": "image/png" }));
    assert_eq!(tool["_meta"], json!({ "com.example/area": "math" }));
}

#[tool(destructive, open_world)]
fn delete() {}

#[tokio::test]
async fn a_flag_without_a_value_is_true() {
    let tool = listed(only(list![delete])).await;
    assert_eq!(tool["annotations"], json!({ "destructiveHint": true, "openWorldHint": true }));
}

#[doc = include_str!("described.md")]
#[tool]
async fn described() {}

#[tokio::test]
async fn a_description_may_be_a_file() {
    let tool = listed(only(list![described])).await;
    assert_eq!(tool["description"], "From a file.\n\nIn two paragraphs.");
}

#[tool(tags("admin", "slow"))]
async fn tagged() {}

#[test]
fn tags_are_for_the_server_alone() {
    let tool = only(list![tagged]);
    assert_eq!(tool.tag_list(), ["admin", "slow"]);
}

#[tool(timeout = "20ms")]
async fn endless() {
    std::future::pending::<()>().await;
}

#[tokio::test(start_paused = true)]
async fn a_call_ends_at_its_timeout() {
    let start = tokio::time::Instant::now();
    let refused = of_tools(list![endless]).call_tool("endless", json!({})).await;
    assert!(refused.is_err() || refused.is_ok_and(|result| result.is_error == Some(true)));
    let elapsed = start.elapsed().as_millis();
    assert!((20..1_000).contains(&elapsed), "{elapsed} ms");
}

#[tool(requires(elicitation, sampling_tools, roots))]
async fn demanding() -> &'static str {
    "done"
}

#[tokio::test]
async fn a_client_must_have_what_the_tool_requires() {
    let client = of_tools(list![demanding]);
    let refused = client.call_tool("demanding", json!({})).await.unwrap_err();
    let TestError::Refused { code, data, .. } = refused else { panic!("{refused:?}") };
    assert_eq!(code, -32021);
    let required =
        json!({ "elicitation": { "form": {} }, "sampling": { "tools": {} }, "roots": {} });
    assert_eq!(data, json!({ "requiredCapabilities": required }));
    let able: ClientCapabilities = serde_json::from_value(required).unwrap();
    let client = client.capabilities(able);
    assert_eq!(said(&client, "demanding", json!({})).await, "done");
}

#[tool(
    input_schema = json!({ "type": "object", "properties": { "n": { "const": 7 } } }),
    output_schema = json!({ "type": "object", "required": ["n"] }),
)]
async fn by_hand() -> Result<ToolResult> {
    ToolResult::new().data(&json!({ "n": 1 }))
}

#[tokio::test]
async fn schemas_may_be_written_by_hand() {
    let tool = listed(only(list![by_hand])).await;
    assert_eq!(tool["inputSchema"]["properties"], json!({ "n": { "const": 7 } }));
    assert_eq!(tool["outputSchema"]["required"], json!(["n"]));
    let client = of_tools(list![by_hand]);
    assert_eq!(said(&client, "by_hand", json!({ "n": 7 })).await, r#"{"n":1}"#);
    let refused = client.call_tool("by_hand", json!({ "n": 8 })).await.unwrap();
    assert_eq!(refused.is_error, Some(true));
}

#[tool]
fn inline(name: &str) -> String {
    name.to_uppercase()
}

#[tokio::test]
async fn a_plain_function_runs_inline() {
    assert_eq!(said(&of_tools(list![inline]), "inline", json!({ "name": "x" })).await, "X");
}

#[tool]
async fn failing(number: String) -> Result<String> {
    let number: u8 = number.parse()?;
    Ok(number.to_string())
}

#[tool]
async fn failing_in_its_own_way() -> Result<Json<u8>, std::num::ParseIntError> {
    "x".parse().map(Json)
}

#[tool]
async fn opaque() -> impl aqueduct::tool::IntoToolOutput {
    "opaque"
}

#[tokio::test]
async fn an_error_is_for_the_model() {
    let client = of_tools(list![failing, failing_in_its_own_way, opaque]);
    for (tool, arguments) in
        [("failing", json!({ "number": "x" })), ("failing_in_its_own_way", json!({}))]
    {
        let result = client.call_tool(tool, arguments).await.unwrap();
        assert_eq!(result.is_error, Some(true));
        assert_eq!(result.content[0].as_text(), Some("invalid digit found in string"));
    }
    assert_eq!(said(&client, "failing", json!({ "number": "7" })).await, "7");
    assert_eq!(said(&client, "opaque", json!({})).await, "opaque");
    let schema = listed(only(list![failing_in_its_own_way])).await["outputSchema"].take();
    assert_eq!(schema["type"], "integer");
}

mod elsewhere {
    use aqueduct::prelude::*;

    /// Made in a module.
    #[tool]
    pub(super) async fn there() -> &'static str {
        "there"
    }

    pub(super) mod deeper {
        use aqueduct::prelude::*;

        #[tool]
        pub(crate) async fn r#type(r#in: String) -> String {
            r#in
        }
    }
}

#[tokio::test]
async fn a_tool_is_listed_by_its_path() {
    use elsewhere::deeper;
    let client = of_tools(list![elsewhere::there, deeper::r#type, add]);
    assert_eq!(client.tool_names().await.unwrap(), ["there", "type", "add"]);
    assert_eq!(said(&client, "type", json!({ "in": "raw" })).await, "raw");
}

#[tokio::test]
async fn a_tool_may_be_made_inside_of_a_function() {
    struct Prefix;
    impl Prefix {
        const TEXT: &str = "local ";
    }

    #[tool]
    async fn local(word: String) -> String {
        format!("{}{word}", Prefix::TEXT)
    }

    assert_eq!(said(&of_tools(list![local]), "local", json!({ "word": "x" })).await, "local x");
}

macro_rules! adder {
    ($name:ident, $number:ty) => {
        /// Made by a macro.
        #[tool]
        async fn $name(number: $number) -> String {
            number.to_string()
        }
    };
}

adder!(by_macro, u8);

#[tokio::test]
async fn a_tool_may_be_made_by_a_macro() {
    assert_eq!(said(&of_tools(list![by_macro]), "by_macro", json!({ "number": 7 })).await, "7");
}

#[test]
fn a_name_that_is_there_twice_is_told_when_the_server_is_built() {
    let twice = Server::new("test", "1").tools(list![add, add]).build().unwrap_err();
    assert!(twice.to_string().contains("tool \"add\" is there twice"), "{twice}");
}

#[deprecated]
#[tool]
async fn old() {}

#[tokio::test]
async fn a_deprecated_function_is_a_tool_still() {
    assert_eq!(of_tools(list![old]).tool_names().await.unwrap(), ["old"]);
}
