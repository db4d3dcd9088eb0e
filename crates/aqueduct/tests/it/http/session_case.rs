//! Faults that were reported of other servers, where they concern a session over HTTP and no test
//! of another file replays them in both eras.

use aqueduct::server::Handshake;
use aqueduct::transport::http::ListenLimits;
use serde_json::{Value, json};

use super::fixture::{Fixture, Seen};
use super::peer::{Post, ask};
use super::session::{
    MIDDLE, NEWEST, Session, asked, called, event, events, fixtures, initialize, message,
};

const FORGED: &str = "00000000-dead-beef-0000-000000000000";

async fn begun() -> (Fixture, Session) {
    let fixture = fixtures(Handshake::Sessions).await;
    let session = Session::begin(fixture.addr, NEWEST, json!({})).await;
    (fixture, session)
}

fn ping() -> Value {
    asked(1, "ping", json!({}))
}

#[tokio::test]
async fn b19_a_content_type_may_have_parameters_but_not_be_another() {
    let (fixture, session) = begun().await;
    for (kind, status) in [
        ("application/json; charset=utf-8", 200),
        ("Application/JSON;charset=UTF-8", 200),
        ("text/plain", 415),
        ("application/jsonp", 415),
    ] {
        let answer = session.post(&ping()).with("Content-Type", kind).ask(fixture.addr).await;
        assert_eq!(answer.status, status, "{kind}");
    }
    let answer = session.post(&ping()).without("Content-Type").ask(fixture.addr).await;
    assert_eq!(answer.status, 415);
}

#[tokio::test]
async fn b20_a_method_that_no_session_has_is_not_allowed() {
    let (fixture, session) = begun().await;
    for method in ["PUT", "PATCH"] {
        let answer = session.bare(method, None).await.response().await;
        assert_eq!((answer.status, answer.header("allow")), (405, Some("GET, POST, DELETE")));
        assert_eq!(answer.header("mcp-session-id"), None);
    }
    // The session is none the worse for it.
    assert_eq!(session.ask(&ping()).await.result(1), json!({}));
    drop(fixture);
}

#[tokio::test]
async fn b22_what_is_taken_in_has_no_body_and_what_is_refused_has_one_that_says_why() {
    let (fixture, session) = begun().await;
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let answer = session.ask(&told).await;
    assert_eq!((answer.status, answer.text(), answer.header("content-type")), (202, "", None));
    let raw = |body: &str| {
        Post::raw(body).header("Mcp-Session-Id", &session.id).header("MCP-Protocol-Version", NEWEST)
    };
    let post = || session.post(&ping());
    for (status, post) in [
        (400, raw("not json")),
        (400, post().with("MCP-Protocol-Version", MIDDLE)),
        (404, post().with("Mcp-Session-Id", FORGED)),
        (406, post().with("Accept", "text/html")),
        (415, post().with("Content-Type", "text/plain")),
    ] {
        let answer = post.ask(fixture.addr).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        assert_eq!(answer.header("content-type"), Some("application/json"), "{status}");
        let error = answer.json();
        assert!(
            error["error"]["message"].is_string() && error.get("id") != Some(&Value::Null),
            "{error}"
        );
    }
}

#[tokio::test]
async fn b23_a_session_is_served_to_the_origins_and_hosts_that_a_request_without_one_is() {
    let (fixture, session) = begun().await;
    let evil = "http://127.0.0.1.evil.example";
    let answer = session.post(&ping()).header("Origin", evil).ask(fixture.addr).await;
    assert_eq!(answer.status, 403);
    let answer = session.post(&ping()).with("Host", "evil.example").ask(fixture.addr).await;
    assert_eq!(answer.status, 403);
    // A page has no more to say to the stream of a session, or to its end.
    for method in ["GET", "DELETE"] {
        let head = format!(
            "{method} /mcp HTTP/1.1\r\nHost: {}\r\nOrigin: {evil}\r\nAccept: text/event-stream\r\n\
             Mcp-Session-Id: {}\r\n\r\n",
            fixture.addr, session.id
        );
        assert_eq!(ask(fixture.addr, head).await.status, 403, "{method}");
    }
    assert_eq!(session.ask(&ping()).await.result(1), json!({}));
}

#[tokio::test]
async fn b31_no_handshake_settles_on_the_stateless_revision() {
    let fixture = fixtures(Handshake::Sessions).await;
    for named in ["2026-07-28", "2099-01-01", "1.0"] {
        let body = initialize(named, &json!({})).to_string();
        let answer = Post::raw(body).ask(fixture.addr).await;
        assert_eq!(answer.result(0)["protocolVersion"], NEWEST, "{named}");
        assert!(answer.header("mcp-session-id").is_some());
    }
}

#[tokio::test]
async fn b33_a_session_has_the_methods_of_its_revision_and_no_others() {
    let (_fixture, session) = begun().await;
    assert_eq!(session.ask(&ping()).await.result(1), json!({}));
    for method in ["logging/setLevel", "resources/subscribe", "resources/unsubscribe"] {
        let params = json!({ "level": "error", "uri": "test://watched-resource" });
        assert_eq!(session.ask(&asked(2, method, params)).await.result(2), json!({}), "{method}");
    }
    for method in ["server/discover", "subscriptions/listen", "no/such", "tools/", "Tools/List"] {
        let answer = session.ask(&asked(3, method, json!({}))).await;
        let (status, code) = answer.error(3);
        // Discovery without metadata is a request of the other era that lacks them.
        let expected = if method == "server/discover" { (400, -32602) } else { (200, -32601) };
        assert_eq!((status, code), expected, "{method}");
    }
}

#[tokio::test]
async fn b34_a_session_that_is_none_is_not_found_whatever_is_asked_of_it() {
    let (fixture, session) = begun().await;
    let forged = Session { id: FORGED.to_owned(), ..session.clone() };
    let list = asked(1, "tools/list", json!({}));
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(forged.ask(&list).await.error(1), (404, -32600));
    assert_eq!(forged.tell(&told).await, 404);
    for method in ["GET", "DELETE"] {
        let answer = forged.bare(method, None).await.response().await;
        assert_eq!((answer.status, answer.header("content-type")), (404, Some("application/json")));
        assert_eq!(answer.header("mcp-session-id"), None, "{method}");
    }
    let post = session.post(&list).without("Mcp-Session-Id");
    assert_eq!(post.ask(fixture.addr).await.error(1), (400, -32600));
    assert_eq!(session.delete().await, 204);
    assert_eq!(session.ask(&list).await.error(1), (404, -32600));
}

#[tokio::test]
async fn b35_only_a_revision_that_knows_the_first_event_gets_it() {
    let fixture = fixtures(Handshake::Sessions).await;
    for (version, is_primed) in [(NEWEST, true), (MIDDLE, false)] {
        let session = Session::begin(fixture.addr, version, json!({})).await;
        let answer = session.ask(&called(1, "noisy", json!({}))).await;
        let all = events(answer.text());
        let empty = all.iter().filter(|event| event.data == Value::Null).count();
        assert_eq!(empty, usize::from(is_primed), "{version}");
    }
}

#[tokio::test]
async fn b37_a_stream_of_a_session_is_held_back_by_nobody_and_says_that_it_lives() {
    let server = conformance::server(&conformance::Options::default());
    let service = server.build().expect("the fixtures are in order");
    let soon = std::time::Duration::from_millis(50);
    let fixture = Fixture::of(service, std::sync::Arc::<Seen>::default(), ListenLimits::new(), {
        |http| http.keep_alive(soon)
    })
    .await;
    let session = Session::begin(fixture.addr, NEWEST, json!({})).await;
    let mut stream = session.bare("GET", None).await;
    let head = stream.head().await;
    assert_eq!(head.header("content-type"), Some("text/event-stream"));
    assert_eq!(head.header("x-accel-buffering"), Some("no"));
    assert_eq!(head.header("cache-control"), Some("no-store"));
    assert_eq!((head.header("content-length"), head.header("content-encoding")), (None, None));
    event(&mut stream).await;
    // Twice, and nothing but comments.
    for _ in 0..2 {
        let quiet = stream.until("\n\n").await;
        assert!(quiet.contains(':') && !quiet.contains("data:"), "{quiet}");
    }
}

#[tokio::test]
async fn b40_a_cancelled_call_ends_and_so_does_its_stream() {
    let (_fixture, session) = begun().await;
    let slow = json!({ "name": "slow", "arguments": { "ms": 60_000 } });
    let mut stream = session.open(&asked(5, "tools/call", slow)).await;
    event(&mut stream).await;
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": { "requestId": 5, "reason": "enough" } });
    assert_eq!(session.tell(&cancel).await, 202);
    let rest = stream.until("0\r\n\r\n").await;
    assert!(!rest.contains("\"id\":5"), "{rest}");
    let state = session.ask(&called(6, "state", json!({}))).await.result(6);
    assert_eq!(state["structuredContent"]["slow_dropped"], 1, "{state}");
    assert_eq!(state["structuredContent"]["slow_ended"], 0, "{state}");
}

#[tokio::test]
async fn b42_a_call_of_a_session_says_only_what_was_asked_for_and_on_its_own_stream() {
    let (_fixture, session) = begun().await;
    let level = asked(1, "logging/setLevel", json!({ "level": "warning" }));
    session.ask(&level).await.result(1);
    let mut pushes = session.stream(None).await;
    event(&mut pushes).await;
    for token in [None, Some("p")] {
        let mut params = json!({ "name": "noisy", "arguments": {} });
        if let Some(token) = token {
            params["_meta"] = json!({ "progressToken": token });
        }
        let answer = session.ask(&asked(2, "tools/call", params)).await;
        let all = events(answer.text());
        let of = |method: &str| {
            let data = all.iter().map(|event| &event.data);
            data.filter(|data| data["method"] == method).collect::<Vec<_>>()
        };
        let progress = of("notifications/progress");
        assert_eq!(progress.len(), if token.is_some() { 3 } else { 0 });
        assert!(progress.iter().all(|data| data["params"]["progressToken"] == "p"));
        assert_eq!(of("notifications/message").len(), 5);
    }
    // What is told next on the stream of no call is what belongs to none.
    let change = called(3, "test_trigger_tool_change", json!({}));
    session.ask(&change).await.result(3);
    assert_eq!(message(&mut pushes).await["method"], "notifications/tools/list_changed");
}

/// B52 to B58 are of what a list says: a session is told the same of it.
#[tokio::test]
async fn b52_to_b58_a_session_is_told_the_schemas_that_all_are_told() {
    let (fixture, session) = begun().await;
    let told = session.ask(&asked(1, "tools/list", json!({}))).await.result(1);
    let stateless = super::peer::request(1, "tools/list", json!({}));
    let stateless = Post::of(&stateless).ask(fixture.addr).await.result(1);
    let schemas = |list: &Value| {
        let tools = list["tools"].as_array().expect("a list").iter();
        tools.map(|tool| (tool["name"].clone(), tool["inputSchema"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(schemas(&told), schemas(&stateless));
    assert!(schemas(&told).iter().all(|(_, schema)| schema["type"] == "object"));
    assert!(schemas(&told).len() > 30);
}
