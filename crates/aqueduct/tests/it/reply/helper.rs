//! The helpers of `ConduitMCP`'s page, as bytes over each channel.

use std::sync::atomic::{AtomicUsize, Ordering};

use aqueduct::Server;
use aqueduct::prelude::*;
use aqueduct::reply;
use aqueduct::resource::ResourceItem;
use serde::ser::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::cases::peer::{Peer, on_each};

/// A value that counts how often it is written.
struct Counted<'a>(&'a AtomicUsize);

impl Serialize for Counted<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.fetch_add(1, Ordering::Relaxed);
        json!({ "id": 1 }).serialize(serializer)
    }
}

fn tools() -> Server {
    let user = || json!({ "id": 1 });
    let raw = || json!({ "content": [{ "type": "text", "text": "raw" }], "isError": false });
    Server::new("helpers", "1").tools([
        Tool::new("text").handler(|| async { reply::text("Hello, world!") }),
        Tool::new("texts").handler(|| async { reply::texts(["a", "b"]) }),
        Tool::new("none").handler(|| async { reply::texts::<String>([]) }),
        Tool::new("json").handler(|| async { reply::json(&json!({ "status": "ok" })) }),
        Tool::new("image").handler(|| async { reply::image(b"hello", "image/png") }),
        Tool::new("audio").handler(|| async { reply::audio(b"hello", "audio/wav") }),
        Tool::new("link").handler(|| async { reply::link("a://b", "b") }),
        Tool::new("several").handler(|| async {
            ToolResult::new().text("chart").image(b"hi", "image/png").link("a://b", "b")
        }),
        Tool::new("structured").handler(move || async move { reply::structured(&user()) }),
        Tool::new("said")
            .handler(move || async move { reply::structured_as(&user(), "Fetched user 1") }),
        Tool::new("raw").handler(move || async move { reply::raw(&raw()) }),
        Tool::new("no_result").handler(|| async { reply::raw(&json!({ "status": "ok" })) }),
        Tool::new("execution_error")
            .handler(|| async { Err::<(), _>(reply::execution_error("User 7 not found")) }),
        Tool::new("error").handler(|| async { Err::<(), _>(reply::error("Not found")) }),
        Tool::new("error_code").handler(|| async {
            Err::<(), ToolError>(reply::error_code(-32602, "Invalid parameters")?)
        }),
        Tool::new("own_code")
            .handler(|| async { Err::<(), ToolError>(reply::error_code(1001, "out of paper")?) }),
        Tool::new("pool")
            .handler(|| async { Err::<(), ToolError>(reply::error_code(-32000, "busy")?) }),
    ])
}

#[tokio::test]
async fn each_helper_is_the_content_that_it_is_called() {
    on_each(tools, async |peer: &mut Peer| {
        let image = json!({ "type": "image", "data": "aGVsbG8=", "mimeType": "image/png" });
        let audio = json!({ "type": "audio", "data": "aGVsbG8=", "mimeType": "audio/wav" });
        let link = json!({ "type": "resource_link", "uri": "a://b", "name": "b" });
        let text = |text: &str| json!({ "type": "text", "text": text });
        for (tool, content) in [
            ("text", json!([text("Hello, world!")])),
            ("texts", json!([text("a"), text("b")])),
            ("none", json!([])),
            ("json", json!([text(r#"{"status":"ok"}"#)])),
            ("image", json!([image])),
            ("audio", json!([audio])),
            ("link", json!([link])),
            (
                "several",
                json!([
                    text("chart"),
                    { "type": "image", "data": "aGk=", "mimeType": "image/png" },
                    link,
                ]),
            ),
        ] {
            let said = peer.call(tool, json!({})).await;
            assert_eq!(said.result()["content"], content, "{tool}");
            assert!(said.result().get("isError").is_none(), "{tool}");
            assert!(said.result().get("structuredContent").is_none(), "{tool}");
        }
    })
    .await;
}

#[tokio::test]
async fn structured_content_has_its_json_or_a_message_as_text() {
    on_each(tools, async |peer: &mut Peer| {
        for (tool, text) in [("structured", r#"{"id":1}"#), ("said", "Fetched user 1")] {
            let said = peer.call(tool, json!({})).await;
            assert_eq!(said.text(), text);
            assert_eq!(said.result()["structuredContent"], json!({ "id": 1 }));
            assert_eq!(said.result()["content"].as_array().unwrap().len(), 1);
        }
    })
    .await;
    let times = AtomicUsize::new(0);
    drop(reply::structured(&Counted(&times)).unwrap());
    assert_eq!(times.into_inner(), 1, "the value is written once");
}

#[tokio::test]
async fn a_raw_result_is_sent_where_it_is_a_result() {
    on_each(tools, async |peer: &mut Peer| {
        let said = peer.call("raw", json!({})).await;
        assert_eq!(said.text(), "raw");
        assert_eq!(said.result()["isError"], false);
        // Every client would refuse it, so it is refused here, and the log says why.
        let refused = peer.call("no_result", json!({})).await;
        refused.is_error(-32603, 200);
        assert!(!refused.answer.to_string().contains("status"), "{}", refused.answer);
    })
    .await;
    for (wrong, why) in [
        (json!({ "status": "ok" }), "content"),
        (json!({ "content": [], "status": "ok" }), "no member \"status\""),
        (json!([1]), "[1] is no result"),
        (json!({}), "content"),
    ] {
        let error = format!("{:?}", reply::raw(&wrong).unwrap_err());
        assert!(error.contains(why) && error.contains("reply::structured"), "{error}");
    }
}

#[tokio::test]
async fn a_failure_is_for_the_model_or_for_the_client() {
    on_each(tools, async |peer: &mut Peer| {
        let said = peer.call("execution_error", json!({})).await;
        assert_eq!(said.failure(), "User 7 not found");
        for (tool, code, status, message) in [
            ("error", -32603, 200, "Not found"),
            ("error_code", -32602, 400, "Invalid parameters"),
            ("own_code", 1001, 200, "out of paper"),
        ] {
            let said = peer.call(tool, json!({})).await;
            assert_eq!(said.is_error(code, status)["message"], message);
        }
        // The pool below -32000 is the protocol's: the author is told, in the result.
        let said = peer.call("pool", json!({})).await;
        assert!(said.failure().contains("code -32000 is reserved"), "{}", said.answer);
    })
    .await;
}

fn prompts() -> Server {
    Server::new("helpers", "1").prompts([
        Prompt::new("example").handler(|| async {
            vec![
                reply::system("You are a helpful assistant"),
                reply::user("What is 2+2?"),
                reply::assistant("4"),
            ]
        }),
        Prompt::new("fails").handler(|| async {
            Err::<PromptMessage, ToolError>(Error::invalid_params("no topic").into())
        }),
    ])
}

#[tokio::test]
async fn messages_have_the_roles_that_the_specification_knows() {
    on_each(prompts, async |peer: &mut Peer| {
        let said = peer.request("prompts/get", json!({ "name": "example" })).await;
        let messages = said.result()["messages"].as_array().unwrap();
        let roles: Vec<_> = messages.iter().map(|message| &message["role"]).collect();
        assert_eq!(roles, ["user", "user", "assistant"]);
        assert_eq!(messages[0]["content"]["text"], "You are a helpful assistant");
        assert_eq!(messages[0]["content"]["annotations"], json!({ "audience": ["assistant"] }));
        assert_eq!(messages[1]["content"], json!({ "type": "text", "text": "What is 2+2?" }));
    })
    .await;
}

#[tokio::test]
async fn a_prompt_may_fail() {
    on_each(prompts, async |peer: &mut Peer| {
        let said = peer.request("prompts/get", json!({ "name": "fails" })).await;
        assert_eq!(said.is_error(-32602, 400)["message"], "no topic");
    })
    .await;
}

fn resources() -> Server {
    Server::new("helpers", "1").resources([
        Resource::new("config://settings.xml", "settings")
            .handler(|| async { reply::raw_resource("<settings/>", "application/xml") }),
        Resource::new("img://logo", "logo")
            .handler(|| async { reply::raw_blob([1, 2, 3], "image/png") }),
    ])
}

#[tokio::test]
async fn raw_contents_get_the_uri_that_was_read() {
    on_each(resources, async |peer: &mut Peer| {
        for (uri, contents) in [
            (
                "config://settings.xml",
                json!({ "mimeType": "application/xml", "text": "<settings/>" }),
            ),
            ("img://logo", json!({ "mimeType": "image/png", "blob": "AQID" })),
        ] {
            let said = peer.request("resources/read", json!({ "uri": uri })).await;
            let mut expected = contents;
            expected["uri"] = Value::from(uri);
            assert_eq!(said.result()["contents"], json!([expected]));
        }
        let listed = peer.request("resources/list", json!({})).await;
        let listed: Vec<ResourceItem> =
            serde_json::from_value(listed.result()["resources"].clone()).unwrap();
        assert_eq!(listed.len(), 2);
    })
    .await;
}
