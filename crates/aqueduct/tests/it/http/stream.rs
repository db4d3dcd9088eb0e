//! Streams of events: when one is opened, what is in it, and that nothing holds it back.

use std::time::Duration;

use serde_json::{Value, json};

use super::fixture::{Fixture, LEVELS};
use super::peer::{Peer, Post, call, call_with_progress, request};
use aqueduct::transport::http::{HttpService, ListenLimits};

/// A listener to everything that the fixture offers.
fn listen(id: impl Into<Value>) -> Value {
    request(
        id,
        "subscriptions/listen",
        json!({ "notifications": {
            "toolsListChanged": true, "resourceSubscriptions": ["notes://welcome"] } }),
    )
}

fn method(message: &Value) -> &str {
    message["method"].as_str().unwrap_or_default()
}

/// A fixture whose streams say often that they are there.
async fn lively() -> Fixture {
    Fixture::with(ListenLimits::new(), |http| http.keep_alive(Duration::from_millis(50))).await
}

/// The chunk in which a text comes, so far as it has come.
async fn chunk_with(peer: &mut Peer, text: &str) -> String {
    let before = peer.until(text).await;
    before + &peer.until("\r\n").await
}

/// HTTP-11, HTTP-12: nothing holds a stream back, and it says that it is there.
#[tokio::test]
async fn b37_http11_a_stream_is_opened_at_once_and_nothing_holds_it_back() {
    let fixture = lively().await;
    let calls = [listen("sub-1"), call_with_progress(1, "wait", json!({}))];
    for (message, first) in calls.iter().zip(["acknowledged", "notifications/progress"]) {
        let mut peer = Peer::connect(fixture.addr).await;
        peer.send(Post::of(message).header("Accept-Encoding", "gzip, br").sized(fixture.addr))
            .await;
        let head = peer.head().await;
        assert_eq!(head.status, 200);
        for (name, value) in [
            ("content-type", Some("text/event-stream")),
            ("x-accel-buffering", Some("no")),
            ("cache-control", Some("no-store")),
            ("content-length", None),
            ("content-encoding", None),
            ("mcp-session-id", None),
        ] {
            assert_eq!(head.header(name), value, "{name}");
        }
        chunk_with(&mut peer, first).await;
        // HTTP-12: while nothing happens, comments and nothing else.
        for _ in 0..2 {
            let quiet = peer.until("\r\n").await + &peer.until("\r\n").await;
            assert_eq!(quiet, "3\r\n:\n\n\r\n");
        }
    }
    fixture.seen.go.notify_waiters();
}

/// HTTP-08, HTTP-09, PROG-06, SUB-05, LOG-03, LOG-04: what a call says is on its own stream, and
/// all of it are notifications.
#[tokio::test]
async fn b42_nobody_is_told_what_he_did_not_ask_for() {
    let fixture = Fixture::new().await;
    let mut listener = Peer::connect(fixture.addr).await;
    listener.send(Post::of(&listen("sub")).sized(fixture.addr)).await;
    chunk_with(&mut listener, "acknowledged").await;

    // Without a token and a level there is only the answer, so it is JSON.
    fixture.ask(&call(1, "noisy", json!({}))).await.result(1);

    let events = fixture.ask(&call_with_progress(2, "noisy", json!({}))).await.events();
    let (last, before) = events.split_last().expect("there is an answer");
    assert_eq!(before.len(), 3, "{events:?}");
    for (event, step) in before.iter().zip(1..) {
        assert_eq!(method(event), "notifications/progress");
        assert_eq!(event["params"], json!({ "progressToken": "p", "progress": step }));
    }
    assert_eq!(last["id"], 2);

    let mut warned = call(3, "noisy", json!({}));
    warned["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = json!("warning");
    let events = fixture.ask(&warned).await.events();
    let (last, before) = events.split_last().expect("there is an answer");
    assert_eq!(last["id"], 3);
    let levels: Vec<_> = before.iter().map(|event| event["params"]["level"].clone()).collect();
    let wanted: Vec<_> = LEVELS[3..].iter().map(|level| json!(level)).collect();
    assert_eq!(levels, wanted, "{before:?}");
    assert!(before.iter().all(|event| method(event) == "notifications/message"));

    warned["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = json!("loud");
    assert_eq!(fixture.ask(&warned).await.error(3), (400, -32602));

    // HTTP-08: the listener has heard nothing of all this, and hears of a change.
    fixture.ask(&call(4, "changes", json!({}))).await.result(4);
    let heard = chunk_with(&mut listener, "notifications/resources/updated").await;
    assert!(!heard.contains("notifications/progress") && !heard.contains("notifications/message"));
    assert!(heard.contains("notifications/tools/list_changed"), "{heard}");
}

/// HTTP-10, HTTP-13, PROG-03, PROG-04: the answer is the end of its stream.
#[tokio::test]
async fn b43_progress_comes_before_the_answer_and_the_answer_is_the_end() {
    let fixture = Fixture::new().await;
    let mut peer = Peer::connect(fixture.addr).await;
    let mut call = call_with_progress(1, "burst", json!({}));
    call["params"]["_meta"]["progressToken"] = json!(1);
    for _ in 0..100 {
        let answer = peer.ask(Post::of(&call).sized(fixture.addr)).await;
        let events = answer.events();
        let (last, before) = events.split_last().expect("there is an answer");
        assert_eq!(last["id"], 1);
        assert_eq!(last["result"]["content"][0]["text"], "burst");
        let mut reached = 0;
        for event in before {
            assert_eq!(event["params"]["progressToken"], 1);
            let progress = event["params"]["progress"].as_i64().expect("a whole number");
            assert!(progress > reached, "{events:?}");
            reached = progress;
        }
        assert_eq!(reached, 50, "the last step is told");
        // HTTP-13: a stream that cannot be resumed has no ids.
        assert!(!answer.text().contains("\nid:") && !answer.text().contains("retry:"));
    }
}

/// HTTP-06, ERR-05: an error before the first word is a status.
#[tokio::test]
async fn http06_an_error_after_the_first_word_is_an_event_and_before_it_a_status() {
    let fixture = Fixture::new().await;
    let unknown = call_with_progress(1, "no-such-tool", json!({}));
    assert_eq!(fixture.ask(&unknown).await.error(1), (200, -32602));
    let mut wrong = call_with_progress(2, "burst", json!({}));
    wrong["params"]["name"] = json!(7);
    let answer = Post::of(&wrong).header("Mcp-Name", "7").ask(fixture.addr).await;
    assert_eq!(answer.error(2), (400, -32602));
}

/// HTTP-12: a quiet listener says that it is there.
#[tokio::test]
async fn http12_a_listener_says_that_it_is_there() {
    let fixture = lively().await;
    let mut peer = Peer::connect(fixture.addr).await;
    peer.send(Post::of(&listen(7)).sized(fixture.addr)).await;
    let head = peer.head().await;
    assert_eq!(head.header("transfer-encoding"), Some("chunked"));
    let first = chunk_with(&mut peer, "acknowledged").await;
    assert!(first.contains(r#""io.modelcontextprotocol/subscriptionId":7"#), "{first}");
    peer.until(":\n\n").await;
    peer.until(":\n\n").await;
}

/// SUB-09: a listener that goes is forgotten.
#[tokio::test]
async fn sub09_a_listener_that_goes_is_forgotten() {
    let fixture = Fixture::new().await;
    let mut peer = Peer::connect(fixture.addr).await;
    peer.send(Post::of(&listen(1)).sized(fixture.addr)).await;
    chunk_with(&mut peer, "acknowledged").await;
    assert_eq!(fixture.notifier.listeners(), 1);
    drop(peer);
    let gone = async {
        while fixture.notifier.listeners() > 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::time::timeout(super::peer::PATIENCE, gone).await.expect("it is missed");
}

/// HTTP-13: a request to resume is served as any other.
#[tokio::test]
async fn http13_a_request_to_resume_is_a_request() {
    let fixture = Fixture::new().await;
    let post = Post::of(&call_with_progress(1, "burst", json!({}))).header("Last-Event-ID", "7");
    let events = post.ask(fixture.addr).await.events();
    assert_eq!(events.last().expect("there is an answer")["id"], 1);
}

#[tokio::test]
async fn a_client_of_http10_reads_a_stream_to_its_end() {
    let fixture = Fixture::new().await;
    let bytes = Post::of(&call_with_progress(1, "burst", json!({}))).sized(fixture.addr);
    let bytes = String::from_utf8(bytes).expect("it is text").replacen("HTTP/1.1", "HTTP/1.0", 1);
    let answer = super::peer::ask(fixture.addr, bytes).await;
    assert_eq!(answer.header("transfer-encoding"), None);
    assert_eq!(answer.events().last().expect("there is an answer")["id"], 1);
}

/// HTTP-06: with the switch every success is a stream of one event; what is refused keeps its
/// status, and what says something before its answer is the stream that it always was.
#[tokio::test]
async fn every_answer_is_a_stream_where_that_is_asked_for() {
    let fixture = Fixture::with(ListenLimits::new(), HttpService::stream_answers).await;
    for (nth, method) in ["tools/list", "server/discover"].into_iter().enumerate() {
        let response = fixture.ask(&request(nth, method, json!({}))).await;
        assert_eq!(response.status, 200);
        assert_eq!(response.header("content-type"), Some("text/event-stream"), "{method}");
        let events = response.events();
        assert_eq!(events.len(), 1);
        assert_eq!(events[0]["id"], nth);
        assert_eq!(events[0]["result"]["resultType"], "complete");
    }
    let response = fixture.ask(&request(7, "no/method", json!({}))).await;
    assert_eq!(response.error(7), (404, -32601));
    assert_eq!(response.header("content-type"), Some("application/json"));
    let response = fixture.ask(&call(8, "no tool", json!({}))).await;
    assert_eq!(response.status, 200);
    assert_eq!(response.events()[0]["error"]["code"], -32602);
}
