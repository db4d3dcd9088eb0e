//! The command line that every server has: where it serves, and for whom.

use std::ffi::OsString;
use std::fmt;
use std::io::{self, IsTerminal, Write};

use super::{BuildError, Server};
use crate::transport::http::{HostError, Listener};

/// The variable that stands in for `--http ADDR`.
const HTTP_VARIABLE: &str = "AQUEDUCT_HTTP";

/// What each server understands on its command line.
pub const USAGE: &str = "  --stdio               serve the process that started this one (the default without a terminal)
  --http ADDR           listen on ADDR, such as 127.0.0.1:8000 (or AQUEDUCT_HTTP=ADDR)
  --allow-host HOST     serve requests to this host too, beside loopback names; repeatable
  --allow-origin URL    let pages of this origin call from a browser; repeatable
  --help                say this
  --version             say which version this is";

/// Where a server serves, and for whom.
///
/// ```
/// use aqueduct::server::Run;
///
/// let (run, rest) = Run::parse(["--http", "127.0.0.1:8000", "--data", "x.db"].map(Into::into))?;
/// assert_eq!(rest, ["--data", "x.db"]);
/// assert_eq!(run, Run::http("127.0.0.1:8000"));
/// # Ok::<(), aqueduct::server::RunError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Run {
    /// The address to listen on; standard input and output otherwise.
    pub http: Option<String>,
    /// Was standard input and output asked for by name?
    pub stdio: bool,
    /// Hosts that are served beside loopback names.
    pub hosts: Vec<String>,
    /// Origins whose pages may call.
    pub origins: Vec<String>,
    /// Was the usage asked for?
    pub help: bool,
    /// Was the version asked for?
    pub version: bool,
}

/// Why a server did not run, or stopped.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunError {
    /// The command line is not understood; the text says what is expected.
    Usage(String),
    /// The server cannot be built.
    Build(BuildError),
    /// A host or an origin is none.
    Host(HostError),
    /// Listening, reading or writing failed.
    Io(io::Error),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) => write!(f, "{message}\n\n{USAGE}"),
            Self::Build(error) => error.fmt(f),
            Self::Host(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RunError {}

impl From<BuildError> for RunError {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

impl From<HostError> for RunError {
    fn from(error: HostError) -> Self {
        Self::Host(error)
    }
}

impl From<io::Error> for RunError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Run {
    /// Over standard input and output.
    #[must_use]
    pub fn stdio() -> Self {
        Self { stdio: true, ..Self::default() }
    }

    /// Over HTTP at this address.
    #[must_use]
    pub fn http(address: impl Into<String>) -> Self {
        Self { http: Some(address.into()), ..Self::default() }
    }

    /// Reads the options that every server has, and gives back what is left for the program.
    ///
    /// # Errors
    /// When an option lacks its value, is there twice, or contradicts another.
    pub fn parse(
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Result<(Self, Vec<String>), RunError> {
        let mut run = Self::default();
        let mut rest = Vec::new();
        let mut arguments = arguments.into_iter().map(|argument| {
            argument
                .into_string()
                .map_err(|odd| RunError::Usage(format!("the argument {odd:?} is not UTF-8")))
        });
        while let Some(argument) = arguments.next() {
            let argument = argument?;
            let (name, inline) = match argument.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (argument.as_str(), None),
            };
            let mut value = || match inline.clone() {
                Some(value) => Ok(value),
                None => arguments
                    .next()
                    .transpose()?
                    .ok_or_else(|| RunError::Usage(format!("{name} needs a value"))),
            };
            match name {
                "--stdio" => run.stdio = true,
                "--http" => {
                    if run.http.replace(value()?).is_some() {
                        return Err(RunError::Usage("--http is there twice".to_owned()));
                    }
                }
                "--allow-host" => run.hosts.push(value()?),
                "--allow-origin" => run.origins.push(value()?),
                "--help" | "-h" => run.help = true,
                "--version" | "-V" => run.version = true,
                _ => rest.push(argument),
            }
        }
        if run.stdio && run.http.is_some() {
            return Err(RunError::Usage(
                "--stdio and --http are there both; choose one".to_owned(),
            ));
        }
        if !run.stdio && run.http.is_none() {
            run.http = std::env::var(HTTP_VARIABLE).ok().filter(|address| !address.is_empty());
        }
        Ok((run, rest))
    }
}

/// An address with a host; a port alone is one of this machine.
fn listened(address: &str) -> Result<String, RunError> {
    if address.parse::<u16>().is_ok() {
        return Ok(format!("127.0.0.1:{address}"));
    }
    let has_port = address.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    if has_port {
        return Ok(address.to_owned());
    }
    Err(RunError::Usage(format!(
        "--http {address:?} is no address; write a host and a port, such as 127.0.0.1:8000, or a \
         port alone"
    )))
}

impl Server {
    /// Reads the command line and serves as it says, until the client or the system ends it.
    ///
    /// See [`USAGE`] for what it understands.
    ///
    /// # Errors
    /// An error that says what is wrong with the command line or with the server, and how to mend
    /// it.
    pub async fn run(self) -> crate::Result<()> {
        let (run, rest) = Run::parse(std::env::args_os().skip(1))?;
        if let Some(unknown) = rest.first() {
            return Err(RunError::Usage(format!("the argument {unknown:?} is not known")).into());
        }
        Ok(self.run_with(run).await?)
    }

    /// Serves as `run` says.
    ///
    /// # Errors
    /// See [`Self::run`].
    pub async fn run_with(self, run: Run) -> Result<(), RunError> {
        let info = &self.options.info;
        let (name, version) = (info.name.clone(), info.version.clone());
        if run.version {
            writeln!(io::stdout(), "{name} {version}")?;
            return Ok(());
        }
        let lost = run.http.is_none() && !run.stdio && io::stdin().is_terminal();
        if run.help {
            let title = format!("{name} {version}, a server of the Model Context Protocol");
            writeln!(io::stdout(), "{title}\n\n{USAGE}")?;
            return Ok(());
        }
        if lost {
            writeln!(io::stderr(), "{name} {version} waits for a client; say where:\n\n{USAGE}")?;
            return Ok(());
        }
        let service = self.build()?;
        let Some(address) = &run.http else { return Ok(service.serve_stdio().await?) };
        let mut http = service.into_http();
        for host in &run.hosts {
            http = http.allow_host(host)?;
        }
        for origin in &run.origins {
            http = http.allow_origin(origin)?;
        }
        let address = listened(address)?;
        let listener = Listener::bind(&address).await.map_err(|error| {
            let why = format!("cannot listen on {address}: {error}; choose another with --http");
            io::Error::new(error.kind(), why)
        })?;
        writeln!(io::stderr(), "listening on http://{}/mcp", listener.local_addr()?)?;
        Ok(listener.serve(http).await?)
    }
}
