//! Holes that were published of other servers, each tried here; `docs/advisories.md` lists them.

use aqueduct::Server;
use aqueduct::prelude::*;
use serde_json::{Value, json};

use super::peer::{Peer, fixtures, on_each, stateless};

/// CVE-2026-27896: a member in other letters is another member.
#[tokio::test]
async fn cve_2026_27896_a_name_in_other_letters_is_not_the_name() {
    stateless(fixtures, async |peer: &mut Peer| {
        let sound = super::peer::request("1", "tools/list", json!({}));
        assert!(peer.send(&sound).await.answer.get("result").is_some());
        for (name, other) in [("\"method\"", "\"Method\""), ("\"params\"", "\"PARAMS\"")] {
            let said = peer.send(&sound.replacen(name, other, 1)).await;
            assert!(said.answer.get("result").is_none(), "{other}: {}", said.answer);
            // Beside the name itself it stays what nobody knows, or is refused as a slip of it.
            let both = sound.replacen(name, &format!("{other}:\"x\",{name}"), 1);
            let beside = peer.send(&both).await;
            let is_list = beside.answer["result"]["tools"].is_array();
            assert!(is_list || beside.code() == -32600, "{other}: {}", beside.answer);
        }
    })
    .await;
}

/// GHSA-q382-vc8q-7jhj: a zero byte ends no name, and the last of two does not win.
#[tokio::test]
async fn ghsa_q382_a_zero_in_a_name_makes_another_name() {
    stateless(fixtures, async |peer: &mut Peer| {
        let sound = super::peer::request("1", "tools/list", json!({}));
        let zero = sound.replacen("\"method\":", "\"method\\u0000\":\"tools/call\",\"method\":", 1);
        assert!(peer.send(&zero).await.answer["result"]["tools"].is_array());
        let alone = sound.replacen("\"method\"", "\"method\\u0000\"", 1);
        assert!(peer.send(&alone).await.answer.get("result").is_none());
        let twice = sound.replacen("\"method\":", "\"m\\u0065thod\":\"tools/call\",\"method\":", 1);
        assert_eq!(peer.send(&twice).await.code(), -32600);
    })
    .await;
}

/// CVE-2026-0621: no template is made into an expression that backtracks.
#[tokio::test]
async fn cve_2026_0621_an_exploded_template_answers_at_once() {
    let server = || {
        let tags = ResourceTemplate::new("tags://list{/tag*}{?a,b*}", "tags")
            .handler(|| async { "found" });
        Server::new("tags", "1").resource(tags)
    };
    on_each(server, async |peer: &mut Peer| {
        for piece in ["/", ",", "/a", "%2f", "?a=", "&b="] {
            let uri = format!("tags://list{}\u{1}", piece.repeat(4_000 / piece.len()));
            let begun = std::time::Instant::now();
            let said = peer.request("resources/read", json!({ "uri": uri })).await;
            assert!(said.answer.get("error").is_some(), "{piece}: {}", said.answer);
            assert!(begun.elapsed().as_secs() < 2, "{piece}: {:?}", begun.elapsed());
        }
    })
    .await;
}

/// CVE-2025-53366, CVE-2025-53365, CVE-2026-47427: no parameters of any method end the server.
#[tokio::test]
async fn cve_2026_47427_no_parameters_of_any_method_end_anything() {
    const METHODS: [&str; 9] = [
        "server/discover",
        "tools/list",
        "tools/call",
        "resources/list",
        "resources/read",
        "resources/templates/list",
        "prompts/list",
        "prompts/get",
        "completion/complete",
    ];
    let odd = [
        json!({ "ref": null, "argument": null }),
        json!({ "ref": {}, "argument": {} }),
        json!({ "ref": { "type": "ref/prompt" }, "argument": { "name": "x" } }),
        json!({ "ref": { "type": "ref/resource", "uri": null }, "argument": { "value": 1 } }),
        json!({ "name": null, "uri": null, "arguments": [], "cursor": 7 }),
        json!({ "name": [], "uri": {}, "arguments": null, "cursor": "" }),
        json!({ "name": "", "uri": "", "arguments": { "": {} }, "context": [] }),
    ];
    on_each(fixtures, async |peer: &mut Peer| {
        for method in METHODS {
            for params in &odd {
                let said = peer.request(method, params.clone()).await;
                assert_ne!(said.answer["error"]["code"], -32603, "{method} {params}");
            }
        }
        let tools = peer.request("tools/list", json!({})).await;
        assert!(matches!(&tools.result()["tools"], Value::Array(_)));
    })
    .await;
}
