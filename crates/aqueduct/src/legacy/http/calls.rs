//! What runs of a session in this process, and the streams that it runs on.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use aqueduct_protocol::jsonrpc::RequestId;
use tokio::task::AbortHandle;

use super::stream::Stream;

/// After how long without a request a session is forgotten when room is needed.
const IDLE: Duration = Duration::from_secs(30 * 60);

/// The calls of one session.
pub(super) struct Calls {
    state: Mutex<State>,
    next: AtomicU64,
}

struct State {
    running: HashMap<u64, Run>,
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

impl Calls {
    pub(super) fn new() -> Arc<Self> {
        let state =
            State { running: HashMap::new(), pushes: None, touched: Instant::now(), ended: false };
        Arc::new(Self { state: Mutex::new(state), next: AtomicU64::new(1) })
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
        let task = start(Arc::clone(&stream));
        state.pushes = Some(Push { stream: Arc::clone(&stream), task });
        Some(stream)
    }

    /// Ends all that runs.
    pub(super) fn end(&self) {
        let mut state = self.lock();
        state.ended = true;
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
