//! Holes that were published of other servers over HTTP; `docs/advisories.md` lists them.

use aqueduct::transport::http::ListenLimits;
use serde_json::json;

use super::fixture::Fixture;
use super::peer::{Peer, Post, call, request};

/// CVE-2026-33252: a page of another site can send such a POST without asking first.
#[tokio::test]
async fn cve_2026_33252_a_simple_post_of_a_page_runs_nothing() {
    let fixture = Fixture::new().await;
    let danger = Post::of(&call(1, "danger", json!({})));
    for simple in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        let post = danger.clone().with("Content-Type", simple);
        for post in [post.clone(), post.header("Origin", "https://evil.example")] {
            let status = post.ask(fixture.addr).await.status;
            assert!([403, 415].contains(&status), "{simple}: {status}");
        }
    }
    assert_eq!(danger.clone().without("Content-Type").ask(fixture.addr).await.status, 415);
    assert_eq!(fixture.ran(), 0);
    danger.ask(fixture.addr).await.result(1);
    assert_eq!(fixture.ran(), 1);
}

/// CVE-2026-25536, CVE-2026-48529: one server and many clients, who all choose the same ids.
#[tokio::test]
async fn cve_2026_25536_equal_ids_of_many_clients_never_cross() {
    let fixture = Fixture::with(ListenLimits::new(), |http| http).await;
    let mut clients = tokio::task::JoinSet::new();
    for client in 0..10 {
        let addr = fixture.addr;
        clients.spawn(async move {
            let mut peer = Peer::connect(addr).await;
            for round in 0..50 {
                let own = format!("{client}/{round}");
                let post = Post::of(&call(1, "echo", json!({ "text": own })));
                let answer = peer.ask(post.sized(addr)).await.result(1);
                assert_eq!(answer["content"][0]["text"], own);
            }
        });
    }
    while let Some(client) = clients.join_next().await {
        client.expect("each client got its own answers");
    }
}

/// CVE-2026-34237: nothing is allowed to the pages of any origin.
#[tokio::test]
async fn cve_2026_34237_no_answer_allows_any_origin() {
    let fixture = Fixture::new().await;
    let list = Post::of(&request(1, "tools/list", json!({})));
    let unknown = Post::of(&request(1, "no/such", json!({})));
    for post in [list.clone(), unknown, list.clone().path("/other"), list.with("Accept", "x/y")] {
        for origin in [None, Some("https://evil.example"), Some("null")] {
            let post = origin.map_or(post.clone(), |origin| post.clone().header("Origin", origin));
            let answer = post.ask(fixture.addr).await;
            let granted =
                answer.headers.iter().find(|(name, _)| name.starts_with("access-control"));
            assert_eq!(granted, None, "{answer:?}");
        }
    }
}

/// GHSA-9pj6-vhgr-3mwh: who has shaken no hands leaves nothing behind.
#[tokio::test]
async fn ghsa_9pj6_what_is_refused_keeps_nothing() {
    let fixture = Fixture::new().await;
    let mut peer = Peer::connect(fixture.addr).await;
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    for _ in 0..500 {
        let answer = peer.ask(Post::raw(ping.to_string()).sized(fixture.addr)).await;
        assert!((400..500).contains(&answer.status), "{answer:?}");
        assert_eq!(answer.header("mcp-session-id"), None);
    }
    assert_eq!(fixture.notifier.listeners(), 0);
    Post::of(&request(1, "tools/list", json!({}))).ask(fixture.addr).await.result(1);
}
