//! The bounded queue of what a call says before it answers.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use super::Progress;
use super::log;
use aqueduct_protocol::logging::LoggingLevel;

/// How many frames may wait for a peer that does not read.
const MAX_WAITING: usize = 64;
/// How many bytes may wait.
const MAX_WAITING_BYTES: usize = 256 * 1024;
/// How many frames of one kind a call may send in all.
const MAX_TOTAL: u32 = 1_000;
/// How many progress frames may go out at once, and how many a second after that.
const PROGRESS_RATE: Rate = Rate { burst: 64.0, per_second: 10.0 };
/// The same for log messages.
const LOG_RATE: Rate = Rate { burst: 100.0, per_second: 50.0 };

/// The notifications of one call, in order, until its transport takes them.
///
/// Full means: progress keeps its latest value only, and log messages are counted instead of kept.
pub(crate) struct Outbound(Mutex<Queue>);

pub(super) struct Queue {
    pub(super) frames: VecDeque<Vec<u8>>,
    bytes: usize,
    waker: Option<Waker>,
    closed: bool,
    /// Whoever takes the frames can end the connection without the call.
    pub(super) resumable: bool,
    pub(super) hung_up: bool,
    last: Option<f64>,
    held: Option<Vec<u8>>,
    progress: Bucket,
    log: Bucket,
    suppressed: u32,
}

impl Outbound {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Queue {
            frames: VecDeque::new(),
            bytes: 0,
            waker: None,
            closed: false,
            resumable: false,
            hung_up: false,
            last: None,
            held: None,
            progress: Bucket::new(PROGRESS_RATE),
            log: Bucket::new(LOG_RATE),
            suppressed: 0,
        }))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn progress(&self, token: &str, progress: &Progress) {
        let mut queue = self.lock();
        let grows = queue.last.is_none_or(|last| progress.progress > last);
        if queue.closed || !grows {
            return;
        }
        let Some(frame) = progress.frame(token) else { return };
        queue.last = Some(progress.progress);
        if queue.has_room() && queue.progress.take() {
            queue.held = None;
            queue.push(frame);
        } else {
            queue.held = Some(frame);
        }
    }

    /// Takes a frame whatever waits already: for callers that wait until their frames are taken.
    pub(super) fn say(&self, frame: Vec<u8>) {
        let mut queue = self.lock();
        if !queue.closed {
            queue.push(frame);
        }
    }

    pub(super) fn log(&self, frame: Vec<u8>) {
        let mut queue = self.lock();
        if queue.closed {
            return;
        }
        if queue.has_room() && queue.log.take() {
            queue.push(frame);
        } else {
            queue.suppressed += 1;
        }
    }

    /// Asks the transport to end the connection and not the call.
    pub(super) fn hang_up(&self) {
        let mut queue = self.lock();
        if queue.resumable && !queue.closed {
            queue.hung_up = true;
            queue.wake();
        }
    }

    /// The next frame, if one waits.
    pub(crate) fn pop(&self) -> Option<Vec<u8>> {
        self.lock().pop()
    }

    /// Ready when a frame waits; else the task is woken by the next one.
    pub(crate) fn poll_waiting(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut queue = self.lock();
        if queue.frames.is_empty() && !queue.hung_up {
            if !queue.waker.as_ref().is_some_and(|waker| waker.will_wake(cx.waker())) {
                queue.waker = Some(cx.waker().clone());
            }
            return Poll::Pending;
        }
        Poll::Ready(())
    }

    /// Ends the queue before the answer goes out: what was held back is let go, and nothing that
    /// comes later is taken.
    pub(crate) fn close(&self) {
        let mut queue = self.lock();
        if queue.closed {
            return;
        }
        queue.closed = true;
        queue.waker = None;
        if let Some(frame) = queue.held.take() {
            queue.push(frame);
        }
        if queue.suppressed > 0 {
            let note = format!("{} log messages were left out", queue.suppressed);
            queue.push(log::frame(None, LoggingLevel::Notice, &note));
        }
    }
}

impl Queue {
    fn has_room(&self) -> bool {
        self.frames.len() < MAX_WAITING && self.bytes < MAX_WAITING_BYTES
    }

    fn push(&mut self, frame: Vec<u8>) {
        self.bytes += frame.len();
        self.frames.push_back(frame);
        self.wake();
    }

    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    fn pop(&mut self) -> Option<Vec<u8>> {
        let frame = self.frames.pop_front()?;
        self.bytes -= frame.len();
        Some(frame)
    }
}

#[derive(Clone, Copy)]
struct Rate {
    burst: f64,
    per_second: f64,
}

/// A token bucket with a bound on the whole.
struct Bucket {
    rate: Rate,
    tokens: f64,
    since: Option<Instant>,
    total: u32,
}

impl Bucket {
    fn new(rate: Rate) -> Self {
        Self { rate, tokens: rate.burst, since: None, total: 0 }
    }

    fn take(&mut self) -> bool {
        let now = Instant::now();
        if let Some(since) = self.since {
            let gained = now.duration_since(since).as_secs_f64() * self.rate.per_second;
            self.tokens = (self.tokens + gained).min(self.rate.burst);
        }
        self.since = Some(now);
        if self.tokens < 1.0 || self.total >= MAX_TOTAL {
            return false;
        }
        self.tokens -= 1.0;
        self.total += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drain(outbound: &Outbound) -> Vec<String> {
        std::iter::from_fn(|| outbound.pop())
            .map(|frame| String::from_utf8(frame).unwrap())
            .collect()
    }

    #[test]
    fn progress_that_does_not_grow_is_dropped() {
        let outbound = Outbound::new();
        for value in [1, 1, 0, 2] {
            outbound.progress("1", &value.into());
        }
        assert_eq!(drain(&outbound).len(), 2);
    }

    #[test]
    fn a_flood_of_progress_is_bounded_and_its_last_value_arrives() {
        let outbound = Outbound::new();
        for value in 1..=10_000 {
            outbound.progress("1", &value.into());
        }
        outbound.close();
        let frames = drain(&outbound);
        assert!(frames.len() <= MAX_WAITING + 1, "{}", frames.len());
        assert!(frames.last().unwrap().contains(r#""progress":10000}"#));
    }

    #[test]
    fn left_out_log_messages_are_counted() {
        let outbound = Outbound::new();
        for _ in 0..(MAX_WAITING + 5) {
            outbound.log(log::frame(None, LoggingLevel::Info, &"x"));
        }
        outbound.close();
        assert!(drain(&outbound).last().unwrap().contains("5 log messages were left out"));
    }

    #[test]
    fn nothing_is_taken_after_the_end() {
        let outbound = Outbound::new();
        outbound.close();
        outbound.progress("1", &1.into());
        outbound.log(log::frame(None, LoggingLevel::Info, &"x"));
        assert!(drain(&outbound).is_empty());
    }
}
