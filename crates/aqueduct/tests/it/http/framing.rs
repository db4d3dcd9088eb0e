//! Where a request ends: whatever two readers could see differently is refused.

use serde_json::json;

use super::fixture::Fixture;
use super::peer::{Peer, Post, Response, call, request};

fn list(id: i64) -> Post {
    Post::of(&request(id, "tools/list", json!({})))
}

fn danger() -> Post {
    Post::of(&call(1, "danger", json!({})))
}

/// Sends a head with these lines and the body of a call, and reads what comes of it.
///
/// The first line of the answer, and the rest of it: the connection must end.
async fn send(fixture: &Fixture, lines: &str, body: &str) -> Response {
    let head = "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\n\
                MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: danger\r\n";
    let mut peer = Peer::connect(fixture.addr).await;
    peer.send(format!("{head}{lines}\r\n\r\n{body}")).await;
    let answer = peer.response().await;
    peer.closed().await;
    answer
}

#[tokio::test]
async fn a_request_whose_length_is_said_in_two_ways_is_refused() {
    let fixture = Fixture::new().await;
    let body = call(1, "danger", json!({})).to_string();
    let (size, host) = (body.len(), format!("Host: {}", fixture.addr));
    let chunked = format!("{size:x}\r\n{body}\r\n0\r\n\r\n");
    for (lines, body) in [
        (format!("{host}\r\nContent-Length: {size}\r\nContent-Length: {size}"), &body),
        (format!("{host}\r\nContent-Length: {size}\r\nContent-Length: 3"), &body),
        (format!("{host}\r\nContent-Length: +{size}"), &body),
        (format!("{host}\r\nContent-Length: {size}, {size}"), &body),
        (format!("{host}\r\nContent-Length: 0x{size:x}"), &body),
        (format!("{host}\r\nContent-Length: -1"), &body),
        (format!("{host}\r\nContent-Length: 18446744073709551616"), &body),
        (format!("{host}\r\nContent-Length : {size}"), &body),
        (format!("{host}\r\nContent-Length:\r\n {size}"), &body),
        (format!("{host}\r\nContent-Length: {size}\r\nTransfer-Encoding: chunked"), &chunked),
        (format!("{host}\r\nTransfer-Encoding: chunked\r\nContent-Length: {size}"), &chunked),
        (format!("{host}\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity"), &chunked),
        (format!("{host}\r\nTransfer-Encoding: identity\r\nTransfer-Encoding: chunked"), &chunked),
        (format!("{host}\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked"), &chunked),
        (format!("{host}\r\nTransfer-Encoding: chunked, identity"), &chunked),
        (format!("{host}\r\nTransfer-Encoding: gzip, chunked"), &chunked),
        (format!("{host}\r\nTransfer-Encoding: xchunked"), &chunked),
        (format!("{host}\r\nTransfer-Encoding : chunked"), &chunked),
        (format!("{host}\r\nTransfer-Encoding:\r\n chunked"), &chunked),
        (format!("{host}\r\nTransfer-Encoding: \x0bchunked"), &chunked),
        (format!("{host}\nContent-Length: {size}"), &body),
        (format!("{host}\r\nContent-Length: {size}\nX: y"), &body),
        (format!("{host}\r\nX: y\rContent-Length: {size}"), &body),
    ] {
        let answer = send(&fixture, &lines, body).await;
        assert_eq!(answer.status, 400, "{lines:?}");
        assert_eq!(answer.header("connection"), Some("close"), "{lines:?}");
    }
    assert_eq!(fixture.ran(), 0);
}

#[tokio::test]
async fn a_request_for_two_hosts_or_none_is_refused() {
    let fixture = Fixture::new().await;
    let body = call(1, "danger", json!({})).to_string();
    let (addr, size) = (fixture.addr, body.len());
    for lines in [
        format!("Content-Length: {size}"),
        format!("Host: {addr}\r\nHost: {addr}\r\nContent-Length: {size}"),
        format!("Host: {addr}\r\nHost: evil.example\r\nContent-Length: {size}"),
        format!("Host:\r\nContent-Length: {size}"),
    ] {
        let mut answer = send(&fixture, &lines, &body).await;
        answer.body.clear();
        assert!([400, 403].contains(&answer.status), "{lines:?}: {answer:?}");
    }
    for target in ["http://evil.example/mcp", "http://user@127.0.0.1/mcp", "evil.example:80"] {
        let mut peer = Peer::connect(addr).await;
        let bytes = danger().sized(addr);
        let bytes = String::from_utf8(bytes).expect("it is text").replacen("/mcp", target, 1);
        let answer = peer.ask(bytes).await;
        assert!([400, 403, 404].contains(&answer.status), "{target}: {answer:?}");
    }
    let bytes = String::from_utf8(list(1).sized(addr)).expect("it is text");
    let bytes = bytes.replacen("/mcp", &format!("http://{addr}/mcp"), 1);
    super::peer::ask(addr, bytes).await.result(1);
    assert_eq!(fixture.ran(), 0);
}

#[tokio::test]
async fn a_header_that_may_be_there_once_is_refused_when_it_is_there_twice() {
    let fixture = Fixture::new().await;
    for (name, value) in [
        ("Content-Type", "application/json"),
        ("Authorization", "Bearer x"),
        ("Mcp-Session-Id", "x"),
        ("Origin", "http://localhost"),
    ] {
        let post = danger().without(name).header(name, value).header(name, value);
        let answer = post.ask(fixture.addr).await;
        assert_eq!(answer.refused(), (400, -32600), "{name}");
    }
    assert_eq!(fixture.ran(), 0);
}

#[tokio::test]
async fn a_chunked_body_is_a_body() {
    let fixture = Fixture::new().await;
    let mut peer = Peer::connect(fixture.addr).await;
    for size in [1, 7, 1024] {
        peer.ask(list(1).chunked(fixture.addr, size)).await.result(1);
    }
    // Extensions and trailers say nothing to anybody.
    let bytes = String::from_utf8(list(2).chunked(fixture.addr, 4096)).expect("it is text");
    let bytes = bytes.replacen("\r\n{", ";name=value\r\n{", 1);
    let bytes = bytes.replace("0\r\n\r\n", "0\r\nContent-Length: 5\r\nX: y\r\n\r\n");
    peer.ask(bytes).await.result(2);
    peer.ask(list(3).sized(fixture.addr)).await.result(3);
}

#[tokio::test]
async fn a_chunk_that_is_none_breaks_the_request() {
    let fixture = Fixture::new().await;
    let head = String::from_utf8(danger().body("").chunked(fixture.addr, 1)).expect("it is text");
    let head = head.strip_suffix("0\r\n\r\n").expect("it ends so");
    for chunk in
        ["x\r\n", "-1\r\n", "fffffffffffffffff\r\n", "2\n{}\r\n0\r\n\r\n", "2\r\n{}0\r\n\r\n"]
    {
        let mut peer = Peer::connect(fixture.addr).await;
        let answer = peer.ask(format!("{head}{chunk}")).await;
        assert_eq!(answer.refused(), (400, -32600), "{chunk:?}");
        peer.closed().await;
    }
    assert_eq!(fixture.ran(), 0);
}

#[tokio::test]
async fn requests_that_wait_behind_each_other_are_answered_in_order() {
    let fixture = Fixture::new().await;
    let mut peer = Peer::connect(fixture.addr).await;
    let addr = fixture.addr;
    let wait = Post::of(&call(1, "wait", json!({}))).sized(addr);
    let all = [wait, list(2).sized(addr), list(3).chunked(addr, 9), list(4).sized(addr)].concat();
    let (now, later) = all.split_at(all.len() - 5);
    peer.send(now).await;
    fixture.seen.started.reaches(1).await;
    fixture.seen.go.notify_waiters();
    for id in 1..=3 {
        peer.response().await.result(id);
    }
    peer.send(later).await;
    peer.response().await.result(4);
    peer.ask(list(5).sized(addr)).await.result(5);
}

#[tokio::test]
async fn more_requests_than_are_read_ahead_wait_in_the_socket() {
    let fixture = Fixture::new().await;
    let mut peer = Peer::connect(fixture.addr).await;
    peer.send(Post::of(&call(0, "wait", json!({}))).sized(fixture.addr)).await;
    fixture.seen.started.reaches(1).await;
    let many: Vec<u8> = (1..=500).flat_map(|id| list(id).sized(fixture.addr)).collect();
    assert!(many.len() > 128 * 1024);
    peer.send(many).await;
    fixture.seen.go.notify_waiters();
    for id in 0..=500 {
        peer.response().await.result(id);
    }
}

#[tokio::test]
async fn a_smuggled_request_behind_a_good_one_is_refused() {
    let fixture = Fixture::new().await;
    let addr = fixture.addr;
    let mut peer = Peer::connect(addr).await;
    peer.ask(list(1).sized(addr)).await.result(1);
    let bytes = String::from_utf8(danger().sized(addr)).expect("it is text");
    peer.send(bytes.replacen("Content-Length", "Transfer-Encoding: chunked\r\nContent-Length", 1))
        .await;
    let answer = peer.response().await;
    assert_eq!(answer.refused(), (400, -32600));
    peer.closed().await;
    assert_eq!(fixture.ran(), 0);
}

#[tokio::test]
async fn what_is_no_http_is_refused() {
    let fixture = Fixture::new().await;
    for bytes in [
        "GARBAGE\r\n\r\n",
        "POST /mcp\r\n\r\n",
        "POST /mcp HTTP/2.0\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\r\n\r\n",
        "POST  /mcp HTTP/1.1\r\n\r\n",
        "POST /m cp HTTP/1.1\r\n\r\n",
    ] {
        let mut peer = Peer::connect(fixture.addr).await;
        let answer = peer.ask(bytes).await;
        assert_eq!((answer.status, answer.text()), (400, ""), "{bytes:?}");
        peer.closed().await;
    }
    let mut peer = Peer::connect(fixture.addr).await;
    peer.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await;
    assert!(!peer.rest().await.starts_with(b"HTTP/1.1 2"));
}

#[tokio::test]
async fn http10_is_served_and_ends_with_its_answer() {
    let fixture = Fixture::new().await;
    for keep in ["", "Connection: keep-alive\r\n"] {
        let bytes = String::from_utf8(list(1).sized(fixture.addr)).expect("it is text");
        let bytes = bytes.replacen("HTTP/1.1\r\n", &format!("HTTP/1.0\r\n{keep}"), 1);
        let mut peer = Peer::connect(fixture.addr).await;
        let answer = peer.ask(bytes).await;
        answer.result(1);
        assert_ne!(answer.header("connection"), Some("keep-alive"));
        peer.closed().await;
    }
}

#[tokio::test]
async fn a_peer_that_asks_to_continue_is_told_to() {
    let fixture = Fixture::new().await;
    let post = list(1).header("Expect", "100-continue").sized(fixture.addr);
    let end = post.windows(4).position(|window| window == b"\r\n\r\n").expect("a head ends");
    let (head, body) = post.split_at(end + 4);
    let mut peer = Peer::connect(fixture.addr).await;
    peer.send(head).await;
    assert_eq!(peer.until("\r\n\r\n").await, "HTTP/1.1 100 Continue\r\n\r\n");
    peer.ask(body).await.result(1);

    // Who is refused is not asked for a body.
    let post = danger().with("Content-Type", "text/plain").header("Expect", "100-continue");
    let post = post.sized(fixture.addr);
    let end = post.windows(4).position(|window| window == b"\r\n\r\n").expect("a head ends");
    let mut peer = Peer::connect(fixture.addr).await;
    peer.send(&post[..end + 4]).await;
    let answer = peer.response().await;
    assert_eq!(answer.refused(), (415, -32600));
    assert_eq!(answer.header("connection"), Some("close"));
}

#[tokio::test]
async fn an_upgrade_is_not_taken() {
    let fixture = Fixture::new().await;
    let mut peer = Peer::connect(fixture.addr).await;
    for upgrade in ["h2c", "websocket"] {
        let post = list(1).header("Upgrade", upgrade).header("Connection", "upgrade");
        peer.ask(post.sized(fixture.addr)).await.result(1);
    }
    peer.ask(list(2).sized(fixture.addr)).await.result(2);
}

#[tokio::test]
async fn a_refusal_that_leaves_a_body_unread_ends_the_connection_and_others_do_not() {
    let fixture = Fixture::new().await;
    let mut peer = Peer::connect(fixture.addr).await;
    let answer = peer.ask(danger().with("Content-Type", "text/plain").sized(fixture.addr)).await;
    assert_eq!((answer.status, answer.header("connection")), (415, Some("close")));
    peer.closed().await;

    let mut peer = Peer::connect(fixture.addr).await;
    let get = format!("GET /mcp HTTP/1.1\r\nHost: {}\r\n\r\n", fixture.addr);
    for _ in 0..2 {
        let answer = peer.ask(&get).await;
        assert_eq!((answer.status, answer.header("connection")), (405, None));
    }
    peer.ask(danger().body("{").sized(fixture.addr)).await.refused();
    peer.ask(list(1).sized(fixture.addr)).await.result(1);
}
