//! Transcripts: what is sent and what must come back, over memory, stdio and HTTP alike.
//!
//! A file in `tests/wire` reads:
//!
//! ```text
//! # Why, and which bugs it has caught.
//! server fixtures
//!
//! > what is sent; META stands for the metadata that a request must have
//! http 404
//! < a message that must come back, compared as JSON; "…" in a string's place is anything
//! = a message that must come back byte for byte
//! < nothing
//! ```
//!
//! `server` names one of [`server`]. `over memory stdio` keeps a file from a channel. `http` is
//! the status over HTTP; without it, 200, or 202 where nothing comes back.
//! `UPDATE=1` writes what came over memory in place of what does not fit.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "the exemption for tests does not reach their helpers"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use aqueduct::Server;
use aqueduct::prelude::*;
use aqueduct::server::Handshake;
use serde_json::Value;

use super::cases::peer::{META, Peer, fixtures};

/// Who gives a result, as each of them says.
const STAMP: &str =
    r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"NAME","version":"1.0.0"}}"#;

/// A server of the transcripts, by its name.
fn server(name: &str) -> Server {
    let bare = || Server::new(name, "1.0.0");
    match name {
        "fixtures" => fixtures(),
        "bare" => bare(),
        "tool" => {
            bare().tool(Tool::new("hello").description("Greets").handler(|| async { "Hello" }))
        }
        "stateless" => server("tool").handshake(Handshake::Off),
        "cached" => bare()
            .instructions("Call hello.")
            .list_cache(CacheHint::public(5_000))
            .tool(Tool::new("hello").title("Hello").read_only().handler(|| async { "Hello" }))
            .prompt(
                Prompt::new("greet")
                    .title("Greet")
                    .argument(PromptArgument::new("name").required(true))
                    .handler(|| async { "Greet the user" }),
            )
            .resource(
                Resource::new("a://b", "b").cache(CacheHint::private(9)).handler(|| async { "b" }),
            ),
        "quiet" => bare().tool(Tool::new("hello").handler(|ctx: Context| async move {
            ctx.log(LoggingLevel::Error, "nobody declared me");
            "Hello"
        })),
        other => panic!("no server {other:?}"),
    }
}

/// A file, read.
#[derive(Debug)]
struct Transcript {
    path: PathBuf,
    head: Vec<String>,
    server: String,
    over: Vec<String>,
    steps: Vec<Step>,
}

/// One message sent, with what must come back.
#[derive(Debug)]
struct Step {
    /// What stands before it: comments and blank lines.
    before: Vec<String>,
    sent: String,
    status: Option<u16>,
    expected: Vec<Expected>,
}

#[derive(Debug)]
struct Expected {
    exact: bool,
    text: String,
}

impl Transcript {
    fn parse(path: &Path, text: &str) -> Self {
        let over = ["memory", "stdio", "http"].map(str::to_owned).to_vec();
        let mut transcript = Self {
            path: path.to_owned(),
            head: Vec::new(),
            server: String::new(),
            over,
            steps: Vec::new(),
        };
        let mut before = Vec::new();
        for line in text.lines() {
            transcript.line(line, &mut before);
        }
        assert!(before.is_empty(), "{}: comments at the end belong to nothing", path.display());
        assert!(
            transcript.head.iter().any(|line| line.starts_with("# ")),
            "{}: the head says why there is this file",
            path.display()
        );
        transcript
    }

    fn line(&mut self, line: &str, before: &mut Vec<String>) {
        let broken = || panic!("{}: not understood: {line}", self.path.display());
        let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
        if self.server.is_empty() || (mark == "over" && self.steps.is_empty()) {
            match mark {
                "server" => self.server = rest.to_owned(),
                "over" => self.over = rest.split(' ').map(str::to_owned).collect(),
                "" | "#" => {}
                _ => broken(),
            }
            self.head.push(line.to_owned());
            return;
        }
        match mark {
            "" | "#" => before.push(line.to_owned()),
            ">" => self.steps.push(Step {
                before: std::mem::take(before),
                sent: rest.to_owned(),
                status: None,
                expected: Vec::new(),
            }),
            _ => {
                let Some(step) = self.steps.last_mut() else { return broken() };
                match mark {
                    "http" => step.status = Some(rest.parse().unwrap()),
                    "<" if rest == "nothing" => {}
                    "<" | "=" => {
                        let exact = mark == "=";
                        step.expected.push(Expected { exact, text: rest.to_owned() });
                    }
                    _ => broken(),
                }
            }
        }
    }

    /// The text of what is expected, and of what is sent, with the placeholders filled in.
    fn full(&self, text: &str) -> String {
        let name = if self.server == "fixtures" { conformance::NAME } else { &self.server };
        text.replace("META", META).replace("STAMP", &STAMP.replace("NAME", name))
    }

    /// The other way round, for what is written into the file.
    fn short(&self, text: &str) -> String {
        let stamp = self.full("STAMP");
        text.replace(META, "META").replace(&stamp, "STAMP")
    }

    /// Sends all messages and gives what does not fit, in words.
    async fn run(&self, mut peer: Peer) -> (Vec<String>, Vec<Heard>) {
        let mut faults = Vec::new();
        let mut all = Vec::new();
        for step in &self.steps {
            let sent = self.full(&step.sent);
            let update = std::env::var_os("UPDATE").is_some();
            let heard = if is_silent(&sent) || (step.expected.is_empty() && !update) {
                peer.tell(&sent).await;
                Heard { texts: Vec::new(), status: peer.is_http().then_some(202) }
            } else {
                let said = peer.send(&sent).await;
                Heard { texts: said.texts, status: said.status }
            };
            if let Some(fault) = self.fault(step, &heard) {
                faults.push(format!(
                    "{} over {}, after\n  > {}\n{fault}",
                    self.path.display(),
                    peer.name(),
                    step.sent
                ));
            }
            all.push(heard);
        }
        peer.end().await;
        (faults, all)
    }

    fn fault(&self, step: &Step, heard: &Heard) -> Option<String> {
        let wanted = step.status.unwrap_or(if step.expected.is_empty() { 202 } else { 200 });
        let fits = step.expected.len() == heard.texts.len()
            && step
                .expected
                .iter()
                .zip(&heard.texts)
                .all(|(expected, text)| self.fits(expected, text));
        if fits && heard.status.is_none_or(|status| status == wanted) {
            return None;
        }
        let mut fault = String::new();
        for expected in &step.expected {
            writeln!(fault, "  expected {}", expected.text).unwrap();
        }
        for text in &heard.texts {
            writeln!(fault, "  heard    {}", self.short(text)).unwrap();
        }
        writeln!(fault, "  status   {:?}, expected {wanted}", heard.status).unwrap();
        Some(fault)
    }

    fn fits(&self, expected: &Expected, text: &str) -> bool {
        let full = self.full(&expected.text);
        if expected.exact {
            return full == text;
        }
        let expected: Result<Value, _> = serde_json::from_str(&full);
        expected.is_ok_and(|expected| same(&expected, &serde_json::from_str(text).expect("JSON")))
    }

    /// Writes what was heard over memory, with the statuses of HTTP, where it does not fit.
    fn update(&self, heard: &[Heard], statuses: &[Heard]) {
        let mut text = String::new();
        for line in &self.head {
            writeln!(text, "{line}").unwrap();
        }
        for ((step, heard), http) in self.steps.iter().zip(heard).zip(statuses) {
            for line in &step.before {
                writeln!(text, "{line}").unwrap();
            }
            writeln!(text, "> {}", step.sent).unwrap();
            let usual = if heard.texts.is_empty() { 202 } else { 200 };
            if let Some(status) = http.status.filter(|status| *status != usual) {
                writeln!(text, "http {status}").unwrap();
            }
            if heard.texts.is_empty() {
                writeln!(text, "< nothing").unwrap();
            }
            for (nth, line) in heard.texts.iter().enumerate() {
                match step.expected.get(nth).filter(|expected| self.fits(expected, line)) {
                    Some(kept) => {
                        let mark = if kept.exact { '=' } else { '<' };
                        writeln!(text, "{mark} {}", kept.text).unwrap();
                    }
                    None => writeln!(text, "< {}", self.short(line)).unwrap(),
                }
            }
        }
        std::fs::write(&self.path, text).unwrap();
    }
}

/// What came back for one message.
struct Heard {
    texts: Vec<String>,
    status: Option<u16>,
}

/// Is it a message that asks for no answer?
fn is_silent(text: &str) -> bool {
    serde_json::from_str::<Value>(text)
        .is_ok_and(|value| value.get("id").is_none() && value["method"].is_string())
}

/// Are they the same, where `"…"` is anything?
fn same(expected: &Value, value: &Value) -> bool {
    match (expected, value) {
        (Value::String(any), _) if any == "…" => true,
        (Value::Array(expected), Value::Array(values)) => {
            expected.len() == values.len()
                && expected.iter().zip(values).all(|(expected, value)| same(expected, value))
        }
        (Value::Object(expected), Value::Object(values)) => {
            expected.len() == values.len()
                && expected.iter().all(|(key, expected)| {
                    values.get(key).is_some_and(|value| same(expected, value))
                })
        }
        _ => expected == value,
    }
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|x| x == "txt")).collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

/// STDIO-04, STDIO-05, HTTP-09, CAN-05, BASE-05, BASE-06, BASE-24, ERR-16, ERR-17, ERR-18: every
/// message of every transcript is held against what a server may send.
#[tokio::test]
async fn every_transcript_is_as_it_is_written_over_each_channel() {
    let update = std::env::var_os("UPDATE").is_some();
    let mut faults = Vec::new();
    for path in files() {
        let transcript = Transcript::parse(&path, &std::fs::read_to_string(&path).unwrap());
        let service = || server(&transcript.server).build().unwrap();
        let peers = [Peer::memory(service()), Peer::lines(service()), Peer::http(service())];
        let mut heard = Vec::new();
        for peer in peers {
            if !transcript.over.iter().any(|over| over == peer.name()) {
                continue;
            }
            let (found, all) = transcript.run(peer).await;
            heard.push(all);
            if !update {
                faults.extend(found);
            }
        }
        if update && let (Some(first), Some(last)) = (heard.first(), heard.last()) {
            transcript.update(first, last);
        }
    }
    assert!(faults.is_empty(), "UPDATE=1 rewrites the transcripts\n\n{}", faults.join("\n"));
}

#[tokio::test]
async fn a_transcript_that_does_not_fit_is_told() {
    let answer = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"…"}}"#;
    let sent = r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{META}}"#;
    for (expected, faults) in [
        (format!("http 404\n< {answer}"), 0),
        (format!("< {answer}"), 1),
        (format!("http 404\n< {}", answer.replace("-32601", "-32602")), 1),
        (format!("http 404\n= {answer}"), 1),
        (format!("http 404\n< {answer}\n< {answer}"), 1),
    ] {
        let text = format!("# Why.\nserver bare\n\n> {sent}\n{expected}\n");
        let transcript = Transcript::parse(Path::new("x.txt"), &text);
        let peer = Peer::http(server("bare").build().unwrap());
        assert_eq!(transcript.run(peer).await.0.len(), faults, "{expected}");
    }
    let same_text = |expected: &str, value: &str| {
        same(&serde_json::from_str(expected).unwrap(), &serde_json::from_str(value).unwrap())
    };
    assert!(same_text(r#"{"a":"…","b":[1]}"#, r#"{"b":[1],"a":{"x":2}}"#));
    assert!(!same_text(r#"{"a":"…"}"#, r#"{"a":1,"b":2}"#));
    assert!(!same_text(r#"{"a":1}"#, r#"{"a":1.5}"#));
    assert!(!same_text("[1]", "[1,1]"));
}
