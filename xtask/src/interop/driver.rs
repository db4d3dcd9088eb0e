//! Clients that are libraries: a program of ours keeps one connection and takes a request a line.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::client::{Client, Endpoint, Reply};
use super::{Home, Row};

/// The official TypeScript client, of the package that is named.
pub(super) fn typescript(
    home: &Home,
    endpoint: &Endpoint,
    row: &Row,
    library: &str,
) -> Result<Box<dyn Client>> {
    let command = home.node.own_script(&home.assets.join("drive.mjs"))?;
    start(home, command, endpoint, row, &json!({ "library": library }))
}

/// The official Python client: this script, in this environment.
pub(super) fn python(
    home: &Home,
    endpoint: &Endpoint,
    row: &Row,
    interpreter: &Path,
    script: &str,
) -> Result<Box<dyn Client>> {
    let mut command = Command::new(interpreter);
    // Compiled files belong beside the packages, not into the work tree.
    command.arg("-B").arg(home.assets.join(script));
    start(home, command, endpoint, row, &json!({}))
}

/// The official Rust client.
pub(super) fn rust(home: &Home, endpoint: &Endpoint, row: &Row) -> Result<Box<dyn Client>> {
    start(home, Command::new(&home.driver), endpoint, row, &json!({}))
}

fn start(
    home: &Home,
    mut command: Command,
    endpoint: &Endpoint,
    row: &Row,
    more: &Value,
) -> Result<Box<dyn Client>> {
    let mut target = more.clone();
    let told = match endpoint {
        Endpoint::Http { url } => json!({ "protocol": row.protocol, "url": url }),
        Endpoint::Stdio { program, args } => {
            json!({ "protocol": row.protocol, "command": program, "args": args })
        }
    };
    if let (Value::Object(target), Value::Object(told)) = (&mut target, told) {
        target.extend(told);
    }
    let log = home.output.join(format!("{}.log", row.name));
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
