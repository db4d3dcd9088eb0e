//! The server that is tried: built as for a release, started, asked, and weighed.

use std::process::Command;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::peer;
use crate::chore::cargo_command;
use crate::process::run;
use crate::server::Server;
use crate::workspace::Workspace;

/// A running server of ours.
#[derive(Debug)]
pub(super) struct Subject {
    server: Server,
    /// Where it listens, without scheme and path.
    pub(super) host: String,
}

impl Subject {
    /// Builds a program of the package `benches` as for a release, and starts it.
    pub(super) fn start(program: &str) -> Result<Self> {
        let workspace = Workspace::load()?;
        run(cargo_command(&["build"]).args(["--quiet", "--release", "-p", "benches"]))?;
        let output = workspace.scratch().join("experiment");
        std::fs::create_dir_all(&output)?;
        let mut command = Command::new(workspace.target.join("release").join(program));
        command.args(["--http", "127.0.0.1:0"]);
        let server = Server::start(command, &output.join(format!("{program}.log")))?;
        let host = server.url().trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
        Ok(Self { server, host })
    }

    /// Calls a tool, and gives the number that it answers with.
    pub(super) async fn number(&self, tool: &str, arguments: Value) -> Result<f64> {
        let answer = peer::call(&self.host, tool, arguments).await?;
        let text = answer.pointer("/result/content/0/text").and_then(Value::as_str);
        let text = text.with_context(|| format!("{tool} answered {answer}"))?;
        text.parse().with_context(|| format!("{tool} answered {text:?}"))
    }

    /// How many listen now, as the server knows it.
    pub(super) async fn listeners(&self) -> Result<f64> {
        self.number("listeners", json!({})).await
    }

    /// How much memory of it is resident, in KiB.
    pub(super) fn resident(&self) -> Result<f64> {
        self.memory("VmRSS:")
    }

    /// How much was resident at most, in KiB.
    pub(super) fn peak(&self) -> Result<f64> {
        self.memory("VmHWM:")
    }

    fn memory(&self, name: &str) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.server.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let kib = line.and_then(|line| line.split_whitespace().next());
        Ok(kib.with_context(|| format!("no {name}"))?.parse()?)
    }

    /// How many files it has open.
    pub(super) fn files(&self) -> Result<f64> {
        let open = std::fs::read_dir(format!("/proc/{}/fd", self.server.id()))?;
        Ok(f64::from(u32::try_from(open.count())?))
    }

    /// Asks it to end, and waits until it has.
    pub(super) fn end(self) -> Result<()> {
        self.server.end()
    }
}
