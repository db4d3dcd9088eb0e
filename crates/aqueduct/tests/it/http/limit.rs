//! How much of everything there may be at once.

use std::time::Duration;

use serde_json::json;

use super::fixture::Fixture;
use super::peer::{Peer, Post, call, call_with_progress, request};
use aqueduct::transport::http::ListenLimits;

fn list() -> Post {
    Post::of(&request(1, "tools/list", json!({})))
}

fn wait(id: i64) -> Post {
    Post::of(&call(id, "wait", json!({})))
}

#[tokio::test]
async fn b08_a_body_is_as_long_as_it_may_be_and_no_byte_more() {
    let fixture = Fixture::with(ListenLimits::new(), |http| http.max_body(1000)).await;
    let body = request(1, "tools/list", json!({})).to_string();
    let padded = |size: usize| list().body(&format!("{body}{}", " ".repeat(size - body.len())));
    padded(1000).ask(fixture.addr).await.result(1);
    let mut peer = Peer::connect(fixture.addr).await;
    peer.ask(padded(1000).chunked(fixture.addr, 64)).await.result(1);
    assert_eq!(padded(1001).ask(fixture.addr).await.refused(), (413, -32600));
    let answer = peer.ask(padded(1001).chunked(fixture.addr, 64)).await;
    assert_eq!(answer.refused(), (413, -32600));
    peer.closed().await;
}

#[tokio::test]
async fn b08_a_body_that_says_that_it_is_too_long_is_not_waited_for() {
    let fixture = Fixture::new().await;
    let mut peer = Peer::connect(fixture.addr).await;
    let answer = peer
        .ask(format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n",
            fixture.addr,
            u64::MAX - 2
        ))
        .await;
    assert!([400, 413].contains(&answer.status), "{answer:?}");
    list().ask(fixture.addr).await.result(1);
}

/// HTTP-36: a head has a length that it may have.
#[tokio::test]
async fn http36_a_head_is_as_long_as_it_may_be() {
    let fixture = Fixture::new().await;
    list().header("X", &"x".repeat(15 * 1024)).ask(fixture.addr).await.result(1);
    for size in [17 * 1024, 64 * 1024, 1024 * 1024] {
        let mut peer = Peer::connect(fixture.addr).await;
        peer.push(list().header("X", &"x".repeat(size)).sized(fixture.addr)).await;
        let answer = peer.response().await;
        assert_eq!((answer.status, answer.text()), (431, ""), "{size}");
        peer.closed().await;
    }
    let target = list().path(Box::leak("/".repeat(20_000).into_boxed_str()));
    let mut peer = Peer::connect(fixture.addr).await;
    peer.push(target.sized(fixture.addr)).await;
    assert_eq!(peer.response().await.status, 431);
}

/// HTTP-36: a head has as many fields as it may have.
#[tokio::test]
async fn http36_a_head_has_so_many_fields() {
    let fixture = Fixture::new().await;
    let with =
        |more: usize| (0..more).fold(list(), |post, at| post.header(&format!("X-{at}"), "y"));
    // The host, the length and the five that every request has are there already.
    let own = 6;
    with(64 - own).ask(fixture.addr).await.result(1);
    let mut peer = Peer::connect(fixture.addr).await;
    let answer = peer.ask(with(65 - own).sized(fixture.addr)).await;
    assert_eq!(answer.status, 431);
    peer.closed().await;
}

#[tokio::test]
async fn one_address_has_so_many_connections() {
    let fixture = Fixture::with(ListenLimits::new().connections_per_peer(2), |http| http).await;
    let mut peers = vec![Peer::connect(fixture.addr).await, Peer::connect(fixture.addr).await];
    for peer in &mut peers {
        peer.ask(list().sized(fixture.addr)).await.result(1);
    }
    let mut third = Peer::connect(fixture.addr).await;
    third.closed().await;
    peers.pop();
    // The end of the connection is seen a moment later than it is made.
    loop {
        let mut peer = Peer::connect(fixture.addr).await;
        if peer.push(list().sized(fixture.addr)).await && peer.is_answered().await {
            peer.response().await.result(1);
            return;
        }
    }
}

#[tokio::test]
async fn connections_beyond_all_wait_until_there_is_room() {
    let fixture = Fixture::with(ListenLimits::new().connections(1), |http| http).await;
    let mut first = Peer::connect(fixture.addr).await;
    first.ask(list().sized(fixture.addr)).await.result(1);
    let mut second = Peer::connect(fixture.addr).await;
    second.send(list().sized(fixture.addr)).await;
    let early = tokio::time::timeout(Duration::from_millis(100), second.head()).await;
    assert!(early.is_err(), "{early:?}");
    drop(first);
    second.response().await.result(1);
}

/// TOOL-10, CMP-03: so many requests run at once, and more are refused.
#[tokio::test]
async fn so_many_requests_run_at_once() {
    let fixture = Fixture::with(ListenLimits::new(), |http| http.max_calls(2)).await;
    let mut peers = [Peer::connect(fixture.addr).await, Peer::connect(fixture.addr).await];
    peers[0].send(wait(1).sized(fixture.addr)).await;
    let events = Post::of(&call_with_progress(2, "wait", json!({})));
    peers[1].send(events.sized(fixture.addr)).await;
    fixture.seen.started.reaches(2).await;

    let mut third = Peer::connect(fixture.addr).await;
    let answer = third.ask(list().sized(fixture.addr)).await;
    assert_eq!(answer.refused(), (503, -32603));
    assert_eq!(answer.header("retry-after"), Some("1"));
    assert_eq!(answer.header("connection"), None, "its body was read");

    fixture.seen.go.notify_waiters();
    peers[0].response().await.result(1);
    assert_eq!(peers[1].response().await.events().len(), 2);
    third.ask(list().sized(fixture.addr)).await.result(1);
}

#[tokio::test]
async fn requests_that_are_dropped_leave_their_place() {
    let fixture = Fixture::with(ListenLimits::new(), |http| http.max_calls(1)).await;
    for round in 1..=20 {
        let mut peer = Peer::connect(fixture.addr).await;
        let post = if round % 2 == 0 {
            wait(1)
        } else {
            Post::of(&call_with_progress(1, "wait", json!({})))
        };
        peer.send(post.sized(fixture.addr)).await;
        fixture.seen.started.reaches(round).await;
        drop(peer);
        fixture.seen.dropped.reaches(round).await;
        // A panic takes no place along either.
        let answer = Post::of(&call(1, "panics", json!({}))).ask(fixture.addr).await;
        assert_eq!(answer.error(1), (200, -32603));
    }
    list().ask(fixture.addr).await.result(1);
}

/// SUB-14: so many listen at once, and more are refused.
#[tokio::test]
async fn listeners_have_their_own_bound() {
    let fixture = Fixture::with(ListenLimits::new(), |http| http.max_calls(1).max_listens(1)).await;
    let listen = Post::of(&request(1, "subscriptions/listen", json!({ "notifications": {} })));
    let mut first = Peer::connect(fixture.addr).await;
    first.send(listen.sized(fixture.addr)).await;
    first.until("acknowledged").await;
    let answer = listen.ask(fixture.addr).await;
    assert_eq!(answer.refused(), (503, -32603));
    assert_eq!(answer.header("retry-after"), Some("1"));
    list().ask(fixture.addr).await.result(1);
}

#[tokio::test]
async fn so_many_bytes_are_read_at_once() {
    let fixture = Fixture::with(ListenLimits::new(), |http| http.max_reading(1000)).await;
    let mut slow = Peer::connect(fixture.addr).await;
    let body = format!("{}{}", request(1, "tools/list", json!({})), " ".repeat(700));
    let bytes = list().body(&body).sized(fixture.addr);
    assert!(body.len() < 1000);
    let (now, later) = bytes.split_at(bytes.len() - 10);
    slow.send(now).await;
    // The bytes are counted when they have come, which nobody can see from outside.
    let refused = async {
        loop {
            let answer = list().body(&body).ask(fixture.addr).await;
            if answer.status != 200 {
                return answer;
            }
        }
    };
    let answer = tokio::time::timeout(super::peer::PATIENCE, refused).await.expect("it is refused");
    assert_eq!(answer.refused(), (503, -32603));
    assert_eq!(answer.header("retry-after"), Some("1"));
    slow.ask(later).await.result(1);
    list().body(&body).ask(fixture.addr).await.result(1);
}
