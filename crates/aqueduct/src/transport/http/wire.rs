//! The bytes of one connection on their way to hyper and back, watched.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::framing::Framing;
use super::pulse::Pulse;

/// How much is read ahead of hyper, to see whether the peer is still there.
const AHEAD: usize = 16 * 1024;
/// How much is read at once when it is read ahead or thrown away.
const PIECE: usize = 4 * 1024;

/// A connection that tells what happens on it, and that ends without cutting off its last answer.
#[derive(Debug)]
pub(super) struct Wire<T> {
    io: T,
    pulse: Arc<Pulse>,
    framing: Framing,
    ahead: Vec<u8>,
    given: usize,
    /// The last read found nothing, so the task is woken when something comes.
    is_waiting: bool,
    is_shut: bool,
    /// The peer was still sending when its answer was out.
    lingers: bool,
}

impl<T> Wire<T> {
    pub(super) fn new(io: T, framing: Framing, pulse: Arc<Pulse>) -> Self {
        Self {
            io,
            pulse,
            framing,
            ahead: Vec::new(),
            given: 0,
            is_waiting: false,
            is_shut: false,
            lingers: false,
        }
    }

    /// What the bytes run over.
    pub(super) fn io(&self) -> &T {
        &self.io
    }

    fn watch(&mut self, bytes: &[u8]) {
        if let Err(flaw) = self.framing.feed(bytes) {
            self.pulse.doubt(flaw);
        }
        self.pulse.in_head(self.framing.is_in_head());
    }
}

impl<T: AsyncRead + Unpin> Wire<T> {
    /// Sees whether the peer has gone while its request runs.
    ///
    /// hyper looks as well, but stops as soon as it holds a byte of a further request, and a peer
    /// that has sent one and gone would never be missed.
    /// What is read here is given to hyper later; when [`AHEAD`] bytes wait, no more are read.
    fn look_ahead(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        let is_whole = self.framing.ended() >= self.pulse.taken();
        while is_whole && self.pulse.is_running() && !self.is_waiting && self.ahead.len() < AHEAD {
            let mut piece = [0; PIECE];
            let mut piece = ReadBuf::new(&mut piece);
            let Poll::Ready(read) = Pin::new(&mut self.io).poll_read(cx, &mut piece) else {
                self.is_waiting = true;
                return Ok(());
            };
            read?;
            if piece.filled().is_empty() {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.watch(piece.filled());
            self.ahead.extend_from_slice(piece.filled());
        }
        Ok(())
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Wire<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let waiting = this.ahead.get(this.given..).unwrap_or_default();
        if !waiting.is_empty() {
            let now = waiting.len().min(out.remaining());
            out.put_slice(waiting.get(..now).unwrap_or_default());
            this.given += now;
            if this.given == this.ahead.len() {
                this.ahead = Vec::new();
                this.given = 0;
            }
            return Poll::Ready(Ok(()));
        }
        let before = out.filled().len();
        let read = Pin::new(&mut this.io).poll_read(cx, out);
        this.is_waiting = read.is_pending();
        if let Poll::Ready(Ok(())) = &read {
            this.watch(out.filled().get(before..).unwrap_or_default());
        }
        read
    }
}

impl<T: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Wire<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write(cx, bytes);
        self.took(&written, cx);
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write_vectored(cx, pieces);
        self.took(&written, cx);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    /// hyper comes here at the end of every turn, so this is where the peer is looked after.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.look_ahead(cx)?;
        Pin::new(&mut self.io).poll_flush(cx)
    }

    /// Says that no more will come, and waits for a peer that is still sending.
    ///
    /// A socket that is closed with bytes unread resets the connection, and the peer loses the
    /// answer that tells it what was wrong (RFC 9112, section 9.6).
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if !this.is_shut {
            ready!(Pin::new(&mut this.io).poll_shutdown(cx))?;
            this.is_shut = true;
            this.lingers = !this.framing.is_between();
        }
        loop {
            let mut piece = [0; PIECE];
            let mut piece = ReadBuf::new(&mut piece);
            match Pin::new(&mut this.io).poll_read(cx, &mut piece)? {
                Poll::Ready(()) if piece.filled().is_empty() => return Poll::Ready(Ok(())),
                Poll::Ready(()) => this.lingers = true,
                Poll::Pending if this.lingers => {
                    this.pulse.linger();
                    return Poll::Pending;
                }
                Poll::Pending => return Poll::Ready(Ok(())),
            }
        }
    }
}

impl<T> Wire<T> {
    fn took(&self, written: &Poll<io::Result<usize>>, cx: &Context<'_>) {
        match written {
            Poll::Pending => self.pulse.stall(),
            Poll::Ready(_) => {
                if self.pulse.flow() {
                    // A stream that held back while the peer took nothing goes on.
                    cx.waker().wake_by_ref();
                }
            }
        }
    }
}
