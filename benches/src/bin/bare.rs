//! The least that a right server can cost: hyper, one typed pass over the body, the checks, the answer.
//!
//! Every figure of ours is held against this one. It takes every short cut that the specification
//! leaves open: it knows three requests, has no state, and builds its list once.

use std::{
    borrow::Cow,
    convert::Infallible,
    io::Write as _,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll},
};

use benches::{Failure, surface};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, header};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt as _;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde::Deserialize;
use serde_json::{json, value::RawValue};
use tokio::net::TcpListener;

static MCP_PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
static MCP_METHOD: HeaderName = HeaderName::from_static("mcp-method");
static MCP_NAME: HeaderName = HeaderName::from_static("mcp-name");

const MAX_BODY: usize = 4 * 1024 * 1024;

/// What is built before the first request.
struct Shared {
    /// The members of the result of `tools/list`, with the braces that close it.
    list: Bytes,
    text: String,
    /// The `_meta` that ends every result.
    tail: String,
}

fn main() -> Result<(), Failure> {
    let mut words = std::env::args().skip(1);
    let (mut address, mut tools) = ("127.0.0.1:0".to_owned(), surface::TOOLS);
    while let Some(word) = words.next() {
        let value = words.next().ok_or("a flag without a value")?;
        match word.as_str() {
            "--http" => address = value,
            "--tools" => tools = value.parse()?,
            other => return Err(format!("no flag {other}").into()),
        }
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    tokio::task::LocalSet::new().block_on(&runtime, serve(&address, Rc::new(shared(tools))))
}

fn shared(tools: usize) -> Shared {
    let info = json!({ "name": surface::SERVER_NAME, "version": surface::SERVER_VERSION });
    let tail = format!(r#","_meta":{{"io.modelcontextprotocol/serverInfo":{info}}}}}}}"#);
    let mut list = vec![json!({
        "name": surface::ECHO,
        "description": surface::ECHO_DESCRIPTION,
        "inputSchema": surface::echo_schema(),
    })];
    list.extend((1..tools).map(|index| {
        json!({
            "name": surface::filler_name(index),
            "description": surface::filler_description(index),
            "inputSchema": surface::filler_schema(),
        })
    }));
    let list = json!(list);
    let list =
        format!(r#""resultType":"complete","ttlMs":0,"cacheScope":"private","tools":{list}{tail}"#);
    Shared { list: list.into(), text: surface::text(), tail }
}

async fn serve(address: &str, shared: Rc<Shared>) -> Result<(), Failure> {
    let listener = TcpListener::bind(address).await?;
    writeln!(std::io::stderr(), "listening on http://{}/mcp", listener.local_addr()?)?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let shared = shared.clone();
        let service = service_fn(move |request| {
            let shared = shared.clone();
            async move { Ok::<_, Infallible>(respond(request, &shared).await) }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .serve_connection(TokioIo::new(stream), service);
        // A client that hangs up is no failure of the server.
        tokio::task::spawn_local(connection);
    }
}

async fn respond(request: Request<Incoming>, shared: &Shared) -> Response<Answer> {
    match answer(request, shared).await {
        Ok(answer) => {
            let mut response = Response::new(answer);
            let json = HeaderValue::from_static("application/json");
            response.headers_mut().insert(header::CONTENT_TYPE, json);
            response
        }
        Err(status) => {
            let mut response = Response::new(Answer::default());
            *response.status_mut() = status;
            response
        }
    }
}

async fn answer(request: Request<Incoming>, shared: &Shared) -> Result<Answer, StatusCode> {
    let (head, body) = request.into_parts();
    guard(&head)?;
    let body = whole(body).await?;
    let text = std::str::from_utf8(&body).map_err(|_| StatusCode::BAD_REQUEST)?;
    let message: Message<'_> = serde_json::from_str(text).map_err(|_| StatusCode::BAD_REQUEST)?;
    mirror(&head.headers, &message)?;
    let mut out = Vec::with_capacity(256);
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    out.extend_from_slice(message.id.get().as_bytes());
    out.extend_from_slice(br#","result":{"#);
    match &*message.method {
        "tools/call" if message.params.name.as_ref().map(Text::as_str) == Some(surface::ECHO) => {
            let echo = message.params.arguments.ok_or(StatusCode::BAD_REQUEST)?;
            out.extend_from_slice(br#""resultType":"complete","content":[{"type":"text","text":"#);
            escape(&mut out, &echo.text)?;
            out.extend_from_slice(br#"}],"isError":false"#);
        }
        "tools/list" => {
            return Ok(Answer { head: Some(out.into()), rest: Some(shared.list.clone()) });
        }
        "resources/read" if message.params.uri.as_ref().map(Text::as_str) == Some(surface::URI) => {
            out.reserve(shared.text.len() + shared.text.len() / 16);
            out.extend_from_slice(
                br#""resultType":"complete","ttlMs":0,"cacheScope":"private","contents":[{"uri":"#,
            );
            escape(&mut out, surface::URI)?;
            out.extend_from_slice(br#","mimeType":"text/plain","text":"#);
            escape(&mut out, &shared.text)?;
            out.extend_from_slice(b"}]");
        }
        _ => return Err(StatusCode::NOT_FOUND),
    }
    out.extend_from_slice(shared.tail.as_bytes());
    Ok(Answer { head: Some(out.into()), rest: None })
}

/// The body as it came if it came in one piece, which is the rule.
async fn whole(mut body: Incoming) -> Result<Bytes, StatusCode> {
    let mut gathered = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| StatusCode::BAD_REQUEST)?;
        let Ok(data) = frame.into_data() else { continue };
        if gathered.len() + data.len() > MAX_BODY {
            return Err(StatusCode::PAYLOAD_TOO_LARGE);
        }
        if gathered.is_empty() && body.is_end_stream() {
            return Ok(data);
        }
        gathered.extend_from_slice(&data);
    }
    Ok(gathered.into())
}

fn escape(out: &mut Vec<u8>, text: &str) -> Result<(), StatusCode> {
    serde_json::to_writer(out, text).map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)
}

/// What can be refused before the body is read.
fn guard(head: &http::request::Parts) -> Result<(), StatusCode> {
    if head.uri.path() != "/mcp" {
        return Err(StatusCode::NOT_FOUND);
    }
    if head.method != Method::POST {
        return Err(StatusCode::METHOD_NOT_ALLOWED);
    }
    let host = value(&head.headers, &header::HOST).ok_or(StatusCode::FORBIDDEN)?;
    if !is_loopback(host) {
        return Err(StatusCode::FORBIDDEN);
    }
    if let Some(origin) = value(&head.headers, &header::ORIGIN) {
        let host = origin.strip_prefix(b"http://").or_else(|| origin.strip_prefix(b"https://"));
        if !host.is_some_and(is_loopback) {
            return Err(StatusCode::FORBIDDEN);
        }
    }
    let media = value(&head.headers, &header::CONTENT_TYPE).unwrap_or_default();
    if !names(media, b"application/json") {
        return Err(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    }
    let accept = value(&head.headers, &header::ACCEPT).unwrap_or_default();
    // What every client of ours writes; anything else is taken apart.
    let is_usual = accept == b"application/json, text/event-stream";
    let accepts = |media: &[u8]| accept.split(|byte| *byte == b',').any(|it| names(it, media));
    if is_usual || accepts(b"application/json") && accepts(b"text/event-stream") {
        return Ok(());
    }
    Err(StatusCode::NOT_ACCEPTABLE)
}

/// Whether a media range is this media type, its parameters aside.
fn names(range: &[u8], media: &[u8]) -> bool {
    let range = range.split(|byte| *byte == b';').next().unwrap_or_default();
    range.trim_ascii().eq_ignore_ascii_case(media)
}

fn is_loopback(authority: &[u8]) -> bool {
    let port = authority.iter().rposition(|byte| *byte == b':');
    let host = port.and_then(|colon| authority.get(..colon)).unwrap_or(authority);
    [host, authority].iter().any(|it| matches!(*it, b"127.0.0.1" | b"localhost" | b"[::1]"))
}

/// The headers repeat what the body says; where they differ, one of them lies.
fn mirror(headers: &HeaderMap, message: &Message<'_>) -> Result<(), StatusCode> {
    let params = &message.params;
    let version = &*params.meta.version;
    let named = params.name.as_ref().or(params.uri.as_ref()).map(Text::as_str);
    let agrees = version == surface::VERSION
        && value(headers, &MCP_PROTOCOL_VERSION) == Some(version.as_bytes())
        && value(headers, &MCP_METHOD) == Some(message.method.as_bytes())
        && value(headers, &MCP_NAME) == named.map(str::as_bytes);
    if agrees { Ok(()) } else { Err(StatusCode::BAD_REQUEST) }
}

fn value<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a [u8]> {
    headers.get(name).map(HeaderValue::as_bytes)
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow, rename = "jsonrpc")]
    _jsonrpc: Cow<'a, str>,
    #[serde(borrow)]
    id: &'a RawValue,
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow)]
    params: Params<'a>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow)]
    name: Option<Text<'a>>,
    #[serde(borrow)]
    uri: Option<Text<'a>>,
    #[serde(borrow)]
    arguments: Option<Echo<'a>>,
    #[serde(borrow, rename = "_meta")]
    meta: Meta<'a>,
}

/// A string that is borrowed unless it has an escape; serde copies one that is only optional.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl Text<'_> {
    fn as_str(&self) -> &str {
        &self.0
    }
}

#[derive(Deserialize)]
struct Echo<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Meta<'a> {
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Cow<'a, str>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientCapabilities")]
    _capabilities: &'a RawValue,
}

/// A body of at most two pieces, the second shared, so that hyper writes them without a copy.
#[derive(Default)]
struct Answer {
    head: Option<Bytes>,
    rest: Option<Bytes>,
}

impl Body for Answer {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let piece = self.head.take().or_else(|| self.rest.take());
        Poll::Ready(piece.map(|piece| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.head.is_none() && self.rest.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        let length = |piece: &Option<Bytes>| piece.as_ref().map_or(0, Bytes::len);
        let total = length(&self.head) + length(&self.rest);
        SizeHint::with_exact(total.try_into().unwrap_or(u64::MAX))
    }
}
