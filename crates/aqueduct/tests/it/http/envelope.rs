//! What a body may be: one request or one notification, and nothing that looks like it.

use serde_json::{Value, json};

use super::fixture::Fixture;
use super::peer::{Post, VERSION, call, meta, request};

/// A raw body with the headers that would fit a call of `danger`.
fn danger(body: &str) -> Post {
    Post::of(&call(1, "danger", json!({}))).body(body)
}

/// BASE-04: the id comes back as it was sent, in results and in errors.
#[tokio::test]
async fn b01_an_id_comes_back_as_it_was_sent() {
    let fixture = Fixture::new().await;
    for id in [json!("7"), json!(""), json!(0), json!(-3), json!(9_007_199_254_740_991_i64)] {
        let answer = fixture.ask(&request(id.clone(), "tools/list", json!({}))).await;
        answer.result(id);
    }
    let answer = fixture.ask(&call("007", "no-such-tool", json!({}))).await;
    assert_eq!(answer.error("007"), (200, -32602));
}

/// BASE-03: an id that is none makes the message invalid.
#[tokio::test]
async fn b02_an_id_that_is_none_makes_no_notification() {
    let fixture = Fixture::new().await;
    for id in [json!(null), json!(1.5), json!(true), json!([1]), json!({ "a": 1 })] {
        let answer = fixture.ask(&call(id.clone(), "danger", json!({}))).await;
        assert_eq!(answer.refused(), (400, -32600), "{id}");
    }
    assert_eq!(fixture.ran(), 0);
}

/// HTTP-04: a body is one message.
#[tokio::test]
async fn b03_a_batch_is_refused_whole() {
    let fixture = Fixture::new().await;
    let batch = json!([request(1, "tools/list", json!({})), call(2, "danger", json!({})),]);
    for body in [batch.to_string(), "[]".to_owned()] {
        let answer = danger(&body).ask(fixture.addr).await;
        assert_eq!(answer.refused(), (400, -32600), "{body}");
    }
    assert_eq!(fixture.ran(), 0);
}

/// BASE-02, ERR-01, ERR-02: JSON that is no message is invalid, text that is no JSON does not
/// parse.
#[tokio::test]
async fn b04_json_that_is_no_request_is_an_invalid_request() {
    let fixture = Fixture::new().await;
    for body in ["123", "\"hi\"", "null", "{}", r#"{"foo":"bar"}"#] {
        let answer = danger(body).ask(fixture.addr).await;
        assert_eq!(answer.refused(), (400, -32600), "{body}");
    }
    for (body, id) in [
        (r#"{"jsonrpc":"1.0","id":4,"method":"tools/list"}"#, 4),
        (r#"{"id":5,"method":"tools/list"}"#, 5),
        (r#"{"jsonrpc":"2.0","id":6,"method":7}"#, 6),
    ] {
        let answer = danger(body).ask(fixture.addr).await;
        assert_eq!(answer.error(id), (400, -32600), "{body}");
    }
    for body in ["{\"jsonrpc\":", "", "{} {}", "\u{feff}{}", "nul"] {
        let answer = danger(body).ask(fixture.addr).await;
        assert_eq!(answer.refused(), (400, -32700), "{body:?}");
    }
}

/// HTTP-05, BASE-07, ERR-14: a notification is accepted and not answered.
#[tokio::test]
async fn b05_a_notification_is_accepted_without_a_word() {
    let fixture = Fixture::new().await;
    for body in [
        json!({ "jsonrpc": "2.0", "method": "notifications/roots/list_changed" }),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled" }),
        json!({ "jsonrpc": "2.0", "method": "tools/call",
                "params": { "name": "danger", "arguments": {}, "_meta": meta() } }),
    ] {
        let post = Post::raw(body.to_string()).header("MCP-Protocol-Version", VERSION);
        let answer = post.ask(fixture.addr).await;
        assert_eq!((answer.status, answer.text()), (202, ""), "{body}");
    }
    assert_eq!(fixture.ran(), 0);
    fixture.ask(&request(1, "server/discover", json!({}))).await.result(1);
}

/// BASE-18: what is not known is let through.
#[tokio::test]
async fn b07_members_that_nobody_knows_are_ignored() {
    let fixture = Fixture::new().await;
    let mut discover = request(1, "server/discover", json!({}));
    discover["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({
        "roots": { "listChanged": true }, "sampling": { "future": {} },
        "elicitation": { "voice": {} }, "zzz": {},
    });
    fixture.ask(&discover).await.result(1);

    let mut echo = call_echo(2);
    echo["params"]["extra"] = json!(1);
    let meta = &mut echo["params"]["_meta"];
    meta["progressToken"] = json!(1);
    meta["com.example/trace"] = json!("q");
    meta["traceparent"] = json!("00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01");
    fixture.ask(&echo).await.result(2);
}

fn call_echo(id: i64) -> Value {
    call(id, "echo", json!({ "text": "x" }))
}

#[tokio::test]
async fn b08_deep_nesting_is_refused_and_the_next_request_served() {
    let fixture = Fixture::new().await;
    for depth in [63, 100, 128, 10_000, 400_000] {
        let deep = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let body = call_echo(1).to_string().replace(r#""x""#, &deep);
        let answer = Post::of(&call_echo(1)).body(&body).ask(fixture.addr).await;
        assert_eq!(answer.status, 400, "{depth}");
        assert!([-32600, -32700].contains(&answer.json()["error"]["code"].as_i64().expect("code")));
    }
    fixture.ask(&call_echo(2)).await.result(2);
}

#[tokio::test]
async fn b08_a_long_id_is_refused_and_not_repeated() {
    let fixture = Fixture::new().await;
    let answer = fixture.ask(&request("x".repeat(300 * 1024), "tools/list", json!({}))).await;
    assert_eq!(answer.refused(), (400, -32600));
    assert!(answer.body.len() < 1024, "{}", answer.body.len());
    let answer = fixture.ask(&request("x".repeat(5 * 1024 * 1024), "tools/list", json!({}))).await;
    assert_eq!(answer.refused(), (413, -32600));
    fixture.ask(&call_echo(2)).await.result(2);
}

/// BASE-11, BASE-12, ERR-04: metadata that is missing makes the parameters invalid.
#[tokio::test]
async fn b29_missing_metadata_is_invalid_parameters() {
    let fixture = Fixture::new().await;
    let (version, capabilities) =
        ("io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities");
    let full = Post::of(&request(1, "tools/list", json!({})));
    let refused = [
        json!(null),
        json!({}),
        json!({ "_meta": { (capabilities): {} } }),
        json!({ "_meta": { (version): "2026-07-28" } }),
        json!({ "_meta": { (version): 20_260_728, (capabilities): {} } }),
    ];
    for params in refused {
        let mut body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
        if !params.is_null() {
            body["params"] = params;
        }
        let answer = full.clone().body(&body.to_string()).ask(fixture.addr).await;
        assert_eq!(answer.error(1), (400, -32602), "{body}");
    }
    // The client's name is wanted, not needed: what every other test sends has none.
    full.ask(fixture.addr).await.result(1);
}

#[tokio::test]
async fn b31_initialize_is_told_what_is_served() {
    let fixture = Fixture::new().await;
    for (asked, served) in
        [("2026-07-28", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2099-01-01", "2025-11-25")]
    {
        let body = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": asked, "capabilities": {},
            "clientInfo": { "name": "t", "version": "0" } } });
        let answer = Post::raw(body.to_string()).ask(fixture.addr).await;
        assert_eq!(answer.result(0)["protocolVersion"], served);
        assert!(answer.header("mcp-session-id").is_some());
    }
}

/// HTTP-23, VER-11, ERR-03: a method that is not there is 404, with its id.
#[tokio::test]
async fn b33_methods_of_earlier_revisions_are_not_found() {
    let fixture = Fixture::new().await;
    for method in ["ping", "logging/setLevel", "resources/subscribe", "foo/bar", "prompts/list"] {
        let answer = fixture.ask(&request("m", method, json!({}))).await;
        assert_eq!(answer.error("m"), (404, -32601), "{method}");
    }
}

/// HTTP-04: a client has nothing to respond to.
#[tokio::test]
async fn http04_a_response_is_no_request() {
    let fixture = Fixture::new().await;
    for body in [
        json!({ "jsonrpc": "2.0", "id": 1, "result": {} }),
        json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": -1, "message": "m" } }),
    ] {
        let answer = Post::raw(body.to_string()).ask(fixture.addr).await;
        assert_eq!(answer.status, 400, "{body}");
    }
}

#[tokio::test]
async fn a_body_that_is_not_utf8_is_a_parse_error() {
    let fixture = Fixture::new().await;
    let mut body = call_echo(1).to_string().into_bytes();
    let at = body.iter().position(|byte| *byte == b'x').expect("there is an x");
    body[at] = 0xff;
    let answer = Post::of(&call_echo(1)).bytes(body).ask(fixture.addr).await;
    assert_eq!(answer.refused(), (400, -32700));
}

/// TOOL-08, ERR-06: a handler that panics is an internal error, and tells nothing of itself.
#[tokio::test]
async fn a_handler_that_panics_fails_one_call() {
    let fixture = Fixture::new().await;
    let mut peer = super::peer::Peer::connect(fixture.addr).await;
    let answer = peer.ask(Post::of(&call(1, "panics", json!({}))).sized(fixture.addr)).await;
    assert_eq!(answer.error(1), (200, -32603));
    assert!(!answer.text().contains("on purpose"), "{}", answer.text());
    peer.ask(Post::of(&call_echo(2)).sized(fixture.addr)).await.result(2);
}
