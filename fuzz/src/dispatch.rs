//! The parameters of every method.

use aqueduct::testing::TestClient;
use serde_json::{Value, json};

use crate::world::World;

const METHODS: [&str; 12] = [
    "server/discover",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
    "completion/complete",
    "notifications/cancelled",
    "initialize",
    "no/such",
];
/// Every code of the protocol but that of an internal error.
const KNOWN: [i64; 7] = [-32700, -32600, -32601, -32602, -32020, -32021, -32022];

thread_local! {
    static CLIENT: (World, TestClient) = {
        let world = World::new();
        let client = TestClient::of(world.service.clone());
        (world, client)
    };
}

/// A byte that chooses the method, and the members of its parameters.
pub(crate) fn run(data: &[u8]) {
    let [method, members @ ..] = data else { return };
    let Some(method) = METHODS.get(usize::from(*method) % METHODS.len()) else { return };
    let Ok(members) = str::from_utf8(members) else { return };
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    // What is missing at the end is the fuzzer's to find, and what stands before is always sound.
    let rest = if members.is_empty() { String::new() } else { format!(",{members}") };
    let message = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{"_meta":{meta}{rest}}}}}"#
    );
    let exchange = CLIENT.with(|(world, client)| world.runtime.block_on(client.send(message)));
    let Some(answer) = exchange.answer else { return };
    let answer: Value = serde_json::from_str(&answer).unwrap_or_default();
    assert_eq!(answer.get("jsonrpc"), Some(&"2.0".into()), "{answer}");
    let result = answer.get("result");
    let code = answer.pointer("/error/code").and_then(Value::as_i64);
    assert!(result.is_some() != code.is_some(), "{answer}");
    assert!(code.is_none_or(|code| KNOWN.contains(&code)), "{answer}");
}
