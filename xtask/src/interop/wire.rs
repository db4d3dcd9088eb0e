//! The recorder between client and server: a proxy for HTTP, a pair of pipes for stdio.
//!
//! Both write what passes to one file before they pass it on, so that whatever a client has seen
//! is in the file by the time the client tells us.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, bail};

use super::STATELESS;
use super::flow::Verdict;

/// As much of the wire as a failure shows.
const SHOWN: usize = 16 * 1024;
const TO_SERVER: &str = ">";
const TO_CLIENT: &str = "<";

/// The file that holds one leg's bytes, as records of `> LENGTH\n`, the bytes, `\n`.
#[derive(Clone, Debug)]
pub(super) struct Wire {
    path: PathBuf,
    file: Arc<Mutex<File>>,
    /// What is to be the last that a connection says.
    fuse: Arc<Mutex<Option<String>>>,
}

impl Wire {
    pub(super) fn create(path: PathBuf) -> Result<Self> {
        File::create(&path)?;
        Self::open(path)
    }

    fn open(path: PathBuf) -> Result<Self> {
        let file = File::options().append(true).open(&path)?;
        Ok(Self { path, file: Arc::new(Mutex::new(file)), fuse: Arc::default() })
    }

    pub(super) fn path(&self) -> Result<&str> {
        self.path.to_str().context("the workspace's path is not UTF-8")
    }

    /// Where the record stands, to be named again after the step.
    pub(super) fn mark(&self) -> Result<usize> {
        Ok(usize::try_from(std::fs::metadata(&self.path)?.len())?)
    }

    /// Everything since the mark, as people read it.
    pub(super) fn shown(&self, mark: usize) -> Result<String> {
        let mut shown = String::new();
        for (direction, bytes) in self.records(mark)? {
            writeln!(shown, "{direction} {}", String::from_utf8_lossy(&bytes).trim_end())?;
        }
        if shown.is_empty() {
            return Ok("(nothing went over the wire)".to_owned());
        }
        let cut = shown.char_indices().rev().nth(SHOWN).map_or(0, |(index, _)| index);
        Ok(shown.split_off(cut))
    }

    /// A step that passed has asked the server, in the revision that it was told to.
    pub(super) fn check(&self, mark: usize, verdict: &Verdict, protocol: &str) -> Result<()> {
        if matches!(verdict, Verdict::Limit(_)) {
            return Ok(());
        }
        let asked = self.plain(mark, TO_SERVER)?;
        let requests = asked.matches(r#""jsonrpc":"2.0""#).count();
        if requests == 0 {
            bail!("the client asked the server nothing");
        }
        let named = asked.matches(r#""io.modelcontextprotocol/protocolVersion":""#).count();
        if protocol != STATELESS {
            // Once, in the answer to the handshake; from there on no message names it.
            let agreed = format!(r#""protocolVersion":"{protocol}""#);
            if named > 0 || !self.plain(0, TO_CLIENT)?.contains(&agreed) {
                bail!("the handshake did not settle on {protocol}");
            }
            return Ok(());
        }
        let version = format!(r#""io.modelcontextprotocol/protocolVersion":"{protocol}""#);
        let versioned = asked.matches(&version).count();
        // What asks for nothing need not say in which revision.
        let requests = requests - asked.matches(r#""method":"notifications/"#).count();
        if versioned < requests || versioned == 0 {
            bail!("{versioned} of {requests} requests to the server name version {protocol}");
        }
        Ok(())
    }

    /// Has the client, since the mark, come back for the rest of a stream?
    pub(super) fn is_resumed(&self, mark: usize) -> Result<bool> {
        Ok(self.plain(mark, TO_SERVER)?.to_ascii_lowercase().contains("last-event-id:"))
    }

    /// Has the server, since the mark, refused something with this code?
    pub(super) fn is_refused(&self, mark: usize, code: i64) -> Result<bool> {
        Ok(self.plain(mark, TO_CLIENT)?.contains(&format!(r#""code":{code},"#)))
    }

    /// Everything that went in a direction since the mark, without spaces.
    fn plain(&self, mark: usize, to: &str) -> Result<String> {
        let said = self
            .records(mark)?
            .into_iter()
            .filter(|(direction, _)| direction == to)
            .flat_map(|(_, bytes)| bytes)
            .filter(|byte| *byte != b' ')
            .collect::<Vec<u8>>();
        Ok(String::from_utf8_lossy(&said).into_owned())
    }

    /// Breaks the connection on which the client is told this next, once it has been told.
    pub(super) fn break_after(&self, words: &str) {
        *self.fuse.lock().unwrap_or_else(PoisonError::into_inner) = Some(words.to_owned());
    }

    /// Is the connection that said this to be broken?
    fn is_last(&self, bytes: &[u8]) -> bool {
        let mut fuse = self.fuse.lock().unwrap_or_else(PoisonError::into_inner);
        let said = String::from_utf8_lossy(bytes);
        if fuse.as_ref().is_none_or(|words| !said.contains(words.as_str())) {
            return false;
        }
        *fuse = None;
        true
    }

    fn records(&self, mark: usize) -> Result<Vec<(String, Vec<u8>)>> {
        let all = std::fs::read(&self.path)?;
        let mut rest = all.get(mark..).unwrap_or_default();
        let mut records = Vec::new();
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let (head, tail) = rest.split_at_checked(end + 1).context("a torn record")?;
            let head = std::str::from_utf8(head)?.trim_end();
            let (direction, length) = head.split_once(' ').context("a torn record")?;
            let (bytes, tail) = tail.split_at_checked(length.parse()?).context("a torn record")?;
            records.push((direction.to_owned(), bytes.to_vec()));
            rest = tail.get(1..).unwrap_or_default();
        }
        Ok(records)
    }

    fn record(&self, direction: &str, bytes: &[u8]) -> io::Result<()> {
        let mut record = format!("{direction} {}\n", bytes.len()).into_bytes();
        record.extend_from_slice(bytes);
        record.push(b'\n');
        // Poison means that the other direction's thread died; the file itself is whole.
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(&record)
    }

    /// Copies until the end, recording before passing on.
    fn pass(&self, direction: &str, mut from: impl Read, mut to: impl Write) -> io::Result<()> {
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let length = from.read(&mut buffer)?;
            let Some(bytes) = buffer.get(..length).filter(|bytes| !bytes.is_empty()) else {
                return Ok(());
            };
            self.record(direction, bytes)?;
            to.write_all(bytes)?;
            to.flush()?;
            if direction == TO_CLIENT && self.is_last(bytes) {
                return Ok(());
            }
        }
    }
}

/// A port of our own before the server's.
#[derive(Debug)]
pub(super) struct Proxy {
    address: SocketAddr,
    path: String,
}

impl Proxy {
    /// Listens, and passes each connection on to the server. Its threads end with the program.
    pub(super) fn start(url: &str, wire: &Wire) -> Result<Self> {
        let rest = url.strip_prefix("http://").context("the server's address is not http")?;
        let (server, path) = rest.split_once('/').context("the server's address has no path")?;
        let server: SocketAddr = server.parse()?;
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let proxy = Self { address: listener.local_addr()?, path: path.to_owned() };
        let wire = wire.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                // A connection that breaks shows as the client's failure.
                connect(client, server, &wire).ok();
            }
        });
        Ok(proxy)
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}/{}", self.address, self.path)
    }
}

fn connect(client: TcpStream, server: SocketAddr, wire: &Wire) -> io::Result<()> {
    let upstream = TcpStream::connect(server)?;
    for (direction, from, to) in
        [(TO_SERVER, client.try_clone()?, upstream.try_clone()?), (TO_CLIENT, upstream, client)]
    {
        let wire = wire.clone();
        thread::spawn(move || {
            // Either side may hang up at any time; the other is told.
            wire.pass(direction, &from, &to).ok();
            let is_over = direction == TO_CLIENT;
            to.shutdown(if is_over { Shutdown::Both } else { Shutdown::Write }).ok();
            if is_over {
                from.shutdown(Shutdown::Both).ok();
            }
        });
    }
    Ok(())
}

/// `tee FILE PROGRAM ARGS…`: runs a stdio server and records both of its pipes.
///
/// No `--` before the program: the Inspector takes it for its own.
pub(crate) fn tee(words: &[String]) -> Result<()> {
    let [file, program, args @ ..] = words else { bail!("tee FILE PROGRAM ARGS…") };
    let wire = Wire::open(PathBuf::from(file))?;
    let mut command = Command::new(program);
    let mut child = command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        bail!("the server has no pipes");
    };
    let recorder = wire.clone();
    // Not joined: it waits for the client, and the server may end first.
    thread::spawn(move || recorder.pass(TO_SERVER, io::stdin().lock(), input));
    wire.pass(TO_CLIENT, output, io::stdout().lock())?;
    let status = child.wait()?;
    if !status.success() {
        bail!("the server ended with {status}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wire(name: &str) -> Wire {
        let path = std::env::temp_dir().join(format!("{name}-{}.wire", std::process::id()));
        Wire::create(path).unwrap()
    }

    #[test]
    fn a_request_without_the_version_is_found() {
        let wire = wire("version");
        let spoken = format!(
            r#"{{"jsonrpc":"2.0","_meta":{{"io.modelcontextprotocol/protocolVersion":"{STATELESS}"}}}}"#
        );
        wire.record(TO_SERVER, spoken.as_bytes()).unwrap();
        assert!(wire.check(0, &Verdict::Passed, STATELESS).is_ok());
        let mark = wire.mark().unwrap();
        assert!(wire.check(mark, &Verdict::Passed, STATELESS).is_err(), "nothing was asked");
        wire.record(TO_SERVER, br#"{"jsonrpc":"2.0","method":"initialize"}"#).unwrap();
        assert!(wire.check(mark, &Verdict::Passed, STATELESS).is_err());
    }

    #[test]
    fn a_record_split_over_reads_is_joined() {
        let wire = wire("split");
        let spoken = format!(
            r#"{{"jsonrpc":"2.0","_meta":{{"io.modelcontextprotocol/protocolVersion":"{STATELESS}"}}}}"#
        );
        for half in spoken.as_bytes().chunks(40) {
            wire.record(TO_SERVER, half).unwrap();
            wire.record(TO_CLIENT, b"\n").unwrap();
        }
        assert!(wire.check(0, &Verdict::Passed, STATELESS).is_ok());
        assert!(wire.shown(0).unwrap().starts_with("> {\"jsonrpc\""));
    }
}
