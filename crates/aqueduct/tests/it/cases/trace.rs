//! The trace of a request, and what else its metadata holds.

use std::fmt;
use std::sync::{Arc, Mutex};

use aqueduct::Server;
use aqueduct::prelude::*;
use aqueduct::protocol::capabilities::ClientCapabilities;
use aqueduct::protocol::meta::Meta;
use serde_json::{Map, Value, json};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use super::peer::{Peer, on_each, stateless};

const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/// Keeps the fields of the spans that it sees, for this thread.
#[derive(Clone, Default)]
struct Spans(Arc<Mutex<Vec<String>>>);

struct Fields<'a>(&'a mut String);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.push_str(&format!("{field}={value:?} "));
    }
}

impl Subscriber for Spans {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = String::new();
        span.record(&mut Fields(&mut fields));
        let mut spans = self.0.lock().unwrap();
        if span.metadata().name() == "mcp" {
            spans.push(fields);
        }
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, _: &Event<'_>) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

fn server() -> Server {
    Server::new("traced", "1").tool(Tool::new("trace").handler(|ctx: Context| async move {
        let trace = ctx.trace();
        let parent = trace.parent.map(|parent| parent.to_string());
        ContentBlock::text(json!([parent, trace.state, trace.baggage]).to_string())
    }))
}

/// BASE-19: a trace reaches the handler and its span; what is malformed is as if it were not
/// there.
#[tokio::test]
async fn the_trace_of_a_request_reaches_its_span_and_its_handler() {
    for (meta, seen) in [
        (
            json!({ "traceparent": PARENT, "tracestate": "a=1", "baggage": "user=alice" }),
            json!([PARENT, "a=1", "user=alice"]),
        ),
        (json!({ "baggage": "user=alice" }), json!([null, null, "user=alice"])),
        (json!({ "traceparent": "garbage", "tracestate": "a=1" }), json!([null, null, null])),
        (
            json!({ "traceparent": PARENT, "tracestate": "???", "baggage": "\u{0}" }),
            json!([PARENT, null, null]),
        ),
        (json!({ "traceparent": 7, "tracestate": [], "baggage": null }), json!([null, null, null])),
        (json!({}), json!([null, null, null])),
    ] {
        on_each(server, async |peer: &mut Peer| {
            let spans = Spans::default();
            let params = json!({ "name": "trace", "_meta": meta });
            let said = {
                let _watched = tracing::subscriber::set_default(spans.clone());
                peer.request("tools/call", params).await
            };
            assert_eq!(serde_json::from_str::<Value>(said.text()).unwrap(), seen, "{meta}");
            let all = std::mem::take(&mut *spans.0.lock().unwrap());
            let span = all.iter().find(|span| span.contains("tools/call")).unwrap();
            for (name, value) in
                ["traceparent", "tracestate", "baggage"].iter().zip(seen.as_array().unwrap())
            {
                match value.as_str() {
                    Some(value) => assert!(span.contains(&format!("{name}={value:?} ")), "{span}"),
                    None => assert!(!span.contains(name), "{span}"),
                }
            }
        })
        .await;
    }
}

/// BASE-18: a handler reads all that the client put in, whatever its name, and answers likewise.
#[tokio::test]
async fn metadata_is_open_in_both_directions() {
    let server = || {
        Server::new("open", "1").tool(Tool::new("echo").handler(|ctx: Context| async move {
            let given = ctx.meta();
            let mut meta = Meta::new();
            meta.insert("com.example/echo", &given.get::<Value>("com.example/deep"))?;
            meta.insert("weird", &given.value("weird"))?;
            Ok::<_, ToolError>(ToolResult::new().text("echoed").meta(meta))
        }))
    };
    stateless(server, async |peer: &mut Peer| {
        let deep = json!({ "a": [1, null, { "b": "c" }] });
        let meta = json!({ "com.example/deep": deep, "weird": 1, "not a key at all": true });
        let said = peer.request("tools/call", json!({ "name": "echo", "_meta": meta })).await;
        let meta = &said.result()["_meta"];
        assert_eq!(meta["com.example/echo"], deep);
        assert_eq!(meta["weird"], 1);
        assert_eq!(meta["io.modelcontextprotocol/serverInfo"]["name"], "open");
    })
    .await;
}

/// BASE-17, VER-06, VER-08: keys and identifiers that the grammar forbids are refused when the
/// server is built, whichever way they came.
#[tokio::test]
async fn names_of_metadata_and_of_extensions_are_checked() {
    let bad: Map<String, Value> = Map::from_iter([("a b".to_owned(), json!(1))]);
    assert!(Meta::try_from(bad.clone()).is_err());
    let reserved = Map::from_iter([("dev.mcp/x".to_owned(), json!(1))]);
    assert!(Meta::try_from(reserved).is_err());
    let good = Map::from_iter([("com.example.mcp/x".to_owned(), json!(1))]);
    assert!(Meta::try_from(good).is_ok());
    let read: Meta = serde_json::from_value(Value::Object(bad)).unwrap();
    let server = Server::new("s", "1")
        .tool(Tool::new("t").meta(read.clone()).handler(|| async { "" }))
        .prompt(Prompt::new("p").meta(read.clone()).handler(|| async { "" }))
        .resource(Resource::new("a://b", "b").meta(read).handler(|| async { "" }))
        .tool(
            Tool::new("u")
                .requires(ClientCapabilities::default().with_extension("tasks", Map::new()))
                .handler(|| async { "" }),
        )
        .supports("tasks", Map::new())
        .supports("com.example/", Map::new());
    let error = server.build().unwrap_err();
    assert_eq!(error.problems().len(), 6, "{error}");

    let supports = || {
        let settings = Map::from_iter([("level".to_owned(), json!(2))]);
        Server::new("s", "1").supports("com.example/audit", settings)
    };
    stateless(supports, async |peer: &mut Peer| {
        let said = peer.request("server/discover", json!({})).await;
        let extensions = &said.result()["capabilities"]["extensions"];
        assert_eq!(extensions, &json!({ "com.example/audit": { "level": 2 } }));
    })
    .await;
    stateless(
        || Server::new("s", "1"),
        async |peer: &mut Peer| {
            let said = peer.request("server/discover", json!({})).await;
            assert!(said.result()["capabilities"].get("extensions").is_none());
        },
    )
    .await;
}
