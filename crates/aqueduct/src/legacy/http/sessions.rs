//! The sessions that this process serves, and what of all sessions lies in the store: that one has
//! ended, what one has set, the streams that one may still ask for.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use aqueduct_protocol::logging::LoggingLevel;
use serde::{Deserialize, Serialize};

use super::super::live::Live;
use super::calls::Calls;
use super::stream::{Kept, Stream};
use super::token::{Key, LIFE};
use crate::store::{Expected, Put, Store, StoreError};

/// How many sessions are remembered before the idle ones are forgotten.
const MAX_LIVE: usize = 10_000;
/// For how long a session that goes on here may have been ended elsewhere without notice.
const FRESH: Duration = Duration::from_secs(5);
/// How long a stream that is over is kept for a client that lost its end.
const KEPT: Duration = Duration::from_secs(10 * 60);

/// All sessions of a server.
pub(super) struct Sessions {
    live: Mutex<HashMap<Key, Seen>>,
    store: Arc<dyn Store>,
}

/// A session that is served here, and when it was last known to go on.
struct Seen {
    known: Known,
    at: Instant,
}

/// A session that is served here: what it has set, and what runs.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) live: Arc<Live>,
    pub(super) calls: Arc<Calls>,
}

impl Known {
    pub(super) fn new() -> Self {
        Self { live: Live::new(), calls: Calls::new() }
    }

    fn end(&self) {
        self.live.hush();
        self.calls.end();
    }
}

/// What a session has set, for whichever process serves it next.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Settings {
    #[serde(rename = "l")]
    pub(super) level: LoggingLevel,
    #[serde(rename = "w")]
    pub(super) watched: BTreeSet<String>,
}

fn ended(key: Key) -> String {
    format!("legacy/ended/{key}")
}

fn settings(key: Key) -> String {
    format!("legacy/session/{key}")
}

fn stream(key: Key, name: &str) -> String {
    format!("legacy/stream/{key}/{name}")
}

impl Sessions {
    pub(super) fn new(store: Arc<dyn Store>) -> Self {
        Self { live: Mutex::default(), store }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Seen>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is remembered of a session; `None` when it has ended.
    pub(super) async fn enter(&self, key: Key) -> Result<Option<Known>, StoreError> {
        if let Some(known) = self.fresh(key) {
            known.calls.touch();
            return Ok(Some(known));
        }
        if self.store.get(&ended(key)).await?.is_some() {
            self.forget(key);
            return Ok(None);
        }
        let settings = match self.store.get(&settings(key)).await? {
            Some(entry) => serde_json::from_slice(&entry.value).ok(),
            None => None,
        };
        Ok(Some(self.seen(key, settings)))
    }

    /// The session, when it is served here and is not to be asked for again.
    fn fresh(&self, key: Key) -> Option<Known> {
        let sessions = self.lock();
        let seen = sessions.get(&key)?;
        (seen.at.elapsed() < FRESH).then(|| seen.known.clone())
    }

    fn seen(&self, key: Key, settings: Option<Settings>) -> Known {
        let mut sessions = self.lock();
        if let Some(seen) = sessions.get_mut(&key) {
            seen.at = Instant::now();
            if let Some(settings) = settings {
                seen.known.live.apply(settings);
            }
            return seen.known.clone();
        }
        if sessions.len() >= MAX_LIVE {
            sessions.retain(|_, seen| !seen.known.calls.is_idle());
        }
        let known = Known::new();
        if let Some(settings) = settings {
            known.live.apply(settings);
        }
        sessions.insert(key, Seen { known: known.clone(), at: Instant::now() });
        known
    }

    /// Remembers what a session has set.
    pub(super) async fn save(&self, key: Key, live: &Live) -> Result<(), StoreError> {
        let value = serde_json::to_vec(&live.settings()).unwrap_or_default();
        self.store.put(&settings(key), Put::new(value).ttl(LIFE)).await.map(drop)
    }

    /// Ends a session, and remembers that for as long as its id would open.
    pub(super) async fn end(&self, key: Key) -> Result<(), StoreError> {
        self.store.put(&ended(key), Put::new("").ttl(LIFE)).await?;
        self.forget(key);
        self.store.delete(&settings(key), Expected::Any).await.map(drop)
    }

    fn forget(&self, key: Key) {
        let seen = self.lock().remove(&key);
        if let Some(seen) = seen {
            seen.known.end();
        }
    }

    /// Keeps a stream that is over, for a client that has lost its end.
    pub(super) async fn keep(&self, key: Key, over: &Stream) {
        let Ok(value) = serde_json::to_vec(&over.kept()) else { return };
        let put = Put::new(value).ttl(KEPT);
        if let Err(error) = self.store.put(&stream(key, over.name()), put).await {
            tracing::warn!("a stream is not kept: {error}");
        }
    }

    /// A stream of this session that is over.
    pub(super) async fn kept(&self, key: Key, name: &str) -> Option<Arc<Stream>> {
        let entry = self.store.get(&stream(key, name)).await.ok()??;
        let kept: Kept = serde_json::from_slice(&entry.value).ok()?;
        Some(Stream::of(name, kept))
    }
}

impl Live {
    /// What the session has set.
    pub(super) fn settings(&self) -> Settings {
        let state = self.lock();
        Settings { level: state.level, watched: state.watched.clone() }
    }

    /// Takes over what it has set elsewhere.
    pub(super) fn apply(&self, settings: Settings) {
        let mut state = self.lock();
        let is_other = state.watched != settings.watched;
        (state.level, state.watched) = (settings.level, settings.watched);
        state.changes += u64::from(is_other);
        drop(state);
        if is_other {
            self.rewatch.notify_one();
        }
    }
}

impl Drop for Sessions {
    /// The tasks of the sessions end with the server that they serve.
    fn drop(&mut self) {
        for seen in std::mem::take(&mut *self.lock()).into_values() {
            seen.known.end();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Memory;

    #[tokio::test]
    async fn an_end_is_remembered_by_all_who_share_the_store() {
        let store: Arc<dyn Store> = Arc::new(Memory::new());
        let (one, two) = (Sessions::new(Arc::clone(&store)), Sessions::new(store));
        let (key, other) = (Key::of("a"), Key::of("b"));
        let live = one.enter(key).await.unwrap().unwrap().live;
        live.set_level(LoggingLevel::Alert);
        live.watch("a:b".to_owned());
        one.save(key, &live).await.unwrap();
        let there = two.enter(key).await.unwrap().unwrap().live;
        assert_eq!(there.settings(), live.settings());
        let said = Stream::new();
        said.push("x");
        said.end(Some(b"y".to_vec()));
        one.keep(key, &said).await;
        assert!(two.kept(key, said.name()).await.is_some());
        assert!(two.kept(other, said.name()).await.is_none());
        one.end(key).await.unwrap();
        assert!(one.enter(key).await.unwrap().is_none());
        assert!(Sessions::new(Arc::clone(&two.store)).enter(key).await.unwrap().is_none());
        assert!(two.enter(other).await.unwrap().is_some());
    }
}
