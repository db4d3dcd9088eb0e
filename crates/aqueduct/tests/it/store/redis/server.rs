//! A server that a test starts for itself, on a free port with a fresh folder, and stops by its id.

use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Names another program than `redis-server`, such as `valkey-server`.
const PROGRAM: &str = "AQUEDUCT_TEST_REDIS_SERVER";

/// What a store that keeps everything is set to.
pub(crate) const DURABLE: &[&str] = &["--appendonly", "yes", "--appendfsync", "always"];

pub(crate) struct Server {
    process: Child,
    folder: tempfile::TempDir,
    port: u16,
    settings: Vec<String>,
}

impl Server {
    /// Starts a server; `None` where there is none, which on a build server is a failure.
    pub(crate) fn start(settings: &[&str]) -> Option<Self> {
        let settings: Vec<_> = settings.iter().map(|one| (*one).to_owned()).collect();
        // Between the look for a free port and its use another process may take it.
        for _ in 0..10 {
            let folder = tempfile::tempdir().expect("a folder");
            let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
            let port = free.local_addr().expect("its address").port();
            drop(free);
            let process = spawn(port, &folder, &settings)?;
            let mut server = Self { process, folder, port, settings: settings.clone() };
            if server.answers() {
                return Some(server);
            }
        }
        panic!("no server started");
    }

    pub(super) fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.port).into()
    }

    /// The address of a store in it, apart from all others.
    pub(crate) fn url(&self, prefix: &str) -> String {
        format!("redis://{}/?prefix={prefix}", self.address())
    }

    /// Kills the process at once, as a crash would.
    pub(super) fn kill(&mut self) {
        self.process.kill().expect("a kill");
        self.process.wait().expect("its end");
    }

    /// Starts it again, at the same address with the same folder.
    pub(super) fn restart(&mut self) {
        self.process = spawn(self.port, &self.folder, &self.settings).expect("the server");
        assert!(self.answers(), "the server did not start again");
    }

    /// Lets the process stand still, or go on.
    pub(super) fn signal(&self, signal: &str) {
        let id = self.process.id().to_string();
        let status = Command::new("kill").args([signal, &id]).status().expect("kill");
        assert!(status.success());
    }

    /// Sends one command of words without spaces, and returns the answer as it came.
    pub(super) fn ask(&self, command: &str) -> String {
        let mut stream = TcpStream::connect(self.address()).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(5))).expect("a timeout");
        write!(stream, "{command}\r\n").expect("a command");
        let mut answer = [0; 4096];
        let length = stream.read(&mut answer).expect("an answer");
        String::from_utf8_lossy(&answer[..length]).into_owned()
    }

    fn answers(&mut self) -> bool {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(10) {
            if self.process.try_wait().expect("a status").is_some() {
                return false;
            }
            let is_there =
                TcpStream::connect(self.address()).is_ok() && !self.ask("PING").contains("LOADING");
            if is_there {
                return true;
            }
            std::thread::park_timeout(Duration::from_millis(10));
        }
        false
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn spawn(port: u16, folder: &tempfile::TempDir, settings: &[String]) -> Option<Child> {
    let program = std::env::var(PROGRAM).unwrap_or_else(|_| "redis-server".to_owned());
    let spawned = Command::new(&program)
        .args(["--bind", "127.0.0.1", "--save", "", "--port", &port.to_string(), "--dir"])
        .arg(folder.path())
        .args(settings)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    match spawned {
        Ok(child) => Some(child),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let mend =
                "install it (on Debian: apt-get install redis-server), or run cargo xtask test";
            assert!(std::env::var_os("CI").is_none(), "{program} is missing; {mend}");
            let mut error = std::io::stderr().lock();
            writeln!(error, "NOT TESTED: {program} is missing; {mend}").expect("an output");
            None
        }
        Err(error) => panic!("{program} did not start: {error}"),
    }
}
