//! A transport without a wire, for tests: the same texts go in and come out.

use std::convert::Infallible;
use std::future::poll_fn;

use aqueduct_protocol::jsonrpc::Limits;
use tower_service::Service;

use super::{Accepted, Step, accept, read};
use crate::call::{Call, Reply, Stamp};
use crate::context::Head;

/// What came back for one message, in order, as texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exchange {
    /// What the call said before its answer.
    pub frames: Vec<String>,
    /// The answer; `None` for what asks for none.
    pub answer: Option<String>,
    /// The HTTP status that would carry the answer.
    pub status: Option<u16>,
}

/// Hands one message to the service and waits for all that comes back.
pub(crate) async fn exchange<S>(
    service: &mut S,
    stamp: &Stamp,
    text: String,
    head: Head,
) -> Exchange
where
    S: Service<Call, Response = Reply, Error = Infallible>,
    S::Future: Unpin,
{
    let mut exchange = Exchange::default();
    let request = match read(text, head, &Limits::default()) {
        Ok(request) => request,
        Err(answer) => {
            exchange.status = Some(answer.status);
            exchange.answer = Some(lossless(answer.into_bytes()));
            return exchange;
        }
    };
    let mut running = match accept(service, request) {
        Accepted::Call(running) => running,
        Accepted::Notification(notification) => {
            tracing::trace!(method = %notification.method(), "a notification");
            return exchange;
        }
        Accepted::Response => return exchange,
    };
    tracing::trace!(id = running.id(), "a call");
    loop {
        match poll_fn(|cx| running.poll_step(cx, stamp)).await {
            Step::Frame(frame) => exchange.frames.push(lossless(frame)),
            Step::Done(answer) => {
                tracing::trace!(torn_down = running.torn_down(), "answered");
                exchange.status = Some(answer.status);
                exchange.answer = Some(lossless(answer.into_bytes()));
                return exchange;
            }
        }
    }
}

/// Everything that is written is UTF-8; what is not would be seen in a test.
fn lossless(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| format!("not UTF-8: {error}"))
}
