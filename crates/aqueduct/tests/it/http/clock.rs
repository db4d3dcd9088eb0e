//! Peers that are slow on purpose, and how long each is waited for.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::fixture::Fixture;
use super::peer::{PATIENCE, Peer, Post, call, call_with_progress, request};
use aqueduct::transport::http::ListenLimits;

/// The clock that a test looks at.
const SHORT: Duration = Duration::from_millis(200);
/// All clocks that must not strike in it.
const LONG: Duration = Duration::from_secs(60);
/// How much later than its clock a connection may be closed on a busy machine.
const SLACK: Duration = Duration::from_secs(2);

fn long() -> ListenLimits {
    ListenLimits::new().head_time(LONG).idle_time(LONG).stall_time(LONG).linger_time(LONG)
}

async fn fixture(limits: ListenLimits) -> Fixture {
    Fixture::with(limits, |http| http.body_time(LONG)).await
}

fn list() -> Post {
    Post::of(&request(1, "tools/list", json!({})))
}

/// Waits for the server to close, which it must do this long after `since`.
async fn closes(peer: &mut Peer, since: Instant, after: Duration) {
    peer.closed().await;
    let passed = since.elapsed();
    assert!(passed >= after && passed < after + SLACK, "{passed:?} instead of {after:?}");
}

#[tokio::test]
async fn a_silent_connection_has_the_time_of_a_head() {
    let fixture = fixture(long().head_time(SHORT)).await;
    let since = Instant::now();
    let mut peer = Peer::connect(fixture.addr).await;
    closes(&mut peer, since, SHORT).await;
}

#[tokio::test]
async fn line_ends_before_a_request_gain_no_time() {
    let fixture = fixture(long().head_time(SHORT)).await;
    let since = Instant::now();
    let mut peer = Peer::connect(fixture.addr).await;
    while since.elapsed() < SHORT / 2 {
        peer.push("\r\n").await;
        tokio::time::sleep(SHORT / 10).await;
    }
    closes(&mut peer, since, SHORT).await;
}

#[tokio::test]
async fn a_head_that_stops_has_its_time() {
    let fixture = fixture(long().head_time(SHORT)).await;
    for start in ["P", "POST /mcp HTTP/1.1\r\nHost", "POST /mcp HTTP/1.1\r\nHost: x\n"] {
        let mut peer = Peer::connect(fixture.addr).await;
        let since = Instant::now();
        peer.send(start).await;
        closes(&mut peer, since, SHORT).await;
    }
}

#[tokio::test]
async fn a_dribbled_head_has_its_time_from_its_first_byte_on() {
    let fixture = fixture(long().head_time(SHORT)).await;
    let mut peer = Peer::connect(fixture.addr).await;
    let since = Instant::now();
    let head = list().sized(fixture.addr);
    for byte in head.iter().take(20) {
        if !peer.push([*byte]).await {
            break;
        }
        tokio::time::sleep(SHORT / 10).await;
    }
    closes(&mut peer, since, SHORT).await;
}

#[tokio::test]
async fn an_idle_connection_has_its_own_time_and_a_second_head_its_own() {
    let fixture = fixture(long().head_time(SHORT).idle_time(SHORT * 3)).await;
    let mut peer = Peer::connect(fixture.addr).await;
    peer.ask(list().sized(fixture.addr)).await.result(1);
    let since = Instant::now();
    // Longer than a head may take, which an idle connection is not in.
    tokio::time::sleep(SHORT * 2).await;
    peer.ask(list().sized(fixture.addr)).await.result(1);
    let again = Instant::now();
    closes(&mut peer, again, SHORT * 3).await;
    assert!(since.elapsed() >= SHORT * 5);

    let mut peer = Peer::connect(fixture.addr).await;
    peer.ask(list().sized(fixture.addr)).await.result(1);
    let since = Instant::now();
    peer.send("POST /mcp HTTP/1.1\r\n").await;
    closes(&mut peer, since, SHORT).await;
}

#[tokio::test]
async fn a_running_request_has_no_clock_of_the_connection() {
    let fixture = fixture(long().head_time(SHORT).idle_time(SHORT).stall_time(SHORT)).await;
    let mut json = Peer::connect(fixture.addr).await;
    json.send(Post::of(&call(1, "wait", json!({}))).sized(fixture.addr)).await;
    let mut events = Peer::connect(fixture.addr).await;
    events.send(Post::of(&call_with_progress(2, "wait", json!({}))).sized(fixture.addr)).await;
    fixture.seen.started.reaches(2).await;
    tokio::time::sleep(SHORT * 2).await;
    fixture.seen.go.notify_waiters();
    json.response().await.result(1);
    assert_eq!(events.response().await.events().len(), 2);
    assert_eq!(fixture.seen.dropped.get(), 0);
}

#[tokio::test]
async fn a_stalled_body_is_answered_and_the_connection_closed() {
    let fixture = Fixture::with(long().linger_time(SHORT), |http| http.body_time(SHORT)).await;
    let whole = list().sized(fixture.addr);
    for cut in [whole.len() - 10, whole.len() - 1] {
        let mut peer = Peer::connect(fixture.addr).await;
        let since = Instant::now();
        peer.send(&whole[..cut]).await;
        let answer = peer.response().await;
        assert_eq!(answer.refused(), (408, -32600));
        assert_eq!(answer.header("connection"), Some("close"));
        let passed = since.elapsed();
        assert!(passed >= SHORT && passed < SHORT + SLACK, "{passed:?}");
        peer.closed().await;
    }
}

#[tokio::test]
async fn a_dribbled_body_gains_no_time() {
    let fixture = Fixture::with(long().linger_time(SHORT), |http| http.body_time(SHORT)).await;
    let mut peer = Peer::connect(fixture.addr).await;
    let whole = list().sized(fixture.addr);
    let head = whole.len() - 30;
    let since = Instant::now();
    peer.send(&whole[..head]).await;
    for byte in &whole[head..head + 20] {
        if !peer.push([*byte]).await {
            break;
        }
        tokio::time::sleep(SHORT / 10).await;
    }
    assert_eq!(peer.response().await.refused(), (408, -32600));
    assert!(since.elapsed() < SHORT + SLACK);
}

/// A call that says more than the buffers on the way hold.
fn flood() -> Value {
    let mut flood = call(1, "flood", json!({}));
    flood["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = json!("debug");
    flood
}

#[tokio::test]
async fn a_peer_that_takes_no_events_is_dropped_with_its_handler() {
    let fixture = fixture(long().stall_time(SHORT)).await;
    let mut peer = Peer::narrow(fixture.addr).await;
    let since = Instant::now();
    peer.send(Post::of(&flood()).sized(fixture.addr)).await;
    fixture.seen.dropped.reaches(1).await;
    // What the system takes for the peer, and how slowly, is not ours to say; `reaches` has the
    // patience.
    assert!(since.elapsed() >= SHORT, "{:?}", since.elapsed());
}

#[tokio::test]
async fn a_peer_that_takes_no_answer_is_dropped() {
    let fixture = fixture(long().stall_time(SHORT)).await;
    let mut peer = Peer::narrow(fixture.addr).await;
    let size = 4_000_000;
    peer.send(Post::of(&call(1, "large", json!({ "bytes": size }))).sized(fixture.addr)).await;
    tokio::time::sleep(SHORT * 5).await;
    let came = peer.rest().await.len();
    assert!(came < size, "{came}");
}

#[tokio::test]
async fn a_peer_that_reads_slowly_but_reads_gets_all() {
    let fixture = fixture(long().stall_time(SHORT * 2)).await;
    let mut peer = Peer::narrow(fixture.addr).await;
    let size = 4_000_000;
    peer.send(Post::of(&call(1, "large", json!({ "bytes": size }))).sized(fixture.addr)).await;
    let mut came = 0;
    while came < size {
        tokio::time::sleep(SHORT / 100).await;
        let more = peer.some().await;
        assert!(more > 0, "closed after {came}");
        came += more;
    }
}

#[tokio::test]
async fn a_peer_that_still_sends_when_it_is_refused_gets_to_read_why() {
    let fixture = fixture(long().linger_time(SHORT * 2)).await;
    for bytes in [
        Post::raw(vec![b' '; 64 * 1024 * 1024]).sized(fixture.addr),
        Post::raw(vec![b' '; 64 * 1024 * 1024]).chunked(fixture.addr, 256 * 1024),
    ] {
        let mut peer = Peer::connect(fixture.addr).await;
        peer.push(bytes).await;
        let answer = peer.response().await;
        assert_eq!(answer.refused(), (413, -32600));
        assert_eq!(answer.header("connection"), Some("close"));
        peer.closed().await;
    }
    list().ask(fixture.addr).await.result(1);
}

#[tokio::test]
async fn a_refused_peer_that_never_stops_sending_is_cut_off() {
    let fixture = fixture(long().linger_time(SHORT)).await;
    let mut peer = Peer::connect(fixture.addr).await;
    let since = Instant::now();
    peer.send(format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Content-Length: 99999999999\r\n\r\n",
        fixture.addr
    ))
    .await;
    let sending = async { while peer.push([b' '; 1024]).await {} };
    tokio::time::timeout(PATIENCE, sending).await.expect("it is cut off");
    let passed = since.elapsed();
    assert!(passed >= SHORT && passed < SHORT + SLACK, "{passed:?}");
}
