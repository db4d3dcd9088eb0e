//! A client that shakes hands, as the tests of sessions drive it.

use std::net::SocketAddr;
use std::sync::Arc;

use aqueduct::prelude::*;
use aqueduct::seal::KeyRing;
use aqueduct::server::Handshake;
use aqueduct::store::Store;
use aqueduct::transport::http::ListenLimits;
use serde_json::{Value, json};

use super::fixture::{Fixture, Seen, server};
use super::peer::{Peer, Post, Response};

pub(super) const NEWEST: &str = "2025-11-25";
pub(super) const MIDDLE: &str = "2025-06-18";
pub(super) const OLDEST: &str = "2025-03-26";
pub(super) const ALL: [&str; 3] = [NEWEST, MIDDLE, OLDEST];

/// The body of an `initialize`.
pub(super) fn initialize(version: &str, capabilities: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": version, "capabilities": capabilities,
        "clientInfo": { "name": "t", "version": "0" } } })
}

/// A request as the handshake revisions write it.
pub(super) fn asked(id: impl Into<Value>, method: &str, params: impl Into<Value>) -> Value {
    let params = params.into();
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
}

/// A call of a tool.
pub(super) fn called(id: impl Into<Value>, tool: &str, arguments: impl Into<Value>) -> Value {
    let arguments = arguments.into();
    asked(id, "tools/call", json!({ "name": tool, "arguments": arguments }))
}

/// A session.
#[derive(Clone)]
pub(super) struct Session {
    pub(super) addr: SocketAddr,
    pub(super) id: String,
    pub(super) version: String,
}

impl Session {
    /// Shakes hands, to the end.
    pub(super) async fn begin(addr: SocketAddr, version: &str, capabilities: Value) -> Self {
        let answer = Post::raw(initialize(version, &capabilities).to_string()).ask(addr).await;
        let version = answer.result(0)["protocolVersion"].as_str().expect("a version").to_owned();
        let id = answer.header("mcp-session-id").expect("a session").to_owned();
        let session = Self { addr, id, version };
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(session.tell(&ready).await, 202);
        session
    }

    /// A POST of this session.
    pub(super) fn post(&self, message: &Value) -> Post {
        Post::raw(message.to_string())
            .header("Mcp-Session-Id", &self.id)
            .header("MCP-Protocol-Version", &self.version)
    }

    pub(super) async fn ask(&self, message: &Value) -> Response {
        self.post(message).ask(self.addr).await
    }

    /// Sends what is not answered, and gives back the status.
    pub(super) async fn tell(&self, message: &Value) -> u16 {
        let answer = self.ask(message).await;
        assert!(answer.status != 202 || answer.text().is_empty(), "{answer:?}");
        answer.status
    }

    /// Sends a request without a body.
    pub(super) async fn bare(&self, method: &str, last: Option<&str>) -> Peer {
        let mut head = format!(
            "{method} /mcp HTTP/1.1\r\nHost: {}\r\nAccept: text/event-stream\r\n\
             Mcp-Session-Id: {}\r\nMCP-Protocol-Version: {}\r\n",
            self.addr, self.id, self.version
        );
        if let Some(last) = last {
            head.push_str(&format!("Last-Event-ID: {last}\r\n"));
        }
        head.push_str("\r\n");
        let mut peer = Peer::connect(self.addr).await;
        peer.send(head).await;
        peer
    }

    /// Opens a stream by GET; its head must be that of one.
    pub(super) async fn stream(&self, last: Option<&str>) -> Peer {
        let mut peer = self.bare("GET", last).await;
        let head = peer.head().await;
        assert_eq!((head.status, head.header("content-type")), (200, Some("text/event-stream")));
        peer
    }

    /// Sends a request whose answer is a stream, and leaves the stream open.
    pub(super) async fn open(&self, message: &Value) -> Peer {
        let mut peer = Peer::connect(self.addr).await;
        peer.send(self.post(message).sized(self.addr)).await;
        let head = peer.head().await;
        assert_eq!((head.status, head.header("content-type")), (200, Some("text/event-stream")));
        peer
    }

    /// The status of the session's end.
    pub(super) async fn delete(&self) -> u16 {
        self.bare("DELETE", None).await.response().await.status
    }
}

/// One event of a stream.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Event {
    pub(super) id: Option<String>,
    pub(super) retry: Option<String>,
    /// `null` when the event has none.
    pub(super) data: Value,
}

impl Event {
    fn parse(text: &str) -> Self {
        let field = |name: &str| {
            let prefix = format!("{name}:");
            text.lines().find_map(|line| line.strip_prefix(&prefix)).map(str::trim)
        };
        let data = field("data").expect("an event has data");
        let data = if data.is_empty() {
            Value::Null
        } else {
            serde_json::from_str(data).expect("the data is JSON")
        };
        let owned = |name| field(name).map(str::to_owned);
        Self { id: owned("id"), retry: owned("retry"), data }
    }
}

/// The events of a whole stream.
pub(super) fn events(text: &str) -> Vec<Event> {
    let blocks = text.split("\n\n").filter(|block| !block.trim().is_empty());
    blocks.filter(|block| !block.starts_with(':')).map(Event::parse).collect()
}

/// The next event of an open stream, whatever the pieces that it comes in.
pub(super) async fn event(peer: &mut Peer) -> Event {
    loop {
        let block = peer.until("\n\n").await;
        let is_size = |line: &&str| !line.is_empty() && line.bytes().all(|b| b.is_ascii_hexdigit());
        let lines = block.lines().map(str::trim_end).filter(|line| !is_size(line));
        let text: Vec<&str> = lines.collect();
        let text = text.join("\n");
        if text.contains("data:") {
            return Event::parse(&text);
        }
    }
}

/// The next message of an open stream.
pub(super) async fn message(peer: &mut Peer) -> Value {
    loop {
        let event = event(peer).await;
        if event.data != Value::Null {
            return event.data;
        }
    }
}

/// The conformance fixtures over a listener.
pub(super) async fn fixtures(handshake: Handshake) -> Fixture {
    let server = conformance::server(&conformance::Options::default()).handshake(handshake);
    let service = server.build().expect("the fixtures are in order");
    Fixture::of(service, Arc::default(), ListenLimits::new(), |http| http).await
}

/// The fixture of this folder with keys that several may share, and a store.
pub(super) async fn sharing(keys: &KeyRing, store: impl Store) -> Fixture {
    let seen = Arc::new(Seen::default());
    let server = server(&seen).keys(keys.clone()).store(Arc::new(store));
    let service = server.build().expect("the fixture is sound");
    Fixture::of(service, seen, ListenLimits::new(), |http| http).await
}

/// A server of one tool.
pub(super) async fn with_tool(tool: Tool) -> Fixture {
    let service = Server::new("one", "1").tool(tool).build().expect("the tool is in order");
    Fixture::of(service, Arc::default(), ListenLimits::new(), |http| http).await
}
