//! A process that is spoken to over its pipes.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "the exemption for tests does not reach their helpers"
)]

use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// How long anything may take before a case gives up.
const PATIENCE: Duration = Duration::from_secs(30);

/// A fixture server; its end is waited for with [`Child::end`].
pub(crate) struct Child {
    process: tokio::process::Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    log: JoinHandle<String>,
    /// What is written is of a session: without the metadata of the stateless revision.
    is_session: bool,
}

/// A fixture server that is told this on its command line.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
    command.args(arguments).env_remove("AQUEDUCT_HTTP").env_remove("AQUEDUCT_KEYS");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.kill_on_drop(true);
    command
}

impl Child {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut process = command(arguments).spawn().expect("the fixture server starts");
        let input = process.stdin.take().expect("a pipe");
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut errors = process.stderr.take().expect("a pipe");
        // Read all along, or the process would wait for room in the pipe.
        let log = tokio::spawn(async move {
            let mut log = String::new();
            errors.read_to_string(&mut log).await.expect("UTF-8");
            log
        });
        Self { process, input, output, log, is_session: false }
    }

    /// The same twice, the second in a session.
    pub(crate) async fn in_both(arguments: &[&str]) -> [Self; 2] {
        let mut session = Self::start(arguments);
        session.is_session = true;
        let initialize = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": HANDSHAKE, "capabilities": {},
            "clientInfo": { "name": "t", "version": "0" } } });
        session.write(format!("{initialize}\n")).await;
        assert_eq!(session.read().await["result"]["protocolVersion"], HANDSHAKE);
        session.write("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n").await;
        [Self::start(arguments), session]
    }

    pub(crate) fn is_session(&self) -> bool {
        self.is_session
    }

    /// Writes bytes as they are, but for the metadata that a session does without.
    pub(crate) async fn write(&mut self, bytes: impl AsRef<[u8]>) {
        let mut bytes = bytes.as_ref().to_vec();
        if self.is_session {
            for member in META {
                for written in [format!("{member},"), format!(",{member}"), member.to_owned()] {
                    bytes = without(&bytes, written.as_bytes());
                }
            }
        }
        let written = timeout(PATIENCE, self.input.write_all(&bytes)).await;
        written.expect("the server reads in time").expect("the server reads");
    }

    /// Makes a request, on a line of its own.
    pub(crate) async fn request(&mut self, id: u64, method: &str, params: Value) {
        self.write(format!("{}\n", request(id, method, params))).await;
    }

    /// The next message; a line that is none fails the case.
    pub(crate) async fn read(&mut self) -> Value {
        let mut line = String::new();
        let read = timeout(PATIENCE, self.output.read_line(&mut line)).await;
        assert_ne!(read.expect("a line in time").expect("UTF-8"), 0, "the server has ended");
        message(&line)
    }

    /// Closes the input and waits for the end: what is left of the output, the log, and how the
    /// process ended.
    pub(crate) async fn end(self) -> (Vec<Value>, String, ExitStatus) {
        let Self { mut process, input, mut output, log, .. } = self;
        drop(input);
        let mut rest = String::new();
        let read = timeout(PATIENCE, output.read_to_string(&mut rest)).await;
        read.expect("an end in time").expect("UTF-8");
        let status = timeout(PATIENCE, process.wait()).await.expect("an end in time");
        let log = log.await.expect("no panic");
        let rest = rest.split_inclusive('\n').map(message).collect();
        (rest, log, status.expect("a status"))
    }

    /// Ends a server that has nothing more to say and must end well.
    pub(crate) async fn end_quietly(self) -> String {
        let (rest, log, status) = self.end().await;
        assert!(rest.is_empty(), "{rest:?}");
        assert!(status.success(), "{status}: {log}");
        log
    }
}

/// One line is one message, of the three kinds that a server may write (STDIO-02, STDIO-05), and
/// ends with a line feed alone.
#[track_caller]
fn message(line: &str) -> Value {
    let text = line.strip_suffix('\n').expect("a line end");
    assert!(!text.ends_with('\r') && !text.starts_with("Content-Length"), "{text}");
    let value: Value = serde_json::from_str(text).expect(text);
    assert_eq!(value["jsonrpc"], "2.0", "{text}");
    let is_notification = value["method"]
        .as_str()
        .is_some_and(|method| value.get("id").is_none() && method.starts_with("notifications/"));
    let is_answer = value.get("method").is_none()
        && (value.get("result").is_some() != value.get("error").is_some());
    assert!(is_notification || is_answer, "{text}");
    value
}

/// The revision of a session.
const HANDSHAKE: &str = "2025-11-25";
/// What says that a request is stateless.
const META: [&str; 2] = [
    r#""io.modelcontextprotocol/clientCapabilities":{}"#,
    r#""io.modelcontextprotocol/protocolVersion":"2026-07-28""#,
];

/// The bytes without these among them, wherever they stand.
fn without(bytes: &[u8], member: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((first, more)) = rest.split_first() {
        if let Some(behind) = rest.strip_prefix(member) {
            rest = behind;
            continue;
        }
        kept.push(*first);
        rest = more;
    }
    kept
}

/// A request with complete metadata; members of `_meta` in `params` are kept.
pub(crate) fn request(id: u64, method: &str, mut params: Value) -> Value {
    let meta = &mut params["_meta"];
    meta["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
    meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
    let mut request = json!({ "jsonrpc": "2.0", "id": id, "method": method });
    request["params"] = params;
    request
}

/// Calls a tool.
pub(crate) fn call(id: u64, tool: &str, arguments: Value) -> Value {
    let mut params = json!({ "name": tool });
    params["arguments"] = arguments;
    request(id, "tools/call", params)
}
