//! A handler that panics is one failed call, not a failed server.

use std::any::Any;
use std::convert::Infallible;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::call::Reply;
use crate::error::Error;

/// A call whose panic becomes an internal error.
///
/// With `panic = "abort"` in the profile there is nothing to catch, and a panic ends the process.
pub(crate) struct CatchPanic<F>(Option<F>);

impl<F> std::fmt::Debug for CatchPanic<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CatchPanic")
    }
}

impl<F> CatchPanic<F> {
    pub(crate) fn new(inner: F) -> Self {
        Self(Some(inner))
    }
}

impl<F> Future for CatchPanic<F>
where
    F: Future<Output = Result<Reply, Infallible>> + Unpin,
{
    type Output = Result<Reply, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(inner) = &mut self.0 else {
            return Poll::Ready(Ok(Reply::Error(Error::internal("polled after its end"))));
        };
        // What a panic leaves half done inside the future is dropped with it, below.
        match catch_unwind(AssertUnwindSafe(|| Pin::new(inner).poll(cx))) {
            Ok(poll) => poll,
            Err(panic) => {
                let message = text(&*panic);
                tracing::error!(panic = message, "a handler panicked");
                let error = Error::internal(format!("panic: {message}"));
                // Dropping it may panic once more; that one has nothing left to tell.
                let inner = self.0.take();
                drop(catch_unwind(AssertUnwindSafe(|| drop(inner))));
                Poll::Ready(Ok(Reply::Error(error)))
            }
        }
    }
}

fn text(panic: &(dyn Any + Send)) -> &str {
    if let Some(text) = panic.downcast_ref::<&str>() {
        return text;
    }
    panic.downcast_ref::<String>().map_or("(no message)", String::as_str)
}
