//! Which generation a message over HTTP is of: the rows of the decision table, one test each.

use aqueduct::seal::KeyRing;
use aqueduct::server::Handshake;
use aqueduct::store::Memory;
use serde_json::{Value, json};

use super::fixture::Fixture;
use super::peer::{Post, ask, call, meta, request};
use super::session::{
    ALL, MIDDLE, NEWEST, OLDEST, Session, asked, called, fixtures, initialize, sharing,
};

async fn session(fixture: &Fixture) -> Session {
    Session::begin(fixture.addr, NEWEST, json!({})).await
}

/// VER-10, HTTP-16, VER-11: metadata makes a request stateless, whatever else is there.
#[tokio::test]
async fn row_01_modern_metadata_is_the_stateless_revision_whatever_the_session_header() {
    let fixture = Fixture::new().await;
    let session = session(&fixture).await;
    for id in ["nonsense", &session.id] {
        let post = Post::of(&call(1, "danger", json!({})));
        let post = post.header("Mcp-Session-Id", id).header("Last-Event-ID", "x-1");
        let answer = post.ask(fixture.addr).await;
        assert_eq!(answer.result(1)["resultType"], "complete");
        assert_eq!(answer.header("mcp-session-id"), None);
    }
    for method in
        ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"]
    {
        let answer = fixture.ask(&request(1, method, json!({}))).await;
        assert_eq!(answer.error(1), (404, -32601), "{method}");
    }
    let mut old = request(1, "tools/list", json!({}));
    old["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(NEWEST);
    let answer = Post::of(&old).with("MCP-Protocol-Version", NEWEST).ask(fixture.addr).await;
    assert_eq!(answer.error(1), (400, -32022));
    assert_eq!(answer.json()["error"]["data"]["supported"], json!(["2026-07-28"]));
}

#[tokio::test]
async fn row_02_a_modern_header_without_metadata_is_a_malformed_stateless_request() {
    let fixture = Fixture::new().await;
    let session = session(&fixture).await;
    for (method, version) in
        [("tools/list", "2026-07-28"), ("initialize", "2026-07-28"), ("tools/list", "2099-01-01")]
    {
        let post = Post::raw(asked(7, method, json!({})).to_string())
            .header("MCP-Protocol-Version", version)
            .header("Mcp-Session-Id", &session.id);
        let (status, code) = post.ask(fixture.addr).await.error(7);
        let expected = if method == "initialize" { -32022 } else { -32602 };
        assert_eq!((status, code), (400, expected), "{method} {version}");
    }
}

#[tokio::test]
async fn row_03_discover_without_metadata_is_a_malformed_stateless_request() {
    let fixture = Fixture::new().await;
    let body = asked("a", "server/discover", json!({})).to_string();
    assert_eq!(Post::raw(body.clone()).ask(fixture.addr).await.error("a"), (400, -32602));
    let session = session(&fixture).await;
    let post = Post::raw(body).header("Mcp-Session-Id", &session.id);
    assert_eq!(post.ask(fixture.addr).await.error("a"), (400, -32602));
}

/// VER-10: a handshake begins a session.
#[tokio::test]
async fn row_04_initialize_is_a_handshake_whatever_else_is_there() {
    let fixture = Fixture::new().await;
    for (asked, served) in [
        (NEWEST, NEWEST),
        (MIDDLE, MIDDLE),
        (OLDEST, OLDEST),
        ("2024-11-05", NEWEST),
        ("1999-01-01", NEWEST),
        ("2026-07-28", NEWEST),
        ("nonsense", NEWEST),
    ] {
        let body = initialize(asked, &json!({})).to_string();
        for header in [None, Some(OLDEST), Some(NEWEST)] {
            let mut post = Post::raw(body.clone()).header("Mcp-Session-Id", "stale");
            if let Some(header) = header {
                post = post.header("MCP-Protocol-Version", header);
            }
            let answer = post.ask(fixture.addr).await;
            let result = answer.result(0);
            assert_eq!(result["protocolVersion"], served, "{asked} {header:?}");
            assert_eq!(result["serverInfo"]["name"], "fixture");
            for later in ["resultType", "ttlMs", "cacheScope", "_meta", "supportedVersions"] {
                assert_eq!(result.get(later), None, "{result}");
            }
            let id = answer.header("mcp-session-id").expect("a session");
            assert!(id.bytes().all(|byte| (0x21..=0x7e).contains(&byte)), "{id}");
        }
    }
    for params in [json!({}), json!({ "protocolVersion": 1, "capabilities": {} })] {
        let answer = Post::raw(asked(3, "initialize", params).to_string()).ask(fixture.addr).await;
        assert_eq!(answer.error(3), (200, -32602));
        assert_eq!(answer.header("mcp-session-id"), None);
    }
}

#[tokio::test]
async fn row_05_a_session_is_served_in_its_revision() {
    let fixture = Fixture::new().await;
    for version in ALL {
        let session = Session::begin(fixture.addr, version, json!({})).await;
        let answer = session.ask(&called(1, "danger", json!({}))).await;
        assert_eq!(answer.result(1), json!({ "content": [{ "type": "text", "text": "done" }] }));
        let bare = session.post(&asked(2, "ping", json!({}))).without("MCP-Protocol-Version");
        assert_eq!(bare.ask(fixture.addr).await.result(2), json!({}), "{version}");
        for other in ALL.into_iter().filter(|other| *other != version) {
            let post = session.post(&asked(3, "ping", json!({})));
            let answer = post.with("MCP-Protocol-Version", other).ask(fixture.addr).await;
            assert_eq!(answer.error(3), (400, -32600), "{version} {other}");
        }
        for invalid in ["invalid", "2000-01-01", "2024-11-05"] {
            let post = session.post(&asked(4, "ping", json!({})));
            let answer = post.with("MCP-Protocol-Version", invalid).ask(fixture.addr).await;
            assert_eq!(answer.error(4), (400, -32600), "{invalid}");
        }
    }
}

#[tokio::test]
async fn row_06_a_session_that_is_none_is_not_found() {
    let fixture = Fixture::new().await;
    let other = sharing(&KeyRing::random().expect("randomness"), Memory::new()).await;
    let foreign = session(&other).await;
    for id in ["nonsense", "v1.x.AAAA", &foreign.id] {
        let post = Post::raw(asked(5, "ping", json!({})).to_string()).header("Mcp-Session-Id", id);
        assert_eq!(post.ask(fixture.addr).await.error(5), (404, -32600), "{id}");
    }
}

#[tokio::test]
async fn row_07_without_a_session_nothing_but_a_handshake_is_served() {
    let fixture = Fixture::new().await;
    for version in [None, Some(OLDEST), Some(MIDDLE), Some(NEWEST), Some("invalid")] {
        let mut post = Post::raw(asked("x", "tools/list", json!({})).to_string());
        if let Some(version) = version {
            post = post.header("MCP-Protocol-Version", version);
        }
        let answer = post.ask(fixture.addr).await;
        assert_eq!(answer.error("x"), (400, -32600), "{version:?}");
    }
}

#[tokio::test]
async fn row_07_where_there_are_no_sessions_the_header_says_the_revision() {
    let fixture = fixtures(Handshake::Stateless).await;
    let answer = Post::raw(initialize(NEWEST, &json!({ "elicitation": {} })).to_string());
    let answer = answer.ask(fixture.addr).await;
    assert_eq!(answer.header("mcp-session-id"), None);
    let said = answer.result(0)["capabilities"].clone();
    let extensions = json!({
        "io.modelcontextprotocol/skills": { "directoryRead": true },
        "io.modelcontextprotocol/ui": {},
    });
    // A task is named by its id, so it needs no session.
    let tasks = json!({ "cancel": {}, "requests": { "tools": { "call": {} } } });
    let offered = json!({
        "completions": {}, "extensions": extensions, "prompts": {}, "resources": {},
        "tasks": tasks, "tools": {},
    });
    assert_eq!(said, offered);
    let list = asked(1, "tools/list", json!({}));
    let annotated = |answer: &Value, member: &str| {
        let tools = answer["tools"].as_array().expect("tools").clone();
        tools.iter().any(|tool| tool.get(member).is_some())
    };
    let newest = Post::raw(list.to_string()).header("MCP-Protocol-Version", NEWEST);
    assert!(annotated(&newest.ask(fixture.addr).await.result(1), "outputSchema"));
    let oldest = Post::raw(list.to_string()).ask(fixture.addr).await.result(1);
    assert!(!annotated(&oldest, "outputSchema"));
    let invalid = Post::raw(list.to_string()).header("MCP-Protocol-Version", "2000-01-01");
    assert_eq!(invalid.ask(fixture.addr).await.error(1), (400, -32600));
    let asks = called(2, "test_elicitation", json!({ "message": "m" }));
    assert_eq!(Post::raw(asks.to_string()).ask(fixture.addr).await.error(2), (200, -32021));
}

#[tokio::test]
async fn row_08_a_batch_is_served_in_a_session_of_the_oldest_revision_and_nowhere_else() {
    let fixture = Fixture::new().await;
    let batch = json!([
        asked(1, "ping", json!({})),
        { "jsonrpc": "2.0", "method": "notifications/roots/list_changed" },
        called("b", "danger", json!({})),
        { "jsonrpc": "2.0", "id": 3 },
    ]);
    let oldest = Session::begin(fixture.addr, OLDEST, json!({})).await;
    let answers = oldest.ask(&batch).await.json();
    let by_id = |id: Value| {
        let mut answers = answers.as_array().expect("an array").iter();
        answers.find(|answer| answer["id"] == id).unwrap_or_else(|| panic!("{answers:?}")).clone()
    };
    assert_eq!(answers.as_array().map(Vec::len), Some(3));
    assert_eq!(by_id(json!(1))["result"], json!({}));
    assert_eq!(by_id(json!("b"))["result"]["content"][0]["text"], "done");
    assert_eq!(by_id(json!(3))["error"]["code"], -32600);
    let quiet = json!([{ "jsonrpc": "2.0", "method": "notifications/roots/list_changed" }]);
    assert_eq!(oldest.tell(&quiet).await, 202);
    assert_eq!(oldest.ask(&json!([])).await.refused(), (400, -32600));
    let slow = json!([called(1, "noisy", json!({})), asked(2, "ping", json!({}))]);
    let events = oldest.ask(&slow).await;
    let events = super::session::events(events.text());
    let ids: Vec<_> = events.iter().filter_map(|event| event.data.get("id").cloned()).collect();
    assert_eq!(ids, [json!(1), json!(2)]);

    for version in [MIDDLE, NEWEST] {
        let session = Session::begin(fixture.addr, version, json!({})).await;
        assert_eq!(session.ask(&batch).await.refused(), (400, -32600), "{version}");
    }
    assert_eq!(Post::raw(batch.to_string()).ask(fixture.addr).await.refused(), (400, -32600));
    let modern = Post::raw(json!([request(1, "tools/list", json!({}))]).to_string());
    let modern = modern.header("MCP-Protocol-Version", "2026-07-28");
    assert_eq!(modern.ask(fixture.addr).await.refused(), (400, -32600));
}

#[tokio::test]
async fn row_09_responses_and_notifications_of_a_session_are_taken_in() {
    let fixture = Fixture::new().await;
    let session = session(&fixture).await;
    for message in [
        json!({ "jsonrpc": "2.0", "id": "nobody", "result": {} }),
        json!({ "jsonrpc": "2.0", "id": 7, "error": { "code": -1, "message": "no" } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/roots/list_changed" }),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled" }),
        json!({ "jsonrpc": "2.0", "method": "notifications/of/tomorrow" }),
    ] {
        assert_eq!(session.tell(&message).await, 202, "{message}");
    }
    session.ask(&asked(1, "ping", json!({}))).await.result(1);
}

#[tokio::test]
async fn row_09b_a_notification_without_a_session_is_the_stateless_revisions_or_nobodys() {
    let fixture = Fixture::new().await;
    let body = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled" }).to_string();
    let modern = Post::raw(body.clone()).header("MCP-Protocol-Version", "2026-07-28");
    assert_eq!(modern.ask(fixture.addr).await.status, 202);
    assert_eq!(Post::raw(body.clone()).ask(fixture.addr).await.refused(), (400, -32600));
    let stateless = fixtures(Handshake::Stateless).await;
    assert_eq!(Post::raw(body).ask(stateless.addr).await.status, 202);
}

#[tokio::test]
async fn row_10_a_get_opens_a_stream_of_a_session() {
    let fixture = Fixture::new().await;
    let session = session(&fixture).await;
    let mut stream = session.stream(None).await;
    fixture.notifier.tools_changed();
    let told = super::session::message(&mut stream).await;
    assert_eq!(told, json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" }));
    let unknown = Session { id: "nonsense".to_owned(), ..session.clone() };
    let answer = unknown.bare("GET", None).await.response().await;
    assert_eq!(answer.refused(), (404, -32600));
    let wrong = Session { version: OLDEST.to_owned(), ..session.clone() };
    assert_eq!(wrong.bare("GET", None).await.response().await.refused(), (400, -32600));
    let head = format!(
        "GET /mcp HTTP/1.1\r\nHost: {}\r\nAccept: application/json\r\nMcp-Session-Id: {}\r\n\r\n",
        fixture.addr, session.id
    );
    assert_eq!(ask(fixture.addr, head).await.refused(), (406, -32600));
}

/// HTTP-15, ERR-13: without a session there is neither GET nor DELETE.
#[tokio::test]
async fn row_11_get_and_delete_without_a_session_are_not_allowed() {
    let fixture = Fixture::new().await;
    let session = session(&fixture).await;
    for method in ["GET", "DELETE"] {
        let none = format!(
            "{method} /mcp HTTP/1.1\r\nHost: {}\r\nAccept: text/event-stream\r\n\r\n",
            fixture.addr
        );
        let answer = ask(fixture.addr, none).await;
        assert_eq!(answer.refused(), (405, -32600), "{method}");
        assert_eq!(answer.header("allow"), Some("GET, POST, DELETE"));
        let modern = Session { version: "2026-07-28".to_owned(), ..session.clone() };
        let answer = modern.bare(method, None).await.response().await;
        assert_eq!(answer.refused(), (405, -32600), "{method}");
    }
    session.ask(&asked(1, "ping", json!({}))).await.result(1);
    for handshake in [Handshake::Stateless, Handshake::Off] {
        let fixture = fixtures(handshake).await;
        let other = Session { addr: fixture.addr, ..session.clone() };
        let answer = other.bare("GET", None).await.response().await;
        assert_eq!(answer.refused(), (405, -32600), "{handshake:?}");
    }
}

#[tokio::test]
async fn row_12_a_delete_ends_a_session_and_its_end_is_remembered() {
    let fixture = Fixture::new().await;
    let (ended, other) = (session(&fixture).await, session(&fixture).await);
    let mut stream = ended.stream(None).await;
    let mut running = ended.open(&called(1, "wait", json!({}))).await;
    fixture.seen.started.reaches(1).await;
    assert_eq!(ended.delete().await, 204);
    fixture.seen.dropped.reaches(1).await;
    running.until("0\r\n\r\n").await;
    stream.until("0\r\n\r\n").await;
    assert_eq!(ended.ask(&asked(1, "ping", json!({}))).await.error(1), (404, -32600));
    assert_eq!(ended.delete().await, 404);
    assert_eq!(ended.bare("GET", None).await.response().await.refused(), (404, -32600));
    other.ask(&asked(1, "ping", json!({}))).await.result(1);
}

#[tokio::test]
async fn where_handshakes_are_off_there_is_the_stateless_revision_alone() {
    let fixture = fixtures(Handshake::Off).await;
    let answer = Post::raw(initialize(NEWEST, &json!({})).to_string()).ask(fixture.addr).await;
    assert_eq!(answer.error(0), (400, -32022));
    fixture.ask(&request(1, "tools/list", json!({ "_meta": meta() }))).await.result(1);
}
