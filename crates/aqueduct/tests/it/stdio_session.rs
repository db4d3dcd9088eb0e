//! A client that shakes hands over standard input and output, beside one that does not.

#![expect(clippy::unwrap_used, reason = "the exemption for tests does not reach their helpers")]

use std::time::Duration;

use aqueduct::Server;
use aqueduct::prelude::*;
use aqueduct::server::Handshake;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines};
use tokio::io::{ReadHalf, WriteHalf};
use tokio::task::JoinHandle;

/// How long anything may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(20);
const VERSIONS: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];

/// The other end of a conversation.
struct Client {
    input: WriteHalf<DuplexStream>,
    output: Lines<BufReader<ReadHalf<DuplexStream>>>,
    task: JoinHandle<std::io::Result<()>>,
}

impl Client {
    fn of(server: Server) -> Self {
        let service = server.build().unwrap();
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (input, output) = tokio::io::split(theirs);
        let task = tokio::spawn(service.serve_lines(input, output));
        let (output, input) = tokio::io::split(ours);
        Self { input, output: BufReader::new(output).lines(), task }
    }

    fn new() -> Self {
        Self::of(fixtures())
    }

    /// A client that has shaken hands.
    async fn begun(version: &str, capabilities: Value) -> Self {
        let mut client = Self::new();
        let answer = client.ask(&initialize(version, capabilities)).await;
        assert_eq!(answer["result"]["protocolVersion"], version, "{answer}");
        client.tell(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        client
    }

    async fn tell(&mut self, message: &Value) {
        self.input.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    async fn next(&mut self) -> Value {
        let line = tokio::time::timeout(PATIENCE, self.output.next_line()).await;
        serde_json::from_str(&line.expect("a line in time").unwrap().unwrap()).unwrap()
    }

    async fn ask(&mut self, message: &Value) -> Value {
        self.tell(message).await;
        self.next().await
    }

    /// Closes the input; the server says nothing more and ends.
    async fn end(mut self) {
        self.input.shutdown().await.unwrap();
        let rest = tokio::time::timeout(PATIENCE, self.output.next_line()).await;
        assert_eq!(rest.expect("an end in time").unwrap(), None);
        self.task.await.unwrap().unwrap();
    }
}

fn fixtures() -> Server {
    conformance::server(&conformance::Options::default())
}

fn initialize(version: &str, capabilities: impl Into<Value>) -> Value {
    let capabilities = capabilities.into();
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": version, "capabilities": capabilities,
        "clientInfo": { "name": "t", "version": "0" } } })
}

fn asked(id: impl Into<Value>, method: &str, params: impl Into<Value>) -> Value {
    let params = params.into();
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
}

fn called(id: impl Into<Value>, tool: &str) -> Value {
    asked(id, "tools/call", json!({ "name": tool, "arguments": {} }))
}

/// The same with the metadata of the stateless revision.
fn modern(mut message: Value) -> Value {
    message["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    message
}

/// VER-10: metadata makes a request stateless, before a handshake and after.
#[tokio::test]
async fn row_1_modern_metadata_is_the_stateless_revision_before_a_handshake_and_after() {
    let mut client = Client::new();
    let call = modern(called(1, "test_simple_text"));
    assert_eq!(client.ask(&call).await["result"]["resultType"], "complete");
    client.ask(&initialize("2025-11-25", json!({}))).await;
    let answer = client.ask(&call).await;
    assert_eq!(answer["result"]["resultType"], "complete");
    assert!(answer["result"]["_meta"].is_object(), "{answer}");
    let ping = client.ask(&modern(asked(2, "ping", json!({})))).await;
    assert_eq!(ping["error"]["code"], -32601);
    let plain = client.ask(&called(3, "test_simple_text")).await;
    assert_eq!(plain["result"].get("resultType"), None, "{plain}");
    client.end().await;
}

#[tokio::test]
async fn row_2_a_handshake_is_made_once_in_a_revision_that_has_one() {
    for (named, served) in
        [("2025-06-18", "2025-06-18"), ("2026-07-28", "2025-11-25"), ("1999-01-01", "2025-11-25")]
    {
        let mut client = Client::new();
        let answer = client.ask(&initialize(named, json!({}))).await;
        assert_eq!(answer["result"]["protocolVersion"], served, "{answer}");
        assert_eq!(answer["result"].get("resultType"), None);
        let capabilities = &answer["result"]["capabilities"];
        assert_eq!(capabilities["resources"], json!({ "listChanged": true, "subscribe": true }));
        let again = client.ask(&initialize(named, json!({}))).await;
        assert_eq!(again["error"]["code"], -32600, "{again}");
        client.end().await;
    }
    let mut client = Client::new();
    let wrong = client.ask(&asked(1, "initialize", json!({}))).await;
    assert_eq!(wrong["error"]["code"], -32602);
    // It may be tried again.
    assert!(client.ask(&initialize("2025-06-18", json!({}))).await["result"].is_object());
    client.end().await;
}

/// VER-10: a handshake never settles on a revision that has none.
#[tokio::test]
async fn b31_initialize_is_answered_with_a_revision_that_has_handshakes() {
    for named in ["2026-07-28", "2099-01-01"] {
        let mut client = Client::new();
        let answer = client.ask(&initialize(named, json!({}))).await;
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{answer}");
        client.end().await;
    }
}

#[tokio::test]
async fn row_3_after_a_handshake_all_else_is_of_the_session() {
    for version in VERSIONS {
        let mut client = Client::new();
        client.ask(&initialize(version, json!({}))).await;
        // Before it is said that the handshake is over, too.
        assert_eq!(client.ask(&asked(1, "ping", json!({}))).await["result"], json!({}));
        let level = asked(2, "logging/setLevel", json!({ "level": "debug" }));
        assert_eq!(client.ask(&level).await["result"], json!({}));
        let missing = client.ask(&asked(3, "resources/read", json!({ "uri": "x:y" }))).await;
        assert_eq!(missing["error"]["code"], -32002);
        let listen = client.ask(&asked(4, "subscriptions/listen", json!({}))).await;
        assert_eq!(listen["error"]["code"], -32601);
        let mut call = called("p", "test_tool_with_progress");
        call["params"]["_meta"] = json!({ "progressToken": 7 });
        client.tell(&call).await;
        for _ in 0..3 {
            assert_eq!(client.next().await["params"]["progressToken"], 7);
        }
        assert_eq!(client.next().await["id"], "p");
        client.end().await;
    }
}

#[tokio::test]
async fn row_4_before_a_handshake_there_is_ping_and_a_word_of_what_is_missing() {
    let mut client = Client::new();
    assert_eq!(client.ask(&asked("a", "ping", json!({}))).await["result"], json!({}));
    for method in ["tools/list", "server/discover", "logging/setLevel"] {
        let answer = client.ask(&asked(1, method, json!({}))).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains("_meta") && message.contains("2026-07-28"), "{message}");
    }
    client.end().await;
}

#[tokio::test]
async fn row_5_responses_answer_what_was_asked_and_others_are_dropped() {
    let mut client = Client::new();
    client.tell(&json!({ "jsonrpc": "2.0", "id": "x", "result": {} })).await;
    client.ask(&initialize("2025-06-18", json!({ "elicitation": {} }))).await;
    client.tell(&json!({ "jsonrpc": "2.0", "id": "x", "result": {} })).await;
    let question = client.ask(&called(1, "test_input_required_result_elicitation")).await;
    assert_eq!(question["method"], "elicitation/create");
    assert_eq!(question["params"].get("mode"), None);
    // The conversation goes on meanwhile.
    assert_eq!(client.ask(&asked(2, "ping", json!({}))).await["id"], 2);
    let answer = json!({ "jsonrpc": "2.0", "id": question["id"],
                         "result": { "action": "accept", "content": { "name": "Ann" } } });
    let end = client.ask(&answer).await;
    assert_eq!(end["result"]["content"][0]["text"], "Hello, Ann!");
    client.end().await;
}

#[tokio::test]
async fn row_6_changes_are_told_to_both_generations_each_in_its_own_words() {
    let mut client = Client::new();
    // Nothing is told unasked before a handshake.
    client.ask(&modern(called(1, "test_trigger_tool_change"))).await;
    client.ask(&initialize("2025-11-25", json!({}))).await;
    client.tell(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    let mut listen = modern(asked(9, "subscriptions/listen", json!({})));
    listen["params"]["notifications"] = json!({ "promptsListChanged": true });
    let acknowledged = client.ask(&listen).await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    client.tell(&called(2, "test_trigger_prompt_change")).await;
    let mut told = [client.next().await, client.next().await, client.next().await];
    told.sort_by_key(Value::to_string);
    assert_eq!(told[0]["id"], 2, "{told:?}");
    assert_eq!(
        told[2],
        json!({ "jsonrpc": "2.0", "method": "notifications/prompts/list_changed" })
    );
    let tag = &told[1]["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
    assert_eq!(tag, 9, "{told:?}");
    let subscribe = asked(3, "resources/subscribe", json!({ "uri": "notes://welcome" }));
    assert_eq!(client.ask(&subscribe).await["result"], json!({}));
    client.input.shutdown().await.unwrap();
    // The end of the input ends both listeners; one of them has a result.
    assert_eq!(client.next().await["id"], 9);
    client.task.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_cancelled_call_is_never_answered_and_its_id_is_free_again() {
    let mut client = Client::begun("2025-06-18", json!({ "elicitation": {} })).await;
    let question = client.ask(&called(7, "test_input_required_result_elicitation")).await;
    let twice = client.ask(&called(7, "test_simple_text")).await;
    assert_eq!(twice["error"]["code"], -32600, "{twice}");
    client
        .tell(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled",
                       "params": { "requestId": 7 } }))
        .await;
    let late = json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "action": "decline" } });
    client.tell(&late).await;
    let answer = client.ask(&called(7, "test_simple_text")).await;
    assert!(answer["result"]["content"].is_array(), "{answer}");
    client.end().await;
}

#[tokio::test]
async fn a_client_that_goes_leaves_no_question_open() {
    let mut client = Client::begun("2025-06-18", json!({ "elicitation": {} })).await;
    client.ask(&called(7, "test_input_required_result_elicitation")).await;
    client.input.shutdown().await.unwrap();
    let end = client.next().await;
    assert_eq!(end["result"]["isError"], true, "{end}");
    client.task.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_batch_is_answered_in_one_line_in_the_revision_that_has_them() {
    let batch = json!([
        asked(1, "ping", json!({})),
        called(2, "test_simple_text"),
        { "jsonrpc": "2.0", "method": "notifications/roots/list_changed" },
    ]);
    let mut client = Client::begun("2025-03-26", json!({})).await;
    let answers = client.ask(&batch).await;
    assert_eq!(answers.as_array().unwrap().len(), 2, "{answers}");
    client.end().await;
    for version in ["2025-06-18", "2025-11-25"] {
        let mut client = Client::begun(version, json!({})).await;
        assert_eq!(client.ask(&batch).await["error"]["code"], -32600);
        client.end().await;
    }
}

#[tokio::test]
async fn where_handshakes_are_off_there_is_none() {
    let mut client = Client::of(fixtures().handshake(Handshake::Off));
    let answer = client.ask(&initialize("2025-06-18", json!({}))).await;
    assert_eq!(answer["error"]["code"], -32022, "{answer}");
    client.end().await;
}

/// The process is the session, whatever HTTP is told.
#[tokio::test]
async fn without_session_ids_there_is_a_session_all_the_same() {
    let tool = Tool::new("who").handler(|ctx: Context| async move {
        format!("{} {}", ctx.protocol_version(), ctx.client_info().is_some())
    });
    let mut client = Client::of(Server::new("s", "1").handshake(Handshake::Stateless).tool(tool));
    client.ask(&initialize("2025-06-18", json!({}))).await;
    let answer = client.ask(&called(1, "who")).await;
    assert_eq!(answer["result"]["content"][0]["text"], "2025-06-18 true");
    client.end().await;
}

#[form]
struct Name {
    name: String,
}

/// CAN-07: an answer that never comes is not waited for: after ten minutes, which pass at once
/// here, the question is taken back and the model is told.
#[tokio::test(start_paused = true)]
async fn a_question_that_nobody_answers_is_taken_back() {
    let ask = Tool::new("ask").handler(|ctx: Context| async move {
        let answer: Name = ctx.elicit("name", "Who?").await?;
        Ok::<_, ToolError>(answer.name)
    });
    let mut client = Client::of(Server::new("s", "1").tool(ask));
    client.ask(&initialize("2025-11-25", json!({ "elicitation": {} }))).await;
    let question = client.ask(&called(1, "ask")).await;
    assert_eq!(question["method"], "elicitation/create", "{question}");
    let mut said = Vec::new();
    while said.last().is_none_or(|last: &Value| last["id"] != 1) {
        let line = client.output.next_line().await.unwrap().unwrap();
        said.push(serde_json::from_str::<Value>(&line).unwrap());
    }
    assert_eq!(said.len(), 2, "{said:?}");
    assert_eq!(said[0]["method"], "notifications/cancelled");
    assert_eq!(said[0]["params"]["requestId"], question["id"]);
    assert_eq!(said[1]["result"]["isError"], true, "{said:?}");
    client.end().await;
}
