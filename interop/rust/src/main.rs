//! Drives a server with the official Rust client: one JSON request a line in, one reply a line out.
//!
//! The first argument is `{"protocol": VERSION}` with `"url": URL` or `"command": PROGRAM` and
//! `"args": […]`. A request is `{"method": METHOD, "params": {…}}`, a reply `{"result": …}` or
//! `{"error": {"code", "message"}}`.

#![expect(deprecated, reason = "what SEP-2577 ends is what the handshake revisions are made of")]

mod client;
mod driver;

use anyhow::{Context as _, Result};
use rmcp::model::ProtocolVersion;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientLifecycleMode, ClientServiceExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::Command;

use self::client::Interop;
use self::driver::Driver;

#[tokio::main]
async fn main() -> Result<()> {
    let target = std::env::args().nth(1).context("the target is missing")?;
    let target: Value = serde_json::from_str(&target)?;
    let mut driver = open(&target).await?;
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    let mut out = tokio::io::stdout();
    while let Some(line) = lines.next_line().await? {
        let reply = match driver.ask(&line).await {
            Ok(result) => json!({ "result": result }),
            Err(refused) => json!({ "error": refused }),
        };
        out.write_all(format!("{reply}\n").as_bytes()).await?;
        out.flush().await?;
    }
    driver.close().await
}

async fn open(target: &Value) -> Result<Driver> {
    let member = |name: &str| target.get(name).and_then(Value::as_str);
    let protocol = member("protocol").context("the protocol is missing")?;
    let is_stateless = protocol == ProtocolVersion::V_2026_07_28.as_str();
    let version: ProtocolVersion = serde_json::from_value(json!(protocol))?;
    let mode = if is_stateless {
        ClientLifecycleMode::Discover { preferred_versions: vec![version.clone()] }
    } else {
        ClientLifecycleMode::Initialize
    };
    let interop = Interop::new(version);
    let seen = interop.seen();
    let running = if let Some(url) = member("url") {
        // An error here means that a provider is installed already, which is as good.
        drop(rustls::crypto::ring::default_provider().install_default());
        let transport = StreamableHttpClientTransport::from_uri(url.to_owned());
        Box::pin(interop.serve_with_lifecycle(transport, mode)).await?
    } else {
        let mut command = Command::new(member("command").context("neither url nor command")?);
        let args = target.get("args").and_then(Value::as_array).cloned().unwrap_or_default();
        command.args(args.iter().filter_map(Value::as_str));
        let transport = TokioChildProcess::new(command)?;
        Box::pin(interop.serve_with_lifecycle(transport, mode)).await?
    };
    Ok(Driver::new(running, seen, is_stateless))
}
