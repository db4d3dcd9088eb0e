//! Questions of a handler as requests to the client of a session.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use aqueduct::prelude::*;
use aqueduct::server::Handshake;
use serde_json::{Value, json};

use super::fixture::Fixture;
use super::session::{
    MIDDLE, NEWEST, OLDEST, Session, asked, called, fixtures, message, with_tool,
};

#[form]
struct Name {
    /// Your name
    name: String,
}

/// Everything that the client of these tests can be asked.
fn all() -> Value {
    json!({ "elicitation": { "form": {}, "url": {} }, "sampling": {}, "roots": {} })
}

fn respond(id: &Value, result: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

async fn asking(version: &str) -> (Fixture, Session) {
    let fixture = fixtures(Handshake::Sessions).await;
    let session = Session::begin(fixture.addr, version, all()).await;
    (fixture, session)
}

#[tokio::test]
async fn a_question_comes_on_the_stream_of_its_call_and_the_answer_is_posted() {
    for version in [NEWEST, MIDDLE] {
        let (_fixture, session) = asking(version).await;
        let call = called(1, "test_input_required_result_multi_round", json!({}));
        let mut stream = session.open(&call).await;
        let first = message(&mut stream).await;
        assert_eq!(first["method"], "elicitation/create");
        let mode = (version == NEWEST).then_some("form");
        assert_eq!(first["params"]["mode"].as_str(), mode, "{first}");
        assert_eq!(first["params"]["requestedSchema"]["type"], "object");
        let accept = |content: Value| json!({ "action": "accept", "content": content });
        let answer = respond(&first["id"], &accept(json!({ "name": "Ann" })));
        assert_eq!(session.tell(&answer).await, 202);
        let second = message(&mut stream).await;
        assert_ne!(second["id"], first["id"]);
        // The first answer again is nobody's, and a malformed one is asked for again.
        assert_eq!(session.tell(&answer).await, 202);
        let malformed = respond(&second["id"], &accept(json!({ "color": 7 })));
        assert_eq!(session.tell(&malformed).await, 202);
        let again = message(&mut stream).await;
        assert_ne!(again["id"], second["id"]);
        let answer = respond(&again["id"], &accept(json!({ "color": "blue" })));
        assert_eq!(session.tell(&answer).await, 202);
        let end = message(&mut stream).await;
        assert_eq!(end["result"]["content"][0]["text"], "Ann likes blue");
        assert_eq!(end["result"].get("resultType"), None);
    }
}

#[tokio::test]
async fn several_questions_are_asked_at_once_and_answered_in_any_order() {
    let (_fixture, session) = asking(NEWEST).await;
    let call = called(1, "test_input_required_result_multiple_inputs", json!({}));
    let mut stream = session.open(&call).await;
    let mut questions = Vec::new();
    for _ in 0..3 {
        questions.push(message(&mut stream).await);
    }
    questions.reverse();
    for question in questions {
        let result = match question["method"].as_str().expect("a method") {
            "elicitation/create" => json!({ "action": "accept", "content": { "name": "Ann" } }),
            "sampling/createMessage" => json!({ "role": "assistant", "model": "m",
                "content": { "type": "text", "text": "Hello" } }),
            "roots/list" => json!({ "roots": [{ "uri": "file:///a" }] }),
            other => panic!("{other}"),
        };
        assert_eq!(session.tell(&respond(&question["id"], &result)).await, 202);
    }
    let end = message(&mut stream).await;
    assert_eq!(end["result"]["content"][0]["text"], "Hello, Ann (1 roots)");
}

#[tokio::test]
async fn a_client_that_refuses_has_declined_or_is_told_to_the_model() {
    let (_fixture, session) = asking(NEWEST).await;
    let error = |id: &Value| json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -1, "message": "User rejected" } });
    for (tool, told) in [
        ("test_input_required_result_elicitation", "declined"),
        ("test_input_required_result_sampling", "User rejected"),
    ] {
        let mut stream = session.open(&called(1, tool, json!({}))).await;
        let question = message(&mut stream).await;
        assert_eq!(session.tell(&error(&question["id"])).await, 202);
        let end = message(&mut stream).await;
        assert_eq!(end["result"]["isError"], true, "{end}");
        let text = end["result"]["content"][0]["text"].as_str().expect("a text");
        assert!(text.contains(told), "{text}");
    }
}

#[tokio::test]
async fn prompts_and_resources_ask_like_tools() {
    let (_fixture, session) = asking(NEWEST).await;
    let get = asked(1, "prompts/get", json!({ "name": "test_input_required_result_prompt" }));
    let mut stream = session.open(&get).await;
    let question = message(&mut stream).await;
    let result = json!({ "action": "accept", "content": { "context": "here" } });
    assert_eq!(session.tell(&respond(&question["id"], &result)).await, 202);
    let end = message(&mut stream).await;
    let text = end["result"]["messages"][0]["content"]["text"].as_str().expect("a text");
    assert!(text.contains("here"), "{end}");
}

#[tokio::test]
async fn what_the_client_did_not_declare_or_its_revision_lacks_is_not_asked() {
    let fixture = fixtures(Handshake::Sessions).await;
    let elicit = called(1, "test_input_required_result_elicitation", json!({}));
    for (version, capabilities) in
        [(NEWEST, json!({})), (OLDEST, all()), (MIDDLE, json!({ "sampling": {} }))]
    {
        let session = Session::begin(fixture.addr, version, capabilities).await;
        assert_eq!(session.ask(&elicit).await.error(1), (200, -32021), "{version}");
    }
    // That revision has no list to choose several from.
    let session = Session::begin(fixture.addr, MIDDLE, all()).await;
    let answer = session.ask(&called(2, "test_elicitation_sep1330_enums", json!({}))).await;
    let result = answer.result(2);
    let text = result["content"][0]["text"].as_str().expect("a text");
    assert!(result["isError"] == true && text.contains("untitledMulti"), "{text}");
    let mut stream = session.open(&called(3, "test_elicitation_sep1034_defaults", json!({}))).await;
    let question = message(&mut stream).await;
    let fields = &question["params"]["requestedSchema"]["properties"];
    for field in ["name", "age", "score", "status"] {
        assert_eq!(fields[field].get("default"), None, "{question}");
    }
    assert_eq!(fields["verified"]["default"], true);
}

#[tokio::test]
async fn a_cancelled_call_waits_for_no_answer() {
    let (_fixture, session) = asking(NEWEST).await;
    let call = called(9, "test_input_required_result_elicitation", json!({}));
    let mut stream = session.open(&call).await;
    let question = message(&mut stream).await;
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled",
                         "params": { "requestId": 9 } });
    assert_eq!(session.tell(&cancel).await, 202);
    let rest = stream.until("0\r\n\r\n").await;
    assert!(!rest.contains("result"), "{rest}");
    let late = respond(&question["id"], &json!({ "action": "decline" }));
    assert_eq!(session.tell(&late).await, 202);
}

#[tokio::test]
async fn an_answer_of_another_session_answers_nothing() {
    let (fixture, session) = asking(NEWEST).await;
    let other = Session::begin(fixture.addr, NEWEST, all()).await;
    let call = called(1, "test_input_required_result_elicitation", json!({}));
    let mut stream = session.open(&call).await;
    let question = message(&mut stream).await;
    let accept = |name: &str| json!({ "action": "accept", "content": { "name": name } });
    assert_eq!(other.tell(&respond(&question["id"], &accept("Mallory"))).await, 202);
    assert_eq!(session.tell(&respond(&question["id"], &accept("Ann"))).await, 202);
    let end = message(&mut stream).await;
    assert_eq!(end["result"]["content"][0]["text"], "Hello, Ann!");
}

#[tokio::test]
async fn what_is_done_once_is_done_once_in_all_rounds() {
    let charged = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&charged);
    let tool = Tool::new("pay").handler(move |ctx: Context| {
        let count = Arc::clone(&count);
        async move {
            let receipt: usize = ctx
                .once("charge", async || Ok::<_, Error>(count.fetch_add(1, Ordering::SeqCst) + 41))
                .await?;
            let answer: Name = ctx.elicit("name", "Who pays?").await?;
            let version = ctx.protocol_version();
            let result = format!("{} {receipt} {version}", answer.name);
            Ok::<_, ToolError>(result)
        }
    });
    let fixture = with_tool(tool).await;
    let session = Session::begin(fixture.addr, MIDDLE, all()).await;
    let mut stream = session.open(&called(1, "pay", json!({}))).await;
    let question = message(&mut stream).await;
    let accept = json!({ "action": "accept", "content": { "name": "Ann" } });
    assert_eq!(session.tell(&respond(&question["id"], &accept)).await, 202);
    let end = message(&mut stream).await;
    assert_eq!(end["result"]["content"][0]["text"], "Ann 41 2025-06-18");
    assert_eq!(charged.load(Ordering::SeqCst), 1);
}

/// ERR-17: an address is asked for, and is no error.
#[tokio::test]
async fn an_address_has_an_id_in_the_revision_that_knows_addresses() {
    let tool = Tool::new("sign").handler(|ctx: Context| async move {
        let answer = ctx.visit("sign", "Sign here", "https://a.example/sign").await?;
        Ok::<_, ToolError>(format!("{}", answer.accepted().is_some()))
    });
    let fixture = with_tool(tool).await;
    let session = Session::begin(fixture.addr, NEWEST, all()).await;
    let mut stream = session.open(&called(1, "sign", json!({}))).await;
    let question = message(&mut stream).await;
    assert_eq!(question["params"]["mode"], "url");
    assert!(question["params"]["elicitationId"].is_string(), "{question}");
    assert_eq!(session.tell(&respond(&question["id"], &json!({ "action": "accept" }))).await, 202);
    assert_eq!(message(&mut stream).await["result"]["content"][0]["text"], "true");
    let session = Session::begin(fixture.addr, MIDDLE, all()).await;
    let refused = session.ask(&called(2, "sign", json!({}))).await;
    assert_eq!(refused.error(2), (200, -32021));
}

/// CAN-07: a call that never ends is ended by its clock.
#[tokio::test]
async fn a_call_that_never_ends_is_ended_by_its_clock() {
    let tool = Tool::new("slow").timeout(Duration::from_millis(50)).handler(|| async {
        std::future::pending::<()>().await;
    });
    let fixture = with_tool(tool).await;
    let session = Session::begin(fixture.addr, NEWEST, all()).await;
    let mut stream = session.open(&called(1, "slow", json!({}))).await;
    assert_eq!(message(&mut stream).await["error"]["code"], -32603);
}
