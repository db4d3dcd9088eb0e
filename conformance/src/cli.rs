//! The fixture server's command line: the framework's own options and a few beside them.

use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write as _};
use std::num::{NonZeroU64, NonZeroUsize};
use std::str::FromStr;
use std::time::Duration;

use aqueduct::server::{Handshake, Run, RunError, USAGE};
use aqueduct::store::{self, StoreError};
use aqueduct::transport::http::Listener;
use tracing_subscriber::filter::LevelFilter;

use crate::{NAME, Options, VERSION, server};

/// What is understood beside the framework's own options.
const MORE: &str = "\
  --page-size N         how many items a page of a list has
  --keep-alive-ms N     how often a quiet stream says that it is still there
  --stream-all          send every answer over HTTP as a stream of events
  --modern-only         serve no revision with a handshake
  --stateless           serve those revisions without sessions
  --store URL           keep what outlives a request there: memory:, redb:PATH or redis://HOST:PORT
  --ledger FILE         offer tools that write down what they do
  --lease-ms N          take over the tasks of a silent process after this time, at least 1000
  --log LEVEL           write a log of this level to the standard output";

/// Why the server did not run; reads as a sentence in both forms, because `main` prints `Debug`.
pub struct Failure(RunError);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            RunError::Usage(_) => write!(f, "{}\n{MORE}", self.0),
            other => other.fmt(f),
        }
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<E: Into<RunError>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

/// What the command line says beside the framework's own options.
#[derive(Debug, Default, PartialEq, Eq)]
struct More {
    options: Options,
    keep_alive: Option<Duration>,
    stream_all: bool,
    store: Option<String>,
    log: Option<LevelFilter>,
}

impl More {
    fn parse(words: Vec<String>) -> Result<Self, RunError> {
        let mut more = Self::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--stream-all" => more.stream_all = true,
                "--modern-only" => more.options.handshake = Handshake::Off,
                "--stateless" => more.options.handshake = Handshake::Stateless,
                "--page-size" => more.options.page_size = Some(value(&word, words.next())?),
                "--keep-alive-ms" => {
                    let ms: NonZeroUsize = value(&word, words.next())?;
                    let ms = u64::try_from(ms.get()).unwrap_or(u64::MAX);
                    more.keep_alive = Some(Duration::from_millis(ms));
                }
                "--store" => more.store = Some(value(&word, words.next())?),
                "--lease-ms" => {
                    let ms: NonZeroU64 = value(&word, words.next())?;
                    more.options.lease = Some(Duration::from_millis(ms.get()));
                }
                "--ledger" => more.options.ledger = Some(value(&word, words.next())?),
                "--log" => more.log = Some(value(&word, words.next())?),
                _ => return Err(RunError::Usage(format!("the argument {word:?} is not known"))),
            }
        }
        Ok(more)
    }
}

fn value<T: FromStr>(name: &str, word: Option<String>) -> Result<T, RunError> {
    let word = word.ok_or_else(|| RunError::Usage(format!("{name} needs a value")))?;
    word.parse().map_err(|_| RunError::Usage(format!("{word:?} is no value of {name}")))
}

/// Serves as the command line says.
///
/// # Errors
/// When the command line is not understood, or serving fails.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Result<(), Failure> {
    let (run, rest) = Run::parse(arguments)?;
    let more = More::parse(rest)?;
    if let Some(level) = more.log {
        // The default writer is the standard output: what a careless program does, on purpose.
        tracing_subscriber::fmt().with_max_level(level).with_ansi(false).init();
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(serve(run, more))
}

/// An address that is none is the command line's fault.
fn unopened(error: StoreError) -> RunError {
    if error.is_invalid() {
        return RunError::Usage(format!("--store: {error}"));
    }
    RunError::Io(io::Error::other(error))
}

async fn serve(run: Run, more: More) -> Result<(), Failure> {
    if run.help {
        writeln!(io::stderr(), "{NAME} {VERSION}\n\n{USAGE}\n{MORE}")?;
        return Ok(());
    }
    let mut server = server(&more.options);
    if let Some(address) = &more.store {
        server = server.backend(store::open(address).await.map_err(unopened)?);
    }
    let is_plain = more.keep_alive.is_none() && !more.stream_all;
    let Some(address) = run.http.clone().filter(|_| !is_plain) else {
        return Ok(server.run_with(run).await?);
    };
    let mut http = server.build()?.into_http();
    if let Some(keep_alive) = more.keep_alive {
        http = http.keep_alive(keep_alive);
    }
    if more.stream_all {
        http = http.stream_answers();
    }
    for host in &run.hosts {
        http = http.allow_host(host).map_err(RunError::Host)?;
    }
    for origin in &run.origins {
        http = http.allow_origin(origin).map_err(RunError::Host)?;
    }
    let listener = Listener::bind(&address).await?;
    writeln!(io::stderr(), "listening on http://{}/mcp", listener.local_addr()?)?;
    Ok(listener.serve(http).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn more(words: &[&str]) -> Result<More, RunError> {
        More::parse(words.iter().map(|word| (*word).to_owned()).collect())
    }

    #[test]
    fn what_is_not_known_or_lacks_its_value_is_refused() {
        for words in
            [&["--page-size"][..], &["--page-size", "0"], &["--keep-alive-ms", "x"], &["x"]]
        {
            assert!(more(words).is_err(), "{words:?}");
        }
        let read =
            more(&["--page-size", "2", "--stream-all", "--modern-only", "--keep-alive-ms", "50"])
                .unwrap();
        assert_eq!(read.options.page_size, NonZeroUsize::new(2));
        assert_eq!(read.options.handshake, Handshake::Off);
        assert_eq!(read.keep_alive, Some(Duration::from_millis(50)));
        assert!(read.stream_all);
    }
}
