//! A subscription handler: its own source of changes, held to what was acknowledged.

use aqueduct::Server;
use aqueduct::prelude::*;
use aqueduct::subscription::{Events, SubscriptionFilter, SubscriptionHandler};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::peer::{Lines, Peer, request, stateless};

const LISTEN: &str = "subscriptions/listen";

/// Does what the `mode` says.
struct Source {
    mode: &'static str,
    /// Told of what becomes of a run.
    marks: Option<mpsc::UnboundedSender<&'static str>>,
}

/// Tells that it is dropped.
struct Dropped(Option<mpsc::UnboundedSender<&'static str>>);

impl Drop for Dropped {
    fn drop(&mut self) {
        if let Some(marks) = &self.0 {
            marks.send("dropped").unwrap();
        }
    }
}

impl SubscriptionHandler for Source {
    async fn subscribe(
        &self,
        mut filter: SubscriptionFilter,
        _: &Context,
    ) -> Result<SubscriptionFilter, Error> {
        match self.mode {
            "refuses" => return Err(Error::not_found("nobody listens here")),
            "narrows" => {
                filter.prompts_list_changed = None;
                filter.resource_subscriptions = Some(vec!["a://1".into(), "a://unasked".into()]);
            }
            "widens" => filter.tools_list_changed = Some(true),
            _ => {}
        }
        Ok(filter)
    }

    async fn run(&self, events: Events, _: Context) -> Result<(), Error> {
        let _dropped = Dropped(self.marks.clone());
        // Everything, whatever is wanted.
        events.tools_changed();
        events.tools_changed();
        events.prompts_changed();
        events.resources_changed();
        for uri in ["a://1", "a://2", "a://unasked"] {
            events.resource_updated(uri);
        }
        match self.mode {
            "fails" => Err(Error::internal("the queue is gone")),
            "waits" => std::future::pending().await,
            _ => Ok(()),
        }
    }
}

fn server(mode: &'static str) -> Server {
    Server::new("source", "1")
        .subscription_handler(Source { mode, marks: None })
        .tool(Tool::new("t").handler(|| async { "t" }))
        .prompt(Prompt::new("p").handler(|| async { "p" }))
        .resource(Resource::new("a://1", "1").handler(|| async { "1" }))
}

fn filter() -> Value {
    json!({ "notifications": {
        "promptsListChanged": true, "resourceSubscriptions": ["a://1", "a://2"],
    } })
}

/// What was told, sorted, without the acknowledgement.
fn told(notifications: &[Value]) -> Vec<String> {
    let mut told: Vec<_> = notifications[1..]
        .iter()
        .map(|told| format!("{} {}", told["method"], told["params"]["uri"]).replace('"', ""))
        .collect();
    told.sort();
    told
}

/// SUB-01, SUB-03, SUB-04, BASE-16: only what was acknowledged is told, each message with its id.
#[tokio::test]
async fn only_what_was_acknowledged_is_told_and_the_acknowledgement_comes_first() {
    for (mode, honoured, expected) in [
        (
            "ends",
            filter()["notifications"].clone(),
            &[
                "notifications/prompts/list_changed null",
                "notifications/resources/updated a://1",
                "notifications/resources/updated a://2",
            ][..],
        ),
        (
            "narrows",
            json!({ "resourceSubscriptions": ["a://1"] }),
            &["notifications/resources/updated a://1"],
        ),
        (
            "widens",
            filter()["notifications"].clone(),
            &[
                "notifications/prompts/list_changed null",
                "notifications/resources/updated a://1",
                "notifications/resources/updated a://2",
            ],
        ),
    ] {
        stateless(
            || server(mode),
            async |peer: &mut Peer| {
                let said = peer.request(LISTEN, filter()).await;
                let id = &said.answer["id"];
                let first = &said.notifications[0];
                assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
                assert_eq!(first["params"]["notifications"], honoured);
                assert_eq!(told(&said.notifications), expected, "{mode}");
                for message in &said.notifications {
                    let meta = &message["params"]["_meta"];
                    assert_eq!(&meta["io.modelcontextprotocol/subscriptionId"], id);
                }
                assert_eq!(said.result()["resultType"], "complete");
            },
        )
        .await;
    }
}

#[tokio::test]
async fn a_handler_that_refuses_is_an_error_and_nothing_else() {
    stateless(
        || server("refuses"),
        async |peer: &mut Peer| {
            let said = peer.request(LISTEN, filter()).await;
            assert_eq!(said.is_error(-32602, 200)["message"], "nobody listens here");
            assert!(said.notifications.is_empty());
        },
    )
    .await;
}

#[tokio::test]
async fn a_handler_that_fails_ends_its_listener_with_an_error() {
    stateless(
        || server("fails"),
        async |peer: &mut Peer| {
            let said = peer.request(LISTEN, filter()).await;
            assert_eq!(said.is_error(-32603, 200)["message"], "internal error");
            assert_eq!(said.notifications.len(), 4);
        },
    )
    .await;
}

#[tokio::test]
async fn a_handler_is_dropped_when_its_client_goes_and_the_framework_tells_beside_it() {
    let (marks, mut marked) = mpsc::unbounded_channel();
    let service = Server::new("source", "1")
        .subscription_handler(Source { mode: "waits", marks: Some(marks) })
        .tool(Tool::new("t").handler(|| async { "t" }))
        .build()
        .unwrap();
    let notifier = service.notifier();
    let mut lines = Lines::new(service);
    let params = json!({ "notifications": { "toolsListChanged": true } });
    lines.write(request("1", LISTEN, params.clone()).as_bytes()).await;
    // The acknowledgement, what the handler tells, and what the framework tells.
    for _ in 0..2 {
        lines.read().await;
    }
    notifier.tools_changed();
    assert!(lines.read().await.contains("notifications/tools/list_changed"));
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    lines.write(cancel.as_bytes()).await;
    assert_eq!(marked.recv().await, Some("dropped"));
    // The end of the server drops it too.
    lines.write(request("2", LISTEN, params).as_bytes()).await;
    for _ in 0..2 {
        lines.read().await;
    }
    notifier.end();
    assert_eq!(lines.answer().await.answer["id"], 2);
    assert_eq!(marked.recv().await, Some("dropped"));
    lines.end().await;
}

/// SUB-11: a listener that the server ends while others run takes its own id along, whatever
/// its type.
#[tokio::test]
async fn a_torn_down_listener_is_named_by_its_own_id() {
    let mut lines = Lines::new(server("ends").build().unwrap());
    for id in ["7", "\"7\"", "\"a \\\"b\\\"\""] {
        lines.write(request(id, LISTEN, filter()).as_bytes()).await;
        let said = lines.answer().await;
        assert_eq!(said.answer["id"], serde_json::from_str::<Value>(id).unwrap());
    }
    // A refused one was no listener.
    lines.write(request("8", LISTEN, json!({})).as_bytes()).await;
    lines.answer().await.is_error(-32602, 400);
    lines.end().await;
}
