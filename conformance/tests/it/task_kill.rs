//! Tasks whose processes are killed: nothing that was given out is lost, and what was done is
//! written down outside of all processes.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    reason = "the exemption for tests does not reach their helpers"
)]

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};

use super::child::{command, request};

const PATIENCE: Duration = Duration::from_secs(60);
const KEYS: &str = "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
/// Each kind of tool, and whether it is run again.
const TOOLS: [(&str, bool); 2] = [("test_effect_rerun", true), ("test_effect_fail", false)];

/// A process that serves over HTTP.
struct Node {
    process: Child,
    host: String,
}

impl Node {
    async fn start(store: &str, ledger: &Path) -> Self {
        let ledger = ledger.to_str().expect("UTF-8");
        let arguments =
            ["--http", "127.0.0.1:0", "--ledger", ledger, "--store", store, "--lease-ms", "1500"];
        let mut process =
            command(&arguments).env("AQUEDUCT_KEYS", KEYS).spawn().expect("the server starts");
        let mut log = BufReader::new(process.stderr.take().expect("a pipe")).lines();
        let host = loop {
            let line = timeout(PATIENCE, log.next_line()).await.expect("a line in time");
            let line = line.expect("UTF-8").expect("the server says where it listens");
            if let Some((_, url)) = line.split_once("listening on http://") {
                break url.trim_end_matches("/mcp").to_owned();
            }
        };
        // Read all along, or the process would wait for room in the pipe.
        tokio::spawn(async move { while let Ok(Some(_)) = log.next_line().await {} });
        Self { process, host }
    }

    /// The answer, unless the process died before it was whole.
    async fn ask(&self, method: &str, name: &str, params: Value) -> Option<Value> {
        let mut message = request(1, method, params);
        message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
            json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
        let body = message.to_string();
        let text = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
             Mcp-Method: {method}\r\nMcp-Name: {name}\r\nConnection: close\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        let mut tcp = TcpStream::connect(&self.host).await.ok()?;
        tcp.write_all(text.as_bytes()).await.ok()?;
        let mut answer = String::new();
        let read = timeout(PATIENCE, tcp.read_to_string(&mut answer)).await;
        read.expect("an answer in time").ok()?;
        let (_, body) = answer.split_once("\r\n\r\n")?;
        serde_json::from_str(body).ok()
    }

    /// Makes a task, and gives back its id if the answer came whole.
    async fn create(&self, tool: &str, key: &str, ms: u64) -> Option<String> {
        let params = json!({ "name": tool, "arguments": { "key": key, "ms": ms } });
        let answer = self.ask("tools/call", tool, params).await?;
        Some(answer["result"]["taskId"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned())
    }

    async fn get(&self, id: &str) -> Value {
        let answer = self.ask("tasks/get", id, json!({ "taskId": id })).await.expect("an answer");
        assert!(answer["result"].is_object(), "a task that was given out is lost: {answer}");
        answer["result"].clone()
    }

    /// Ends the process without a word of warning.
    async fn kill(mut self) {
        self.process.kill().await.expect("the process ends");
    }
}

/// A task that was given out.
struct Given {
    id: String,
    key: String,
    is_rerun: bool,
}

/// What is written outside, by key: how often.
fn effects(ledger: &Path) -> BTreeMap<String, usize> {
    let text = std::fs::read_to_string(ledger).unwrap_or_default();
    let mut effects = BTreeMap::new();
    for key in text.lines() {
        *effects.entry(key.to_owned()).or_default() += 1;
    }
    effects
}

/// Makes tasks on nodes that are killed one after the other, `kills` times, and asks for all of
/// them in the end.
///
/// With `beside` there is always another node, which is killed next.
async fn rounds(store: &str, kills: u32, beside: bool) {
    let folder = tempfile::tempdir().expect("a folder");
    let ledger = folder.path().join("ledger");
    let mut given = Vec::new();
    let mut node = Node::start(store, &ledger).await;
    let mut other = if beside { Some(Node::start(store, &ledger).await) } else { None };
    for round in 0..kills {
        for number in 0..10 {
            let (tool, is_rerun) = TOOLS[number % 2];
            let key = format!("{tool}-{round}-{number}");
            if let Some(id) = node.create(tool, &key, 60 * (number as u64)).await {
                given.push(Given { id, key, is_rerun });
            }
        }
        sleep(Duration::from_millis(u64::from(round % 4) * 90)).await;
        node.kill().await;
        let fresh = Node::start(store, &ledger).await;
        node = match other.replace(fresh) {
            Some(node) if beside => node,
            _ => other.take().expect("the fresh one"),
        };
    }
    let mut ends = BTreeMap::new();
    for Given { id, key, is_rerun } in &given {
        let mut task = node.get(id).await;
        for _ in 0..1_000 {
            if task["status"] != "working" {
                break;
            }
            sleep(Duration::from_millis(50)).await;
            task = node.get(id).await;
        }
        let status = task["status"].as_str().expect("a status").to_owned();
        assert!(["completed", "failed"].contains(&status.as_str()), "{task}");
        assert!(!is_rerun || status == "completed", "{task}");
        *ends.entry((*is_rerun, status)).or_insert(0) += 1;
        // What is over stays as it is.
        assert_eq!(node.get(id).await, task);
        let made = effects(&ledger).get(key).copied().unwrap_or_default();
        if *is_rerun {
            assert!(made >= 1, "{key} is done and was never made");
        } else {
            assert!(made <= 1, "{key} was made {made} times");
            assert!(task["status"] != "completed" || made == 1, "{key} is done and was never made");
        }
    }
    eprintln!("{} tasks over {kills} kills: {ends:?}", given.len());
    assert!(given.len() >= 10 * kills as usize - 1, "{} tasks were given out", given.len());
    assert!(ends.keys().any(|(_, status)| status == "failed"), "no kill hit a task: {ends:?}");
}

/// TASK-05, TASK-09: a task that was given out is there after its process was killed, ends once,
/// and does what its tool promises.
#[tokio::test]
async fn tasks_outlive_their_process_in_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tasks.redb");
    rounds(&format!("redb:{}", file.display()), 4, false).await;
}

/// TASK-05, TASK-09: the same in Redis, with another process at hand.
#[tokio::test]
async fn tasks_outlive_their_process_in_redis() {
    let folder = tempfile::tempdir().expect("a folder");
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let port = free.local_addr().expect("its address").port();
    drop(free);
    let program = std::env::var("AQUEDUCT_TEST_REDIS_SERVER");
    let mut redis = Command::new(program.unwrap_or_else(|_| "redis-server".to_owned()));
    redis.args(["--bind", "127.0.0.1", "--save", "", "--port", &port.to_string()]);
    redis.args(["--appendonly", "yes", "--appendfsync", "always", "--dir"]).arg(folder.path());
    redis.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let Ok(_redis) = redis.spawn() else {
        assert!(std::env::var_os("CI").is_none(), "redis-server is missing");
        eprintln!("NOT TESTED: redis-server is missing; install it, or run cargo xtask test");
        return;
    };
    let begun = timeout(PATIENCE, async {
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.is_err() {
            sleep(Duration::from_millis(10)).await;
        }
    });
    begun.await.expect("redis answers in time");
    rounds(&format!("redis://127.0.0.1:{port}/"), 4, true).await;
}
