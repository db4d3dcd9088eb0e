//! One client over one transport, against one of our servers: each step of it, told as it ends.

use std::path::Path;

use anyhow::{Context, Result};

use super::client::Endpoint;
use super::flow::{FLOW, Session, Step, Verdict};
use super::talk::{STREAM, TALK};
use super::wire::{Proxy, Wire};
use super::{Home, Row, STATELESS, Tally};
use crate::say::say;
use crate::server::Server;

/// A server of ours that a client drives.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Subject {
    /// The example that remembers.
    Memory,
    /// The fixtures, which ask and tell.
    Fixtures,
}

/// One client over one transport.
pub(super) struct Leg<'a> {
    pub(super) home: &'a Home,
    pub(super) row: &'a Row,
    pub(super) transport: &'a str,
    pub(super) subject: Subject,
}

impl Leg<'_> {
    pub(super) fn run(&self, tally: &mut Tally) -> Result<()> {
        let subject = format!("{:?}", self.subject).to_lowercase();
        let base = format!("{}-{}-{subject}", self.row.name, self.transport);
        let base = self.home.output.join(base);
        let data = base.with_extension("data");
        if data.exists() {
            std::fs::remove_dir_all(&data)?;
        }
        // A folder, because a database may keep more than one file.
        std::fs::create_dir(&data)?;
        let data = data.join("memory.db");
        let wire = Wire::create(base.with_extension("wire"))?;
        let (endpoint, _running) = self.endpoint(&data, &wire, &base.with_extension("log"))?;
        let mut client = (self.row.start)(self.home, &endpoint, self.row)?;
        let mut session = Session::new(client.as_mut(), self, wire.clone());
        for (number, step) in self.steps().enumerate() {
            // A client may have connected before it was asked for anything.
            let mark = if number == 0 { 0 } else { wire.mark()? };
            let verdict = (step.run)(&mut session).and_then(|verdict| {
                wire.check(mark, &verdict, self.row.protocol).map(|()| verdict)
            });
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

    fn steps(&self) -> impl Iterator<Item = &'static Step> {
        // Streams that can be taken up again are the handshake revisions' over HTTP.
        let has_streams = self.transport == "http" && self.row.protocol != STATELESS;
        let (steps, more): (_, &[Step]) = match self.subject {
            Subject::Memory => (FLOW, &[]),
            Subject::Fixtures if has_streams => (TALK, STREAM),
            Subject::Fixtures => (TALK, &[]),
        };
        steps.iter().chain(more)
    }

    /// The server of this leg, fresh, with the recorder between it and the client.
    fn endpoint(&self, data: &Path, wire: &Wire, log: &Path) -> Result<(Endpoint, Running)> {
        let data = data.to_str().context("the workspace's path is not UTF-8")?;
        let (program, own): (_, &[&str]) = match self.subject {
            Subject::Memory => (&self.home.memory, &["--data", data]),
            Subject::Fixtures => (&self.home.fixtures, &[]),
        };
        if self.transport == "http" {
            let mut command = std::process::Command::new(program);
            command.args(["--http", "127.0.0.1:0"]).args(own);
            // The client's Host names the recorder's port, not the server's.
            command.args(["--allow-host", "127.0.0.1"]);
            let server = Server::start(command, log)?;
            let proxy = Proxy::start(server.url(), wire)?;
            return Ok((Endpoint::Http { url: proxy.url() }, Some((server, proxy))));
        }
        let server = program.to_str().context("the server's path is not UTF-8")?;
        let words = ["interop", "tee", wire.path()?, server, "--stdio"];
        let args = words.iter().chain(own).map(|&word| word.to_owned()).collect();
        Ok((Endpoint::Stdio { program: crate::process::own_program()?, args }, None))
    }
}

/// What must live as long as the leg: over stdio the client owns the server.
type Running = Option<(Server, Proxy)>;
