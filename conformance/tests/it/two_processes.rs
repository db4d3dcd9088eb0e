//! One call over several processes, which have the same keys and nothing else in common.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "the exemption for tests does not reach their helpers"
)]

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::process::Child;
use tokio::time::timeout;

use super::child::{command, request};

const PATIENCE: Duration = Duration::from_secs(30);
const KEYS: &str = "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const OTHER_KEYS: &str = "k1:Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=";
const TOOL: &str = "test_charge_once";

/// A process that serves over HTTP.
struct Node {
    process: Child,
    host: String,
}

impl Node {
    async fn start(keys: &str, ledger: &Path) -> Self {
        let ledger = ledger.to_str().expect("UTF-8");
        let mut process = command(&["--http", "127.0.0.1:0", "--ledger", ledger])
            .env("AQUEDUCT_KEYS", keys)
            .spawn()
            .expect("the fixture server starts");
        let mut log = BufReader::new(process.stderr.take().expect("a pipe")).lines();
        let host = loop {
            let line = timeout(PATIENCE, log.next_line()).await.expect("a line in time");
            let line = line.expect("UTF-8").expect("the server says where it listens");
            if let Some((_, url)) = line.split_once("listening on http://") {
                break url.trim_end_matches("/mcp").to_owned();
            }
        };
        Self { process, host }
    }

    /// Calls the tool; `more` is what a later round brings along.
    async fn call(&self, more: &Value) -> Value {
        let mut params = json!({ "name": TOOL, "arguments": {} });
        for (key, value) in more.as_object().expect("members") {
            params[key] = value.clone();
        }
        let mut message = request(1, "tools/call", params);
        message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
            json!({ "elicitation": {} });
        let body = message.to_string();
        let text = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
             Mcp-Method: tools/call\r\nMcp-Name: {TOOL}\r\nConnection: close\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        let mut tcp = TcpStream::connect(&self.host).await.expect("a connection");
        tcp.write_all(text.as_bytes()).await.expect("the server reads");
        let mut answer = String::new();
        let read = timeout(PATIENCE, tcp.read_to_string(&mut answer)).await;
        read.expect("an answer in time").expect("UTF-8");
        let (_, body) = answer.split_once("\r\n\r\n").expect("a head");
        serde_json::from_str(body).expect(body)
    }

    /// Ends the process without a word of warning.
    async fn kill(mut self) {
        self.process.kill().await.expect("the process ends");
    }
}

/// What the next round brings along: the state as it came, and an answer.
#[track_caller]
fn answered(said: &Value, key: &str, content: &Value) -> Value {
    let result = &said["result"];
    assert!(result["inputRequests"][key].is_object(), "{said}");
    let mut more = json!({ "requestState": result["requestState"] });
    more["inputResponses"][key] = json!({ "action": "accept", "content": content });
    more
}

/// MRTR-11: what one process began another ends, and the charge is made once.
#[tokio::test]
async fn a_call_goes_on_in_another_process_and_charges_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let ledger = folder.path().join("ledger");
    let charges = || std::fs::read_to_string(&ledger).unwrap_or_default();
    let first = Node::start(KEYS, &ledger).await;
    let began = first.call(&json!({})).await;
    let with_name = answered(&began, "guest", &json!({ "name": "Ann" }));
    assert_eq!(charges(), "");

    let second = Node::start(KEYS, &ledger).await;
    let charged = second.call(&with_name).await;
    let with_seat = answered(&charged, "seat", &json!({ "row": 7 }));
    assert_eq!(charges(), "Ann\n");
    let receipt = format!("receipt {}", second.process.id().expect("it runs"));

    // The third round comes back to the first process, and again to one that knows of nothing.
    second.kill().await;
    let third = Node::start(KEYS, &ledger).await;
    for node in [&first, &third] {
        let done = node.call(&with_seat).await;
        let text = &done["result"]["content"][0]["text"];
        assert_eq!(*text, json!(format!("Ann in row 7, {receipt}")), "{done}");
        assert_eq!(charges(), "Ann\n");
    }

    let stranger = Node::start(OTHER_KEYS, &ledger).await;
    let refused = stranger.call(&with_seat).await;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    assert_eq!(charges(), "Ann\n");
}
