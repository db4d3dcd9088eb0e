//! The messages of one stream with their numbers, kept so that a client that lost its connection
//! can come back for the rest.
//!
//! [Transports › Resumability](https://modelcontextprotocol.io/specification/2025-11-25/basic/transports).

use std::collections::VecDeque;
use std::fmt;
use std::future::poll_fn;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::super::outlet::Outlet;

/// How many messages of a stream are kept.
const MAX_KEPT: usize = 512;
/// How many bytes of them.
const MAX_KEPT_BYTES: usize = 1024 * 1024;
/// How many messages may wait for a reader that is there and slow, before the call waits too.
const MAX_WAITING: u64 = 64;
/// After how long without a reader nobody is expected any more.
const ABANDONED: Duration = Duration::from_secs(10 * 60);
/// How long a client waits before it comes back, in milliseconds.
const RETRY: u32 = 1_000;

/// One stream: what was said on it, and who reads it now.
pub(super) struct Stream {
    name: String,
    log: Mutex<Log>,
}

#[derive(Default)]
struct Log {
    events: VecDeque<(u64, Bytes)>,
    bytes: usize,
    /// The number of the newest message; 0 is where the stream begins.
    last: u64,
    /// Up to where a reader has taken them.
    taken: u64,
    over: bool,
    /// The reader that is there; an older one ends when it finds another.
    reader: u64,
    readers: u64,
    /// The reader that is there is to end.
    hung_up: bool,
    /// Since when there is no reader.
    unread: Option<Instant>,
    waker: Option<Waker>,
    room: Option<Waker>,
}

/// What tells the streams of all processes apart, as far as a clock can.
static NEXT: LazyLock<AtomicU64> = LazyLock::new(|| {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    AtomicU64::new(u64::try_from(since.as_micros()).unwrap_or_default())
});

impl Stream {
    pub(super) fn new() -> Arc<Self> {
        let name = format!("{:x}", NEXT.fetch_add(1, Ordering::Relaxed));
        let log = Log { unread: Some(Instant::now()), ..Log::default() };
        Arc::new(Self { name, log: Mutex::new(log) })
    }

    /// The part of an event's id that names its stream.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    fn lock(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Is a reader there?
    pub(super) fn is_read(&self) -> bool {
        self.lock().reader != 0
    }

    /// Was nothing said yet?
    pub(super) fn is_silent(&self) -> bool {
        self.lock().last == 0
    }

    /// What of it is kept, once it is over.
    pub(super) fn kept(&self) -> Kept {
        let log = self.lock();
        let text = |message: &Bytes| String::from_utf8_lossy(message).into_owned();
        Kept(log.events.iter().map(|(number, message)| (*number, text(message))).collect())
    }

    /// A stream that is over, from what was kept of it.
    pub(super) fn of(name: &str, kept: Kept) -> Arc<Self> {
        let mut log = Log { over: true, ..Log::default() };
        for (number, message) in kept.0 {
            log.last = number;
            log.events.push_back((number, message.into()));
        }
        Arc::new(Self { name: name.to_owned(), log: Mutex::new(log) })
    }

    /// Adds a message; the oldest go when there are too many.
    pub(super) fn push(&self, message: impl Into<Bytes>) {
        let mut log = self.lock();
        if log.over {
            return;
        }
        log.add(message.into());
        log.wake();
    }

    /// Adds the answer, if there is one, behind which nothing comes.
    pub(super) fn end(&self, answer: Option<Vec<u8>>) {
        let mut log = self.lock();
        if log.over {
            return;
        }
        if let Some(answer) = answer {
            log.add(answer.into());
        }
        log.over = true;
        log.wake();
    }

    /// Reads from behind message `after`, or from behind what was read already.
    pub(super) fn read(self: &Arc<Self>, after: Option<u64>, terms: Terms) -> Reader {
        let mut log = self.lock();
        log.readers += 1;
        log.reader = log.readers;
        log.hung_up = false;
        log.unread = None;
        let next = after.unwrap_or(log.taken) + 1;
        let number = log.reader;
        log.wake();
        drop(log);
        Reader { stream: Arc::clone(self), number, next, terms, primed: false }
    }
}

impl Outlet for Arc<Stream> {
    async fn say(&self, message: Vec<u8>) {
        poll_fn(|cx| self.lock().poll_room(cx)).await;
        self.push(message);
    }

    fn hang_up(&self) {
        let mut log = self.lock();
        log.hung_up = true;
        log.wake();
    }

    fn is_abandoned(&self) -> bool {
        self.lock().unread.is_some_and(|since| since.elapsed() > ABANDONED)
    }
}

impl Log {
    fn add(&mut self, message: Bytes) {
        self.last += 1;
        self.bytes += message.len();
        self.events.push_back((self.last, message));
        while self.events.len() > 1 && (self.events.len() > MAX_KEPT || self.bytes > MAX_KEPT_BYTES)
        {
            let gone = self.events.pop_front().map_or(0, |(_, message)| message.len());
            self.bytes -= gone;
        }
    }

    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    /// Without a reader there is always room: the call goes on, and the oldest messages go.
    fn poll_room(&mut self, cx: &Context<'_>) -> Poll<()> {
        let waits = self.reader != 0 && self.last.saturating_sub(self.taken) >= MAX_WAITING;
        if waits && !self.over {
            self.room = Some(cx.waker().clone());
            return Poll::Pending;
        }
        Poll::Ready(())
    }
}

/// What the client of a stream's reader can make use of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Terms {
    /// Events have ids: the client has a session to come back to.
    pub(super) numbered: bool,
    /// The first event is an empty one with an id, and the connection may end early.
    pub(super) primed: bool,
}

/// The messages of a stream with their numbers.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Kept(Vec<(u64, String)>);

/// One connection that a stream is read through.
pub(crate) struct Reader {
    stream: Arc<Stream>,
    number: u64,
    next: u64,
    terms: Terms,
    primed: bool,
}

impl Reader {
    /// The next events, as server-sent events are written; `None` when this connection has had
    /// all that it gets.
    pub(crate) fn poll_events(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let mut chunk = Vec::new();
        let mut log = self.stream.lock();
        if log.reader != self.number {
            return Poll::Ready(None);
        }
        if self.terms.primed && !self.primed {
            let at = self.next - 1;
            let first = format!("id: {}-{at}\nretry: {RETRY}\ndata:\n\n", self.stream.name);
            chunk.extend_from_slice(first.as_bytes());
        }
        self.primed = true;
        for (number, message) in log.events.iter().filter(|(number, _)| *number >= self.next) {
            if self.terms.numbered {
                let id = format!("id: {}-{number}\n", self.stream.name);
                chunk.extend_from_slice(id.as_bytes());
            }
            chunk.extend_from_slice(b"data: ");
            chunk.extend_from_slice(message);
            chunk.extend_from_slice(b"\n\n");
        }
        self.next = log.last + 1;
        log.taken = log.last;
        if let Some(room) = log.room.take() {
            room.wake();
        }
        if !chunk.is_empty() {
            return Poll::Ready(Some(chunk.into()));
        }
        if log.over || (log.hung_up && self.terms.primed) {
            return Poll::Ready(None);
        }
        log.waker = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let mut log = self.stream.lock();
        if log.reader == self.number {
            log.reader = 0;
            log.unread = Some(Instant::now());
            if let Some(room) = log.room.take() {
                room.wake();
            }
        }
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("stream", &self.stream.name).finish_non_exhaustive()
    }
}

/// The stream and the number that an event's id names.
pub(super) fn event(id: &str) -> Option<(&str, u64)> {
    let (name, number) = id.split_once('-')?;
    Some((name, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Terms = Terms { numbered: true, primed: true };

    fn text(reader: &mut Reader) -> Option<String> {
        match reader.poll_events(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(chunk) => chunk.map(|chunk| String::from_utf8(chunk.to_vec()).unwrap()),
            Poll::Pending => Some(String::new()),
        }
    }

    #[test]
    fn a_connection_begins_with_where_to_come_back_to_and_the_rest_is_read_by_another() {
        let stream = Stream::new();
        let name = stream.name().to_owned();
        let mut first = stream.read(None, ALL);
        stream.push("1");
        assert_eq!(
            text(&mut first).unwrap(),
            format!("id: {name}-0\nretry: 1000\ndata:\n\nid: {name}-1\ndata: 1\n\n")
        );
        stream.push("2");
        stream.end(Some(b"3".to_vec()));
        let mut second = stream.read(Some(1), Terms { primed: false, ..ALL });
        assert_eq!(text(&mut first), None);
        assert_eq!(
            text(&mut second).unwrap(),
            format!("id: {name}-2\ndata: 2\n\nid: {name}-3\ndata: 3\n\n")
        );
        assert_eq!(text(&mut second), None);
        assert_eq!(event(&format!("{name}-3")), Some((name.as_str(), 3)));
    }

    #[test]
    fn a_hung_up_connection_ends_when_it_has_told_all_and_the_stream_goes_on() {
        let stream = Stream::new();
        let mut reader = stream.read(None, ALL);
        stream.push("1");
        stream.hang_up();
        assert!(text(&mut reader).unwrap().contains("data: 1"));
        assert_eq!(text(&mut reader), None);
        stream.end(Some(b"2".to_vec()));
        let mut reader = stream.read(None, Terms { primed: false, ..ALL });
        assert!(text(&mut reader).unwrap().contains("data: 2"));
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let stream = Stream::new();
        for n in 0..MAX_KEPT + 10 {
            stream.push(n.to_string());
        }
        assert_eq!(stream.lock().events.len(), MAX_KEPT);
        stream.push(vec![b'x'; MAX_KEPT_BYTES]);
        assert_eq!(stream.lock().events.len(), 1);
    }

    #[test]
    fn a_slow_reader_holds_up_its_call_and_one_that_is_gone_does_not() {
        let stream = Stream::new();
        let reader = stream.read(None, ALL);
        for n in 0..MAX_WAITING {
            stream.push(n.to_string());
        }
        let cx = Context::from_waker(Waker::noop());
        assert!(stream.lock().poll_room(&cx).is_pending());
        drop(reader);
        assert!(stream.lock().poll_room(&cx).is_ready());
    }
}
