//! The attributes, seen from the client.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "the exemption for tests does not reach their helpers"
)]

mod argument;
mod container;
mod extractor;
mod group;
mod prompt;
mod resource;
mod terms;
mod tool;

use aqueduct::prelude::*;
use aqueduct::testing::TestClient;
use serde_json::{Value, json};

fn client(server: Server) -> TestClient {
    TestClient::new(server).unwrap()
}

fn of_tools(tools: impl IntoIterator<Item = Tool>) -> TestClient {
    client(Server::new("test", "1").tools(tools))
}

/// What a tool says of itself in `tools/list`.
async fn listed(tool: Tool) -> Value {
    let mut answer = of_tools([tool]).request("tools/list", json!({})).await.unwrap();
    answer.result["tools"][0].take()
}

/// The schema of one argument of a tool.
async fn schema(tool: Tool, argument: &str) -> Value {
    listed(tool).await["inputSchema"]["properties"][argument].take()
}

/// The text that a call comes to.
async fn said(client: &TestClient, tool: &str, arguments: Value) -> String {
    let result = client.call_tool(tool, arguments).await.unwrap();
    result.content.iter().filter_map(ContentBlock::as_text).collect()
}

/// The only item of a list.
fn only<T>([item]: [T; 1]) -> T {
    item
}
