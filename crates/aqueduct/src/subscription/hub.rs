//! Everybody who listens, and the marks that are set for each.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use super::filter::Honoured;
use super::relay::Relay;

/// How many listeners a server has at most.
const MAX_LISTENERS: usize = 10_000;
/// How many updated resources are told by name before "the list has changed" stands for them.
const MAX_MARKS: usize = 256;

/// Something that changed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change<'c> {
    Tools,
    Prompts,
    Resources,
    Updated(&'c str),
    /// Any of the resources that somebody watches.
    AnyResource,
    Task(&'c str),
    /// Any of the tasks that somebody follows.
    Tasks,
}

/// All listeners of a server.
#[derive(Default)]
pub(crate) struct Hub {
    /// How many one caller has at most, when callers are told apart.
    of_each: usize,
    /// How long a listener stays.
    age: Duration,
    room: Mutex<Room>,
    ending: tokio::sync::watch::Sender<bool>,
    relay: OnceLock<Arc<Relay>>,
}

/// Who is there, by number, and how many of them each caller has.
#[derive(Default)]
struct Room {
    listeners: HashMap<u64, Arc<Listener>>,
    of_owner: HashMap<Arc<str>, usize>,
    next: u64,
}

/// One listener: what it wants, and what has changed since it was told.
pub(super) struct Listener {
    honoured: Honoured,
    owner: Option<Arc<str>>,
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
    pub(super) tasks: BTreeSet<String>,
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
    /// A hub where a caller has so many listeners, and each stays so long.
    pub(crate) fn new(of_each: usize, age: Duration) -> Self {
        Self { of_each, age, ..Self::default() }
    }

    pub(super) fn age(&self) -> Duration {
        self.age
    }

    pub(crate) fn len(&self) -> usize {
        lock(&self.room).listeners.len()
    }

    /// Adds a listener, which is one until its [`Seat`] is dropped.
    pub(super) fn join(
        self: &Arc<Self>,
        honoured: Honoured,
        owner: Option<String>,
    ) -> Result<Seat, Full> {
        let owner: Option<Arc<str>> = owner.map(Into::into);
        let mut room = lock(&self.room);
        if room.listeners.len() >= MAX_LISTENERS {
            return Err(Full::Server);
        }
        if let Some(owner) = &owner {
            let taken = room.of_owner.entry(Arc::clone(owner)).or_default();
            if *taken >= self.of_each {
                return Err(Full::Principal);
            }
            *taken += 1;
        }
        let (marks, wake) = (Mutex::default(), Notify::new());
        let listener = Arc::new(Listener { honoured, owner, marks, wake });
        room.next += 1;
        let number = room.next;
        room.listeners.insert(number, Arc::clone(&listener));
        Ok(Seat { hub: Arc::clone(self), number, listener })
    }

    /// Marks the change for all who want to know of it, on other nodes too.
    pub(super) fn change(&self, change: Change<'_>) {
        self.mark(change);
        if let Some(relay) = self.relay.get() {
            relay.mark(change);
        }
    }

    /// The way to the other nodes, once.
    pub(crate) fn relay(&self, relay: Arc<Relay>) {
        drop(self.relay.set(relay));
    }

    /// Begins to hear what other nodes tell.
    pub(crate) fn start(self: &Arc<Self>) {
        if let Some(relay) = self.relay.get() {
            relay.start(self);
        }
    }

    /// Marks the change for those who listen here.
    pub(super) fn mark(&self, change: Change<'_>) {
        for listener in lock(&self.room).listeners.values() {
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
            Change::AnyResource => !self.honoured.uris.is_empty(),
            Change::Task(id) => self.honoured.tasks.contains(id),
            Change::Tasks => !self.honoured.tasks.is_empty(),
        };
        if !wanted {
            return;
        }
        // Who has not taken a mark yet is awake already, and is not woken for it again.
        if lock(&self.marks).set(change, &self.honoured) {
            self.wake.notify_one();
        }
    }
}

impl Marks {
    /// Sets a mark; was it not set before?
    fn set(&mut self, change: Change<'_>, honoured: &Honoured) -> bool {
        let flag = match change {
            Change::Tools => &mut self.tools,
            Change::Prompts => &mut self.prompts,
            Change::Resources => &mut self.resources,
            Change::AnyResource => {
                let is_new = self.uris != honoured.uris;
                self.uris.clone_from(&honoured.uris);
                return is_new;
            }
            // They are bounded by what the listener follows.
            Change::Task(id) => return self.tasks.insert(id.to_owned()),
            Change::Tasks => {
                let is_new = self.tasks != honoured.tasks;
                self.tasks.clone_from(&honoured.tasks);
                return is_new;
            }
            Change::Updated(uri) => {
                if self.uris.contains(uri) {
                    return false;
                }
                if self.uris.len() < MAX_MARKS {
                    return self.uris.insert(uri.to_owned());
                }
                // Beyond the bound the watched URIs stand for all that lies below them.
                self.uris.clone_from(&honoured.uris);
                return true;
            }
        };
        !std::mem::replace(flag, true)
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
        let mut room = lock(&self.hub.room);
        room.listeners.remove(&self.number);
        let Some(owner) = &self.listener.owner else { return };
        match room.of_owner.get_mut(owner) {
            Some(taken) if *taken > 1 => *taken -= 1,
            _ => drop(room.of_owner.remove(owner)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OF_EACH: usize = 16;

    fn join(hub: &Arc<Hub>, owner: Option<&str>) -> Result<Seat, Full> {
        let honoured = Honoured { tools: true, ..Honoured::default() };
        hub.join(honoured, owner.map(ToOwned::to_owned))
    }

    #[test]
    fn a_caller_has_so_many_listeners_and_gets_their_places_back() {
        let hub = Arc::new(Hub::new(OF_EACH, Duration::from_secs(60)));
        let seats: Vec<_> = (0..OF_EACH).map(|_| join(&hub, Some("a")).ok().unwrap()).collect();
        assert_eq!(join(&hub, Some("a")).err(), Some(Full::Principal));
        let others = [join(&hub, Some("b")), join(&hub, None)];
        assert!(others.iter().all(Result::is_ok));
        drop((seats, others));
        assert!(join(&hub, Some("a")).is_ok());
        assert!(lock(&hub.room).of_owner.is_empty() && hub.len() == 0);
    }

    #[test]
    fn a_mark_is_set_once_until_it_is_taken() {
        let honoured = Honoured::default();
        let mut marks = Marks::default();
        for change in [Change::Tools, Change::Prompts, Change::Resources, Change::Updated("a")] {
            assert!(marks.set(change, &honoured) && !marks.set(change, &honoured), "{change:?}");
        }
    }
}
