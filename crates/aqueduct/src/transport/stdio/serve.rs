//! One conversation over a pair of byte streams: reads, runs, and writes in one place.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::io;
use std::task::Poll;

use aqueduct_protocol::cancellation::{CancelledNotification, CancelledNotificationParams};
use aqueduct_protocol::code;
use aqueduct_protocol::jsonrpc::{self, Limits, Param, RequestId};
use aqueduct_protocol::meta::{Meta, SUBSCRIPTION_ID};
use aqueduct_protocol::method;
use http::Extensions;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::Instant;

use super::lines::{Line, Lines};
use super::{DRAIN, Ends, FLUSH, MAX_LINE, MAX_RUNNING, READ};
use crate::call::{Reply, Stamp};
use crate::context::{Head, Request};
use crate::legacy::{Conversation, Heard, Outlet, Serves, lacks_meta};
use crate::transport::{Accepted, Running, Step, accept, read};

/// How many bytes may wait for the reader of our output before no more input is taken.
const HIGH_WATER: usize = 256 * 1024;
/// How many pieces of running calls may wait to be put into the output.
const PIECES: usize = 64;

/// A piece of output of a call that runs in a task of its own.
struct Piece {
    call: u64,
    bytes: Vec<u8>,
    last: bool,
}

/// A call that did not end at its first poll.
struct Waiting {
    id: Option<RequestId>,
    task: AbortHandle,
}

pub(super) struct Session<S> {
    service: S,
    stamp: Stamp,
    limits: Limits,
    /// What was agreed on with a client that shakes hands, where such are served.
    conversation: Option<Conversation>,
    /// What is to be written; whole lines.
    out: Vec<u8>,
    waiting: HashMap<u64, Waiting>,
    next: u64,
    tasks: JoinSet<()>,
    send: mpsc::Sender<Piece>,
    pieces: mpsc::Receiver<Piece>,
}

impl<S: Serves> Session<S> {
    pub(super) fn new(service: S, stamp: Stamp, conversation: Option<Conversation>) -> Self {
        let (send, pieces) = mpsc::channel(PIECES);
        Self {
            service,
            stamp,
            limits: Limits::default(),
            conversation,
            out: Vec::new(),
            waiting: HashMap::new(),
            next: 0,
            tasks: JoinSet::new(),
            send,
            pieces,
        }
    }

    /// Runs until the input has ended and every answer that was there soon after is written.
    pub(super) async fn run<R, W>(mut self, ends: Ends<R, W>, end: impl FnOnce()) -> io::Result<()>
    where
        R: AsyncRead + Unpin,
        W: AsyncWrite + Unpin,
    {
        let Ends { mut input, mut output } = ends;
        let mut lines = Lines::new(MAX_LINE);
        let mut deadline = None;
        let mut end = Some(end);
        loop {
            let open = deadline.is_none();
            if !open && self.out.is_empty() && self.waiting.is_empty() {
                break;
            }
            let reads = open && self.out.len() < HIGH_WATER;
            let drained = deadline.unwrap_or_else(Instant::now);
            // What was answered is to be read, however long the calls would go on that were not.
            let over = if self.out.is_empty() { drained } else { drained + READ };
            tokio::select! {
                biased;
                written = output.write(&self.out), if !self.out.is_empty() => {
                    let written = written?;
                    if written == 0 {
                        return Err(io::ErrorKind::WriteZero.into());
                    }
                    self.out.drain(..written);
                }
                Some(piece) = self.pieces.recv(), if self.out.len() < HIGH_WATER => self.take(&piece),
                Some(_) = self.tasks.join_next(), if !self.tasks.is_empty() => {}
                read = input.read_buf(lines.buffer()), if reads => {
                    let ended = read? == 0;
                    while let Some(line) = lines.next() {
                        self.line(line).await;
                    }
                    if ended {
                        if let Some(line) = lines.last() {
                            self.line(line).await;
                        }
                        if let Some(end) = end.take() {
                            end();
                        }
                        if let Some(conversation) = &self.conversation {
                            conversation.end();
                        }
                        deadline = Some(Instant::now() + DRAIN);
                    }
                }
                () = tokio::time::sleep_until(over), if !open => break,
            }
        }
        // A peer that has stopped reading gets no more time than that.
        tokio::time::timeout(FLUSH, output.flush()).await.unwrap_or_else(|_| {
            Err(io::Error::new(io::ErrorKind::TimedOut, "the peer does not read"))
        })
    }

    /// Puts a piece of a running call into the output, unless the call was cancelled meanwhile.
    fn take(&mut self, piece: &Piece) {
        if !self.waiting.contains_key(&piece.call) {
            return;
        }
        if piece.last {
            self.waiting.remove(&piece.call);
        }
        if !piece.bytes.is_empty() {
            self.write(&piece.bytes);
        }
    }

    fn write(&mut self, line: &[u8]) {
        self.out.extend_from_slice(line);
        self.out.push(b'\n');
    }

    fn refuse(&mut self, id: Option<&str>, code: i32, message: &str) {
        jsonrpc::write_error(&mut self.out, id, code, message, None);
        self.out.push(b'\n');
    }

    async fn line(&mut self, line: Line) {
        let text = match line {
            Line::Text(text) => text,
            Line::NotUtf8 => {
                return self.refuse(None, code::PARSE_ERROR, "the line is not UTF-8");
            }
            Line::TooLong => {
                let message = format!("the line is longer than {MAX_LINE} bytes");
                return self.refuse(None, code::PARSE_ERROR, &message);
            }
        };
        let head = Head::bare(Extensions::new());
        let outlet = self.outlet();
        if let Some(conversation) = &self.conversation
            && let Some(heard) = conversation.batch(&self.service, &text, &head, outlet.clone())
        {
            return self.heard(heard, None).await;
        }
        let request = match read(text, head, &self.limits) {
            Ok(request) => request,
            Err(answer) => return self.write(&answer.into_bytes()),
        };
        match &mut self.conversation {
            Some(conversation) if lacks_meta(&request) => {
                let id = request.id().and_then(RequestId::from_raw);
                let heard = conversation.hear(&self.service, *request, outlet).await;
                self.heard(heard, id).await;
            }
            _ => self.stateless(request).await,
        }
    }

    /// Where the next call says what it has to say.
    fn outlet(&self) -> Lane {
        Lane { call: self.next, send: self.send.clone() }
    }

    async fn stateless(&mut self, request: Box<Request>) {
        match accept(&mut self.service, request) {
            Accepted::Call(running) => self.start(running).await,
            Accepted::Notification(notification) => self.notified(&notification),
            // No request of ours awaits one.
            Accepted::Response => {}
        }
    }

    async fn heard(&mut self, heard: Heard, id: Option<RequestId>) {
        match heard {
            Heard::Nothing => {}
            Heard::Stateless(request) => self.stateless(request).await,
            Heard::Answer(answer) => self.write(&answer),
            Heard::Runs(run) => {
                let lane = self.outlet();
                if let Some(id) = &id
                    && !self.admits(id)
                {
                    return;
                }
                let task = async move {
                    let answer = run.await;
                    lane.end(answer).await;
                };
                self.spawn(id, task);
            }
            Heard::Tells(told) => {
                let lane = self.outlet();
                let task = async move {
                    told.await;
                    lane.end(Vec::new()).await;
                };
                self.spawn(None, task);
            }
        }
    }

    fn spawn(&mut self, id: Option<RequestId>, task: impl Future<Output = ()> + Send + 'static) {
        let call = self.next;
        self.next += 1;
        let task = self.tasks.spawn(task);
        self.waiting.insert(call, Waiting { id, task });
    }

    /// Is there room for a call of this id? Says so if there is none.
    fn admits(&mut self, id: &RequestId) -> bool {
        let raw = serde_json::to_string(id).unwrap_or_default();
        if self.waiting.values().any(|waiting| waiting.id.as_ref() == Some(id)) {
            let message = "a request with this id is still running; use another";
            self.refuse(Some(&raw), code::INVALID_REQUEST, message);
            return false;
        }
        if self.waiting.len() >= MAX_RUNNING {
            let message = format!("{MAX_RUNNING} calls are running already; try again later");
            self.refuse(Some(&raw), code::INTERNAL_ERROR, &message);
            return false;
        }
        true
    }

    /// Runs a call in place as far as it goes without waiting, and gives it a task from there on.
    async fn start(&mut self, mut running: Running<S::Future>) {
        let id = RequestId::from_raw(running.id());
        // Before its first poll: a call that is refused must not have done anything.
        if id.as_ref().is_some_and(|id| !self.admits(id)) {
            return;
        }
        loop {
            let stamp = &self.stamp;
            let step = poll_fn(|cx| Poll::Ready(running.poll_step(cx, stamp))).await;
            match step {
                Poll::Ready(Step::Frame(frame)) => self.write(&frame),
                Poll::Ready(Step::Done(answer)) => {
                    self.out.extend_from_slice(&answer.head);
                    self.out.extend_from_slice(answer.rest.as_deref().unwrap_or_default());
                    self.out.push(b'\n');
                    if let Some(line) = torn_down(&running) {
                        self.write(&line);
                    }
                    return;
                }
                Poll::Pending => break,
            }
        }
        let drive = drive(running, self.stamp.clone(), self.next, self.send.clone());
        self.spawn(id, drive);
    }

    /// The only notification that asks something of a server here; unknown ones and those that
    /// cannot be read are ignored, as the specification says (Cancellation › Error Handling).
    fn notified(&mut self, notification: &Request) {
        if notification.method() != method::NOTIFICATIONS_CANCELLED {
            return;
        }
        let id = notification.param(Param::RequestId).and_then(RequestId::from_raw);
        if id.is_none() {
            return;
        }
        let call = self.waiting.iter().find(|(_, waiting)| waiting.id == id).map(|(call, _)| *call);
        if let Some(waiting) = call.and_then(|call| self.waiting.remove(&call)) {
            let reason = notification.param(Param::Reason);
            tracing::debug!(reason = reason.map(crate::error::shorten), "cancelled by the client");
            waiting.task.abort();
        }
    }
}

/// Tells a client that its listener has ended, behind the listener's result (Cancellation › Server
/// to client): there is no stream here whose end would say so.
fn torn_down<F>(running: &Running<F>) -> Option<Vec<u8>> {
    let id = RequestId::from_raw(running.torn_down()?)?;
    let mut meta = Meta::new();
    meta.insert_reserved(SUBSCRIPTION_ID, &id).ok()?;
    let params = CancelledNotificationParams::new(id).meta(meta);
    serde_json::to_vec(&CancelledNotification::new(params)).ok()
}

/// The way into the output of a call that runs in a task of its own.
#[derive(Clone)]
struct Lane {
    call: u64,
    send: mpsc::Sender<Piece>,
}

impl Lane {
    async fn end(&self, bytes: Vec<u8>) {
        // Nobody takes it when the conversation is over.
        drop(self.send.send(Piece { call: self.call, bytes, last: true }).await);
    }
}

impl Outlet for Lane {
    async fn say(&self, bytes: Vec<u8>) {
        drop(self.send.send(Piece { call: self.call, bytes, last: false }).await);
    }
}

async fn drive<F>(mut running: Running<F>, stamp: Stamp, call: u64, send: mpsc::Sender<Piece>)
where
    F: Future<Output = Result<Reply, Infallible>> + Unpin,
{
    loop {
        let piece = match poll_fn(|cx| running.poll_step(cx, &stamp)).await {
            Step::Frame(bytes) => Piece { call, bytes, last: false },
            Step::Done(answer) => {
                let mut bytes = answer.into_bytes();
                if let Some(line) = torn_down(&running) {
                    bytes.push(b'\n');
                    bytes.extend_from_slice(&line);
                }
                Piece { call, bytes, last: true }
            }
        };
        let last = piece.last;
        if send.send(piece).await.is_err() || last {
            return;
        }
    }
}
