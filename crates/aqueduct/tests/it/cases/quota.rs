//! How often a tool may be called, on each channel and in each generation of the protocol.

use aqueduct::prelude::*;
use aqueduct::protocol::code;
use aqueduct::server::Rate;
use serde_json::json;

use super::peer::{Peer, on_each};

/// TOOL-10: a tool is called so often, the refusal says when to come back, and others are free.
#[tokio::test]
async fn a_tool_is_called_so_often() {
    let server = || {
        let rare = Tool::new("rare").rate(Rate::per_hour(2)).handler(|| async { "done" });
        Server::new("rates", "1").tool(rare).tool(Tool::new("free").handler(|| async { "done" }))
    };
    on_each(server, async |peer: &mut Peer| {
        for _ in 0..2 {
            assert_eq!(peer.call("rare", json!({})).await.text(), "done");
        }
        let said = peer.call("rare", json!({})).await;
        let error = said.is_error(i64::from(code::INTERNAL_ERROR), 429);
        assert_eq!(error["data"]["reason"], "rate_limited");
        let wait = error["data"]["retryAfterMs"].as_u64().unwrap();
        assert!((1..=1_800_000).contains(&wait), "{error}");
        let message = error["message"].as_str().unwrap();
        assert!(
            message.starts_with("tool \"rare\": 2 calls in 3600 s are allowed; wait"),
            "{error}"
        );
        assert_eq!(peer.call("free", json!({})).await.text(), "done");
    })
    .await;
}

/// A rate of nothing is none at all.
#[tokio::test]
async fn a_rate_of_zero_is_no_call_at_all() {
    let server = || {
        let never = Tool::new("never").rate(Rate::per_minute(0)).handler(|| async { "done" });
        Server::new("rates", "1").tool(never)
    };
    on_each(server, async |peer: &mut Peer| {
        let said = peer.call("never", json!({})).await;
        said.is_error(i64::from(code::INTERNAL_ERROR), 429);
    })
    .await;
}
