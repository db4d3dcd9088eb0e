//! Clients that are libraries: a script of ours keeps one connection and takes a request a line.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::client::{Client, Endpoint, Reply};
use super::{Home, PROTOCOL};

/// The official TypeScript client.
pub(super) fn typescript(home: &Home, endpoint: &Endpoint) -> Result<Box<dyn Client>> {
    let command = home.node.own_script(&home.assets.join("drive.mjs"))?;
    start(command, endpoint, home.output.join("ts.log"))
}

/// The official Python client.
pub(super) fn python(home: &Home, endpoint: &Endpoint) -> Result<Box<dyn Client>> {
    let mut command = Command::new(&home.python);
    // Compiled files belong beside the packages, not into the work tree.
    command.arg("-B").arg(home.assets.join("drive.py"));
    start(command, endpoint, home.output.join("python.log"))
}

fn start(mut command: Command, endpoint: &Endpoint, log: PathBuf) -> Result<Box<dyn Client>> {
    let target = match endpoint {
        Endpoint::Http { url } => json!({ "protocol": PROTOCOL, "url": url }),
        Endpoint::Stdio { program, args } => {
            json!({ "protocol": PROTOCOL, "command": program, "args": args })
        }
    };
    command.arg(target.to_string()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(File::create(&log)?).spawn().context("the driver")?;
    let (Some(requests), Some(replies)) = (child.stdin.take(), child.stdout.take()) else {
        bail!("the driver has no pipes");
    };
    Ok(Box::new(Driver { child, requests: Some(requests), replies: BufReader::new(replies), log }))
}

struct Driver {
    child: Child,
    /// Dropped first, which tells the script to close its client.
    requests: Option<ChildStdin>,
    replies: BufReader<ChildStdout>,
    log: PathBuf,
}

impl Client for Driver {
    fn ask(&mut self, method: &str, params: &Value) -> Result<Reply> {
        let request = json!({ "method": method, "params": params });
        let requests = self.requests.as_mut().context("the driver is closed")?;
        writeln!(requests, "{request}").with_context(|| ended(&self.log))?;
        let mut line = String::new();
        if self.replies.read_line(&mut line)? == 0 {
            bail!(ended(&self.log));
        }
        let reply: Value =
            serde_json::from_str(&line).with_context(|| format!("the driver said {line}"))?;
        match (reply.get("result"), reply.get("error")) {
            (Some(result), None) => Ok(Reply::Result(result.clone())),
            (_, Some(error)) => Ok(Reply::Error(error.clone())),
            (None, None) => bail!("the driver said {line}"),
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        drop(self.requests.take());
        // An error means that it has ended already.
        self.child.wait().ok();
    }
}

fn ended(log: &Path) -> String {
    format!("the driver ended; {} says:\n{}", log.display(), {
        std::fs::read_to_string(log).unwrap_or_default()
    })
}
