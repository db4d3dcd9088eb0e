//! Standard input and output: one message a line, on descriptors that nothing else can write to.

#[cfg(unix)]
mod descriptors;
#[cfg(not(unix))]
#[path = "descriptors_shared.rs"]
mod descriptors;
mod lines;
mod serve;

use std::io;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};

use self::serve::Session;
use crate::call::Stamp;
use crate::legacy::{Conversation, Serves};

/// How long a line may be.
const MAX_LINE: usize = 4 * 1024 * 1024;
/// How many calls may wait for something at once.
const MAX_RUNNING: usize = 256;
/// How long running calls may take after the input has ended: whoever asked is most likely gone,
/// and waits for the process.
const DRAIN: Duration = Duration::from_millis(800);
/// How long a peer may take from then on to read what is there for it.
const READ: Duration = Duration::from_secs(10);
/// How long the last bytes may take to leave when the conversation is over.
const FLUSH: Duration = Duration::from_secs(1);

/// Serves over the process's own standard input and output until the input ends.
///
/// From then on the process's standard output is its standard error, and its standard input is
/// empty: a stray `println!`, a C library or a child process cannot reach the client.
///
/// # Errors
/// When the descriptors cannot be taken, read or written.
pub(crate) async fn serve<S: Serves>(
    service: S,
    stamp: Stamp,
    conversation: Option<Conversation>,
    end: impl FnOnce(),
) -> io::Result<()> {
    let (input, output) = descriptors::take()?;
    serve_on(service, stamp, conversation, Ends { input, output }, end).await
}

/// The two ends of a conversation.
pub(crate) struct Ends<R, W> {
    pub(crate) input: R,
    pub(crate) output: W,
}

/// Serves over any pair of byte streams with the same framing, a Unix socket for one; `end` is
/// called when the input has ended, so that calls which would last for ever can end.
///
/// # Errors
/// When the streams cannot be read or written.
pub(crate) async fn serve_on<S, R, W>(
    service: S,
    stamp: Stamp,
    conversation: Option<Conversation>,
    ends: Ends<R, W>,
    end: impl FnOnce(),
) -> io::Result<()>
where
    S: Serves,
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    Session::new(service, stamp, conversation).run(ends, end).await
}
