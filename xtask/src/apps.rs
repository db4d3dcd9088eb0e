//! The pages of our examples in a browser: shown by a host on the official bridge, used step by step.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::chore::{EVERYTHING, cargo_command};
use crate::flags::Flags;
use crate::node::Node;
use crate::process::{ensure, is_there, run as run_command};
use crate::say::say;
use crate::server::Server;
use crate::workspace::Workspace;

/// What Debian calls the browser without a window, and the browsers that do as well.
const BROWSER: &str = "chromium-headless-shell";
const BROWSERS: [&str; 4] = [BROWSER, "chromium", "chromium-browser", "google-chrome"];
/// Where the host page is served; our server lets its origin in.
const LOOPBACK: &str = "127.0.0.1";
/// What the memory holds before the board is shown: the second would be markup if it were not text.
const NOTES: [&str; 3] = [
    "The user prefers tea.",
    r#"<b onclick="x">Bold</b> is the name of a boat."#,
    "The office moves in spring.",
];

/// Shows the memory's board in a headless browser and uses it; `--server PROGRAM` serves another memory.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let flags = Flags::parse(words, &["--server"])?;
    let workspace = Workspace::load()?;
    let assets = workspace.root.join("interop/apps");
    let output = workspace.scratch().join("apps");
    std::fs::create_dir_all(&output)?;
    let browser = browser()?;
    let node = Node::install(&workspace, &assets, "apps")?;
    let built = workspace.target.join("debug");
    let mut build = cargo_command(&["build"]);
    run_command(build.args(["--quiet", "--bin", "memory", "--bin", "aqueduct"]).args(EVERYTHING))?;
    let program = flags.value("--server").map_or_else(|| built.join("memory"), PathBuf::from);
    let data = output.join("memory.db");
    for leftover in ["memory.db", "memory.db-wal", "memory.db-shm"] {
        std::fs::remove_file(output.join(leftover)).ok();
    }
    let port = free_port()?;
    let mut memory = Command::new(&program);
    memory.args(["--http", "127.0.0.1:0", "--data"]).arg(&data);
    memory.args(["--allow-origin", &format!("http://{LOOPBACK}:{port}")]);
    let server = Server::start(memory, &output.join("server.log"))?;
    for text in NOTES {
        remember(&built.join("aqueduct"), server.url(), text)?;
    }
    let picture = output.join("board.png");
    let mut drive = node.own_script(&assets.join("drive.mjs"))?;
    drive.arg(&assets).arg(browser).args([server.url(), &port.to_string()]).arg(&picture);
    run_command(&mut drive)?;
    let size = std::fs::metadata(&picture).context("there is no picture of the board")?.len();
    say(&format!("the board works in a host; its picture: {} ({size} bytes)", picture.display()));
    Ok(())
}

/// A browser that is there, or the one that Debian packages.
fn browser() -> Result<&'static str> {
    if let Some(there) = BROWSERS.into_iter().find(|name| is_there(name, &["--version"])) {
        return Ok(there);
    }
    ensure(BROWSER, &["--version"], &[BROWSER])?;
    Ok(BROWSER)
}

/// A port that was free a moment ago: the server must know the host's origin before the host is up.
fn free_port() -> Result<u16> {
    Ok(TcpListener::bind((LOOPBACK, 0))?.local_addr()?.port())
}

/// Puts a note into the memory by our command line.
fn remember(program: &Path, url: &str, text: &str) -> Result<()> {
    let told = Command::new(program)
        .args(["call", "remember", &format!("text={text}"), url])
        .output()
        .with_context(|| format!("{} did not start", program.display()))?;
    if !told.status.success() {
        bail!("a note was not kept: {}", String::from_utf8_lossy(&told.stderr));
    }
    Ok(())
}
