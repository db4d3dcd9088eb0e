//! A span around every call, and a line at its end.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use aqueduct_protocol::jsonrpc::Param;
use tracing::Span;

use crate::call::{Call, Outcome, Reply};
use crate::context::TraceContext;

/// A call inside of its span.
#[derive(Debug)]
pub(crate) struct Traced<F> {
    inner: F,
    /// Nothing when nobody listens, which costs nothing.
    watched: Option<(Span, Instant)>,
}

impl<F> Traced<F> {
    /// Opens the span, before the call is handed on.
    pub(crate) fn open(call: &Call) -> Option<(Span, Instant)> {
        if !tracing::enabled!(tracing::Level::INFO) {
            return None;
        }
        let request = call.request();
        let target = request.param(Param::Name).or_else(|| request.param(Param::Uri));
        let TraceContext { parent, state, baggage, .. } = TraceContext::of(request);
        let span = tracing::info_span!(
            "mcp",
            traceparent = parent.map(|parent| parent.to_string()),
            tracestate = state,
            baggage = baggage,
            method = %request.method().escape_debug(),
            id = request.id(),
            target = target.map(crate::error::shorten),
        );
        Some((span, Instant::now()))
    }

    pub(crate) fn new(inner: F, watched: Option<(Span, Instant)>) -> Self {
        Self { inner, watched }
    }
}

impl<F> Future for Traced<F>
where
    F: Future<Output = Result<Reply, Infallible>> + Unpin,
{
    type Output = Result<Reply, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let Some((span, since)) = &this.watched else { return Pin::new(&mut this.inner).poll(cx) };
        let _entered = span.enter();
        let Poll::Ready(Ok(reply)) = Pin::new(&mut this.inner).poll(cx) else {
            return Poll::Pending;
        };
        let micros = u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX);
        match &reply {
            Reply::Error(error) if error.is_internal() => {
                let cause = error.cause().map(ToString::to_string);
                tracing::error!(micros, cause, "failed: {error}");
            }
            Reply::Error(error) => tracing::info!(micros, code = error.code(), "refused: {error}"),
            Reply::Result(Outcome::CallTool(result)) if result.is_error == Some(true) => {
                tracing::info!(micros, "told the model what went wrong");
            }
            Reply::Result(_) => tracing::info!(micros, "served"),
            Reply::Silent => tracing::debug!(micros, "notification"),
        }
        Poll::Ready(Ok(reply))
    }
}
