//! What runs of a session in this process, and the streams that it runs on.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aqueduct_protocol::jsonrpc::RequestId;
use tokio::task::AbortHandle;

use super::stream::Stream;

/// How many calls of a session may run at once.
pub(super) const MAX_RUNNING: usize = 32;

/// The calls of one session.
pub(super) struct Calls {
    state: Mutex<State>,
    next: AtomicU64,
    places: AtomicUsize,
}

/// The place of one call among those of its session; dropping it frees the place.
pub(super) struct Place(Arc<Calls>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.places.fetch_sub(1, Ordering::Relaxed);
    }
}

struct State {
    running: HashMap<u64, Run>,
    pushes: Option<Push>,
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
        let state = State { running: HashMap::new(), pushes: None, ended: false };
        let state = Mutex::new(state);
        Arc::new(Self { state, next: AtomicU64::new(1), places: AtomicUsize::new(0) })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does no call run, and is nobody there to be told what belongs to none?
    pub(super) fn is_idle(&self) -> bool {
        let state = self.lock();
        let is_read = state.pushes.as_ref().is_some_and(|push| push.stream.is_read());
        state.running.is_empty() && !is_read
    }

    /// A place for one more call, unless too many run.
    pub(super) fn admit(self: &Arc<Self>) -> Option<Place> {
        let before = self.places.fetch_add(1, Ordering::Relaxed);
        let place = Place(Arc::clone(self));
        (before < MAX_RUNNING).then_some(place)
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
