//! How long and how large the parts of a request and of an answer may be.

use std::time::Duration;

use aqueduct::Server;
use aqueduct::prelude::*;
use aqueduct::server::Limits;
use aqueduct::testing::TestClient;
use serde_json::{Value, json};

use super::peer::{Peer, fixtures, on_each, request, stateless};

const LISTEN: &str = "subscriptions/listen";

#[tokio::test]
async fn a_long_name_a_uri_and_a_cursor_are_refused() {
    on_each(fixtures, async |peer: &mut Peer| {
        let long = |bytes: usize| "x".repeat(bytes);
        for (method, params) in [
            ("tools/call", json!({ "name": long(257) })),
            ("prompts/get", json!({ "name": long(257) })),
            ("resources/read", json!({ "uri": format!("notes://{}", long(4 * 1024)) })),
            ("tools/list", json!({ "cursor": long(2 * 1024 + 1) })),
        ] {
            let said = peer.request(method, params).await;
            let refused = said.code();
            // A resource that cannot be there is not found, with the code of its revision.
            let codes: &[i64] =
                if method == "resources/read" { &[-32602, -32002] } else { &[-32602] };
            assert!(codes.contains(&refused), "{method}: {}", said.answer);
            assert!(said.answer.to_string().len() < 6 * 1024, "{method}: it is no echo");
        }
    })
    .await;
}

#[tokio::test]
async fn an_answer_has_a_length_that_it_may_have() {
    let server = || {
        let large = Tool::new("large").handler(|Args(size): Args<Value>| async move {
            "x".repeat(usize::try_from(size["bytes"].as_u64().unwrap()).unwrap())
        });
        Server::new("large", "1").tool(large.input_schema(json!({ "type": "object" })))
    };
    stateless(server, async |peer: &mut Peer| {
        let fits = peer.call("large", json!({ "bytes": 4_000_000 })).await;
        assert_eq!(fits.text().len(), 4_000_000);
        let said = peer.call("large", json!({ "bytes": 4 * 1024 * 1024 })).await;
        assert_eq!(said.is_error(-32603, 200)["message"], "internal error");
    })
    .await;
}

#[tokio::test]
async fn a_filter_names_so_many_resources() {
    stateless(fixtures, async |peer: &mut Peer| {
        let uris: Vec<String> = (0..257).map(|nth| format!("notes://{nth}")).collect();
        let filter = json!({ "notifications": { "resourceSubscriptions": uris } });
        let said = peer.request(LISTEN, filter).await;
        let message = said.is_error(-32602, 400)["message"].as_str().unwrap();
        assert!(message.contains("256 resources"), "{message}");
    })
    .await;
}

/// SUB-10: a listener that is old is told its result, and its client listens anew.
#[tokio::test(start_paused = true)]
async fn a_listener_that_is_old_ends_with_its_result() {
    let listen = request("1", LISTEN, json!({ "notifications": {} }));
    let begun = tokio::time::Instant::now();
    let short = Limits::new().listen_age(Duration::from_secs(5));
    for (limits, age) in [(short, 5), (Limits::new(), 60 * 60)] {
        let client = TestClient::new(fixtures().limits(limits)).unwrap();
        let before = begun.elapsed();
        let answer = client.send(listen.clone()).await.answer.unwrap();
        assert!(answer.contains("\"resultType\":\"complete\""), "{answer}");
        let stayed = begun.elapsed().checked_sub(before).unwrap();
        assert_eq!(stayed.as_secs(), age, "{stayed:?}");
    }
}
