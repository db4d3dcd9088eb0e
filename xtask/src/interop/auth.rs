//! The authorization flow with official clients: from the first refusal to a token, a call, and a
//! better token for a call that needs more.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::{Home, Tally};
use crate::chore::{EVERYTHING, cargo_command};
use crate::process::run as run_command;
use crate::say::say;
use crate::server::Server;
use crate::workspace::Workspace;

/// The program that stands for a protected server, its provider within.
const PROGRAM: &str = "protected";

/// Runs the flow with each client that `chosen` names.
pub(super) fn run(home: &Home, chosen: impl Fn(&str) -> bool, tally: &mut Tally) -> Result<()> {
    let clients: Vec<&str> = ["ts", "python"].into_iter().filter(|name| chosen(name)).collect();
    if clients.is_empty() {
        return Ok(());
    }
    run_command(
        cargo_command(&["build"]).args(["--quiet", "--example", PROGRAM]).args(EVERYTHING),
    )?;
    let program = Workspace::load()?.target.join("debug/examples").join(PROGRAM);
    for client in clients {
        // A fresh provider for each, which has registered nobody.
        let log = home.output.join(format!("{client}-auth.log"));
        let server = Server::start(Command::new(&program), &log)?;
        let script = if client == "ts" {
            home.node.own_script(&home.assets.join("auth.mjs"))?
        } else {
            let mut command = Command::new(&home.python);
            command.arg("-B").arg(home.assets.join("auth.py"));
            command
        };
        match flow(script, server.url(), &log) {
            Ok(()) => {
                tally.passed += 1;
                say(&format!("ok {client} http authorization, with a step up"));
            }
            Err(error) => {
                tally.failed += 1;
                say(&format!("FAILED {client} http authorization: {error:#}"));
            }
        }
    }
    Ok(())
}

/// Lets a script go through the flow and looks at each of its steps.
fn flow(mut script: Command, url: &str, log: &Path) -> Result<()> {
    let output = script.arg(url).stdin(Stdio::null()).output().context("the script")?;
    let said = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        bail!(
            "the script failed; see {}: {said}{}",
            log.display(),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let steps: Vec<Value> =
        said.lines().map(serde_json::from_str).collect::<Result<_, _>>().context("its steps")?;
    let asked = |scope: &str| json!({ "step": "authorize", "resource": url, "method": "S256", "scope": scope });
    let got = |scope: &str| json!({ "step": "token", "scope": scope });
    let expected = [
        asked("notes:read"),
        got("notes:read"),
        json!({ "step": "whoami", "text": "alice may notes:read" }),
        asked("notes:read notes:write"),
        got("notes:read notes:write"),
        json!({ "step": "publish", "text": "published x" }),
    ];
    ensure!(steps == expected, "the steps were {said}");
    Ok(())
}
