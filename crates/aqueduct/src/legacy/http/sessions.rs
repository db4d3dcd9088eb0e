//! The sessions that this process serves, and what of all sessions lies in the store: that one has
//! ended, what one has set, the streams that one may still ask for.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use aqueduct_protocol::logging::LoggingLevel;
use serde::{Deserialize, Serialize};

use super::super::live::{Asking, Live};
use super::super::relay::Relay;
use super::super::task::TaskTools;
use super::calls::Calls;
use super::shared::Shared;
use super::stream::{Kept, Stream};
use super::token::{Key, LIFE};
use crate::store::{Bus, Expected, Put, Store, StoreError};

/// How many of the sessions that were used least recently are looked at for one that is idle.
const MAX_LOOKS: usize = 1024;
/// For how long a session that goes on here may have been ended elsewhere without notice.
const FRESH: Duration = Duration::from_secs(5);
/// How long a stream that is over is kept for a client that lost its end.
const KEPT: Duration = Duration::from_secs(10 * 60);

/// What sessions need of their server.
pub(crate) struct SessionTerms {
    /// Where lies what must not be forgotten.
    pub(crate) store: Arc<dyn Store>,
    /// What other processes are told over, where there are any.
    pub(crate) bus: Option<Arc<dyn Bus>>,
    /// How long a client may take to answer a question.
    pub(crate) answer_time: Duration,
    /// The tools whose calls can be tasks.
    pub(crate) tasks: TaskTools,
}

/// All sessions of a server.
pub(super) struct Sessions {
    live: Mutex<Table>,
    store: Arc<dyn Store>,
    /// What other processes are told over, where there are any.
    bus: Option<Arc<dyn Bus>>,
    /// How long a client may take to answer a question.
    answer_time: Duration,
}

/// The sessions that are served here, and the order in which they were used.
#[derive(Default)]
struct Table {
    seen: HashMap<Key, Seen>,
    /// The least recently used one first.
    order: BTreeMap<u64, Key>,
    uses: u64,
    most: usize,
}

/// A session that is served here, when it was last known to go on, and its use in the order.
struct Seen {
    known: Known,
    at: Instant,
    used: u64,
}

/// Why a session is not served.
pub(super) enum Missing {
    Ended,
    /// There are too many sessions, and all are in use.
    Full,
    Unsure(StoreError),
}

impl From<StoreError> for Missing {
    fn from(error: StoreError) -> Self {
        Self::Unsure(error)
    }
}

impl Table {
    /// A session that is used now.
    fn used(&mut self, key: Key) -> Option<&mut Seen> {
        let seen = self.seen.get_mut(&key)?;
        self.order.remove(&seen.used);
        self.uses += 1;
        seen.used = self.uses;
        self.order.insert(seen.used, key);
        Some(seen)
    }

    fn insert(&mut self, key: Key, known: Known) {
        self.uses += 1;
        self.order.insert(self.uses, key);
        self.seen.insert(key, Seen { known, at: Instant::now(), used: self.uses });
    }

    fn remove(&mut self, key: Key) -> Option<Known> {
        let seen = self.seen.remove(&key)?;
        self.order.remove(&seen.used);
        Some(seen.known)
    }

    /// Takes out the idle session that was used least recently. One that is in use goes to the
    /// end of the order, so that it is not looked at each time.
    fn quietest(&mut self) -> Option<Known> {
        for _ in 0..self.seen.len().min(MAX_LOOKS) {
            let key = *self.order.first_key_value()?.1;
            if self.seen.get(&key).is_some_and(|seen| seen.known.is_idle()) {
                return self.remove(key);
            }
            self.used(key);
        }
        None
    }
}

/// A session that is served here: what it has set, and what runs.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) live: Arc<Live>,
    pub(super) calls: Arc<Calls>,
}

impl Known {
    pub(super) fn new(asking: Asking) -> Self {
        Self { live: Live::new(asking), calls: Calls::new() }
    }

    /// Is it in no hands but the table's, and does nothing of it run?
    fn is_idle(&self) -> bool {
        Arc::strong_count(&self.calls) == 1 && self.calls.is_idle()
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
    pub(super) fn new(terms: SessionTerms) -> Self {
        let SessionTerms { store, bus, answer_time, .. } = terms;
        let live = Mutex::new(Table { most: usize::MAX, ..Table::default() });
        Self { live, store, bus, answer_time }
    }

    /// How the questions of a session are put; of none where there is none.
    pub(super) fn asking(&self, key: Option<Key>) -> Asking {
        let relay = self.bus.as_ref().zip(key).map(|(bus, session)| {
            let (store, bus) = (Arc::clone(&self.store), Arc::clone(bus));
            Arc::new(Shared { store, bus, session }) as Arc<dyn Relay>
        });
        Asking { time: self.answer_time, relay }
    }

    /// How many are served here at once.
    pub(super) fn most(&self, sessions: usize) {
        self.lock().most = sessions;
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is remembered of a session.
    pub(super) async fn enter(&self, key: Key) -> Result<Known, Missing> {
        if let Some(known) = self.fresh(key) {
            return Ok(known);
        }
        if self.store.get(&ended(key)).await?.is_some() {
            self.forget(key);
            return Err(Missing::Ended);
        }
        let settings = match self.store.get(&settings(key)).await? {
            Some(entry) => serde_json::from_slice(&entry.value).ok(),
            None => None,
        };
        self.seen(key, settings).ok_or(Missing::Full)
    }

    /// The session, when it is served here and is not to be asked for again.
    fn fresh(&self, key: Key) -> Option<Known> {
        let mut sessions = self.lock();
        let seen = sessions.used(key)?;
        (seen.at.elapsed() < FRESH).then(|| seen.known.clone())
    }

    fn seen(&self, key: Key, settings: Option<Settings>) -> Option<Known> {
        let mut sessions = self.lock();
        if let Some(seen) = sessions.used(key) {
            seen.at = Instant::now();
            if let Some(settings) = settings {
                seen.known.live.apply(settings);
            }
            return Some(seen.known.clone());
        }
        let is_full = sessions.seen.len() >= sessions.most;
        let gone = if is_full { Some(sessions.quietest()?) } else { None };
        let known = Known::new(self.asking(Some(key)));
        if let Some(settings) = settings {
            known.live.apply(settings);
        }
        sessions.insert(key, known.clone());
        drop(sessions);
        if let Some(gone) = gone {
            gone.end();
        }
        Some(known)
    }

    /// Remembers what a session has set, unless that is remembered.
    pub(super) async fn save(&self, key: Key, live: &Live) -> Result<(), StoreError> {
        let Some((unsaved, sets)) = live.unsaved() else { return Ok(()) };
        let value = serde_json::to_vec(&unsaved).unwrap_or_default();
        self.store.put(&settings(key), Put::new(value).ttl(LIFE)).await?;
        let mut state = live.lock();
        state.saved = state.saved.max(sets);
        Ok(())
    }

    /// Ends a session, and remembers that for as long as its id would open.
    pub(super) async fn end(&self, key: Key) -> Result<(), StoreError> {
        self.store.put(&ended(key), Put::new("").ttl(LIFE)).await?;
        self.forget(key);
        self.store.delete(&settings(key), Expected::Any).await.map(drop)
    }

    fn forget(&self, key: Key) {
        let known = self.lock().remove(key);
        if let Some(known) = known {
            known.end();
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
    /// What the session has set, where that is not in the store, and how often it has set it.
    pub(super) fn unsaved(&self) -> Option<(Settings, u64)> {
        let state = self.lock();
        let settings = || Settings { level: state.level, watched: state.watched.clone() };
        (state.sets != state.saved).then(|| (settings(), state.sets))
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
        for seen in std::mem::take(&mut *self.lock()).seen.into_values() {
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
        let sessions = |store: &Arc<dyn Store>| {
            let store = Arc::clone(store);
            let tasks = TaskTools::default();
            Sessions::new(SessionTerms { store, bus: None, answer_time: FRESH, tasks })
        };
        let (one, two) = (sessions(&store), sessions(&store));
        let (key, other) = (Key::of("a"), Key::of("b"));
        let live = one.enter(key).await.ok().unwrap().live;
        live.set_level(LoggingLevel::Alert);
        live.watch("a:b".to_owned()).unwrap();
        assert!(live.unsaved().is_some());
        one.save(key, &live).await.unwrap();
        assert!(live.unsaved().is_none());
        let there = two.enter(key).await.ok().unwrap().live;
        assert_eq!((there.level(), there.watched().0), (live.level(), live.watched().0));
        let said = Stream::new();
        said.push("x");
        said.end(Some(b"y".to_vec()));
        one.keep(key, &said).await;
        assert!(two.kept(key, said.name()).await.is_some());
        assert!(two.kept(other, said.name()).await.is_none());
        one.end(key).await.unwrap();
        assert!(matches!(one.enter(key).await, Err(Missing::Ended)));
        let third = sessions(&store);
        assert!(matches!(third.enter(key).await, Err(Missing::Ended)));
        assert!(two.enter(other).await.is_ok());
    }
}
