//! Everybody who listens, and the marks that are set for each.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::filter::Honoured;

/// How many listeners a server has at most.
const MAX_LISTENERS: usize = 10_000;
/// How many listeners one caller has at most, when callers are told apart.
const MAX_PER_PRINCIPAL: usize = 16;
/// How many updated resources are told by name before "the list has changed" stands for them.
const MAX_MARKS: usize = 256;

/// Something that changed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change<'c> {
    Tools,
    Prompts,
    Resources,
    Updated(&'c str),
}

/// All listeners of a server.
#[derive(Default)]
pub(crate) struct Hub {
    listeners: Mutex<HashMap<u64, Arc<Listener>>>,
    next: AtomicU64,
    ending: tokio::sync::watch::Sender<bool>,
}

/// One listener: what it wants, and what has changed since it was told.
pub(super) struct Listener {
    honoured: Honoured,
    owner: Option<String>,
    marks: Mutex<Marks>,
    wake: Notify,
}

/// What has changed and is not told yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    pub(super) tools: bool,
    pub(super) prompts: bool,
    pub(super) resources: bool,
    pub(super) uris: BTreeSet<String>,
}

/// Why nobody more may listen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Full {
    Server,
    Principal,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hub {
    pub(crate) fn len(&self) -> usize {
        lock(&self.listeners).len()
    }

    /// Adds a listener, which is one until its [`Seat`] is dropped.
    pub(super) fn join(
        self: &Arc<Self>,
        honoured: Honoured,
        owner: Option<String>,
    ) -> Result<Seat, Full> {
        let listener = Arc::new(Listener {
            honoured,
            owner,
            marks: Mutex::new(Marks::default()),
            wake: Notify::new(),
        });
        let mut listeners = lock(&self.listeners);
        if listeners.len() >= MAX_LISTENERS {
            return Err(Full::Server);
        }
        if listener.owner.is_some() {
            let same = listeners.values().filter(|other| other.owner == listener.owner).count();
            if same >= MAX_PER_PRINCIPAL {
                return Err(Full::Principal);
            }
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        listeners.insert(number, Arc::clone(&listener));
        Ok(Seat { hub: Arc::clone(self), number, listener })
    }

    /// Marks the change for all who want to know of it.
    pub(super) fn change(&self, change: Change<'_>) {
        for listener in lock(&self.listeners).values() {
            listener.mark(change);
        }
    }

    /// Ends all listeners, each with its result.
    pub(crate) fn end(&self) {
        self.ending.send_replace(true);
    }
}

impl Listener {
    pub(super) fn honoured(&self) -> &Honoured {
        &self.honoured
    }

    pub(super) fn mark(&self, change: Change<'_>) {
        let wanted = match change {
            Change::Tools => self.honoured.tools,
            Change::Prompts => self.honoured.prompts,
            Change::Resources => self.honoured.resources,
            Change::Updated(uri) => self.honoured.watches(uri),
        };
        if !wanted {
            return;
        }
        let mut marks = lock(&self.marks);
        match change {
            Change::Tools => marks.tools = true,
            Change::Prompts => marks.prompts = true,
            Change::Resources => marks.resources = true,
            Change::Updated(uri) if marks.uris.len() < MAX_MARKS => {
                marks.uris.insert(uri.to_owned());
            }
            // Beyond the bound the watched URIs stand for all that lies below them.
            Change::Updated(_) => marks.uris.clone_from(&self.honoured.uris),
        }
        drop(marks);
        self.wake.notify_one();
    }
}

/// A place among the listeners; leaving it is dropping it.
pub(super) struct Seat {
    hub: Arc<Hub>,
    number: u64,
    listener: Arc<Listener>,
}

impl Seat {
    pub(super) fn listener(&self) -> &Arc<Listener> {
        &self.listener
    }

    /// Takes all marks that are set.
    pub(super) fn take(&self) -> Marks {
        std::mem::take(&mut *lock(&self.listener.marks))
    }

    /// Waits for a change and takes all marks; `None` when the server ends.
    pub(super) async fn next(&self) -> Option<Marks> {
        let mut ending = self.hub.ending.subscribe();
        loop {
            let marks = self.take();
            if marks != Marks::default() {
                return Some(marks);
            }
            tokio::select! {
                // What changed before the end is told before it.
                biased;
                () = self.listener.wake.notified() => {}
                _ = ending.wait_for(|ending| *ending) => return None,
            }
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        lock(&self.hub.listeners).remove(&self.number);
    }
}
