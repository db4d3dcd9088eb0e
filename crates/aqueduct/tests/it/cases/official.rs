//! Every message of a long conversation, held against the official schema.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::peer::{Peer, Said, fixtures, stateless};

/// The official schema, or `None` where it is not at hand.
///
/// Where `CI` is set its absence is a failure: a test that silently tests nothing is none.
fn schema() -> Option<Value> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let told = std::env::var_os("AQUEDUCT_SHARED").map(PathBuf::from);
    let beside = ["../../../shared", "../../../../shared"].map(|way| manifest.join(way));
    let mut all = told.into_iter().chain(beside);
    let text = all.find_map(|shared| {
        std::fs::read_to_string(shared.join("schema/2026-07-28/schema.json")).ok()
    });
    if text.is_none() {
        assert!(std::env::var_os("CI").is_none(), "the official schema is not at hand");
        eprintln!("SKIPPED: the official schema is not at hand; set AQUEDUCT_SHARED");
    }
    text.map(|text| serde_json::from_str(&text).unwrap())
}

/// The definitions, each compiled when it is asked for first.
struct Official {
    schema: Value,
    compiled: HashMap<&'static str, jsonschema::Validator>,
    /// How many messages were held against each.
    seen: HashMap<&'static str, usize>,
}

impl Official {
    #[track_caller]
    fn holds(&mut self, name: &'static str, message: &Value) {
        let Self { schema, compiled, seen } = self;
        let validator = compiled.entry(name).or_insert_with(|| {
            let defs = &schema["$defs"];
            assert!(defs.get(name).is_some(), "the schema defines no {name}");
            let one = json!({ "$ref": format!("#/$defs/{name}"), "$defs": defs });
            jsonschema::validator_for(&one).unwrap()
        });
        let faults: Vec<_> =
            validator.iter_errors(message).map(|error| error.to_string()).collect();
        assert!(faults.is_empty(), "{name}: {faults:?}: {message}");
        *seen.entry(name).or_default() += 1;
    }

    /// Holds all that came back for a request against what the schema says of its method.
    #[track_caller]
    fn check(&mut self, method: &str, said: &Said) {
        for notification in &said.notifications {
            self.holds("ServerNotification", notification);
        }
        let answer = &said.answer;
        if let Some(error) = answer.get("error") {
            let name = match error["code"].as_i64() {
                Some(-32021) => "MissingRequiredClientCapabilityError",
                Some(-32022) => "UnsupportedProtocolVersionError",
                Some(-32020) => "HeaderMismatchError",
                _ => "JSONRPCErrorResponse",
            };
            return self.holds(name, answer);
        }
        let name = match method {
            "server/discover" => "DiscoverResultResponse",
            "tools/list" => "ListToolsResultResponse",
            "tools/call" => "CallToolResultResponse",
            "resources/list" => "ListResourcesResultResponse",
            "resources/templates/list" => "ListResourceTemplatesResultResponse",
            "resources/read" => "ReadResourceResultResponse",
            "prompts/list" => "ListPromptsResultResponse",
            "prompts/get" => "GetPromptResultResponse",
            "completion/complete" => "CompleteResultResponse",
            other => panic!("a result of {other}: {answer}"),
        };
        self.holds(name, answer);
    }
}

/// BASE-05, MRTR-04, ELI-02, ELI-03, TOOL-04, PRM-03, LOG-05, and every row that says "validate".
#[tokio::test]
async fn every_message_is_one_of_the_official_schema() {
    let Some(schema) = schema() else { return };
    let official = Official { schema, compiled: HashMap::new(), seen: HashMap::new() };
    let official = std::cell::RefCell::new(official);
    stateless(fixtures, async |peer: &mut Peer| {
        let able = json!({
            "progressToken": 1,
            "io.modelcontextprotocol/logLevel": "debug",
            "io.modelcontextprotocol/clientCapabilities":
                { "sampling": {}, "roots": {}, "elicitation": {} },
        });
        let mut ask = async |method: &str, mut params: Value| {
            params["_meta"] = able.clone();
            let said = peer.request(method, params).await;
            official.borrow_mut().check(method, &said);
            said.answer["result"].clone()
        };
        ask("server/discover", json!({})).await;
        for tool in ask("tools/list", json!({})).await["tools"].as_array().unwrap() {
            ask("tools/call", json!({ "name": tool["name"], "arguments": {} })).await;
        }
        for reading in ["offline", "offline_with_data", "wrong", "nothing"] {
            let arguments = json!({ "reading": reading });
            ask("tools/call", json!({ "name": "typed", "arguments": arguments })).await;
        }
        for resource in ask("resources/list", json!({})).await["resources"].as_array().unwrap() {
            ask("resources/read", json!({ "uri": resource["uri"] })).await;
        }
        ask("resources/templates/list", json!({})).await;
        ask("resources/read", json!({ "uri": "notes://x" })).await;
        ask("resources/read", json!({ "uri": "nope://x" })).await;
        for prompt in ask("prompts/list", json!({})).await["prompts"].as_array().unwrap() {
            let names = prompt["arguments"].as_array().into_iter().flatten();
            let arguments: serde_json::Map<String, Value> = names
                .map(|argument| (argument["name"].as_str().unwrap().to_owned(), json!("x")))
                .collect();
            ask("prompts/get", json!({ "name": prompt["name"], "arguments": arguments })).await;
        }
        for (reference, name) in [
            (json!({ "type": "ref/prompt", "name": "review" }), "lang"),
            (json!({ "type": "ref/resource", "uri": "notes://{name}" }), "name"),
            (json!({ "type": "ref/resource", "uri": "notes://{name}" }), "nope"),
        ] {
            let argument = json!({ "name": name, "value": "" });
            ask("completion/complete", json!({ "ref": reference, "argument": argument })).await;
        }
        let unable = peer.call("test_missing_capability", json!({})).await;
        official.borrow_mut().check("tools/call", &unable);
        let meta = json!({ "io.modelcontextprotocol/protocolVersion": "v999" });
        let unknown = peer.request("tools/list", json!({ "_meta": meta })).await;
        official.borrow_mut().check("tools/list", &unknown);
        for text in ["{}", "[]", "x", r#"{"jsonrpc":"2.0","id":"a","method":7}"#] {
            let said = peer.send(text).await;
            official.borrow_mut().check("", &said);
        }
    })
    .await;
    let seen = official.into_inner().seen;
    assert!(seen["ServerNotification"] > 100, "{seen:?}");
    assert!(seen["CallToolResultResponse"] > 100, "{seen:?}");
    assert_eq!(seen.len(), 13, "{seen:?}");
}
