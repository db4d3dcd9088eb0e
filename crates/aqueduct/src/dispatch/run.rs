//! A handler's work under a clock, and with its end made known.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use crate::context::Context;
use crate::error::{Error, Kind};

/// Fires the context's end when the work is dropped in the middle, which is a cancellation.
struct End<'c>(&'c Context);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Runs the work for as long as it takes.
pub(super) async fn unbounded<T>(ctx: &Context, work: impl Future<Output = T>) -> T {
    let _end = End(ctx);
    work.await
}

/// Runs the work for at most `timeout`.
///
/// The clock is wound only when the work does not end at its first poll: most does, and a timer
/// costs more than such a call.
pub(super) async fn bounded<T>(
    ctx: &Context,
    timeout: Duration,
    work: impl Future<Output = T>,
) -> Result<T, Error> {
    let _end = End(ctx);
    let mut work = pin!(work);
    let first = poll_fn(|task| Poll::Ready(work.as_mut().poll(task))).await;
    if let Poll::Ready(value) = first {
        return Ok(value);
    }
    // Boxed, so that work which ends at once does not carry a clock along.
    Box::pin(tokio::time::timeout(timeout, work)).await.map_err(|_| {
        let message = format!("timed out after {} ms", timeout.as_millis());
        Error::of(Kind::TimedOut, message)
    })
}
