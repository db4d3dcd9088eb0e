//! A client that sends exactly the bytes it is given, and reads responses without trusting them.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

/// How long any answer may take before the test has failed.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

pub(super) const VERSION: &str = "2026-07-28";

/// A connection.
pub(super) struct Peer {
    pub(super) stream: TcpStream,
    buffer: Vec<u8>,
}

/// One response, in parts.
#[derive(Debug)]
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Response {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(found, _)| found == name);
        let value = found.next().map(|(_, value)| value.as_str());
        assert!(found.next().is_none(), "{name} is there twice: {self:?}");
        value
    }

    pub(super) fn text(&self) -> &str {
        str::from_utf8(&self.body).expect("the body is UTF-8")
    }

    pub(super) fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/json"), "{self:?}");
        serde_json::from_slice(&self.body).expect("the body is JSON")
    }

    /// The code of a JSON-RPC error without an id.
    #[track_caller]
    pub(super) fn refused(&self) -> (u16, i64) {
        let body = self.json();
        assert_eq!(body["jsonrpc"], "2.0", "{body}");
        assert_eq!(body.get("id"), None, "{body}");
        (self.status, body["error"]["code"].as_i64().expect("an error has a code"))
    }

    /// The code of a JSON-RPC error with this id.
    #[track_caller]
    pub(super) fn error(&self, id: impl Into<Value>) -> (u16, i64) {
        let body = self.json();
        assert_eq!(body["id"], id.into(), "{body}");
        assert_eq!(body.get("result"), None, "{body}");
        (self.status, body["error"]["code"].as_i64().expect("an error has a code"))
    }

    /// The result of an answer with this id and status 200.
    #[track_caller]
    pub(super) fn result(&self, id: impl Into<Value>) -> Value {
        let body = self.json();
        assert_eq!(self.status, 200, "{body}");
        assert_eq!(body["id"], id.into(), "{body}");
        assert_eq!(body.get("error"), None, "{body}");
        body["result"].clone()
    }

    /// What the events of a stream hold; lines of comment are left out.
    #[track_caller]
    pub(super) fn events(&self) -> Vec<Value> {
        assert_eq!(self.header("content-type"), Some("text/event-stream"), "{self:?}");
        events(self.text())
    }
}

/// The data of each event; a field other than `data` fails the test.
pub(super) fn events(text: &str) -> Vec<Value> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with(':'));
    lines
        .map(|line| {
            let data = line.strip_prefix("data: ").expect("an event is one line of data");
            serde_json::from_str(data).expect("the data is JSON")
        })
        .collect()
}

impl Peer {
    pub(super) async fn connect(addr: SocketAddr) -> Self {
        let stream = TcpStream::connect(addr).await.expect("the server takes connections");
        stream.set_nodelay(true).expect("the socket is there");
        Self { stream, buffer: Vec::new() }
    }

    /// A connection that takes only little at once.
    pub(super) async fn narrow(addr: SocketAddr) -> Self {
        let socket = TcpSocket::new_v4().expect("there are sockets");
        socket.set_recv_buffer_size(4096).expect("the size can be set");
        let stream = socket.connect(addr).await.expect("the server takes connections");
        Self { stream, buffer: Vec::new() }
    }

    pub(super) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).await.expect("the server reads");
    }

    /// Sends and does not care whether the server still reads.
    pub(super) async fn push(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        self.stream.write_all(bytes.as_ref()).await.is_ok()
    }

    /// Reads some more bytes; `false` when the server has closed.
    async fn more(&mut self) -> bool {
        let mut piece = vec![0; 16 * 1024];
        let read = tokio::time::timeout(PATIENCE, self.stream.read(&mut piece)).await;
        let read = read.unwrap_or_else(|_| {
            panic!("nothing came; so far: {:?}", String::from_utf8_lossy(&self.buffer))
        });
        // A reset is an end as well.
        let read = read.unwrap_or_default();
        self.buffer.extend_from_slice(&piece[..read]);
        read > 0
    }

    /// Waits until the buffer holds the text and takes it away with all before it.
    pub(super) async fn until(&mut self, text: &str) -> String {
        loop {
            let found =
                self.buffer.windows(text.len()).position(|window| window == text.as_bytes());
            if let Some(at) = found {
                let taken = self.buffer.drain(..at + text.len()).collect();
                return String::from_utf8(taken).expect("what comes is UTF-8");
            }
            let came = self.more().await;
            assert!(came, "closed before {text:?}: {:?}", String::from_utf8_lossy(&self.buffer));
        }
    }

    /// The head of the next response.
    pub(super) async fn head(&mut self) -> Response {
        let head = self.until("\r\n\r\n").await;
        let mut lines = head.trim_end().split("\r\n");
        let status = lines.next().expect("a head has lines");
        let status = status.strip_prefix("HTTP/1.").expect("it is HTTP/1");
        let status = status[2..5].parse().expect("a status is a number");
        let headers = lines
            .map(|line| line.split_once(": ").expect("a header has a value"))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect();
        Response { status, headers, body: Vec::new() }
    }

    /// The next response to a request other than HEAD, whole.
    pub(super) async fn response(&mut self) -> Response {
        let mut response = self.head().await;
        if response.header("transfer-encoding") == Some("chunked") {
            loop {
                let size = self.until("\r\n").await;
                let size = usize::from_str_radix(size.trim_end(), 16).expect("a size is hex");
                let mut chunk = self.take(size + 2).await;
                chunk.truncate(size);
                response.body.extend(chunk);
                if size == 0 {
                    return response;
                }
            }
        }
        match response.header("content-length").map(|length| length.parse().expect("a number")) {
            Some(length) => response.body = self.take(length).await,
            None if response.status == 202 || response.status == 204 => {}
            None => response.body = self.rest().await,
        }
        response
    }

    async fn take(&mut self, bytes: usize) -> Vec<u8> {
        while self.buffer.len() < bytes {
            let came = self.more().await;
            assert!(came, "closed within a body: {:?}", String::from_utf8_lossy(&self.buffer));
        }
        self.buffer.drain(..bytes).collect()
    }

    /// Waits for a byte to come; `false` when the server closes instead.
    pub(super) async fn is_answered(&mut self) -> bool {
        !self.buffer.is_empty() || self.more().await
    }

    /// Takes what comes next and says how much it was; 0 when the server has closed.
    pub(super) async fn some(&mut self) -> usize {
        self.more().await;
        std::mem::take(&mut self.buffer).len()
    }

    /// Everything until the server closes.
    pub(super) async fn rest(&mut self) -> Vec<u8> {
        while self.more().await {}
        std::mem::take(&mut self.buffer)
    }

    /// Waits for the server to close, and finds nothing more.
    #[track_caller]
    pub(super) fn closed(&mut self) -> impl Future<Output = ()> {
        let caller = std::panic::Location::caller();
        async move {
            let rest = self.rest().await;
            assert!(rest.is_empty(), "{caller}: {:?}", String::from_utf8_lossy(&rest));
        }
    }

    /// Sends and reads one response.
    pub(super) async fn ask(&mut self, bytes: impl AsRef<[u8]>) -> Response {
        self.send(bytes).await;
        self.response().await
    }
}

/// Asks on a connection of its own.
pub(super) async fn ask(addr: SocketAddr, bytes: impl AsRef<[u8]>) -> Response {
    Peer::connect(addr).await.ask(bytes).await
}

/// The metadata that every request has.
pub(super) fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

/// A request with its metadata.
pub(super) fn request(id: impl Into<Value>, method: &str, mut params: Value) -> Value {
    if params.get("_meta").is_none() {
        params["_meta"] = meta();
    }
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
}

/// A call of a tool.
pub(super) fn call(id: impl Into<Value>, tool: &str, arguments: impl Into<Value>) -> Value {
    let arguments = arguments.into();
    request(id, "tools/call", json!({ "name": tool, "arguments": arguments }))
}

/// A call of a tool that asks for progress.
pub(super) fn call_with_progress(
    id: impl Into<Value>,
    tool: &str,
    arguments: impl Into<Value>,
) -> Value {
    let mut call = call(id, tool, arguments);
    call["params"]["_meta"]["progressToken"] = json!("p");
    call
}

/// A POST to be made into bytes.
#[derive(Clone)]
pub(super) struct Post {
    path: &'static str,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Post {
    /// A request with all the headers that it must have.
    pub(super) fn of(message: &Value) -> Self {
        let mut post = Self::raw(message.to_string())
            .header("MCP-Protocol-Version", VERSION)
            .header("Mcp-Method", message["method"].as_str().expect("a method is a string"));
        for name in ["name", "uri"] {
            if let Some(value) = message["params"][name].as_str() {
                post = post.header("Mcp-Name", value);
            }
        }
        post
    }

    /// A request with the headers of HTTP only.
    pub(super) fn raw(body: impl Into<Vec<u8>>) -> Self {
        Self { path: "/mcp", headers: Vec::new(), body: body.into() }
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
    }

    pub(super) fn path(mut self, path: &'static str) -> Self {
        self.path = path;
        self
    }

    /// Another body under the same headers.
    pub(super) fn body(self, body: &str) -> Self {
        self.bytes(body.as_bytes())
    }

    /// A body that may be no text.
    pub(super) fn bytes(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// Adds a header, also one that is there.
    pub(super) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Takes a header away.
    pub(super) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(found, _)| !found.eq_ignore_ascii_case(name));
        self
    }

    /// Puts a header in place of another.
    pub(super) fn with(self, name: &str, value: &str) -> Self {
        self.without(name).header(name, value)
    }

    /// The bytes of the head, up to the length of the body.
    fn head(&self, addr: SocketAddr) -> String {
        let mut head = format!("POST {} HTTP/1.1\r\n", self.path);
        if !self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            head.push_str(&format!("Host: {addr}\r\n"));
        }
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head
    }

    /// The bytes with the length ahead.
    pub(super) fn sized(&self, addr: SocketAddr) -> Vec<u8> {
        let mut bytes = self.head(addr).into_bytes();
        bytes.extend_from_slice(format!("Content-Length: {}\r\n\r\n", self.body.len()).as_bytes());
        bytes.extend_from_slice(&self.body);
        bytes
    }

    /// The bytes in chunks of a size.
    pub(super) fn chunked(&self, addr: SocketAddr, size: usize) -> Vec<u8> {
        let mut bytes = self.head(addr).into_bytes();
        bytes.extend_from_slice(b"Transfer-Encoding: chunked\r\n\r\n");
        for chunk in self.body.chunks(size) {
            bytes.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
            bytes.extend_from_slice(chunk);
            bytes.extend_from_slice(b"\r\n");
        }
        bytes.extend_from_slice(b"0\r\n\r\n");
        bytes
    }

    /// Asks on a connection of its own.
    pub(super) async fn ask(&self, addr: SocketAddr) -> Response {
        ask(addr, self.sized(addr)).await
    }
}
