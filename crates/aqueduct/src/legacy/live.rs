//! What a process remembers of a session while it serves it: what it has set, and what it was asked.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use aqueduct_protocol::jsonrpc::RawJson;
use aqueduct_protocol::logging::LoggingLevel;
use tokio::sync::{Notify, oneshot, watch};

use super::relay::Relay;
use crate::error::Error;
use crate::store::Subscription;

/// The level of a session that has set none; which one is the server's to choose
/// (Logging › Log levels).
const LEVEL: LoggingLevel = LoggingLevel::Info;
/// How many resources a session may watch.
const MAX_WATCHED: usize = 256;
/// How many bytes their URIs may have in all.
const MAX_WATCHED_BYTES: usize = 64 * 1024;
/// How many questions of a session may be open.
const MAX_ASKED: usize = 64;

/// What a client answered to a question.
pub(super) enum Answered {
    Result(RawJson),
    /// The message of its error.
    Error(String),
}

/// How a session's questions are put.
#[derive(Clone)]
pub(super) struct Asking {
    /// How long a client may take to answer.
    pub(super) time: Duration,
    /// How answers come that arrive at another process.
    pub(super) relay: Option<Arc<dyn Relay>>,
}

/// A session that is served here.
pub(super) struct Live {
    state: Mutex<State>,
    /// What tells the questions of this process from those of others.
    name: u64,
    next: AtomicU64,
    pub(super) asking: Asking,
    /// Fires when the watched resources are others.
    pub(super) rewatch: Notify,
    /// Which of the changes to what is watched are in force; all of them where nobody watches.
    heard: watch::Sender<u64>,
}

/// Nobody watches, so there is nobody to wait for.
const NOBODY: u64 = u64::MAX;
/// How long a client waits for what it watches to be watched.
const SOON: Duration = Duration::from_secs(1);

/// What it has set, and what it was asked.
pub(super) struct State {
    pub(super) level: LoggingLevel,
    pub(super) watched: BTreeSet<String>,
    /// How often that was changed.
    pub(super) changes: u64,
    /// How often anything was set here.
    pub(super) sets: u64,
    /// How much of that is in the store.
    pub(super) saved: u64,
    asked: HashMap<String, oneshot::Sender<Answered>>,
}

impl fmt::Debug for State {
    /// How much there is, and nothing of what it says: URIs may hold what no log should.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("watched", &self.watched.len())
            .field("sets", &self.sets)
            .field("saved", &self.saved)
            .finish_non_exhaustive()
    }
}

impl Live {
    pub(super) fn new(asking: Asking) -> Arc<Self> {
        Arc::new(Self {
            name: getrandom::u64().unwrap_or_default(),
            asking,
            state: Mutex::new(State {
                level: LEVEL,
                watched: BTreeSet::new(),
                changes: 1,
                sets: 0,
                saved: 0,
                asked: HashMap::new(),
            }),
            next: AtomicU64::new(1),
            rewatch: Notify::new(),
            heard: watch::Sender::new(NOBODY),
        })
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn level(&self) -> LoggingLevel {
        self.lock().level
    }

    pub(super) fn set_level(&self, level: LoggingLevel) {
        let mut state = self.lock();
        state.sets += u64::from(state.level != level);
        state.level = level;
    }

    /// Watches a resource; the error says which limit is in the way.
    pub(super) fn watch(&self, uri: String) -> Result<(), Error> {
        let mut state = self.lock();
        if state.watched.contains(&uri) {
            return Ok(());
        }
        if state.watched.len() >= MAX_WATCHED {
            let message = format!("a session watches at most {MAX_WATCHED} resources");
            return Err(Error::invalid_params(message));
        }
        let bytes: usize = state.watched.iter().map(String::len).sum();
        if bytes + uri.len() > MAX_WATCHED_BYTES {
            let message =
                format!("the URIs that a session watches have at most {MAX_WATCHED_BYTES} bytes");
            return Err(Error::invalid_params(message));
        }
        state.watched.insert(uri);
        state.changes += 1;
        state.sets += 1;
        drop(state);
        self.rewatch.notify_one();
        Ok(())
    }

    pub(super) fn unwatch(&self, uri: &str) {
        let mut state = self.lock();
        if !state.watched.remove(uri) {
            return;
        }
        state.changes += 1;
        state.sets += 1;
        drop(state);
        self.rewatch.notify_one();
    }

    /// What is watched, and which change made it so.
    pub(super) fn watched(&self) -> (BTreeSet<String>, u64) {
        let state = self.lock();
        (state.watched.clone(), state.changes)
    }

    /// Somebody begins to watch.
    pub(super) fn watching(&self) {
        self.heard.send_replace(0);
    }

    /// What was watched as of this change is watched now.
    pub(super) fn hears(&self, change: u64) {
        self.heard.send_replace(change);
    }

    /// Nobody watches any more.
    pub(super) fn deaf(&self) {
        self.hears(NOBODY);
    }

    /// Waits until what is to be watched is watched, so that no change behind the answer is missed.
    pub(super) async fn heard(&self) {
        let (_, change) = self.watched();
        let mut heard = self.heard.subscribe();
        let heard = heard.wait_for(|heard| *heard >= change);
        // Whoever watches may be held up by a client that does not read.
        drop(tokio::time::timeout(SOON, heard).await);
    }

    /// A question under a new id; the place is given back when it is dropped.
    pub(super) fn ask(self: &Arc<Self>) -> Option<Asked> {
        let (send, answer) = oneshot::channel();
        let mut state = self.lock();
        if state.asked.len() >= MAX_ASKED {
            return None;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let id = format!("{OURS}{:x}-{number}", self.name);
        state.asked.insert(id.clone(), send);
        drop(state);
        Some(Asked { live: Arc::clone(self), id, answer, elsewhere: None })
    }

    /// Hands a response to whoever asked for it here; gives it back when nobody did.
    pub(super) fn answered(&self, id: &str, answer: Answered) -> Option<Answered> {
        let Some(asked) = self.lock().asked.remove(id) else { return Some(answer) };
        // Whoever asked may have gone meanwhile.
        drop(asked.send(answer));
        None
    }

    /// Lets no question wait any longer: nobody is left to answer.
    pub(super) fn hush(&self) {
        self.lock().asked.clear();
    }
}

/// What the id of every question begins with.
const OURS: &str = "aqueduct-";
/// How long the id of a question can be.
const MAX_QUESTION: usize = 64;

/// Can the question of this id be one of ours?
pub(super) fn is_ours(id: &str) -> bool {
    id.len() <= MAX_QUESTION && id.starts_with(OURS)
}

/// A question that waits for its answer.
pub(super) struct Asked {
    live: Arc<Live>,
    pub(super) id: String,
    answer: oneshot::Receiver<Answered>,
    /// What tells of an answer at another process.
    elsewhere: Option<Subscription>,
}

impl Asked {
    /// Lets an answer come from another process too, before the question is put.
    pub(super) async fn everywhere(&mut self) {
        let Asking { time, relay } = &self.live.asking;
        let Some(relay) = relay else { return };
        match relay.open(&self.id, *time).await {
            Ok(elsewhere) => self.elsewhere = Some(elsewhere),
            // It can be answered here all the same.
            Err(error) => tracing::warn!("a question is known to this process alone: {error}"),
        }
    }

    /// Waits for the answer; an error means that nobody is left to give one.
    pub(super) async fn answer(&mut self) -> Result<Answered, oneshot::error::RecvError> {
        loop {
            let (Some(elsewhere), Some(relay)) = (&mut self.elsewhere, &self.live.asking.relay)
            else {
                return (&mut self.answer).await;
            };
            tokio::select! {
                answer = &mut self.answer => return answer,
                signal = elsewhere.next() => {
                    let is_over = signal.is_none();
                    // Lost messages are made up for by looking too.
                    match relay.answer(&self.id).await {
                        Ok(Some(answer)) => return Ok(answer),
                        Ok(None) => {}
                        Err(error) => tracing::warn!("an answer is not read: {error}"),
                    }
                    if is_over {
                        self.elsewhere = None;
                    }
                }
            }
        }
    }

    /// Closes the question where other processes see it.
    pub(super) async fn close(&self) {
        if let (Some(relay), Some(_)) = (&self.live.asking.relay, &self.elsewhere) {
            // What is left of it ends by itself.
            drop(relay.close(&self.id).await);
        }
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.live.lock().asked.remove(&self.id);
    }
}
