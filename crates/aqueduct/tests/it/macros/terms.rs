//! The options that say to whom an item is offered, and through which layers.

use aqueduct::Server;
use aqueduct::call::Outcome;
use aqueduct::item::{Next, Visibility};
use aqueduct::prelude::*;
use serde_json::json;

use crate::cases::peer::{Peer, stateless};

fn is_admin(ctx: &Context) -> bool {
    ctx.client_info().is_some_and(|client| client.name == "admin")
}

async fn count(next: Next) -> Result<Outcome, Error> {
    let mut outcome = next.run().await?;
    if let Outcome::CallTool(result) = &mut outcome {
        result.content.push(ContentBlock::text("counted"));
    }
    Ok(outcome)
}

/// Purge the notes.
#[tool(tags("admin"), layer = count, layer = count)]
async fn purge() -> &'static str {
    "gone"
}

/// Purge a note.
#[prompt(visible_to = is_admin)]
async fn ask_to_purge() -> &'static str {
    "Purge the note"
}

/// The list of what was purged.
#[resource("notes://purged", tags("admin"), layer = count)]
async fn purged() -> &'static str {
    "nothing"
}

#[tokio::test]
async fn tags_visibility_and_layers_are_said_in_the_attribute() {
    let server = || {
        Server::new("notes", "1")
            .visibility(Visibility::tagged("admin", is_admin))
            .tools(list![purge])
            .prompts(list![ask_to_purge])
            .resources(list![purged])
    };
    stateless(server, async |peer: &mut Peer| {
        for (method, params) in [
            ("tools/call", json!({ "name": "purge" })),
            ("prompts/get", json!({ "name": "ask_to_purge" })),
            ("resources/read", json!({ "uri": "notes://purged" })),
        ] {
            peer.request(method, params.clone()).await.is_error(-32602, 200);
            let mut params = params;
            params["_meta"]["io.modelcontextprotocol/clientInfo"] =
                json!({ "name": "admin", "version": "1" });
            let said = peer.request(method, params).await;
            if method == "tools/call" {
                assert_eq!(said.result()["content"].as_array().unwrap().len(), 3);
            }
        }
    })
    .await;
}
