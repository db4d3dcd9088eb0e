//! The tools that the official suite calls by name.

use std::time::Duration;

use aqueduct::prelude::*;
use aqueduct::protocol::capabilities::{ClientCapabilities, SamplingCapability};
use aqueduct::reply;
use aqueduct::resource::ResourceContents;
use aqueduct::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// How long the suite is given to see one notification before the next.
const PAUSE: Duration = Duration::from_millis(50);

/// A picture of one transparent pixel.
pub(crate) const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\
\x1f\x15\xc4\x89\0\0\0\x0bIDATx\xdac`\0\x02\0\0\x05\0\x01\xe9\xfa\xdc\xd8\0\0\0\0IEND\xaeB`\x82";

/// One sample of silence.
const WAV: &[u8] = b"RIFF\x26\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\
\x10\0data\x02\0\0\0\0\0";

/// All of them; the first succeeds on `{}`.
pub(crate) fn all() -> Vec<Tool> {
    vec![
        simple_text(),
        image(),
        audio(),
        embedded(),
        mixed(),
        failing(),
        logging(),
        progress(),
        schema_2020_12(),
        custom_header(),
        missing_capability(),
        logging_on_request(),
        greet(),
    ]
}

fn simple_text() -> Tool {
    Tool::new("test_simple_text")
        .description("Answers with a text")
        .read_only()
        .handler(|| async { "This is a simple text response for testing." })
}

fn image() -> Tool {
    Tool::new("test_image_content")
        .description("Answers with a picture")
        .handler(|| async { reply::image(PNG, "image/png") })
}

fn audio() -> Tool {
    Tool::new("test_audio_content")
        .description("Answers with a sound")
        .handler(|| async { reply::audio(WAV, "audio/wav") })
}

fn embedded() -> Tool {
    Tool::new("test_embedded_resource")
        .description("Answers with the contents of a resource")
        .handler(|| async {
            let text = "This is an embedded resource content.";
            let contents = ResourceContents::text("test://embedded-resource", text);
            ContentBlock::resource(contents.mime_type("text/plain"))
        })
}

fn mixed() -> Tool {
    Tool::new("test_multiple_content_types")
        .description("Answers with a text, a picture and a resource")
        .handler(|| async {
            let text = r#"{"test":"data","value":123}"#;
            let contents = ResourceContents::text("test://mixed-content-resource", text);
            vec![
                reply::text("Multiple content types test:"),
                reply::image(PNG, "image/png"),
                ContentBlock::resource(contents.mime_type("application/json")),
            ]
        })
}

fn failing() -> Tool {
    Tool::new("test_error_handling").description("Always fails, in words for the model").handler(
        || async {
            let message = "This tool intentionally returns an error for testing";
            Err::<(), _>(ToolError::new(message))
        },
    )
}

fn logging() -> Tool {
    Tool::new("test_tool_with_logging")
        .description("Sends three log messages while it works")
        .handler(|ctx: Context| async move {
            for message in
                ["Tool execution started", "Tool processing data", "Tool execution completed"]
            {
                ctx.log(LoggingLevel::Info, message);
                tokio::time::sleep(PAUSE).await;
            }
            "Logged three messages"
        })
}

fn progress() -> Tool {
    Tool::new("test_tool_with_progress").description("Tells three times how far it is").handler(
        |ctx: Context| async move {
            for done in [0, 50, 100] {
                ctx.progress((done, 100));
                tokio::time::sleep(PAUSE).await;
            }
            "Reported progress three times"
        },
    )
}

/// Keywords that a typed copy of a schema would lose.
fn schema_2020_12() -> Tool {
    let address = json!({
        "$anchor": "addressDef",
        "type": "object",
        "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
    });
    Tool::new("json_schema_2020_12_tool")
        .description("Takes arguments that only JSON Schema 2020-12 describes")
        .input_schema(json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "$defs": { "address": address },
            "properties": {
                "name": { "type": "string" },
                "address": { "$ref": "#/$defs/address" },
                "contactMethod": { "type": "string", "enum": ["phone", "email"] },
                "phone": { "type": "string" },
                "email": { "type": "string" },
            },
            "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
            "if": {
                "properties": { "contactMethod": { "const": "phone" } },
                "required": ["contactMethod"],
            },
            "then": { "required": ["phone"] },
            "else": { "required": ["email"] },
            "additionalProperties": false,
        }))
        .handler(|| async { "The arguments fit the schema" })
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
struct Header {
    value: String,
}

fn custom_header() -> Tool {
    Tool::new("test_custom_header")
        .description("Takes an argument that HTTP clients repeat in a header")
        .input_schema(json!({
            "type": "object",
            "properties": { "value": { "type": "string", "x-mcp-header": "Value" } },
            "required": ["value"],
        }))
        .handler(|Args(header): Args<Header>| async move { header.value })
}

fn missing_capability() -> Tool {
    let sampling = ClientCapabilities::default().sampling(SamplingCapability::default());
    Tool::new("test_missing_capability")
        .description("Needs a client whose model can be asked")
        .requires(sampling)
        .handler(|| async { "The client's model can be asked" })
}

fn logging_on_request() -> Tool {
    Tool::new("test_logging_tool").description("Logs where the request asks for it").handler(
        |ctx: Context| async move {
            ctx.log(LoggingLevel::Info, "The logging tool was called");
            "Done"
        },
    )
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
struct Greet {
    /// Whom to greet
    name: String,
}

fn greet() -> Tool {
    Tool::new("greet")
        .description("Greets somebody")
        .handler(|Args(greet): Args<Greet>| async move { format!("Hello, {}!", greet.name) })
}
