//! What an answer is sent as: nothing, one piece, two pieces, or a stream of events.

use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Frame, SizeHint};
use tokio::time::{Instant, Sleep};

use super::load::Ticket;
use super::respond;
use crate::call::{Reply, Stamp};
use crate::transport::{Running, Step};

/// A line that keeps a quiet stream open and means nothing (HTML › Server-sent events).
pub(super) const KEEP_ALIVE: &[u8] = b":\n\n";

/// The body of a response.
#[derive(Default)]
pub struct Body(Repr);

#[derive(Default)]
enum Repr {
    #[default]
    Empty,
    One(Bytes),
    Two(Bytes, Bytes),
    Events(Pin<Box<dyn Events>>),
}

impl Body {
    pub(crate) fn empty() -> Self {
        Self(Repr::Empty)
    }

    pub(crate) fn one(bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        Self(if bytes.is_empty() { Repr::Empty } else { Repr::One(bytes) })
    }

    pub(super) fn two(head: Bytes, rest: Bytes) -> Self {
        Self(Repr::Two(head, rest))
    }

    /// A stream of events that a running request fills.
    pub(super) fn events<F>(stream: Stream<F>) -> Self
    where
        F: Future<Output = Result<Reply, Infallible>> + Unpin + Send + 'static,
    {
        Self::of(stream)
    }

    /// A stream of one event.
    pub(super) fn event(data: &[u8]) -> Self {
        Self::one(event(data))
    }

    pub(super) fn is_stream(&self) -> bool {
        matches!(self.0, Repr::Events(_))
    }

    /// A stream of events, whoever fills it.
    pub(super) fn of(events: impl Events + 'static) -> Self {
        Self(Repr::Events(Box::pin(events)))
    }
}

/// One event, whose data is one line of JSON.
fn event(data: &[u8]) -> Vec<u8> {
    let mut event = Vec::with_capacity(data.len() + 8);
    event.extend_from_slice(b"data: ");
    event.extend_from_slice(data);
    event.extend_from_slice(b"\n\n");
    event
}

pub(super) trait Events: Send {
    fn poll_event(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Bytes>>;
    fn is_over(&self) -> bool;
}

/// Polls the request in place of a task: when the client goes, this is dropped and the handler
/// with it, which is what the end of a connection means (Cancellation › HTTP).
pub(super) struct Stream<F> {
    running: Option<Running<F>>,
    waiting: Option<Vec<u8>>,
    stamp: Stamp,
    quiet: Pin<Box<Sleep>>,
    keep_alive: Duration,
    ending: Arc<AtomicBool>,
    _ticket: Ticket,
}

impl<F> Stream<F> {
    /// A stream of what `running` says; `first` is what it has said already.
    pub(super) fn new(running: Running<F>, first: &[u8], terms: Terms) -> Self {
        let Terms { stamp, keep_alive, ending, ticket } = terms;
        Self {
            running: Some(running),
            waiting: Some(event(first)),
            stamp,
            quiet: Box::pin(tokio::time::sleep(keep_alive)),
            keep_alive,
            ending,
            _ticket: ticket,
        }
    }

    fn cut_short(&mut self, chunk: &mut Vec<u8>) {
        if let Some(running) = self.running.take() {
            chunk.extend_from_slice(&event(&respond::ending_error(running.id())));
        }
    }
}

/// What a stream goes by.
pub(super) struct Terms {
    pub(super) stamp: Stamp,
    pub(super) keep_alive: Duration,
    /// The stream is to be cut short; whoever sets it wakes the stream.
    pub(super) ending: Arc<AtomicBool>,
    pub(super) ticket: Ticket,
}

impl<F> Events for Stream<F>
where
    F: Future<Output = Result<Reply, Infallible>> + Unpin + Send,
{
    fn poll_event(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let this = &mut *self;
        let mut chunk = this.waiting.take().unwrap_or_default();
        if this.ending.load(Ordering::Relaxed) {
            this.cut_short(&mut chunk);
        }
        // What is ready now goes out in one piece.
        while let Some(running) = &mut this.running {
            match running.poll_step(cx, &this.stamp) {
                Poll::Ready(Step::Frame(frame)) => chunk.extend_from_slice(&event(&frame)),
                Poll::Ready(Step::Done(answer)) => {
                    chunk.extend_from_slice(&event(&answer.into_bytes()));
                    this.running = None;
                }
                Poll::Pending => break,
            }
        }
        if !chunk.is_empty() {
            this.quiet.as_mut().reset(Instant::now() + this.keep_alive);
            return Poll::Ready(Some(chunk.into()));
        }
        if this.running.is_none() {
            return Poll::Ready(None);
        }
        if this.quiet.as_mut().poll(cx).is_ready() {
            this.quiet.as_mut().reset(Instant::now() + this.keep_alive);
            return Poll::Ready(Some(Bytes::from_static(KEEP_ALIVE)));
        }
        Poll::Pending
    }

    fn is_over(&self) -> bool {
        self.running.is_none() && self.waiting.is_none()
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let (bytes, rest) = match std::mem::replace(&mut self.0, Repr::Empty) {
            Repr::Empty => return Poll::Ready(None),
            Repr::One(bytes) => (bytes, Repr::Empty),
            Repr::Two(head, rest) => (head, Repr::One(rest)),
            Repr::Events(mut events) => match events.as_mut().poll_event(cx) {
                Poll::Ready(Some(bytes)) => (bytes, Repr::Events(events)),
                Poll::Ready(None) => return Poll::Ready(None),
                Poll::Pending => {
                    self.0 = Repr::Events(events);
                    return Poll::Pending;
                }
            },
        };
        self.0 = rest;
        Poll::Ready(Some(Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Repr::Empty => true,
            Repr::One(_) | Repr::Two(..) => false,
            Repr::Events(events) => events.is_over(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        let length = |bytes: &Bytes| u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        match &self.0 {
            Repr::Empty => SizeHint::with_exact(0),
            Repr::One(bytes) => SizeHint::with_exact(length(bytes)),
            Repr::Two(head, rest) => SizeHint::with_exact(length(head) + length(rest)),
            Repr::Events(_) => SizeHint::default(),
        }
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Repr::Empty => "Body::Empty",
            Repr::One(_) | Repr::Two(..) => "Body::Json",
            Repr::Events(_) => "Body::Events",
        })
    }
}
