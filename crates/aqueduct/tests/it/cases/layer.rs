//! Layers around items: in order, with what is known of the item, and able to refuse and to change.

use std::sync::{Arc, Mutex};

use aqueduct::Server;
use aqueduct::call::Outcome;
use aqueduct::item::{ItemLayer, Next};
use aqueduct::prelude::*;
use aqueduct::resource::{ReadResourceResult, ResourceRepo, Wanted};
use serde_json::json;

use super::peer::{Peer, on_each};

/// A repository of whatever is asked for.
struct Any;

impl ResourceRepo for Any {
    fn prefix(&self) -> &str {
        "any://"
    }

    async fn read(&self, wanted: &Wanted, _: &Context) -> Result<ReadResourceResult> {
        Ok(ReadResourceResult::text(&wanted.uri, "any"))
    }
}

/// Notes down what it sees before and after the call.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<String>>>);

impl Notes {
    fn layer(&self, name: &'static str) -> impl ItemLayer {
        let notes = self.clone();
        move |next: Next| {
            let notes = notes.clone();
            async move {
                let item = next.item();
                let mut seen = format!("{name} {} {}", item.kind, item.name);
                for tag in &item.tags {
                    seen.push_str(&format!(" #{tag}"));
                }
                notes.0.lock().unwrap().push(seen);
                let outcome = next.run().await;
                let what = match &outcome {
                    Ok(Outcome::CallTool(_)) => "tool result",
                    Ok(Outcome::GetPrompt(_)) => "prompt result",
                    Ok(Outcome::ReadResource(_)) => "resource result",
                    Ok(Outcome::InputRequired(_)) => "question",
                    Ok(_) => "other",
                    Err(_) => "error",
                };
                notes.0.lock().unwrap().push(format!("{name} {what}"));
                outcome
            }
        }
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

#[tokio::test]
async fn layers_run_from_the_outermost_to_the_innermost_with_the_item_at_hand() {
    for over in [Peer::memory, Peer::lines, Peer::http] {
        let notes = Notes::default();
        let service = Server::new("layered", "1")
            .item_layer(notes.layer("inner"))
            .item_layer(notes.layer("outer"))
            .tool(Tool::new("t").tag("a").layer(notes.layer("own")).handler(|| async { "t" }))
            .tool(Tool::new("ask").handler(|ctx: Context| async move {
                ctx.roots().await?;
                Ok::<_, ToolError>("asked")
            }))
            .prompt(Prompt::new("p").tag("b").layer(notes.layer("own")).handler(|| async { "p" }))
            .resource(
                Resource::new("a://b", "b")
                    .tag("c")
                    .layer(notes.layer("own"))
                    .handler(|| async { "b" }),
            )
            .resource(
                ResourceTemplate::new("t://{x}", "t")
                    .layer(notes.layer("own"))
                    .handler(|| async { "t" }),
            )
            .resource_repo(Any)
            .build()
            .unwrap();
        let mut peer = over(service);
        let around = |what: &str, result: &str| {
            let all = ["outer", "inner", "own"];
            let before = all.iter().map(|name| format!("{name} {what}"));
            let after = all.iter().rev().map(|name| format!("{name} {result} result"));
            before.chain(after).collect::<Vec<_>>()
        };
        peer.call("t", json!({})).await.text();
        assert_eq!(notes.take(), around("tool t #a", "tool"));
        peer.request("prompts/get", json!({ "name": "p" })).await.result();
        assert_eq!(notes.take(), around("prompt p #b", "prompt"));
        peer.request("resources/read", json!({ "uri": "a://b" })).await.result();
        assert_eq!(notes.take(), around("resource a://b #c", "resource"));
        peer.request("resources/read", json!({ "uri": "t://x" })).await.result();
        assert_eq!(notes.take(), around("resource template t://{x}", "resource"));
        peer.request("resources/read", json!({ "uri": "any://x" })).await.result();
        assert_eq!(notes.take().len(), 4);
        // A question is a result that a layer sees.
        let meta = json!({ "io.modelcontextprotocol/clientCapabilities": { "roots": {} } });
        let said = peer.request("tools/call", json!({ "name": "ask", "_meta": meta })).await;
        assert_eq!(said.result()["resultType"], "input_required");
        assert_eq!(notes.take()[2..], ["inner question", "outer question"]);
        // What is not there runs through no layer.
        peer.call("nothing", json!({})).await.is_error(-32602, 200);
        peer.request("tools/list", json!({})).await.result();
        assert!(notes.take().is_empty());
        peer.end().await;
    }
}

#[tokio::test]
async fn a_layer_can_refuse_and_can_change_what_comes_out() {
    let server = || {
        let shout = |next: Next| async move {
            let Outcome::CallTool(mut result) = next.run().await? else { unreachable!() };
            result.content.push(ContentBlock::text("!"));
            Ok(Outcome::from(result))
        };
        let refuse = |next: Next| async move {
            let tool = next.item().name.clone();
            drop(next);
            Err::<Outcome, _>(Error::not_found(format!("{tool} rests")))
        };
        Server::new("layered", "1")
            .tool(Tool::new("loud").layer(shout).handler(|| async { "hey" }))
            .tool(
                Tool::new("rests")
                    .layer(refuse)
                    .handler(|| async { panic!("it was called") as &'static str }),
            )
    };
    on_each(server, async |peer: &mut Peer| {
        let said = peer.call("loud", json!({})).await;
        assert_eq!(said.text(), "hey");
        assert_eq!(said.result()["content"][1]["text"], "!");
        let said = peer.call("rests", json!({})).await;
        assert_eq!(said.is_error(-32602, 200)["message"], "rests rests");
    })
    .await;
}

/// A layer that panics is one failed call.
#[tokio::test]
async fn a_layer_that_panics_is_one_failed_call() {
    let server = || {
        let broken = |_: Next| async move { panic!("a secret") };
        Server::new("layered", "1").item_layer(broken).tool(Tool::new("t").handler(|| async { "" }))
    };
    on_each(server, async |peer: &mut Peer| {
        let said = peer.call("t", json!({})).await;
        assert_eq!(said.is_error(-32603, 200)["message"], "internal error");
        peer.request("tools/list", json!({})).await.result();
    })
    .await;
}
