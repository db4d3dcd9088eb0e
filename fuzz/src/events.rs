//! Streams of events, read by another reader than ours.

use aqueduct::server::Service;
use aqueduct::transport::http::HttpService;
use bytes::Bytes;
use http::{Request, header};
use http_body_util::{BodyExt as _, Full};
use serde_json::{Value, json};
use tower_service::Service as _;

use crate::world::World;

const VERSION: &str = "2026-07-28";

thread_local! {
    static HTTP: (World, HttpService<Service>) = {
        let world = World::new();
        let http = world.service.clone().into_http().port(80);
        (world, http)
    };
}

/// A text that is said as progress, as a log message and as an answer.
pub(crate) fn run(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let stream = HTTP.with(|(world, http)| {
        let mut http = http.clone();
        world.runtime.block_on(async {
            let Ok(response) = http.call(request(text)?).await;
            response.into_body().collect().await.ok().map(|body| body.to_bytes().to_vec())
        })
    });
    let Some(stream) = stream else { return };
    let events = events(&stream);
    let [progress, log, answer] = events.as_slice() else {
        return assert!(text.len() > 100_000, "{} events of {text:?}", events.len());
    };
    assert_eq!(progress["method"], "notifications/progress");
    assert_eq!(log.pointer("/params/data").and_then(Value::as_str), Some(text));
    assert_eq!(answer.pointer("/result/content/0/text").and_then(Value::as_str), Some(text));
}

fn request(text: &str) -> Option<Request<Full<Bytes>>> {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/logLevel": "debug",
        "progressToken": 1,
    });
    let params = json!({ "name": "text", "arguments": { "name": text }, "_meta": meta });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let request = Request::post("/mcp")
        .header(header::HOST, "localhost")
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "application/json, text/event-stream")
        .header("MCP-Protocol-Version", VERSION)
        .header("Mcp-Method", "tools/call")
        .header("Mcp-Name", "text");
    request.body(Full::new(Bytes::from(body.to_string()))).ok()
}

/// The data of each event, as the HTML standard reads it: a line ends by CR, LF or both.
fn events(stream: &[u8]) -> Vec<Value> {
    let Ok(text) = str::from_utf8(stream) else { return Vec::new() };
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut found = Vec::new();
    let mut data: Option<String> = None;
    for line in text.split('\n') {
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match (line.is_empty(), field) {
            (true, _) => {
                let event = data.take().and_then(|data| serde_json::from_str(&data).ok());
                found.extend(event);
            }
            (false, "data") => {
                let data = data.get_or_insert_default();
                if !data.is_empty() {
                    data.push('\n');
                }
                data.push_str(value);
            }
            (false, _) => {}
        }
    }
    found
}
