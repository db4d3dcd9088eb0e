//! A session over several processes, of which one is killed: what they share is keys and a store.
//!
//! Each process is this test binary again, in the role of the fixture server.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::session::{NEWEST, OLDEST, Session, asked, called, event, events, message};

/// The address of the store, in the environment of a process that serves.
const ROLE: &str = "AQUEDUCT_TEST_SERVES_STORE";
/// Keys that all processes of a test share; they open nothing else.
const KEYS: &str = "t:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";

/// Does nothing unless the environment gives it the role.
#[test]
fn the_role_of_a_server() {
    let Ok(store) = std::env::var(ROLE) else { return };
    let words = ["--http", "127.0.0.1:0", "--store", &store];
    conformance::cli::run(words.map(Into::into)).expect("a server");
}

/// A server in a process of its own.
struct Process {
    child: Child,
    addr: SocketAddr,
}

impl Process {
    fn start(store: &str) -> Self {
        let mut child = Command::new(std::env::current_exe().expect("this binary"))
            .args(["--exact", "http::session_process::the_role_of_a_server", "--nocapture"])
            .env(ROLE, store)
            .env("AQUEDUCT_KEYS", KEYS)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("another process");
        let mut lines = BufReader::new(child.stderr.take().expect("its errors")).lines();
        let mut said = String::new();
        let address = loop {
            let line = lines.next().unwrap_or_else(|| panic!("it ended: {said}")).expect("UTF-8");
            let found = line.strip_prefix("listening on http://");
            if let Some(address) = found.and_then(|url| url.strip_suffix("/mcp")) {
                break address.parse().expect("an address");
            }
            said.push_str(&line);
        };
        Self { child, addr: address }
    }

    /// Ends it as a crash would: it has no time to say or to save anything.
    fn kill(mut self) {
        self.child.kill().expect("a kill");
        self.child.wait().expect("its end");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The same session at another process.
fn at(session: &Session, process: &Process) -> Session {
    Session { addr: process.addr, ..session.clone() }
}

const WATCHED: &str = "test://watched-resource";

/// What a session has done at a process that is no more, and what was told of it.
struct Before {
    session: Session,
    ended: Session,
    told: Vec<super::session::Event>,
}

impl Before {
    /// Everything here is acknowledged before this returns.
    async fn at(process: &Process) -> Self {
        let session = Session::begin(process.addr, NEWEST, json!({})).await;
        let level = asked(1, "logging/setLevel", json!({ "level": "alert" }));
        session.ask(&level).await.result(1);
        let watch = asked(2, "resources/subscribe", json!({ "uri": WATCHED }));
        session.ask(&watch).await.result(2);
        let answer = session.ask(&called(3, "noisy", json!({}))).await;
        let told = events(answer.text());
        assert!(told.iter().any(|event| event.data["result"].is_object()), "{told:?}");
        let ended = Session::begin(process.addr, NEWEST, json!({})).await;
        assert_eq!(ended.delete().await, 204);
        Self { session, ended, told }
    }

    /// Nothing of it is lost at a process that has not seen it.
    async fn goes_on_at(self, process: &Process) {
        let session = at(&self.session, process);
        let logs = events(session.ask(&called(4, "noisy", json!({}))).await.text());
        let levels = logs.iter().filter(|event| event.data["method"] == "notifications/message");
        let levels: Vec<_> = levels.map(|event| event.data["params"]["level"].clone()).collect();
        assert_eq!(levels, ["alert", "emergency"]);
        let mut pushes = session.stream(None).await;
        // The first event says that the stream is there.
        event(&mut pushes).await;
        let touch = called(5, "test_touch_resource", json!({ "uri": WATCHED }));
        session.ask(&touch).await.result(5);
        assert_eq!(message(&mut pushes).await["params"]["uri"], WATCHED);
        let first = self.told.first().and_then(|event| event.id.as_deref());
        let mut rest = session.stream(first).await;
        for told in self.told.iter().skip(1) {
            assert_eq!(event_with_data(&mut rest).await, *told);
        }
        let ended = at(&self.ended, process).ask(&asked(1, "ping", json!({}))).await;
        assert_eq!(ended.error(1), (404, -32600));
    }
}

/// The next event that says something: a connection begins with one that does not.
async fn event_with_data(peer: &mut super::peer::Peer) -> super::session::Event {
    loop {
        let event = event(peer).await;
        if event.data != Value::Null {
            return super::session::Event { retry: None, ..event };
        }
    }
}

#[cfg(feature = "redb")]
#[tokio::test]
async fn nothing_acknowledged_is_lost_when_a_process_is_killed_and_another_has_its_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = format!("redb:{}", folder.path().join("store.redb").display());
    let first = Process::start(&store);
    let before = Before::at(&first).await;
    first.kill();
    before.goes_on_at(&Process::start(&store)).await;
}

#[cfg(feature = "redis")]
mod over_redis {
    use super::*;
    use crate::store::redis::server::{DURABLE, Server};

    /// The address of a store that both processes share, in a server that ends with the test.
    fn shared() -> Option<(Server, String)> {
        let server = Server::start(DURABLE)?;
        let url = server.url("s");
        Some((server, url))
    }

    #[tokio::test]
    async fn nothing_acknowledged_is_lost_when_a_process_is_killed() {
        let Some((_server, store)) = shared() else { return };
        let (first, second) = (Process::start(&store), Process::start(&store));
        let before = Before::at(&first).await;
        first.kill();
        before.goes_on_at(&second).await;
    }

    #[tokio::test]
    async fn an_answer_reaches_the_process_that_asked_from_another() {
        let Some((_server, store)) = shared() else { return };
        let (first, second) = (Process::start(&store), Process::start(&store));
        let can = json!({ "elicitation": {}, "sampling": {} });
        let here = Session::begin(first.addr, NEWEST, can).await;
        let there = at(&here, &second);
        let call = called(1, "test_input_required_result_multi_round", json!({}));
        let mut stream = here.open(&call).await;
        for (session, content) in
            [(&there, json!({ "name": "Ann" })), (&here, json!({ "color": "blue" }))]
        {
            let question = message(&mut stream).await;
            assert_eq!(question["method"], "elicitation/create", "{question}");
            let accepted = json!({ "action": "accept", "content": content });
            let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": accepted });
            assert_eq!(session.tell(&answer).await, 202);
            // Again, and changed: the first one counts.
            let declined = json!({ "action": "decline" });
            let again = json!({ "jsonrpc": "2.0", "id": question["id"], "result": declined });
            assert_eq!(there.tell(&again).await, 202);
        }
        let end = message(&mut stream).await;
        assert_eq!(end["result"]["content"][0]["text"], "Ann likes blue");
    }

    #[tokio::test]
    async fn a_refusal_and_an_answer_in_a_batch_reach_the_process_that_asked() {
        let Some((_server, store)) = shared() else { return };
        let (first, second) = (Process::start(&store), Process::start(&store));
        let here = Session::begin(first.addr, OLDEST, json!({ "sampling": {} })).await;
        let there = at(&here, &second);
        let call = called(1, "test_sampling", json!({ "prompt": "Who?" }));
        let mut stream = here.open(&call).await;
        let id = message(&mut stream).await["id"].clone();
        let said = json!({ "role": "assistant", "model": "m",
            "content": { "type": "text", "text": "Hello" } });
        let batch = json!([{ "jsonrpc": "2.0", "id": id, "result": said }]);
        assert_eq!(there.tell(&batch).await, 202);
        let end = message(&mut stream).await;
        assert_eq!(end["result"]["content"][0]["text"], "LLM response: Hello");

        let mut stream = here.open(&call).await;
        let id = message(&mut stream).await["id"].clone();
        let error = json!({ "code": -1, "message": "not now" });
        let refusal = json!({ "jsonrpc": "2.0", "id": id, "error": error });
        assert_eq!(there.tell(&refusal).await, 202);
        let end = message(&mut stream).await;
        let text = end["result"]["content"][0]["text"].as_str().unwrap_or_default();
        assert!(text.contains("not now"), "{end}");
    }
}
