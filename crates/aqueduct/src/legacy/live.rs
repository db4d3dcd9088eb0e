//! What a process remembers of a session while it serves it: nothing that the session needs to go
//! on elsewhere, but what runs here and what was set here.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use aqueduct_protocol::jsonrpc::{RawJson, RequestId};
use aqueduct_protocol::logging::LoggingLevel;
use tokio::sync::{Notify, oneshot, watch};
use tokio::task::AbortHandle;

use super::sessions::Settings;
use super::stream::Stream;

/// The level of a session that has set none; which one is the server's to choose
/// (Logging › Log levels).
const LEVEL: LoggingLevel = LoggingLevel::Info;
/// How many resources a session may watch.
const MAX_WATCHED: usize = 256;
/// How many questions of a session may be open.
const MAX_ASKED: usize = 64;
/// After how long without a request a session is forgotten when room is needed.
const IDLE: Duration = Duration::from_secs(30 * 60);

/// What a client answered to a question.
pub(super) enum Answered {
    Result(RawJson),
    /// The message of its error.
    Error(String),
}

/// A session that is served here.
pub(super) struct Live {
    state: Mutex<State>,
    next: AtomicU64,
    /// Fires when the watched resources are others.
    pub(super) rewatch: Notify,
    /// Which of the changes to what is watched are in force; all of them where nobody watches.
    heard: watch::Sender<u64>,
}

/// Nobody watches, so there is nobody to wait for.
const NOBODY: u64 = u64::MAX;
/// How long a client waits for what it watches to be watched.
const SOON: Duration = Duration::from_secs(1);

struct State {
    level: LoggingLevel,
    watched: BTreeSet<String>,
    /// How often that was changed.
    changes: u64,
    running: HashMap<u64, Run>,
    asked: HashMap<String, oneshot::Sender<Answered>>,
    pushes: Option<Push>,
    touched: Instant,
    ended: bool,
}

struct Run {
    id: Option<RequestId>,
    task: AbortHandle,
    stream: Arc<Stream>,
}

/// The stream of what belongs to no request, and the task that fills it.
struct Push {
    stream: Arc<Stream>,
    task: AbortHandle,
}

impl Live {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::new(State {
                level: LEVEL,
                watched: BTreeSet::new(),
                changes: 1,
                running: HashMap::new(),
                asked: HashMap::new(),
                pushes: None,
                touched: Instant::now(),
                ended: false,
            }),
            next: AtomicU64::new(1),
            rewatch: Notify::new(),
            heard: watch::Sender::new(NOBODY),
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn touch(&self) {
        self.lock().touched = Instant::now();
    }

    /// Has it been quiet for so long, and does nothing of it run?
    pub(super) fn is_idle(&self) -> bool {
        let state = self.lock();
        state.running.is_empty() && state.pushes.is_none() && state.touched.elapsed() > IDLE
    }

    pub(super) fn level(&self) -> LoggingLevel {
        self.lock().level
    }

    pub(super) fn set_level(&self, level: LoggingLevel) {
        self.lock().level = level;
    }

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

    /// Watches a resource, unless there are too many.
    pub(super) fn watch(&self, uri: String) -> bool {
        let mut state = self.lock();
        if state.watched.len() >= MAX_WATCHED {
            return false;
        }
        state.watched.insert(uri);
        state.changes += 1;
        drop(state);
        self.rewatch.notify_one();
        true
    }

    pub(super) fn unwatch(&self, uri: &str) {
        let mut state = self.lock();
        state.watched.remove(uri);
        state.changes += 1;
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

    /// Runs a call of the session in a task; `start` gets the number to leave with.
    ///
    /// The task may end before this does: it leaves under the same lock, so after it was entered.
    pub(super) fn run(
        &self,
        id: Option<RequestId>,
        stream: &Arc<Stream>,
        start: impl FnOnce(u64) -> AbortHandle,
    ) {
        let mut state = self.lock();
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let run = Run { id, task: start(number), stream: Arc::clone(stream) };
        if state.ended {
            run.end();
            return;
        }
        state.running.insert(number, run);
    }

    pub(super) fn left(&self, number: u64) {
        let mut state = self.lock();
        state.running.remove(&number);
        state.touched = Instant::now();
    }

    /// Cancels the calls of this id: their streams end without an answer.
    pub(super) fn cancel(&self, id: &RequestId) {
        let mut state = self.lock();
        state.running.retain(|_, run| {
            let is_meant = run.id.as_ref() == Some(id);
            if is_meant {
                run.end();
            }
            !is_meant
        });
    }

    /// The stream of this name, if it is one of a call that runs or the one of no call.
    pub(super) fn stream(&self, name: &str) -> Option<Arc<Stream>> {
        let state = self.lock();
        let pushes = state.pushes.iter().map(|push| &push.stream);
        let streams = state.running.values().map(|run| &run.stream).chain(pushes);
        streams.into_iter().find(|stream| stream.name() == name).cloned()
    }

    /// The stream of what belongs to no request; `start` makes the task that fills it.
    pub(super) fn pushes(
        &self,
        start: impl FnOnce(Arc<Stream>) -> AbortHandle,
    ) -> Option<Arc<Stream>> {
        let mut state = self.lock();
        if state.ended {
            return None;
        }
        state.touched = Instant::now();
        if let Some(push) = state.pushes.as_ref().filter(|push| !push.task.is_finished()) {
            return Some(Arc::clone(&push.stream));
        }
        let stream = Stream::new();
        self.watching();
        let task = start(Arc::clone(&stream));
        state.pushes = Some(Push { stream: Arc::clone(&stream), task });
        Some(stream)
    }

    /// A question under a new id; the place is given back when it is dropped.
    pub(super) fn ask(self: &Arc<Self>) -> Option<Asked> {
        let (send, answer) = oneshot::channel();
        let mut state = self.lock();
        if state.ended || state.asked.len() >= MAX_ASKED {
            return None;
        }
        let id = format!("aqueduct-{}", self.next.fetch_add(1, Ordering::Relaxed));
        state.asked.insert(id.clone(), send);
        drop(state);
        Some(Asked { live: Arc::clone(self), id, answer })
    }

    /// Hands a response to whoever asked for it; one that nobody asked for is dropped.
    pub(super) fn answered(&self, id: &str, answer: Answered) {
        let asked = self.lock().asked.remove(id);
        if let Some(asked) = asked {
            // Whoever asked may have gone meanwhile.
            drop(asked.send(answer));
        }
    }

    /// Lets no question wait any longer: nobody is left to answer.
    pub(super) fn hush(&self) {
        self.lock().asked.clear();
    }

    /// Ends all that runs.
    pub(super) fn end(&self) {
        let mut state = self.lock();
        state.ended = true;
        state.asked.clear();
        for run in std::mem::take(&mut state.running).into_values() {
            run.end();
        }
        if let Some(push) = state.pushes.take() {
            push.task.abort();
            push.stream.end(None);
        }
    }
}

impl Run {
    fn end(&self) {
        self.task.abort();
        self.stream.end(None);
    }
}

/// A question that waits for its answer.
pub(super) struct Asked {
    live: Arc<Live>,
    pub(super) id: String,
    pub(super) answer: oneshot::Receiver<Answered>,
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.live.lock().asked.remove(&self.id);
    }
}
