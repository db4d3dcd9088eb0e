//! Clients that we did not write, driving the memory server: one row a client, one line a step.
//!
//! A client is anything that turns a method and its parameters into the server's answer.
//! What is asked and what must come back is written once, in `flow.rs`, for all of them.
//! Every byte between client and server is recorded, so that a failure shows what was said and
//! the protocol version is read off the wire rather than taken from the client's word.

mod client;
mod driver;
mod flow;
mod once;
mod wire;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use self::client::{Client, Endpoint};
use self::flow::{FLOW, Session, Verdict};
use self::wire::{Proxy, Wire};
use crate::chore::{EVERYTHING, cargo_command};
use crate::flags::Flags;
use crate::node::Node;
use crate::process::run as run_command;
use crate::python;
use crate::say::say;
use crate::server::Server;
use crate::workspace::Workspace;

pub(crate) use self::wire::tee;

/// The revision that every client is told to speak.
const PROTOCOL: &str = "2026-07-28";
const TRANSPORTS: &[&str] = &["http", "stdio"];

/// A client that drives our server.
struct Row {
    name: &'static str,
    start: fn(&Home, Endpoint) -> Result<Box<dyn Client>>,
}

/// Every client. The versions stand in `interop/package.json`, `interop/requirements.txt` and
/// `Cargo.lock`.
const CLIENTS: &[Row] = &[
    Row { name: "ts", start: |home, endpoint| driver::typescript(home, &endpoint) },
    Row { name: "python", start: |home, endpoint| driver::python(home, &endpoint) },
    Row { name: "rust", start: |home, endpoint| Ok(once::rust(home, endpoint)) },
    Row { name: "inspector", start: |home, endpoint| Ok(once::inspector(home, endpoint)) },
];

/// What the clients are started from.
struct Home {
    /// `interop` in the workspace: the driver scripts.
    assets: PathBuf,
    /// Where the logs and the server's data go.
    output: PathBuf,
    node: Node,
    python: PathBuf,
    /// Our command line, which is the official Rust client.
    cli: PathBuf,
    server: PathBuf,
}

/// Runs the flow with every client over every transport, or those that the flags choose.
///
/// `--server PROGRAM` drives another program with the memory server's command line and surface.
pub(crate) fn run(words: &[String]) -> Result<()> {
    if let Some((first, rest)) = words.split_first()
        && first == "tee"
    {
        return tee(rest);
    }
    let flags = Flags::parse(words, &["--client", "--transport", "--server"])?;
    let home = Home::prepare(flags.value("--server"))?;
    let chosen = |flag: &str, name: &str| flags.value(flag).is_none_or(|wanted| wanted == name);
    let mut tally = Tally::default();
    for row in CLIENTS.iter().filter(|row| chosen("--client", row.name)) {
        for transport in TRANSPORTS.iter().filter(|name| chosen("--transport", name)) {
            let leg = Leg { home: &home, row, transport };
            if let Err(error) = leg.run(&mut tally) {
                tally.failed += 1;
                say(&format!("FAILED {} {transport}: {error:#}", row.name));
            }
        }
    }
    let Tally { passed, limits, failed } = tally;
    let closing = format!("{passed} passed, {failed} failed, {limits} beyond the client");
    if failed > 0 || passed == 0 {
        bail!("{closing}; what went over the wire lies in {}", home.output.display());
    }
    say(&closing);
    Ok(())
}

#[derive(Debug, Default)]
struct Tally {
    passed: usize,
    limits: usize,
    failed: usize,
}

impl Home {
    /// Builds our programs and installs the clients.
    fn prepare(server: Option<&str>) -> Result<Self> {
        let workspace = Workspace::load()?;
        let assets = workspace.root.join("interop");
        let output = workspace.scratch().join("interop");
        std::fs::create_dir_all(&output)?;
        // The same packages and features as the tests, so that nothing is built twice.
        let bins = ["--bin", "memory", "--bin", "aqueduct"];
        run_command(cargo_command(&["build"]).arg("--quiet").args(bins).args(EVERYTHING))?;
        let built = workspace.target.join("debug");
        Ok(Self {
            node: Node::install(&workspace, &assets, "interop")?,
            python: python::install(&workspace, &assets.join("requirements.txt"), "interop")?,
            cli: built.join("aqueduct"),
            server: server.map_or_else(|| built.join("memory"), PathBuf::from),
            assets,
            output,
        })
    }
}

/// One client over one transport.
struct Leg<'a> {
    home: &'a Home,
    row: &'a Row,
    transport: &'a str,
}

impl Leg<'_> {
    fn run(&self, tally: &mut Tally) -> Result<()> {
        let base = self.home.output.join(format!("{}-{}", self.row.name, self.transport));
        let data = base.with_extension("data");
        if data.exists() {
            std::fs::remove_dir_all(&data)?;
        }
        // A folder, because a database may keep more than one file.
        std::fs::create_dir(&data)?;
        let data = data.join("memory.db");
        let wire = Wire::create(base.with_extension("wire"))?;
        let (endpoint, _running) = self.endpoint(&data, &wire, &base.with_extension("log"))?;
        let mut client = (self.row.start)(self.home, endpoint)?;
        let mut session = Session::new(client.as_mut(), self.row.name, self.transport);
        for step in FLOW {
            let mark = wire.mark()?;
            let verdict = (step.run)(&mut session)
                .and_then(|verdict| wire.check(mark, &verdict).map(|()| verdict));
            let line = format!("{} {} {}", self.row.name, self.transport, step.name);
            match verdict {
                Ok(Verdict::Passed) => {
                    tally.passed += 1;
                    say(&format!("ok {line}"));
                }
                Ok(Verdict::Limit(reason)) => {
                    tally.limits += 1;
                    say(&format!("-- {line}: {reason}"));
                }
                Err(error) => {
                    tally.failed += 1;
                    say(&format!("FAILED {line}: {error:#}\n{}", wire.shown(mark)?));
                }
            }
        }
        Ok(())
    }

    /// The server of this leg, fresh, with the recorder between it and the client.
    fn endpoint(&self, data: &Path, wire: &Wire, log: &Path) -> Result<(Endpoint, Running)> {
        let data = data.to_str().context("the workspace's path is not UTF-8")?;
        let program = &self.home.server;
        if self.transport == "http" {
            let mut command = std::process::Command::new(program);
            command.args(["--http", "127.0.0.1:0", "--data", data]);
            // The client's Host names the recorder's port, not the server's.
            command.args(["--allow-host", "127.0.0.1"]);
            let server = Server::start(command, log)?;
            let proxy = Proxy::start(server.url(), wire)?;
            return Ok((Endpoint::Http { url: proxy.url() }, Some((server, proxy))));
        }
        let server = program.to_str().context("the server's path is not UTF-8")?;
        let words = ["interop", "tee", wire.path()?, server, "--stdio", "--data", data];
        let args = words.iter().map(|&word| word.to_owned()).collect();
        Ok((Endpoint::Stdio { program: crate::process::own_program()?, args }, None))
    }
}

/// What must live as long as the leg: over stdio the client owns the server.
type Running = Option<(Server, Proxy)>;
