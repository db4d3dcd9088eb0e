//! Requests of clients that shake hands, which may also open a stream or end a session.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use aqueduct_protocol::header as mcp;
use bytes::Bytes;
use http::{HeaderValue, Method, Response};
use tokio::time::{Instant, Sleep};

use super::body::{Body, Events, KEEP_ALIVE};
use super::load::Ticket;
use super::{head, respond};
use crate::context::Head;
use crate::legacy::{Legacy, Reader, Serves, Told};

/// What a connection to a stream goes by.
pub(super) struct Terms {
    pub(super) keep_alive: Duration,
    /// The stream is to be cut short; whoever sets it wakes the stream.
    pub(super) ending: Arc<AtomicBool>,
    /// A place among the streams that are open, where the stream is no request's.
    pub(super) place: Option<Ticket>,
    /// When the caller's credential ends, and the stream with it.
    pub(super) until: Option<std::time::Instant>,
}

/// What a client is told, as a response.
pub(super) fn rendered(told: Told, terms: Terms) -> Response<Body> {
    match told {
        Told::Message { status, body, session } => {
            let mut response = respond::message(status, body);
            if let Some(session) = session.and_then(|id| HeaderValue::try_from(id).ok()) {
                response.headers_mut().insert(mcp::SESSION_ID, session);
            }
            response
        }
        Told::Accepted => respond::accepted(),
        Told::Ended => respond::ended(),
        Told::Events(reader) => respond::events(Body::of(Replayed::new(reader, terms))),
        Told::NotAllowed => respond::method_not_allowed_here(false),
    }
}

/// A GET or a DELETE, whose head is all there is of it.
pub(super) async fn without_body<S: Serves>(
    legacy: &Arc<Legacy>,
    service: S,
    method: &Method,
    head: Head,
    terms: Terms,
) -> Response<Body> {
    if method == Method::DELETE {
        return rendered(legacy.delete(&head).await, terms);
    }
    if !head::accepts_events(head.headers()) {
        return respond::not_acceptable();
    }
    rendered(legacy.get(service, head).await, terms)
}

/// A stream that is read and not made: when the client goes, what fills it goes on.
struct Replayed {
    reader: Option<Reader>,
    terms: Terms,
    quiet: Pin<Box<Sleep>>,
}

impl Replayed {
    fn new(reader: Reader, terms: Terms) -> Self {
        let quiet = Box::pin(tokio::time::sleep(terms.keep_alive));
        Self { reader: Some(reader), terms, quiet }
    }
}

impl Events for Replayed {
    fn poll_event(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let this = &mut *self;
        // A stream is looked at as often as it says that it is there, which is soon enough.
        let is_late = this.terms.until.is_some_and(|until| until <= std::time::Instant::now());
        if is_late || this.terms.ending.load(Ordering::Relaxed) {
            this.reader = None;
        }
        let Some(reader) = &mut this.reader else { return Poll::Ready(None) };
        match reader.poll_events(cx) {
            Poll::Ready(Some(events)) => {
                this.quiet.as_mut().reset(Instant::now() + this.terms.keep_alive);
                return Poll::Ready(Some(events));
            }
            Poll::Ready(None) => {
                this.reader = None;
                this.terms.place = None;
                return Poll::Ready(None);
            }
            Poll::Pending => {}
        }
        if this.quiet.as_mut().poll(cx).is_ready() {
            this.quiet.as_mut().reset(Instant::now() + this.terms.keep_alive);
            return Poll::Ready(Some(Bytes::from_static(KEEP_ALIVE)));
        }
        Poll::Pending
    }

    fn is_over(&self) -> bool {
        self.reader.is_none()
    }
}
