//! `subscriptions/listen`: what is told, to whom, and how it ends.

use aqueduct::prelude::*;
use aqueduct::subscription::Notifier;
use aqueduct::testing::TestClient;
use aqueduct::{Principal, Server};
use serde_json::{Value, json};

use super::peer::{Lines, Peer, fixtures, request, stateless};

const LISTEN: &str = "subscriptions/listen";
const ID: &str = "io.modelcontextprotocol/subscriptionId";

fn started() -> (Lines, Notifier) {
    let service = fixtures().build().unwrap();
    let notifier = service.notifier();
    (Lines::new(service), notifier)
}

async fn listen(lines: &mut Lines, id: &str, filter: Value) -> Value {
    let params = json!({ "notifications": filter });
    lines.write(request(id, LISTEN, params).as_bytes()).await;
    next(lines).await
}

async fn next(lines: &mut Lines) -> Value {
    serde_json::from_str(&lines.read().await).unwrap()
}

/// SUB-01, SUB-03, SUB-04, SUB-06, SUB-07, SUB-10, SUB-11: the first message tells what is
/// honoured, and only that is told, each with the id of its request.
#[tokio::test]
async fn b44_a_listener_is_told_what_it_asked_for_and_nothing_else() {
    let (mut lines, notifier) = started();
    let filter = json!({
        "toolsListChanged": false,
        "promptsListChanged": true,
        "resourceSubscriptions": ["notes://a"],
        "zzz": true,
    });
    let acknowledged = listen(&mut lines, "\"sub-1\"", filter).await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(acknowledged["params"]["_meta"][ID], "sub-1");
    let honoured = &acknowledged["params"]["notifications"];
    assert_eq!(honoured["promptsListChanged"], true);
    assert_eq!(honoured["resourceSubscriptions"], json!(["notes://a"]));
    assert_ne!(honoured["toolsListChanged"], true);
    assert!(honoured.get("zzz").is_none());

    notifier.tools_changed();
    notifier.resources_changed();
    notifier.resource_updated("notes://b");
    notifier.prompts_changed();
    notifier.resource_updated("notes://a");
    let mut told = vec![next(&mut lines).await, next(&mut lines).await];
    told.sort_by_key(|message| message["method"].to_string());
    let [prompts, updated] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!(prompts["method"], "notifications/prompts/list_changed");
    assert_eq!(updated["method"], "notifications/resources/updated");
    assert_eq!(updated["params"]["uri"], "notes://a");
    for message in &told {
        assert_eq!(message["params"]["_meta"][ID], "sub-1");
    }

    // SUB, teardown: the end of the server is the listener's result.
    notifier.end();
    let result = lines.answer().await;
    assert_eq!(result.answer["id"], "sub-1");
    assert_eq!(result.result()["_meta"][ID], "sub-1");
    lines.end().await;
}

/// SUB-08, SUB-09: two listeners are told apart by the type of their ids too, and end each by
/// itself.
#[tokio::test]
async fn b44_two_listeners_are_told_apart() {
    let (mut lines, notifier) = started();
    for id in ["4", "\"4\""] {
        let expected: Value = serde_json::from_str(id).unwrap();
        let acknowledged = listen(&mut lines, id, json!({ "toolsListChanged": true })).await;
        assert_eq!(acknowledged["params"]["_meta"][ID], expected);
    }
    notifier.tools_changed();
    let mut ids: Vec<_> = Vec::new();
    for _ in 0..2 {
        ids.push(next(&mut lines).await["params"]["_meta"][ID].to_string());
    }
    ids.sort();
    assert_eq!(ids, ["\"4\"", "4"]);

    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}"#;
    lines.write(cancel.as_bytes()).await;
    lines.write(request("1", "tools/call", json!({ "name": "now" })).as_bytes()).await;
    assert_eq!(lines.answer().await.answer["id"], 1);
    while notifier.listeners() > 1 {
        tokio::task::yield_now().await;
    }
    notifier.tools_changed();
    assert_eq!(next(&mut lines).await["params"]["_meta"][ID], "4");

    // STDIO-07: the end of the input ends it too, with its result.
    notifier.end();
    assert_eq!(lines.answer().await.answer["id"], "4");
    lines.end().await;
}

/// SUB-13: a filter that is missing or is none is refused; one that names nothing is honoured with
/// nothing.
#[tokio::test]
async fn b44_a_filter_is_an_object() {
    let (mut lines, notifier) = started();
    for params in [
        json!({}),
        json!({ "notifications": null }),
        json!({ "notifications": [] }),
        json!({ "notifications": "all" }),
        json!({ "notifications": { "toolsListChanged": "yes" } }),
        json!({ "notifications": { "resourceSubscriptions": "notes://a" } }),
        json!({ "notifications": { "resourceSubscriptions": [7] } }),
    ] {
        lines.write(request("7", LISTEN, params.clone()).as_bytes()).await;
        let said = lines.answer().await;
        assert_eq!(said.answer["id"], 7, "{params}");
        said.is_error(-32602, 400);
    }
    assert_eq!(notifier.listeners(), 0);
    let acknowledged = listen(&mut lines, "8", json!({})).await;
    assert_eq!(acknowledged["params"]["notifications"], json!({}));
    notifier.tools_changed();
    notifier.end();
    let said = lines.answer().await;
    assert_eq!((&said.answer["id"], said.notifications.len()), (&json!(8), 0));
    lines.end().await;
}

/// SUB-02: what a server does not have cannot change.
#[tokio::test]
async fn b44_what_the_server_does_not_have_is_not_honoured() {
    let service = Server::new("tool", "1").tool(Tool::new("t").handler(|| async { "t" })).build();
    let service = service.unwrap();
    let notifier = service.notifier();
    let mut lines = Lines::new(service);
    let filter = json!({
        "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
        "resourceSubscriptions": ["notes://a"],
    });
    let acknowledged = listen(&mut lines, "1", filter).await;
    assert_eq!(acknowledged["params"]["notifications"], json!({ "toolsListChanged": true }));
    notifier.end();
    assert_eq!(lines.answer().await.answer["id"], 1);
    lines.end().await;
}

/// LOG-03, PROG-06, SUB-05, B42: what a call says goes to the call, and not to those who listen.
#[tokio::test]
async fn b42_a_listener_hears_nothing_of_a_call() {
    let (mut lines, notifier) = started();
    listen(&mut lines, "\"sub\"", json!({ "toolsListChanged": true })).await;
    let meta = json!({ "progressToken": "p", "io.modelcontextprotocol/logLevel": "debug" });
    let noisy = json!({ "name": "noisy", "_meta": meta });
    lines.write(request("1", "tools/call", noisy).as_bytes()).await;
    let said = lines.answer().await;
    assert_eq!(said.notifications.len(), 11);
    for notification in &said.notifications {
        assert!(notification["params"]["_meta"].get(ID).is_none(), "{notification}");
    }
    notifier.end();
    assert_eq!(lines.answer().await.answer["id"], "sub");
    lines.end().await;
}

/// TOOL-13: without a listener nothing is told to anybody.
#[tokio::test]
async fn a_change_is_told_to_nobody_who_does_not_listen() {
    stateless(fixtures, async |peer: &mut Peer| {
        for tool in ["test_trigger_tool_change", "test_trigger_prompt_change"] {
            let said = peer.call(tool, json!({})).await;
            assert!(said.notifications.is_empty(), "{:?}", said.notifications);
        }
    })
    .await;
}

/// SUB-12: nothing of a listener outlives it, and who listens anew is told nothing of what was
/// before.
#[tokio::test]
async fn nothing_of_a_listener_outlives_it() {
    let (mut lines, notifier) = started();
    listen(&mut lines, "1", json!({ "toolsListChanged": true })).await;
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    lines.write(cancel.as_bytes()).await;
    while notifier.listeners() > 0 {
        tokio::task::yield_now().await;
    }
    notifier.tools_changed();
    lines.write(request("2", "tools/call", json!({ "name": "now" })).as_bytes()).await;
    let said = lines.answer().await;
    assert_eq!((&said.answer["id"], said.notifications.len()), (&json!(2), 0));
    listen(&mut lines, "1", json!({ "toolsListChanged": true })).await;
    lines.write(request("3", "tools/call", json!({ "name": "now" })).as_bytes()).await;
    let said = lines.answer().await;
    assert_eq!((&said.answer["id"], said.notifications.len()), (&json!(3), 0));
    notifier.end();
    assert_eq!(lines.answer().await.answer["id"], 1);
    lines.end().await;
}

/// SUB-14: over one pair of pipes so many listen and call at once, and more are refused by their
/// ids.
#[tokio::test]
async fn so_many_listen_at_once() {
    let (mut lines, notifier) = started();
    for id in 0..256 {
        let acknowledged = listen(&mut lines, &id.to_string(), json!({})).await;
        assert_eq!(acknowledged["params"]["_meta"][ID], id);
    }
    let params = json!({ "notifications": {} });
    lines.write(request("256", LISTEN, params).as_bytes()).await;
    let said = lines.answer().await;
    assert_eq!(said.answer["id"], 256);
    said.is_error(-32603, 503);
    assert_eq!(notifier.listeners(), 256);
}

/// SUB-14: one caller has so many listeners, and another has his own.
#[tokio::test]
async fn one_caller_has_so_many_listeners() {
    let service = fixtures().build().unwrap();
    let notifier = service.notifier();
    let caller = |name: &str| {
        TestClient::of(service.clone()).principal(Principal::new("https://issuer.example", name))
    };
    let mut open = Vec::new();
    for _ in 0..16 {
        let client = caller("alice");
        let listen = request("1", LISTEN, json!({ "notifications": {} }));
        open.push(tokio::spawn(async move { client.send(listen).await }));
    }
    while notifier.listeners() < 16 {
        tokio::task::yield_now().await;
    }
    let listen = request("2", LISTEN, json!({ "notifications": {} }));
    let refused = caller("alice").send(listen.clone()).await.answer.unwrap();
    assert!(refused.contains("too many listeners of this caller"), "{refused}");
    assert!(refused.contains("\"reason\":\"rate_limited\""), "{refused}");
    let client = caller("bob");
    let other = tokio::spawn(async move { client.send(listen).await });
    while notifier.listeners() < 17 {
        tokio::task::yield_now().await;
    }
    notifier.end();
    assert!(other.await.unwrap().answer.unwrap().contains("complete"));
    for one in open {
        assert!(one.await.unwrap().answer.unwrap().contains("complete"));
    }
}
