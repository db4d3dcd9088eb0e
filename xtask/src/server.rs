//! One of our servers as a child process: started, waited for, stopped by its own id.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::process::run;

/// What the server prints on stderr when it is up, before its address.
const READY: &str = "listening on ";
/// A debug build on a loaded machine is up long before.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running server; dropping it ends it.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    url: String,
}

impl Server {
    /// Starts the program and waits until it names its address; stderr goes to `log`.
    pub(crate) fn start(mut command: Command, log: &Path) -> Result<Self> {
        let file = File::create(log)?;
        command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(Stdio::piped());
        let mut child = command.spawn().context("the server did not start")?;
        let (sender, addresses) = mpsc::channel();
        if let Some(stderr) = child.stderr.take() {
            // Ends with the pipe, that is with the child.
            thread::spawn(move || copy(BufReader::new(stderr), file, &sender));
        }
        let mut server = Self { child, url: String::new() };
        server.url = addresses.recv_timeout(PATIENCE).with_context(|| {
            format!("the server never said \"{READY}http://…\"; see {}", log.display())
        })?;
        Ok(server)
    }

    /// The number of its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Asks it to end and waits until it has, so that a tool it runs under can write its report.
    pub(crate) fn end(mut self) -> Result<()> {
        run(Command::new("kill").args(["-TERM", &self.id().to_string()]))?;
        self.child.wait().context("the server did not end")?;
        Ok(())
    }

    /// Where it listens.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // An error means that it has ended already.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Copies the server's words to the log and passes on the address.
fn copy(from: impl BufRead, mut log: impl Write, found: &mpsc::Sender<String>) {
    for line in from.lines() {
        let Ok(line) = line else { return };
        if let Some((_, url)) = line.split_once(READY) {
            found.send(url.trim().to_owned()).ok();
        }
        writeln!(log, "{line}").ok();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::copy;

    #[test]
    fn the_address_is_read_and_every_line_is_kept() {
        let (sender, receiver) = mpsc::channel();
        let mut log = Vec::new();
        let text = "a warning\nlistening on http://127.0.0.1:4711/mcp\nmore\n";
        copy(text.as_bytes(), &mut log, &sender);
        assert_eq!(receiver.recv().unwrap(), "http://127.0.0.1:4711/mcp");
        assert_eq!(String::from_utf8(log).unwrap(), text);
    }
}
