//! Ends: of a client in the middle of its request, and of the listener.

use std::time::Duration;

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::Instant;

use super::fixture::Fixture;
use super::peer::{PATIENCE, Peer, Post, call, call_with_progress, request};
use aqueduct::transport::http::{ListenLimits, Listener};

fn wait() -> Post {
    Post::of(&call(1, "wait", json!({})))
}

fn wait_aloud() -> Post {
    Post::of(&call_with_progress(1, "wait", json!({})))
}

fn list() -> Post {
    Post::of(&request(2, "tools/list", json!({})))
}

/// How soon a handler must be dropped when its client has gone.
const PROMPTLY: Duration = Duration::from_secs(1);

/// Starts the call, makes the client go, and sees the handler dropped.
async fn goes(post: &Post, behind: &[u8], how: impl AsyncFnOnce(Peer) -> Option<Peer>) {
    let fixture = Fixture::new().await;
    let mut peer = Peer::connect(fixture.addr).await;
    peer.send(post.sized(fixture.addr)).await;
    fixture.seen.started.reaches(1).await;
    peer.push(behind).await;
    let since = Instant::now();
    let peer = how(peer).await;
    fixture.seen.dropped.reaches(1).await;
    assert!(since.elapsed() < PROMPTLY, "{:?}", since.elapsed());
    drop(peer);
    list().ask(fixture.addr).await.result(2);
}

/// HTTP-14, CAN-01, CAN-02: a client that closes has cancelled.
#[tokio::test]
async fn http14_a_client_that_closes_cancels_its_request() {
    goes(&wait(), b"", async |_| None).await;
    goes(&wait_aloud(), b"", async |_| None).await;
}

/// HTTP-14: a client that resets has cancelled.
#[tokio::test]
async fn http14_a_client_that_resets_cancels_its_request() {
    for post in [wait(), wait_aloud()] {
        goes(&post, b"", async |peer| {
            peer.stream.set_zero_linger().expect("the socket is there");
            None
        })
        .await;
    }
}

/// HTTP-14: a client that sends no more has cancelled.
#[tokio::test]
async fn http14_a_client_that_closes_its_sending_half_counts_as_gone() {
    for post in [wait(), wait_aloud()] {
        goes(&post, b"", async |mut peer| {
            peer.stream.shutdown().await.expect("the socket is there");
            Some(peer)
        })
        .await;
    }
}

/// HTTP-14: a client that goes is missed also behind further requests.
#[tokio::test]
async fn http14_a_client_is_missed_also_behind_further_requests() {
    for behind in [&b"P"[..], b"POST /mcp HTTP/1.1\r\n", &[b'x'; 8 * 1024]] {
        goes(&wait(), behind, async |_| None).await;
        goes(&wait_aloud(), behind, async |_| None).await;
    }
}

/// CAN-04: a client that goes at any moment, before or after its answer, costs nobody else
/// anything, and leaves no call behind.
#[tokio::test]
async fn a_client_that_goes_at_any_moment_leaves_nothing_behind() {
    let fixture = Fixture::new().await;
    for nth in 0..200_u64 {
        let name = if nth % 2 == 0 { "burst" } else { "echo" };
        let call = call_with_progress(nth, name, json!({ "text": "x" }));
        let mut peer = Peer::connect(fixture.addr).await;
        peer.send(Post::of(&call).sized(fixture.addr)).await;
        tokio::time::sleep(Duration::from_micros(nth * 7)).await;
        drop(peer);
    }
    let mut peer = Peer::connect(fixture.addr).await;
    peer.send(wait_aloud().sized(fixture.addr)).await;
    fixture.seen.started.reaches(1).await;
    fixture.seen.go.notify_waiters();
    let answered = peer.response().await.events();
    assert_eq!(answered.iter().filter(|event| event["id"] == 1).count(), 1);
    assert_eq!(fixture.seen.dropped.get(), 0);
}

#[tokio::test]
async fn idle_connections_are_closed_when_the_listener_ends() {
    let mut fixture = Fixture::new().await;
    let mut used = Peer::connect(fixture.addr).await;
    used.ask(list().sized(fixture.addr)).await.result(2);
    let mut silent = Peer::connect(fixture.addr).await;
    // It is taken when a later one is.
    let mut last = Peer::connect(fixture.addr).await;
    last.ask(list().sized(fixture.addr)).await.result(2);
    let since = Instant::now();
    fixture.stop();
    for peer in [&mut used, &mut silent, &mut last] {
        peer.closed().await;
    }
    let addr = fixture.addr;
    fixture.ended().await;
    assert!(since.elapsed() < Duration::from_secs(1), "{:?}", since.elapsed());
    assert!(TcpStream::connect(addr).await.is_err(), "nobody listens any more");
}

#[tokio::test]
async fn running_requests_are_answered_when_the_listener_ends() {
    let mut fixture = Fixture::new().await;
    let mut json = Peer::connect(fixture.addr).await;
    json.send(wait().sized(fixture.addr)).await;
    let mut events = Peer::connect(fixture.addr).await;
    events.send(wait_aloud().sized(fixture.addr)).await;
    fixture.seen.started.reaches(2).await;
    fixture.stop();
    // No more are taken.
    let refused = async { while TcpStream::connect(fixture.addr).await.is_ok() {} };
    tokio::time::timeout(PATIENCE, refused).await.expect("the listener ends");
    fixture.seen.go.notify_waiters();
    let answer = json.response().await;
    answer.result(1);
    assert_eq!(answer.header("connection"), Some("close"));
    json.closed().await;
    let last = events.response().await.events().pop().expect("there is an answer");
    assert_eq!(last["result"]["content"][0]["text"], "waited");
    events.closed().await;
    assert_eq!(fixture.seen.dropped.get(), 0);
    fixture.ended().await;
}

/// SUB-10: the end of the server is the result of its listeners.
#[tokio::test]
async fn sub10_listeners_get_their_result_when_the_listener_ends() {
    let mut fixture = Fixture::new().await;
    let listen = request("sub", "subscriptions/listen", json!({ "notifications": {} }));
    let mut peer = Peer::connect(fixture.addr).await;
    peer.send(Post::of(&listen).sized(fixture.addr)).await;
    let head = peer.head().await;
    assert_eq!(head.status, 200);
    peer.until("acknowledged").await;
    let since = Instant::now();
    fixture.stop();
    let end = String::from_utf8(peer.rest().await).expect("it is text");
    assert!(end.contains(r#""id":"sub""#) && end.contains(r#""resultType":"complete""#), "{end}");
    assert!(end.ends_with("0\r\n\r\n"), "{end}");
    fixture.ended().await;
    assert!(since.elapsed() < Duration::from_secs(1), "{:?}", since.elapsed());
}

/// A listener with little patience for running requests.
async fn hasty(end_time: Duration) -> Fixture {
    let limits = ListenLimits::new().drain_time(Duration::from_millis(100)).end_time(end_time);
    Fixture::with(limits, |http| http).await
}

#[tokio::test]
async fn requests_that_do_not_end_are_answered_that_the_server_goes() {
    let mut fixture = hasty(PATIENCE).await;
    let mut json = Peer::connect(fixture.addr).await;
    json.send(wait().sized(fixture.addr)).await;
    let mut events = Peer::connect(fixture.addr).await;
    events.send(wait_aloud().sized(fixture.addr)).await;
    fixture.seen.started.reaches(2).await;
    let since = Instant::now();
    fixture.stop();
    let answer = json.response().await;
    assert_eq!(answer.error(1), (503, -32603));
    assert_eq!(answer.header("retry-after"), Some("1"));
    assert!(since.elapsed() >= Duration::from_millis(100));
    let last = events.response().await.events().pop().expect("there is an answer");
    assert_eq!((&last["id"], &last["error"]["code"]), (&json!(1), &json!(-32603)));
    fixture.seen.dropped.reaches(2).await;
    fixture.ended().await;
}

#[tokio::test]
async fn a_peer_that_does_not_take_its_last_answer_is_cut_off() {
    let mut fixture = hasty(Duration::from_millis(100)).await;
    let mut peer = Peer::narrow(fixture.addr).await;
    let large = call(1, "large", json!({ "bytes": 4_000_000 }));
    peer.send(Post::of(&large).sized(fixture.addr)).await;
    peer.until("HTTP/1.1 200 OK").await;
    let since = Instant::now();
    fixture.stop();
    fixture.ended().await;
    let passed = since.elapsed();
    assert!(passed >= Duration::from_millis(200) && passed < PATIENCE, "{passed:?}");
}

#[tokio::test]
async fn a_server_that_is_dropped_takes_its_connections_along() {
    let fixture = Fixture::new().await;
    let mut peer = Peer::connect(fixture.addr).await;
    peer.send(wait().sized(fixture.addr)).await;
    fixture.seen.started.reaches(1).await;
    let seen = fixture.abort();
    seen.dropped.reaches(1).await;
    peer.closed().await;
}

/// Sends a signal to this process.
#[cfg(unix)]
fn signal(name: &str) {
    let id = std::process::id().to_string();
    let sent = std::process::Command::new("kill").args(["-s", name, &id]).status();
    assert!(sent.expect("there is a kill").success());
}

#[cfg(unix)]
#[tokio::test]
async fn a_first_signal_drains_and_a_second_ends_at_once() {
    let seen = std::sync::Arc::default();
    let http = super::fixture::service(&seen).into_http();
    let limits = ListenLimits::new().drain_time(PATIENCE * 6).end_time(PATIENCE * 6);
    let listener = Listener::bind("127.0.0.1:0").await.expect("a port is free").limits(limits);
    let addr = listener.local_addr().expect("the port is known");
    let task = tokio::spawn(listener.serve(http));
    let mut peer = Peer::connect(addr).await;
    peer.send(wait().sized(addr)).await;
    seen.started.reaches(1).await;
    signal("TERM");
    let refused = async { while TcpStream::connect(addr).await.is_ok() {} };
    tokio::time::timeout(PATIENCE, refused).await.expect("the listener ends");
    assert_eq!(seen.dropped.get(), 0, "the request goes on");
    signal("INT");
    let ended = tokio::time::timeout(PATIENCE, task).await.expect("it ends");
    ended.expect("it did not panic").expect("it did not fail");
    seen.dropped.reaches(1).await;
    drop(peer);
}
