//! Clients that we did not write, driving our servers: one row a client, one line a step.
//!
//! A client is anything that turns a method and its parameters into the server's answer.
//! What is asked and what must come back is written once for all of them: in `flow.rs` for the
//! memory server, in `talk.rs` for the fixture server, which asks and tells.
//! Every byte between client and server is recorded, so that a failure shows what was said and
//! the protocol version is read off the wire rather than taken from the client's word.

mod auth;
mod client;
mod driver;
mod flow;
mod leg;
mod once;
mod talk;
mod wire;

use std::path::PathBuf;

use anyhow::{Result, bail};

use self::client::{Client, Endpoint};
use self::leg::{Leg, Subject};
use crate::chore::{EVERYTHING, cargo_command};
use crate::flags::Flags;
use crate::node::Node;
use crate::process::run as run_command;
use crate::python;
use crate::say::say;
use crate::workspace::Workspace;

pub(crate) use self::wire::tee;

/// The revision without a handshake.
const STATELESS: &str = "2026-07-28";
/// The newest of those with one.
const HANDSHAKE: &str = "2025-11-25";
const TRANSPORTS: &[&str] = &["http", "stdio"];

/// A client that drives our servers.
struct Row {
    name: &'static str,
    protocol: &'static str,
    /// What it drives: one that keeps no connection can be asked and told nothing.
    subjects: &'static [Subject],
    start: fn(&Home, &Endpoint, &Self) -> Result<Box<dyn Client>>,
}

impl Row {
    const fn new(
        name: &'static str,
        protocol: &'static str,
        start: fn(&Home, &Endpoint, &Self) -> Result<Box<dyn Client>>,
    ) -> Self {
        Self { name, protocol, subjects: &[Subject::Memory, Subject::Fixtures], start }
    }

    const fn once(self) -> Self {
        Self { subjects: &[Subject::Memory], ..self }
    }
}

/// Every client. The versions stand in `interop/package.json`, `interop/requirements.txt`,
/// `interop/requirements-v1.txt` and `Cargo.lock`.
const CLIENTS: &[Row] = &[
    Row::new("ts", STATELESS, typescript),
    Row::new("ts-handshake", HANDSHAKE, typescript),
    Row::new("ts-v1", HANDSHAKE, typescript_v1),
    Row::new("python", STATELESS, python),
    Row::new("python-handshake", HANDSHAKE, python),
    Row::new("python-v1", HANDSHAKE, python_v1),
    Row::new("rmcp", STATELESS, driver::rust),
    Row::new("rmcp-2025-11-25", HANDSHAKE, driver::rust),
    Row::new("rmcp-2025-06-18", "2025-06-18", driver::rust),
    Row::new("rmcp-2025-03-26", "2025-03-26", driver::rust),
    Row::new("rust", STATELESS, |home, endpoint, _| Ok(once::rust(home, endpoint.clone()))).once(),
    Row::new("inspector", STATELESS, |home, endpoint, _| {
        Ok(once::inspector(home, endpoint.clone()))
    })
    .once(),
];

fn typescript(home: &Home, endpoint: &Endpoint, row: &Row) -> Result<Box<dyn Client>> {
    driver::typescript(home, endpoint, row, "@modelcontextprotocol/client")
}

fn typescript_v1(home: &Home, endpoint: &Endpoint, row: &Row) -> Result<Box<dyn Client>> {
    driver::typescript(home, endpoint, row, "@modelcontextprotocol/sdk")
}

fn python(home: &Home, endpoint: &Endpoint, row: &Row) -> Result<Box<dyn Client>> {
    driver::python(home, endpoint, row, &home.python, "drive.py")
}

fn python_v1(home: &Home, endpoint: &Endpoint, row: &Row) -> Result<Box<dyn Client>> {
    driver::python(home, endpoint, row, &home.python_v1, "drive_v1.py")
}

/// What the clients are started from.
struct Home {
    /// `interop` in the workspace: the driver scripts.
    assets: PathBuf,
    /// Where the logs and the server's data go.
    output: PathBuf,
    node: Node,
    python: PathBuf,
    /// The same with version 1 of the client.
    python_v1: PathBuf,
    /// The program that drives through the official Rust client.
    driver: PathBuf,
    /// Our command line, which is the official Rust client.
    cli: PathBuf,
    memory: PathBuf,
    fixtures: PathBuf,
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
            for subject in row.subjects {
                let leg = Leg { home: &home, row, transport, subject: *subject };
                if let Err(error) = leg.run(&mut tally) {
                    tally.failed += 1;
                    say(&format!("FAILED {} {transport}: {error:#}", row.name));
                }
            }
        }
    }
    if chosen("--transport", "http") && flags.value("--server").is_none() {
        auth::run(&home, |name| chosen("--client", name), &mut tally)?;
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
        let bins = ["memory", "conformance", "aqueduct", "interop-rust"];
        let bins = bins.iter().flat_map(|bin| ["--bin", bin]);
        run_command(cargo_command(&["build"]).arg("--quiet").args(bins).args(EVERYTHING))?;
        let built = workspace.target.join("debug");
        Ok(Self {
            node: Node::install(&workspace, &assets, "interop")?,
            python: python::install(&workspace, &assets.join("requirements.txt"), "interop")?,
            python_v1: {
                let pins = assets.join("requirements-v1.txt");
                python::install(&workspace, &pins, "interop-v1")?
            },
            driver: built.join("interop-rust"),
            cli: built.join("aqueduct"),
            memory: server.map_or_else(|| built.join("memory"), PathBuf::from),
            fixtures: built.join("conformance"),
            assets,
            output,
        })
    }
}
