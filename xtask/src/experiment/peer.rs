//! A client of the least size, because ten thousand of them share this process.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

const VERSION: &str = "2026-07-28";
/// Longer than anything that passes could take.
const PATIENCE: Duration = Duration::from_secs(600);
/// What the acknowledgement of a listener has in it.
const ACKNOWLEDGED: &[u8] = b"notifications/subscriptions/acknowledged";

/// One open `subscriptions/listen`.
#[derive(Debug)]
pub(super) struct Stream {
    tcp: TcpStream,
    /// What was read and not yet understood, at most two frames.
    rest: Vec<u8>,
}

impl Stream {
    /// Listens, and reads until it is acknowledged.
    pub(super) async fn open(host: &str, filter: &Value) -> Result<Self> {
        let tcp = TcpStream::connect(host).await.context("no connection")?;
        let mut stream = Self { tcp, rest: Vec::new() };
        let params = json!({ "notifications": filter });
        stream.tcp.write_all(&request(host, "subscriptions/listen", None, params)).await?;
        stream.until(ACKNOWLEDGED).await?;
        Ok(stream)
    }

    /// Reads until these bytes have come.
    pub(super) async fn until(&mut self, wanted: &[u8]) -> Result<()> {
        let mut piece = [0; 1024];
        loop {
            let found = self.rest.windows(wanted.len()).position(|part| part == wanted);
            if let Some(found) = found {
                self.rest.drain(..found + wanted.len());
                self.rest.shrink_to_fit();
                return Ok(());
            }
            // What was wanted may have begun at the end of what is there.
            let keep = self.rest.len().saturating_sub(wanted.len());
            self.rest.drain(..keep);
            let count = timeout(PATIENCE, self.tcp.read(&mut piece)).await??;
            if count == 0 {
                bail!("the server ended a stream");
            }
            self.rest.extend_from_slice(piece.get(..count).unwrap_or_default());
        }
    }
}

/// Calls a tool on a connection of its own.
pub(super) async fn call(host: &str, tool: &str, arguments: Value) -> Result<Value> {
    let mut tcp = TcpStream::connect(host).await.context("no connection")?;
    tcp.write_all(&call_bytes(host, tool, &arguments)).await?;
    let mut answer = Vec::new();
    timeout(PATIENCE, tcp.read_to_end(&mut answer)).await??;
    let text = String::from_utf8(answer)?;
    let (head, body) = text.split_once("\r\n\r\n").context("the answer has no head")?;
    if !head.starts_with("HTTP/1.1 200") {
        bail!("{head}\n{body}");
    }
    serde_json::from_str(body).with_context(|| format!("not one JSON: {body}"))
}

/// The bytes of a call on a connection of its own.
pub(super) fn call_bytes(host: &str, tool: &str, arguments: &Value) -> Vec<u8> {
    let params = json!({ "name": tool, "arguments": arguments });
    request(host, "tools/call", Some(tool), params)
}

/// The bytes of a call whose body is anything.
pub(super) fn body_bytes(host: &str, body: &str, more: &str) -> Vec<u8> {
    format!(
        "POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: {VERSION}\r\n\
         Mcp-Method: tools/call\r\nMcp-Name: echo\r\nConnection: close\r\n{more}\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn request(host: &str, method: &str, name: Option<&str>, mut params: Value) -> Vec<u8> {
    if let Value::Object(params) = &mut params {
        params.insert(
            "_meta".to_owned(),
            json!({
                "io.modelcontextprotocol/protocolVersion": VERSION,
                "io.modelcontextprotocol/clientInfo": { "name": "experiment", "version": "1.0.0" },
                "io.modelcontextprotocol/clientCapabilities": {},
            }),
        );
    }
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let body = body.to_string();
    // A call ends its connection, so that its answer is all that comes.
    let more =
        name.map_or_else(String::new, |name| format!("Mcp-Name: {name}\r\nConnection: close\r\n"));
    format!(
        "POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: {VERSION}\r\n\
         Mcp-Method: {method}\r\n{more}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
