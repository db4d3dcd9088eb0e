//! `subscriptions/listen` over HTTP: what is told, to whom, and how it ends.

use std::sync::Arc;
use std::time::Duration;

use aqueduct::Server;
use aqueduct::prelude::*;
use aqueduct::transport::http::ListenLimits;
use serde_json::{Value, json};

use super::fixture::Fixture;
use super::peer::{PATIENCE, Peer, Post, events, request};

const ID: &str = "io.modelcontextprotocol/subscriptionId";

/// A stream that is being listened to, its head read.
async fn listen(fixture: &Fixture, id: impl Into<Value>, filter: Value) -> Peer {
    let listen = request(id, "subscriptions/listen", json!({ "notifications": filter }));
    let mut peer = Peer::connect(fixture.addr).await;
    peer.send(Post::of(&listen).sized(fixture.addr)).await;
    let head = peer.head().await;
    assert_eq!((head.status, head.header("content-type")), (200, Some("text/event-stream")));
    peer
}

/// The next message of a stream.
async fn next(peer: &mut Peer) -> Value {
    let text = peer.until("\n\n").await;
    let data = text.lines().find(|line| line.starts_with("data: ")).expect("an event");
    events(data).pop().expect("a message")
}

/// Waits until so many listen.
async fn listeners(fixture: &Fixture, count: usize) {
    let reached = async {
        while fixture.notifier.listeners() != count {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::time::timeout(PATIENCE, reached).await.expect("it is noticed");
}

/// SUB-01, SUB-02, SUB-03, SUB-04, SUB-06, SUB-07, SUB-10, SUB-11, BASE-16: the first message
/// tells what is honoured, and only that is told, each with the id of its request; the end of the
/// server is the result, and nothing comes behind it.
#[tokio::test]
async fn b44_a_listener_is_told_what_it_asked_for_and_nothing_else() {
    let mut fixture = Fixture::new().await;
    let filter = json!({
        "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": false,
        "resourceSubscriptions": ["notes://a"], "zzz": true,
    });
    let mut stream = listen(&fixture, "sub-1", filter).await;
    let acknowledged = next(&mut stream).await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(acknowledged["params"]["_meta"][ID], "sub-1");
    let honoured = &acknowledged["params"]["notifications"];
    assert_eq!(honoured["toolsListChanged"], true);
    assert_eq!(honoured["resourceSubscriptions"], json!(["notes://a"]));
    // The fixture has no prompts.
    assert!(honoured.get("promptsListChanged").is_none() && honoured.get("zzz").is_none());
    assert_ne!(honoured["resourcesListChanged"], true);

    fixture.notifier.resources_changed();
    fixture.notifier.prompts_changed();
    fixture.notifier.resource_updated("notes://b");
    fixture.notifier.tools_changed();
    fixture.notifier.resource_updated("notes://a");
    let mut told = vec![next(&mut stream).await, next(&mut stream).await];
    told.sort_by_key(|message| message["method"].to_string());
    let [updated, tools] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!(tools["method"], "notifications/tools/list_changed");
    assert_eq!(updated["method"], "notifications/resources/updated");
    assert_eq!(updated["params"]["uri"], "notes://a");
    for message in &told {
        assert_eq!(message["params"]["_meta"][ID], "sub-1");
    }

    fixture.stop();
    let result = next(&mut stream).await;
    assert_eq!((&result["id"], &result["result"]["_meta"][ID]), (&json!("sub-1"), &json!("sub-1")));
    assert_eq!(result["result"]["resultType"], "complete");
    let rest = stream.rest().await;
    assert_eq!(String::from_utf8_lossy(&rest).trim(), "0");
    fixture.ended().await;
}

/// SUB-08, SUB-09: two listeners are told apart by the type of their ids too, and the end of one
/// connection is the end of one of them.
#[tokio::test]
async fn b44_two_listeners_are_told_apart() {
    let fixture = Fixture::new().await;
    let filter = || json!({ "toolsListChanged": true });
    let mut number = listen(&fixture, 4, filter()).await;
    let mut text = listen(&fixture, "4", filter()).await;
    for (stream, id) in [(&mut number, json!(4)), (&mut text, json!("4"))] {
        assert_eq!(next(stream).await["params"]["_meta"][ID], id);
    }
    fixture.notifier.tools_changed();
    for (stream, id) in [(&mut number, json!(4)), (&mut text, json!("4"))] {
        assert_eq!(next(stream).await["params"]["_meta"][ID], id);
    }
    drop(number);
    listeners(&fixture, 1).await;
    fixture.notifier.tools_changed();
    assert_eq!(next(&mut text).await["params"]["_meta"][ID], "4");
}

/// SUB-13: a filter that is missing or is none is refused; one that names nothing is honoured with
/// nothing, on a stream that stays open.
#[tokio::test]
async fn b44_a_filter_is_an_object() {
    let fixture = Fixture::new().await;
    for params in [
        json!({}),
        json!({ "notifications": null }),
        json!({ "notifications": [] }),
        json!({ "notifications": { "toolsListChanged": "yes" } }),
        json!({ "notifications": { "resourceSubscriptions": [7] } }),
    ] {
        let answer = fixture.ask(&request(7, "subscriptions/listen", params.clone())).await;
        assert_eq!(answer.error(7), (400, -32602), "{params}");
    }
    assert_eq!(fixture.notifier.listeners(), 0);
    let mut stream = listen(&fixture, 8, json!({})).await;
    assert_eq!(next(&mut stream).await["params"]["notifications"], json!({}));
    fixture.notifier.tools_changed();
    let quiet = tokio::time::timeout(Duration::from_millis(50), stream.some()).await;
    assert!(quiet.is_err(), "nothing was asked for, and the stream stays open");
    assert_eq!(fixture.notifier.listeners(), 1);
}

/// SUB-02: what a server does not have cannot change.
#[tokio::test]
async fn b44_what_the_server_does_not_have_is_not_honoured() {
    let service = Server::new("none", "1").build().expect("the server is in order");
    let fixture = Fixture::of(service, Arc::default(), ListenLimits::new(), |http| http).await;
    let filter = json!({
        "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
        "resourceSubscriptions": ["notes://a"],
    });
    let mut stream = listen(&fixture, 1, filter).await;
    assert_eq!(next(&mut stream).await["params"]["notifications"], json!({}));
}

/// SUB-12: whoever comes back without listening anew is told nothing, and who listens anew
/// nothing of what was before.
#[tokio::test]
async fn nothing_of_a_listener_outlives_it() {
    let fixture = Fixture::new().await;
    let filter = || json!({ "toolsListChanged": true });
    let mut gone = listen(&fixture, 1, filter()).await;
    next(&mut gone).await;
    drop(gone);
    listeners(&fixture, 0).await;
    fixture.notifier.tools_changed();
    fixture.ask(&request(1, "tools/list", json!({}))).await.result(1);
    let mut again = listen(&fixture, 1, filter()).await;
    next(&mut again).await;
    let quiet = tokio::time::timeout(Duration::from_millis(50), again.some()).await;
    assert!(quiet.is_err(), "what was before is told");
}

/// BASE-01: a server of one tool speaks in all three ways: it answers, it asks back, and it tells.
#[tokio::test]
async fn a_server_of_one_tool_speaks_in_all_three_ways() {
    let ask = Tool::new("ask").handler(|ctx: Context| async move {
        let roots = ctx.roots().await?;
        Ok::<_, ToolError>(format!("{} roots", roots.len()))
    });
    let service = Server::new("one", "1").tool(ask).build().expect("the server is in order");
    let fixture = Fixture::of(service, Arc::default(), ListenLimits::new(), |http| http).await;
    let discovered = fixture.ask(&request(1, "server/discover", json!({}))).await.result(1);
    assert!(discovered["capabilities"]["tools"].is_object(), "{discovered}");

    let mut call = super::peer::call(2, "ask", json!({}));
    let capabilities = "io.modelcontextprotocol/clientCapabilities";
    call["params"]["_meta"][capabilities] = json!({ "roots": {} });
    let asked = fixture.ask(&call).await.result(2);
    assert_eq!(asked["resultType"], "input_required");
    call["params"]["requestState"] = asked["requestState"].clone();
    call["params"]["inputResponses"] = json!({ "roots": { "roots": [] } });
    assert_eq!(fixture.ask(&call).await.result(2)["content"][0]["text"], "0 roots");

    let mut stream = listen(&fixture, 3, json!({ "toolsListChanged": true })).await;
    next(&mut stream).await;
    fixture.notifier.tools_changed();
    assert_eq!(next(&mut stream).await["method"], "notifications/tools/list_changed");
}
