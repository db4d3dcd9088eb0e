//! Calling tools: arguments as they are sent, failures that a model can read, results whole.

use aqueduct::Server;
use aqueduct::prelude::*;
use aqueduct::protocol::content::{Annotations, Priority, ResourceLink, Role};
use aqueduct::protocol::icons::Icon;
use aqueduct::reply;
use aqueduct::resource::ResourceContents;
use serde_json::{Value, json};

use super::peer::{META, Peer, fixtures, on_each, stateless};

/// TOOL-12, and schema, `CallToolRequestParams`: `arguments` is an object or is not there.
#[tokio::test]
async fn b45_arguments_may_be_absent_and_must_else_be_an_object() {
    on_each(fixtures, async |peer: &mut Peer| {
        for tool in ["now", "opt", "test_simple_text"] {
            let absent = peer.request("tools/call", json!({ "name": tool })).await;
            absent.text();
            peer.call(tool, json!({})).await.text();
            // Null is taken for absence, for each tool alike.
            peer.call(tool, Value::Null).await.text();
            for arguments in [json!([]), json!("x"), json!(1), json!(true)] {
                peer.call(tool, arguments).await.is_error(-32602, 400);
            }
        }
        let said = peer.call("opt", json!({ "label": null })).await;
        assert_eq!(said.text(), "limit None, label None");
        let said = peer.call("opt", json!({ "limit": null })).await;
        assert!(said.failure().contains("limit"), "{}", said.answer);
        let said = peer.call("opt", json!({ "limit": 3, "label": "x" })).await;
        assert_eq!(said.text(), "limit Some(3), label Some(\"x\")");
    })
    .await;
}

/// Tools, Tool: `inputSchema` is JSON Schema, in which a string is a string.
#[tokio::test]
async fn b47_a_string_that_looks_like_something_else_stays_a_string() {
    on_each(fixtures, async |peer: &mut Peer| {
        for text in
            ["12345", "true", "null", r#"{"a":1}"#, "[1]", "1e5", "", " x ", "\u{0}\u{7f}\n"]
        {
            let said = peer.call("echo", json!({ "text": text })).await;
            assert_eq!(said.text(), text);
            let said = peer.call("opt", json!({ "label": text })).await;
            assert_eq!(said.text(), format!("limit None, label {:?}", Some(text)));
        }
        for arguments in [json!({ "a": "5", "b": 1 }), json!({ "a": 5, "b": 1.5 })] {
            let said = peer.call("add", arguments).await;
            assert!(said.failure().contains(['a', 'b']), "{}", said.answer);
        }
        for (a, b, sum) in [(2, 3, "5"), (9_007_199_254_740_993_i64, 0, "9007199254740993")] {
            assert_eq!(peer.call("add", json!({ "a": a, "b": b })).await.text(), sum);
        }
    })
    .await;
}

/// TOOL-08, TOOL-09, TOOL-10, ERR-05, ERR-06, ERR-15: what the model can mend is a result, what it
/// cannot is an error.
#[tokio::test]
async fn b48_bad_arguments_are_a_result_and_an_unknown_tool_is_an_error() {
    on_each(fixtures, async |peer: &mut Peer| {
        for arguments in [
            json!({}),
            json!({ "mode": 1 }),
            json!({ "mode": "c" }),
            json!({ "mode": "a", "x": 1 }),
        ] {
            let said = peer.call("pick", arguments.clone()).await;
            if !peer.is_session() {
                assert_eq!(said.result()["resultType"], "complete");
            }
            let named = if arguments.get("x").is_some() { "x" } else { "mode" };
            assert!(said.failure().contains(named), "{}", said.answer);
            assert!(said.status.is_none_or(|status| status == 200));
        }
        assert_eq!(peer.call("pick", json!({ "mode": "a" })).await.text(), "mode A");

        let unknown = peer.call("nope", json!({})).await;
        let message = unknown.is_error(-32602, 200)["message"].as_str().unwrap();
        assert!(message.contains("nope"), "{message}");
        for params in [json!({}), json!({ "name": 7 }), json!({ "name": null })] {
            peer.request("tools/call", params).await.is_error(-32602, 400);
        }

        let panicked = peer.call("panics", json!({})).await;
        panicked.is_error(-32603, 200);
        assert!(!panicked.answer.to_string().contains("hunter2"), "{}", panicked.answer);
        assert_eq!(peer.call("echo", json!({ "text": "alive" })).await.text(), "alive");
    })
    .await;
}

/// TOOL-05: a result keeps the promise of the output schema, and an error result is no promise.
#[tokio::test]
async fn b49_an_error_result_keeps_its_text_and_a_broken_promise_is_no_success() {
    on_each(fixtures, async |peer: &mut Peer| {
        let said = peer.call("typed", json!({ "reading": "offline" })).await;
        assert_eq!(said.failure(), "sensor offline");
        assert!(said.result().get("structuredContent").is_none(), "{}", said.answer);

        let said = peer.call("typed", json!({ "reading": "offline_with_data" })).await;
        assert_eq!(said.failure(), "sensor offline");
        assert!(said.result().get("structuredContent").is_none(), "{}", said.answer);

        for reading in ["wrong", "nothing"] {
            let said = peer.call("typed", json!({ "reading": reading })).await;
            said.is_error(-32603, 200);
            assert!(!said.answer.to_string().contains("hot"), "{}", said.answer);
        }
        let said = peer.call("typed", json!({})).await;
        assert_eq!(said.result()["structuredContent"], json!({ "temp": 21.5 }));
        assert_eq!(said.text(), r#"{"temp":21.5}"#);
    })
    .await;
}

/// TOOL-06: structured content is any JSON value, and is there as text too.
#[tokio::test]
async fn structured_content_may_be_an_array_a_number_or_null() {
    stateless(fixtures, async |peer: &mut Peer| {
        for (tool, expected) in [
            ("list_users", json!([{ "name": "ann" }, { "name": "bob" }])),
            ("count", json!(2)),
            ("nothing", Value::Null),
        ] {
            let said = peer.call(tool, json!({})).await;
            let structured = said.result().get("structuredContent");
            assert_eq!(structured, Some(&expected), "{}", said.answer);
            let text: Value = serde_json::from_str(said.text()).unwrap();
            assert_eq!(text, expected);
        }
    })
    .await;
}

/// APP-02, APP-03, APP-05, APP-06, VER-07: Basic, `_meta`; MCP Apps: what rides along
/// arrives.
#[tokio::test]
async fn b51_meta_is_kept_on_tools_results_resources_and_contents() {
    const PAGE: &str = "ui://chart/view.html";
    on_each(fixtures, async |peer: &mut Peer| {
        let list = peer.request("tools/list", json!({})).await;
        let chart = named(&list.result()["tools"], "chart").clone();
        assert_eq!(chart["_meta"], json!({ "ui": { "resourceUri": PAGE } }));

        let said = peer.call("chart", json!({})).await;
        let mut expected = json!({ "com.example/k": 1 });
        if !peer.is_session() {
            let server = json!({ "name": "conformance", "version": "1.0.0" });
            expected["io.modelcontextprotocol/serverInfo"] = server;
        }
        assert_eq!(said.result()["_meta"], expected);
        // Who cannot show the page reads this.
        assert_eq!(said.text(), "a chart");

        let list = peer.request("resources/list", json!({})).await;
        let listed = named(&list.result()["resources"], "chart").clone();
        assert_eq!(listed["_meta"], json!({ "ui": { "prefersBorder": true } }));
        assert_eq!(listed["mimeType"], "text/html;profile=mcp-app");

        let read = peer.request("resources/read", json!({ "uri": PAGE })).await;
        assert_eq!(read.result()["contents"].as_array().unwrap().len(), 1);
        let contents = &read.result()["contents"][0];
        assert!(
            contents["text"].as_str().unwrap().to_lowercase().starts_with("<!doctype html"),
            "{contents}"
        );
        assert_eq!(contents["_meta"], json!({ "ui": { "csp": { "connectDomains": [] } } }));
        assert_eq!(contents["mimeType"], "text/html;profile=mcp-app");
    })
    .await;
}

/// APP-04: a tool for pages alone is listed as such, and hidden by nobody but the host.
#[tokio::test]
async fn a_tool_for_pages_alone_is_listed_and_called() {
    let ui = json!({ "resourceUri": "a://page", "visibility": ["app"] });
    let server = || {
        let mut meta = aqueduct::protocol::meta::Meta::new();
        meta.insert("ui", &ui).unwrap();
        Server::new("pages", "1").tool(Tool::new("turn").meta(meta).handler(|| async { "turned" }))
    };
    on_each(server, async |peer: &mut Peer| {
        let list = peer.request("tools/list", json!({})).await;
        assert_eq!(named(&list.result()["tools"], "turn")["_meta"]["ui"], ui);
        assert_eq!(peer.call("turn", json!({})).await.text(), "turned");
    })
    .await;
}

fn named<'v>(list: &'v Value, name: &str) -> &'v Value {
    let mut items = list.as_array().unwrap().iter();
    items.find(|item| item["name"] == name).unwrap()
}

/// A server with a tool for each kind of content.
fn contents() -> Server {
    let noted = || {
        let priority = Priority::new(0.5).unwrap();
        Annotations::new().audience(vec![Role::User]).priority(priority)
    };
    Server::new("contents", "1").tools([
        Tool::new("text").handler(move || async move { reply::text("a\nb").annotations(noted()) }),
        Tool::new("image").handler(|| async { reply::image([0xFB, 0xEF, 0xFF], "image/png") }),
        Tool::new("audio").handler(|| async { reply::audio([0xFB, 0xEF, 0xFF], "audio/wav") }),
        Tool::new("link").handler(|| async {
            ContentBlock::link(ResourceLink::new("a://b", "b").mime_type("text/plain").size(7))
        }),
        Tool::new("resource").handler(|| async {
            ContentBlock::resource(ResourceContents::blob("a://b", [0xFB]).mime_type("x/y"))
        }),
        Tool::new("unit").handler(|| async {}),
    ])
}

/// TOOL-11, STDIO-01, B65: each kind of content as the schema has it, bytes in the standard
/// alphabet.
#[tokio::test]
async fn each_kind_of_content_is_written_as_the_schema_has_it() {
    on_each(contents, async |peer: &mut Peer| {
        let annotations = json!({ "audience": ["user"], "priority": 0.5 });
        for (tool, expected) in [
            ("text", json!([{ "type": "text", "text": "a\nb", "annotations": annotations }])),
            ("image", json!([{ "type": "image", "data": "++//", "mimeType": "image/png" }])),
            ("audio", json!([{ "type": "audio", "data": "++//", "mimeType": "audio/wav" }])),
            (
                "link",
                json!([{
                    "type": "resource_link", "uri": "a://b", "name": "b",
                    "mimeType": "text/plain", "size": 7,
                }]),
            ),
            (
                "resource",
                json!([{
                    "type": "resource",
                    "resource": { "uri": "a://b", "mimeType": "x/y", "blob": "+w==" },
                }]),
            ),
            ("unit", json!([])),
        ] {
            let said = peer.call(tool, json!({})).await;
            assert_eq!(said.result()["content"], expected);
            // STDIO-01: one line, whatever the text holds.
            assert!(!said.texts.last().unwrap().contains('\n'));
        }
    })
    .await;
}

/// BASE-28: a priority lies between 0 and 1.
#[test]
fn a_priority_lies_between_0_and_1() {
    for (value, good) in [(0.0, true), (1.0, true), (1.5, false), (-0.1, false), (f64::NAN, false)]
    {
        assert_eq!(Priority::new(value).is_ok(), good, "{value}");
    }
}

/// BASE-24, ERR-18: codes that JSON-RPC and the protocol keep cannot be made.
#[tokio::test]
async fn an_application_s_own_error_keeps_its_code_and_a_reserved_one_cannot_be_made() {
    let server = || {
        Server::new("codes", "1").tool(Tool::new("own").handler(|| async {
            let error = Error::application(1001, "out of paper")?;
            Err::<(), ToolError>(error.data(&json!({ "tray": 2 })).into())
        }))
    };
    on_each(server, async |peer: &mut Peer| {
        let said = peer.call("own", json!({})).await;
        let error = said.is_error(1001, 200);
        assert_eq!(error["data"], json!({ "tray": 2 }));
    })
    .await;
    for code in [-32768, -32700, -32602, -32099, -32042, -32020, -32002, -32000] {
        assert!(Error::application(code, "x").is_err(), "{code}");
    }
}

/// BASE-27: clients take pictures from `https:` and `data:` only.
#[tokio::test]
async fn an_icon_that_clients_refuse_is_refused_first() {
    let server = |src: &str| {
        let tool = Tool::new("t").icon(Icon::new(src)).handler(|| async { "t" });
        Server::new("icons", "1").icon(Icon::new(src)).tool(tool)
    };
    for src in ["http://example.com/a.png", "javascript:alert(1)", "file:///a.png", "a.png"] {
        let error = server(src).build().unwrap_err();
        assert_eq!(error.problems().len(), 2, "{error}");
    }
    let good = "https://example.com/a.png";
    stateless(
        || server(good),
        async |peer: &mut Peer| {
            let list = peer.request("tools/list", json!({})).await;
            assert_eq!(list.result()["tools"][0]["icons"], json!([{ "src": good }]));
            let info = &list.result()["_meta"]["io.modelcontextprotocol/serverInfo"];
            assert_eq!(info["icons"], json!([{ "src": good }]));
        },
    )
    .await;
}

/// CAN-07: a handler that needs longer than it may is stopped, and says so in its own words.
#[tokio::test]
async fn a_call_that_takes_too_long_ends() {
    let server = || {
        let waits = || async { std::future::pending::<&str>().await };
        let tool = Tool::new("waits").timeout(std::time::Duration::from_millis(20)).handler(waits);
        Server::new("clock", "1").tool(tool)
    };
    on_each(server, async |peer: &mut Peer| {
        let said = peer.call("waits", json!({})).await;
        let message = said.is_error(-32603, 200)["message"].as_str().unwrap().to_owned();
        assert!(message.contains("timed out"), "{message}");
    })
    .await;
}

/// A message may name a member twice to mean different things to different readers.
#[tokio::test]
async fn a_name_that_stands_twice_is_refused() {
    on_each(fixtures, async |peer: &mut Peer| {
        for params in [
            format!(r#"{{"name":"echo","name":"danger",{META}}}"#),
            format!(r#"{{"name":"danger","arguments":{{"a":1,"a":2}},{META}}}"#),
            format!(r#"{{"Name":"danger","name":"echo",{META}}}"#),
        ] {
            let text =
                format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
            let said = peer.send(&text).await;
            said.is_error(-32600, 400);
        }
        assert_eq!(peer.happened("danger").await, 0);
    })
    .await;
}
