//! The sessions that this process serves, those that have ended, and the streams of theirs that
//! may still be asked for.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::live::Live;
use super::peer::Key;
use super::stream::Stream;

/// How many sessions are remembered before the idle ones are forgotten.
const MAX_LIVE: usize = 10_000;
/// How many ended sessions are remembered; the oldest would be served again.
const MAX_ENDED: usize = 100_000;
/// How many streams that are over are kept for clients that lost their ends.
const MAX_STREAMS: usize = 1_024;
/// How many bytes of them.
const MAX_STREAM_BYTES: usize = 64 * 1024 * 1024;

/// All sessions of a server, in memory.
///
/// This is the one place that a store has to take over from to serve a session's broken streams
/// and remember its end on another process.
#[derive(Default)]
pub(super) struct Sessions(Mutex<Table>);

#[derive(Default)]
struct Table {
    live: HashMap<Key, Arc<Live>>,
    ended: HashMap<Key, ()>,
    ended_order: VecDeque<Key>,
    streams: VecDeque<Kept>,
    stream_bytes: usize,
}

struct Kept {
    session: Key,
    stream: Arc<Stream>,
    bytes: usize,
}

impl Sessions {
    fn lock(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is remembered of a session; `None` when it has ended.
    pub(super) fn enter(&self, key: Key) -> Option<Arc<Live>> {
        let mut table = self.lock();
        if table.ended.contains_key(&key) {
            return None;
        }
        if let Some(live) = table.live.get(&key) {
            let live = Arc::clone(live);
            drop(table);
            live.touch();
            return Some(live);
        }
        if table.live.len() >= MAX_LIVE {
            table.live.retain(|_, live| !live.is_idle());
        }
        let live = Live::new();
        table.live.insert(key, Arc::clone(&live));
        Some(live)
    }

    /// Ends a session and remembers that.
    pub(super) fn end(&self, key: Key) {
        let mut table = self.lock();
        let live = table.live.remove(&key);
        if table.ended.insert(key, ()).is_none() {
            table.ended_order.push_back(key);
        }
        if table.ended_order.len() > MAX_ENDED
            && let Some(oldest) = table.ended_order.pop_front()
        {
            table.ended.remove(&oldest);
        }
        table.forget(|kept| kept.session == key);
        drop(table);
        if let Some(live) = live {
            live.end();
        }
    }

    /// Keeps a stream that is over, for a client that has lost its end.
    pub(super) fn keep(&self, session: Key, stream: Arc<Stream>) {
        let bytes = stream.bytes();
        let mut table = self.lock();
        if table.ended.contains_key(&session) {
            return;
        }
        table.stream_bytes += bytes;
        table.streams.push_back(Kept { session, stream, bytes });
        while table.streams.len() > MAX_STREAMS || table.stream_bytes > MAX_STREAM_BYTES {
            let Some(gone) = table.streams.pop_front() else { return };
            table.stream_bytes -= gone.bytes;
        }
    }

    /// A stream of this session that is over.
    pub(super) fn kept(&self, session: Key, name: &str) -> Option<Arc<Stream>> {
        let table = self.lock();
        let mut kept = table.streams.iter();
        let kept = kept.find(|kept| kept.session == session && kept.stream.name() == name)?;
        Some(Arc::clone(&kept.stream))
    }
}

impl Table {
    fn forget(&mut self, is_meant: impl Fn(&Kept) -> bool) {
        let mut gone = 0;
        self.streams.retain(|kept| {
            let is_meant = is_meant(kept);
            gone += if is_meant { kept.bytes } else { 0 };
            !is_meant
        });
        self.stream_bytes -= gone;
    }
}

impl Drop for Sessions {
    /// The tasks of the sessions end with the server that they serve.
    fn drop(&mut self) {
        for live in std::mem::take(&mut self.lock().live).into_values() {
            live.end();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ended_session_is_remembered_and_its_streams_are_not() {
        let sessions = Sessions::default();
        let (key, other) = (Key::of("a"), Key::of("b"));
        assert!(sessions.enter(key).is_some());
        let stream = Stream::new();
        sessions.keep(key, Arc::clone(&stream));
        assert!(sessions.kept(other, stream.name()).is_none());
        assert!(sessions.kept(key, stream.name()).is_some());
        sessions.end(key);
        assert!(sessions.enter(key).is_none());
        assert!(sessions.kept(key, stream.name()).is_none());
        assert!(sessions.enter(other).is_some());
        assert_eq!(sessions.lock().stream_bytes, 0);
    }

    #[test]
    fn streams_that_are_over_are_bounded() {
        let sessions = Sessions::default();
        let first = Stream::new();
        sessions.keep(Key::of("a"), Arc::clone(&first));
        for _ in 0..MAX_STREAMS {
            sessions.keep(Key::of("a"), Stream::new());
        }
        assert!(sessions.kept(Key::of("a"), first.name()).is_none());
    }
}
