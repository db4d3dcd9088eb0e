//! A client that a case drives without knowing the channel: memory, lines, or HTTP; and without
//! knowing the era: with the metadata of the stateless revision, or in a session.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use aqueduct::Server;
use aqueduct::http::{Method, Request, Response, header};
use aqueduct::protocol::{header as mcp, version::ProtocolVersion};
use aqueduct::server::Service;
use aqueduct::testing::TestClient;
use aqueduct::transport::http::{Body, HttpService};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader,
};
use tokio::task::JoinHandle;
use tower_service::Service as _;

/// How long anything may take before a case gives up.
const PATIENCE: Duration = Duration::from_secs(20);

/// The metadata that a request must carry, as reported faults abbreviate it.
pub(crate) const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

/// The fixtures.
pub(crate) fn fixtures() -> Server {
    conformance::server(&conformance::Options::default())
}

/// Runs a case over each channel and in each era, each time with a server of its own.
///
/// A session is of the newest handshake revision, which says what its older ones say of a case.
pub(crate) async fn on_each(server: impl Fn() -> Server, case: impl AsyncFn(&mut Peer)) {
    stateless(&server, &case).await;
    in_session(&server, &case).await;
}

/// Runs a case of the stateless revision alone over each channel.
pub(crate) async fn stateless(server: impl Fn() -> Server, case: impl AsyncFn(&mut Peer)) {
    for peer in [Peer::memory, Peer::lines, Peer::http] {
        let mut peer = peer(server().build().expect("the server is in order"));
        eprintln!("over {}", peer.name());
        case(&mut peer).await;
        peer.end().await;
    }
}

/// Runs a case in a session, over each channel that has them.
pub(crate) async fn in_session(server: impl Fn() -> Server, case: impl AsyncFn(&mut Peer)) {
    for peer in [Peer::lines, Peer::http] {
        let mut peer = peer(server().build().expect("the server is in order"));
        peer.shake().await;
        eprintln!("over {} in a session", peer.name());
        case(&mut peer).await;
        peer.end().await;
    }
}

/// All that came back for one message.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Said {
    /// What came before the answer.
    pub(crate) notifications: Vec<Value>,
    /// The answer; `null` when there was none.
    pub(crate) answer: Value,
    /// Over HTTP.
    pub(crate) status: Option<u16>,
    /// Is it of a session?
    is_session: bool,
    /// What came, as it came.
    pub(crate) texts: Vec<String>,
}

impl Said {
    fn of(texts: Vec<String>, status: Option<u16>, is_session: bool) -> Self {
        let mut all: Vec<Value> =
            texts.iter().map(|text| serde_json::from_str(text).expect(text)).collect();
        all.iter().for_each(if is_session { is_lawful_in_session } else { is_lawful });
        let is_answer = all.last().is_some_and(|last| last.get("method").is_none());
        let answer = if is_answer { all.pop().unwrap_or_default() } else { Value::Null };
        Self { notifications: all, answer, status, is_session, texts }
    }

    /// The error's code, as the stateless revision has it; a result is a failure of the case.
    #[track_caller]
    pub(crate) fn code(&self) -> i64 {
        let code = self.answer["error"]["code"].as_i64();
        let code = code.unwrap_or_else(|| panic!("no error: {}", self.answer));
        // A resource that is not there has a code of its own in a session.
        let message = self.answer["error"]["message"].as_str().unwrap_or_default();
        let is_missing = message.starts_with("resource not found");
        assert_eq!(code == -32002, self.is_session && is_missing, "{}", self.answer);
        if code == -32002 { -32602 } else { code }
    }

    /// Holds the error's code, and over HTTP the status, against what is right.
    #[track_caller]
    pub(crate) fn is_error(&self, code: i64, status: u16) -> &Value {
        assert_eq!(self.code(), code, "{}", self.answer);
        assert!(self.answer.get("result").is_none(), "{}", self.answer);
        assert!(self.answer["error"]["message"].is_string(), "{}", self.answer);
        if let Some(http) = self.status {
            // In a session the status tells of the message alone, not of the method or the call.
            let is_of_message = matches!(code, -32700 | -32600);
            let status = if self.is_session && !is_of_message { 200 } else { status };
            assert_eq!(http, status, "{}", self.answer);
        }
        &self.answer["error"]
    }

    /// The result; an error is a failure of the case.
    #[track_caller]
    pub(crate) fn result(&self) -> &Value {
        let result = self.answer.get("result");
        result.unwrap_or_else(|| panic!("no result: {}", self.answer))
    }

    /// The first text of a tool's result that is no failure.
    #[track_caller]
    pub(crate) fn text(&self) -> &str {
        assert_ne!(self.result()["isError"], json!(true), "{}", self.answer);
        self.result()["content"][0]["text"].as_str().expect("a text")
    }

    /// The first text of a tool's failure.
    #[track_caller]
    pub(crate) fn failure(&self) -> &str {
        assert_eq!(self.result()["isError"], json!(true), "{}", self.answer);
        self.result()["content"][0]["text"].as_str().expect("a text")
    }
}

/// What holds of every message that a server sends.
///
/// STDIO-04, STDIO-05: no requests. CAN-05: no cancellations but that of a listener over stdio. BASE-05, BASE-06: an answer is a
/// result with its type, or an error. BASE-24: no code that the protocol keeps but those that it
/// has.
#[track_caller]
fn is_lawful(message: &Value) {
    assert_eq!(message["jsonrpc"], "2.0", "{message}");
    if let Some(method) = message.get("method") {
        assert!(message.get("id").is_none(), "a request: {message}");
        let method = method.as_str().expect("a method");
        assert!(method.starts_with("notifications/"), "{message}");
        assert_ne!(method, "notifications/cancelled", "{message}");
        return;
    }
    is_answer(message);
    if let Some(result) = message.get("result") {
        assert!(result["resultType"].is_string(), "{message}");
    }
    if let Some(error) = message.get("error") {
        let code = error["code"].as_i64().expect("a code");
        let reserved = (-32768..=-32000).contains(&code);
        let ours = [-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022];
        assert!(!reserved || ours.contains(&code), "{message}");
    }
}

/// What holds of every answer.
#[track_caller]
fn is_answer(message: &Value) {
    assert_ne!(message.get("id"), Some(&Value::Null), "{message}");
    let (result, error) = (message.get("result"), message.get("error"));
    assert_ne!(result.is_some(), error.is_some(), "{message}");
    if let Some(error) = error {
        assert!(error["code"].is_i64() && error["message"].is_string(), "{message}");
    }
}

/// What holds of every message of a session: nothing that only the stateless revision has.
#[track_caller]
fn is_lawful_in_session(message: &Value) {
    assert_eq!(message["jsonrpc"], "2.0", "{message}");
    if message.get("method").is_some() {
        return;
    }
    is_answer(message);
    for newer in ["resultType", "ttlMs", "cacheScope"] {
        assert!(message["result"].get(newer).is_none(), "{message}");
    }
}

/// What holds of every message is of use only if what does not hold is noticed.
#[test]
fn what_no_server_may_send_is_noticed() {
    let error = |code: i64| {
        let error = json!({ "code": code, "message": "m" });
        json!({ "jsonrpc": "2.0", "id": 1, "error": error })
    };
    let wrong = [
        json!({ "jsonrpc": "1.0", "id": 1, "result": { "resultType": "complete" } }),
        json!({ "jsonrpc": "2.0", "id": 1, "method": "roots/list" }),
        json!({ "jsonrpc": "2.0", "id": 1, "method": "notifications/message" }),
        json!({ "jsonrpc": "2.0", "method": "roots/list" }),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled" }),
        json!({ "jsonrpc": "2.0", "id": null, "result": { "resultType": "complete" } }),
        json!({ "jsonrpc": "2.0", "id": 1, "result": {} }),
        json!({ "jsonrpc": "2.0", "id": 1 }),
        json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": 1 } }),
        error(-32002),
        error(-32042),
        error(-32000),
        error(-32099),
    ];
    for message in wrong {
        assert!(std::panic::catch_unwind(|| is_lawful(&message)).is_err(), "{message}");
    }
    is_lawful(&error(-32602));
    is_lawful(&json!({ "jsonrpc": "2.0", "method": "notifications/progress" }));
}

/// A client over one channel.
pub(crate) struct Peer {
    channel: Channel,
    next: u32,
    is_session: bool,
}

enum Channel {
    Memory(Box<TestClient>),
    Lines(Lines),
    Http(Box<Http>),
}

impl Peer {
    pub(crate) fn memory(service: Service) -> Self {
        Self {
            channel: Channel::Memory(Box::new(TestClient::of(service))),
            next: 1,
            is_session: false,
        }
    }

    pub(crate) fn lines(service: Service) -> Self {
        Self { channel: Channel::Lines(Lines::new(service)), next: 1, is_session: false }
    }

    pub(crate) fn http(service: Service) -> Self {
        Self { channel: Channel::Http(Box::new(Http::new(service))), next: 1, is_session: false }
    }

    pub(crate) fn name(&self) -> &'static str {
        match &self.channel {
            Channel::Memory(_) => "memory",
            Channel::Lines(_) => "stdio",
            Channel::Http(_) => "http",
        }
    }

    pub(crate) fn is_http(&self) -> bool {
        matches!(self.channel, Channel::Http(_))
    }

    /// Shakes hands: what is sent from here on is of a session.
    async fn shake(&mut self) {
        let initialize = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": HANDSHAKE, "capabilities": {},
            "clientInfo": { "name": "t", "version": "0" } } });
        self.is_session = true;
        match &mut self.channel {
            Channel::Memory(_) => panic!("memory has no sessions"),
            Channel::Lines(lines) => lines.is_session = true,
            Channel::Http(http) => http.shake(&initialize.to_string()).await,
        }
        if !self.is_http() {
            let said = self.send(&initialize.to_string()).await;
            assert_eq!(said.result()["protocolVersion"], HANDSHAKE);
        }
        self.tell(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    }

    pub(crate) fn is_session(&self) -> bool {
        self.is_session
    }

    /// Sends a text that must be answered, and takes all up to the answer.
    pub(crate) async fn send(&mut self, text: &str) -> Said {
        let text = &*if self.is_session { plain(text) } else { text.to_owned() };
        match &mut self.channel {
            Channel::Memory(client) => {
                let exchange = client.send(text).await;
                let texts = exchange.frames.into_iter().chain(exchange.answer).collect();
                Said::of(texts, None, false)
            }
            Channel::Lines(lines) => {
                lines.write(text.as_bytes()).await;
                lines.answer().await
            }
            Channel::Http(http) => http.send(text).await,
        }
    }

    /// Sends a text that must not be answered.
    pub(crate) async fn tell(&mut self, text: &str) {
        let text = &*if self.is_session { plain(text) } else { text.to_owned() };
        match &mut self.channel {
            Channel::Memory(client) => {
                let exchange = client.send(text).await;
                assert_eq!((exchange.answer, exchange.frames.len()), (None, 0), "{text}");
            }
            Channel::Lines(lines) => {
                lines.write(text.as_bytes()).await;
                // Whatever comes before the answer to this is an answer to the other.
                let method = if self.is_session { "ping" } else { "server/discover" };
                let fence = request("\"fence\"", method, json!({}));
                let fence = if self.is_session { plain(&fence) } else { fence };
                lines.write(fence.as_bytes()).await;
                let said = lines.answer().await;
                assert_eq!(said.answer["id"], "fence", "{text} was answered: {}", said.answer);
                assert!(said.notifications.is_empty(), "{text}: {:?}", said.notifications);
            }
            Channel::Http(http) => {
                let (status, texts) = http.post(http.headers(text), text.as_bytes()).await;
                assert_eq!((status, texts.len()), (202, 0), "{text}: {texts:?}");
            }
        }
    }

    /// Makes a request with complete metadata.
    pub(crate) async fn request(&mut self, method: &str, params: Value) -> Said {
        let id = self.next;
        self.next += 1;
        let said = self.send(&request(&id.to_string(), method, params)).await;
        assert_eq!(said.answer["id"], json!(id), "{}", said.answer);
        said
    }

    /// Calls a tool.
    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Said {
        self.request("tools/call", json!({ "name": tool, "arguments": arguments })).await
    }

    /// What has happened inside the fixture server.
    pub(crate) async fn happened(&mut self, mark: &str) -> u64 {
        let said = self.call("state", json!({})).await;
        said.result()["structuredContent"][mark].as_u64().expect("a mark")
    }

    /// Ends the conversation; nothing may be left that nobody asked for.
    pub(crate) async fn end(self) {
        if let Channel::Lines(lines) = self.channel {
            lines.end().await;
        }
    }
}

/// The revision of a session.
const HANDSHAKE: &str = "2025-11-25";

/// A message without the metadata of the stateless revision, and else as it is.
fn plain(text: &str) -> String {
    let mut plain = text.to_owned();
    for member in [
        r#""io.modelcontextprotocol/protocolVersion":"2026-07-28""#,
        r#""io.modelcontextprotocol/clientCapabilities":{}"#,
    ] {
        let after = format!("{member},");
        let before = format!(",{member}");
        plain = plain.replace(&after, "").replace(&before, "").replace(member, "");
    }
    plain
}

/// A request with complete metadata, its id given as JSON; members of `_meta` in `params` are kept.
pub(crate) fn request(id: &str, method: &str, mut params: Value) -> String {
    let meta = &mut params["_meta"];
    let version = ProtocolVersion::LATEST.as_str();
    if meta.get("io.modelcontextprotocol/protocolVersion").is_none() {
        meta["io.modelcontextprotocol/protocolVersion"] = json!(version);
    }
    if meta.get("io.modelcontextprotocol/clientCapabilities").is_none() {
        meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
    }
    let method = json!(method);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":{method},"params":{params}}}"#)
}

/// The other end of a server that is served over a pair of byte streams.
pub(crate) struct Lines {
    input: Box<dyn AsyncWrite + Send + Unpin>,
    output: BufReader<Box<dyn AsyncRead + Send + Unpin>>,
    task: JoinHandle<io::Result<()>>,
    is_session: bool,
}

impl Lines {
    pub(crate) fn new(service: Service) -> Self {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (input, output) = tokio::io::split(theirs);
        let task = tokio::spawn(service.serve_lines(input, output));
        let (output, input) = tokio::io::split(ours);
        Self::over(input, output, task)
    }

    /// Over the two ends of a socket or a pipe.
    pub(crate) fn over(
        input: impl AsyncWrite + Send + Unpin + 'static,
        output: impl AsyncRead + Send + Unpin + 'static,
        task: JoinHandle<io::Result<()>>,
    ) -> Self {
        let (input, output) = (Box::new(input), BufReader::new(Box::new(output) as Box<_>));
        Self { input, output, task, is_session: false }
    }

    /// Writes a line.
    pub(crate) async fn write(&mut self, line: &[u8]) {
        self.input.write_all(line).await.expect("the server reads");
        self.input.write_all(b"\n").await.expect("the server reads");
    }

    /// The next line, whole and without its end.
    pub(crate) async fn read(&mut self) -> String {
        let mut line = String::new();
        let read = tokio::time::timeout(PATIENCE, self.output.read_line(&mut line)).await;
        assert_ne!(read.expect("a line in time").expect("UTF-8"), 0, "the server has ended");
        assert_eq!(line.pop(), Some('\n'));
        assert!(!line.ends_with('\r'), "{line}");
        line
    }

    /// All lines up to the next answer.
    pub(crate) async fn answer(&mut self) -> Said {
        let mut texts = Vec::new();
        loop {
            texts.push(self.read().await);
            let said = Said::of(texts.clone(), None, self.is_session);
            if said.answer != Value::Null {
                self.torn_down(&said).await;
                return said;
            }
        }
    }

    /// SUB-11: behind the result of a listener, and behind nothing else, comes the notification
    /// that its stream has ended; `is_lawful` sees to the rest.
    async fn torn_down(&mut self, said: &Said) {
        const ID: &str = "io.modelcontextprotocol/subscriptionId";
        let Some(id) = said.answer["result"]["_meta"].get(ID) else { return };
        let line: Value = serde_json::from_str(&self.read().await).expect("JSON");
        let params = json!({ "requestId": id, "_meta": { ID: id } });
        let method = "notifications/cancelled";
        assert_eq!(line, json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Closes the input; the server must end, and say nothing more.
    pub(crate) async fn end(mut self) {
        self.input.shutdown().await.expect("the server reads");
        let mut rest = String::new();
        let read = tokio::time::timeout(PATIENCE, self.output.read_to_string(&mut rest)).await;
        read.expect("an end in time").expect("UTF-8");
        assert_eq!(rest, "", "what nobody asked for");
        drop((self.input, self.output));
        self.task.await.expect("no panic").expect("no failure");
    }
}

/// A conforming HTTP client without a network.
pub(crate) struct Http {
    service: HttpService<Service>,
    /// For each tool the arguments that are repeated in headers, with their paths.
    params: BTreeMap<String, Vec<(String, Vec<String>)>>,
    /// The id of the session.
    session: Option<String>,
}

/// The headers of a request, by name; a name may be there twice.
pub(crate) type Headers = Vec<(String, String)>;

impl Http {
    pub(crate) fn new(service: Service) -> Self {
        Self { service: service.into_http(), params: BTreeMap::new(), session: None }
    }

    /// Begins a session.
    async fn shake(&mut self, initialize: &str) {
        let response = self.start(Vec::new(), initialize.as_bytes()).await;
        let id = response.headers().get(mcp::SESSION_ID).expect("a session");
        self.session = Some(id.to_str().expect("ASCII").to_owned());
    }

    /// Learns from the list of tools which arguments are repeated in headers, as clients do.
    async fn learn(&mut self) {
        if self.session.is_some() || !self.params.is_empty() {
            return;
        }
        let list = request("1", "tools/list", json!({}));
        let (_, texts) = self.post(self.headers(&list), list.as_bytes()).await;
        let answer = Said::of(texts, None, false).answer;
        for tool in answer["result"]["tools"].as_array().into_iter().flatten() {
            let name = tool["name"].as_str().unwrap_or_default().to_owned();
            let mut found = Vec::new();
            annotated(&tool["inputSchema"], &mut Vec::new(), &mut found);
            self.params.insert(name, found);
        }
    }

    async fn send(&mut self, text: &str) -> Said {
        self.learn().await;
        let (status, texts) = self.post(self.headers(text), text.as_bytes()).await;
        Said::of(texts, Some(status), self.session.is_some())
    }

    /// The headers that a conforming client sends with a body.
    pub(crate) fn headers(&self, text: &str) -> Headers {
        if let Some(session) = &self.session {
            let version = (mcp::PROTOCOL_VERSION.to_owned(), HANDSHAKE.to_owned());
            return vec![(mcp::SESSION_ID.to_owned(), session.clone()), version];
        }
        let body: Value = serde_json::from_str(text).unwrap_or_default();
        let params = &body["params"];
        let version = &params["_meta"]["io.modelcontextprotocol/protocolVersion"];
        let version = version.as_str().unwrap_or(ProtocolVersion::LATEST.as_str());
        let mut headers = vec![(mcp::PROTOCOL_VERSION.to_owned(), version.to_owned())];
        if let Some(method) = body["method"].as_str() {
            headers.push((mcp::METHOD.to_owned(), method.to_owned()));
        }
        let target = match body["method"].as_str() {
            Some("tools/call" | "prompts/get") => params["name"].as_str(),
            Some("resources/read") => params["uri"].as_str(),
            Some("tasks/get" | "tasks/update" | "tasks/cancel") => params["taskId"].as_str(),
            _ => None,
        };
        if let Some(target) = target {
            headers.push((mcp::NAME.to_owned(), mcp::encode_value(target).into_owned()));
        }
        for (name, path) in target.and_then(|tool| self.params.get(tool)).into_iter().flatten() {
            let argument = path.iter().try_fold(&params["arguments"], |value, key| value.get(key));
            let text = match argument {
                None | Some(Value::Null) => continue,
                Some(Value::String(text)) => text.clone(),
                Some(other) => other.to_string(),
            };
            let name = format!("{}{name}", mcp::PARAM_PREFIX);
            headers.push((name, mcp::encode_value(&text).into_owned()));
        }
        headers
    }

    /// Posts a body and gives the head of the response, with what is still to come.
    pub(crate) async fn start(&self, headers: Headers, body: &[u8]) -> Response<Body> {
        let mut request = Request::builder()
            .method(Method::POST)
            .uri("/mcp")
            .header(header::HOST, "127.0.0.1:8000")
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json, text/event-stream");
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let request = request.body(Full::new(Bytes::copy_from_slice(body))).expect("a request");
        self.service.clone().call(request).await.expect("infallible")
    }

    /// Posts a body with these headers beside those that every request has; gives the status and
    /// the messages.
    pub(crate) async fn post(&self, headers: Headers, body: &[u8]) -> (u16, Vec<String>) {
        let response = self.start(headers, body).await;
        let status = response.status().as_u16();
        let is_stream = response
            .headers()
            .get(header::CONTENT_TYPE)
            .is_some_and(|kind| kind == "text/event-stream");
        let body = tokio::time::timeout(PATIENCE, response.into_body().collect()).await;
        let body = body.expect("an end in time").expect("infallible").to_bytes();
        let body = String::from_utf8(body.to_vec()).expect("UTF-8");
        if !is_stream {
            return (status, if body.is_empty() { Vec::new() } else { vec![body] });
        }
        let events = body.split_terminator("\n\n").filter(|event| !event.starts_with(':'));
        if self.session.is_none() {
            let data = |event: &str| event.strip_prefix("data: ").expect(event).to_owned();
            return (status, events.map(data).collect());
        }
        // Events of a session have ids, and the first one says nothing else.
        let data = |event: &str| {
            let (id, data) = event.split_once("data:").expect(event);
            assert!(id.starts_with("id: "), "{event}");
            data.trim().to_owned()
        };
        (status, events.map(data).filter(|data| !data.is_empty()).collect())
    }
}

/// The annotated properties below a schema, reached through `properties` alone.
fn annotated(schema: &Value, path: &mut Vec<String>, found: &mut Vec<(String, Vec<String>)>) {
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        path.push(key.clone());
        if let Some(name) = property["x-mcp-header"].as_str() {
            found.push((name.to_owned(), path.clone()));
        }
        annotated(property, path, found);
        path.pop();
    }
}
