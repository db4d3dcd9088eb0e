//! The contract that every transport meets, and the part of it that all share.
//!
//! A transport reads messages, hands each to a `Service<Call>`, and writes what comes back:
//!
//! 1. Every size is bounded before anything is allocated for it.
//! 2. A message that cannot be read is answered with an error and ends nothing else.
//! 3. What a call says before its answer goes out in order, and nothing goes out after the answer.
//! 4. A call whose client has gone is dropped, and with it the handler.
//! 5. A slow reader costs its own calls only, and a bounded amount of memory.
//! 6. When the server ends, running calls get a bounded time to end first.

#[cfg(feature = "http")]
pub mod http;
pub(crate) mod memory;
#[cfg(feature = "stdio")]
pub(crate) mod stdio;

use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use aqueduct_protocol::jsonrpc::{self, Kind as EnvelopeKind, Limits, MetaKey};
use aqueduct_protocol::method::Method;
use aqueduct_protocol::version::ProtocolVersion;
use bytes::Bytes;
use tower_service::Service;

use crate::call::{Call, Outcome, Reply, Stamp};
use crate::context::{Head, Outbound, Request};
use crate::error::{Error, Kind, code_of, status_of};

/// How long an answer may be; what is longer would not be read by most hosts.
const MAX_ANSWER: usize = 4 * 1024 * 1024;

/// What became of a message that was read.
pub(crate) enum Accepted<F> {
    /// A request, which runs.
    Call(Running<F>),
    /// A notification: its text with what was found in it.
    Notification(Box<Request>),
    /// A response, to a request that this side has not made.
    Response,
}

/// An answer as it goes out, and the HTTP status for transports that have one.
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// The whole answer, or its head when `rest` is there.
    pub(crate) head: Vec<u8>,
    pub(crate) rest: Option<Bytes>,
    /// When the peer should ask again, for transports that can say so.
    pub(crate) retry: Option<Duration>,
}

impl fmt::Debug for Answer {
    /// How much there is, and nothing of what it says.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer")
            .field("status", &self.status)
            .field("bytes", &(self.head.len() + self.rest.as_ref().map_or(0, Bytes::len)))
            .field("retry", &self.retry)
            .finish()
    }
}

impl Answer {
    /// The answer in one piece.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        let mut bytes = self.head;
        if let Some(rest) = self.rest {
            bytes.extend_from_slice(&rest);
        }
        bytes
    }

    fn error(id: Option<&str>, error: &Error) -> Self {
        // The transports of today carry the newest revision; the code table knows the others.
        let version = ProtocolVersion::LATEST;
        let mut head = Vec::with_capacity(128);
        let code = code_of(error.kind(), version);
        jsonrpc::write_error(&mut head, id, code, error.message(), error.data_json());
        let retry = error.retry_after();
        Self { status: status_of(error.kind(), version), head, rest: None, retry }
    }
}

/// Decodes a message.
///
/// # Errors
/// The answer to what is no message.
pub(crate) fn read(text: String, head: Head, limits: &Limits) -> Result<Box<Request>, Answer> {
    match jsonrpc::decode(&text, limits) {
        Ok(envelope) => Ok(Box::new(Request::new(text, envelope, head))),
        Err(malformed) => {
            let kind = if malformed.code() == aqueduct_protocol::code::PARSE_ERROR {
                Kind::Parse
            } else {
                Kind::InvalidRequest
            };
            let error = Error::of(kind, malformed.message().to_owned());
            Err(Answer::error(malformed.id(&text), &error))
        }
    }
}

/// Takes a message in and, when it is a request, starts it.
pub(crate) fn accept<S>(service: &mut S, request: Box<Request>) -> Accepted<S::Future>
where
    S: Service<Call, Response = Reply, Error = Infallible>,
{
    match request.envelope().kind() {
        EnvelopeKind::Request => Accepted::Call(Running::start(service, request)),
        EnvelopeKind::Notification => Accepted::Notification(request),
        EnvelopeKind::Response => Accepted::Response,
    }
}

/// A request that runs: polled by whoever writes its answer, so that it needs no task of its own.
pub(crate) struct Running<F> {
    future: F,
    outbound: Option<Arc<Outbound>>,
    /// The head of a result with the request's id, ready to be written behind.
    head: Vec<u8>,
    id_end: usize,
    /// The end of a request that has still something to say before it.
    reply: Option<Box<Reply>>,
    /// The id of a listener that has ended by its result.
    torn_down: Option<String>,
}

/// What a running request does next.
pub(crate) enum Step {
    /// It says something before its answer: one notification, without a line end.
    Frame(Vec<u8>),
    /// It is answered, and over.
    Done(Answer),
}

/// `,"result":` at the end of a result's head.
const RESULT: usize = r#","result":"#.len();
/// `{"jsonrpc":"2.0","id":` at its beginning.
const ID_START: usize = r#"{"jsonrpc":"2.0","id":"#.len();

impl<F> Running<F> {
    fn start<S>(service: &mut S, request: Box<Request>) -> Self
    where
        S: Service<Call, Response = Reply, Error = Infallible, Future = F>,
    {
        let id = request.id().unwrap_or_default();
        let mut answer = Vec::with_capacity(256);
        jsonrpc::write_result_head(&mut answer, id);
        let id_end = answer.len().saturating_sub(RESULT);
        // Nearly no call may say anything before its answer, and those need no queue.
        let speaks = request.meta(MetaKey::ProgressToken).is_some()
            || request.meta(MetaKey::LogLevel).is_some()
            || request.envelope().known_method() == Some(Method::SubscriptionsListen);
        let outbound = speaks.then(|| Arc::new(Outbound::new()));
        let future = service.call(Call::new(request, outbound.clone()));
        Self { future, outbound, head: answer, id_end, reply: None, torn_down: None }
    }

    /// The request's id as raw JSON.
    pub(crate) fn id(&self) -> &str {
        let id = self.head.get(ID_START..self.id_end).unwrap_or_default();
        str::from_utf8(id).unwrap_or_default()
    }

    /// The id of a listener that the server has ended; where no stream ends with it, its client
    /// is told.
    pub(crate) fn torn_down(&self) -> Option<&str> {
        self.torn_down.as_deref()
    }

    fn pop(&self) -> Option<Step> {
        self.outbound.as_ref()?.pop().map(Step::Frame)
    }
}

impl<F> Running<F>
where
    F: Future<Output = Result<Reply, Infallible>> + Unpin,
{
    /// The next thing to write; after [`Step::Done`] there is none.
    pub(crate) fn poll_step(&mut self, cx: &mut Context<'_>, stamp: &Stamp) -> Poll<Step> {
        if let Some(frame) = self.pop() {
            return Poll::Ready(frame);
        }
        if let Some(reply) = self.reply.take() {
            return Poll::Ready(Step::Done(self.answer(*reply, stamp)));
        }
        match Pin::new(&mut self.future).poll(cx) {
            Poll::Ready(Ok(reply)) => {
                if let Some(outbound) = &self.outbound {
                    outbound.close();
                    if let Some(frame) = outbound.pop() {
                        self.reply = Some(Box::new(reply));
                        return Poll::Ready(Step::Frame(frame));
                    }
                }
                Poll::Ready(Step::Done(self.answer(reply, stamp)))
            }
            Poll::Pending => {
                let Some(outbound) = &self.outbound else { return Poll::Pending };
                ready!(outbound.poll_waiting(cx));
                self.pop().map_or(Poll::Pending, Poll::Ready)
            }
        }
    }

    fn answer(&mut self, reply: Reply, stamp: &Stamp) -> Answer {
        let mut head = std::mem::take(&mut self.head);
        if let Reply::Result(Outcome::Listen(_)) = &reply {
            self.torn_down = Some(self.id_in(&head).to_owned());
        }
        let outcome = match reply {
            Reply::Result(outcome) => outcome,
            Reply::Error(error) => return Answer::error(Some(self.id_in(&head)), &error),
            Reply::Silent => {
                let error = Error::internal("a layer answered a request with silence");
                return Answer::error(Some(self.id_in(&head)), &error);
            }
        };
        if let Outcome::Prebuilt(prebuilt) = &outcome {
            let rest = Some(prebuilt.closed().clone());
            return Answer { status: 200, rest, head, retry: None };
        }
        let start = head.len();
        let written = outcome.write(&mut head, stamp);
        if written.is_some() && head.len() - start <= MAX_ANSWER {
            head.push(b'}');
            return Answer { status: 200, head, rest: None, retry: None };
        }
        let error = if written.is_none() {
            Error::internal("the result cannot be written as JSON")
        } else {
            let size = head.len() - start;
            Error::internal(format!("the result has {size} bytes, and {MAX_ANSWER} are allowed"))
        };
        tracing::error!(cause = ?error.cause(), "a result was not sent");
        Answer::error(Some(self.id_in(&head)), &error)
    }

    fn id_in<'h>(&self, head: &'h [u8]) -> &'h str {
        str::from_utf8(head.get(ID_START..self.id_end).unwrap_or_default()).unwrap_or_default()
    }
}
