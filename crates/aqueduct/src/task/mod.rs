//! The tasks extension: calls that are answered with a task, whose work goes on by itself.
//!
//! A tool marked with `#[tool(task)]` runs as a task for every client that takes tasks, and as an
//! ordinary call for every other.
//! The handler is the same: what it tells as progress is the task's status, what it asks the client
//! parks the task until `tasks/update`, and what stands in
//! [`Context::once`](crate::Context::once) happens once.
//!
//! A task is given out once it is in the store, so it is as durable as the store: with
//! `redb:PATH` it outlives the process, with `redis://…` the machine too, and any process that
//! shares the store and has the tool may run it.
//! When a process dies in the middle, its tasks are found by their leases: a tool with
//! `recover = "rerun"` is run again from its beginning, at least once in all; every other task
//! fails, so that its handler ran at most once.
//!
//! ```
//! use aqueduct::prelude::*;
//!
//! /// Count to a number, in the background where the client allows it.
//! #[tool(task, recover = "rerun", task_ttl = "10m")]
//! async fn count(to: u32, ctx: Context) -> Result<String> {
//!     for n in 1..=to {
//!         ctx.progress((n, to, "counting"));
//!     }
//!     Ok(format!("counted to {to}"))
//! }
//!
//! let service = Server::new("counter", "1.0.0").tools(list![count]).build()?;
//! # let _ = service;
//! # Ok::<(), aqueduct::server::BuildError>(())
//! ```

mod create;
mod hold;
mod option;
mod place;
mod record;
mod run;
mod serve;
mod time;
mod worker;

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use bytes::Bytes;
use tokio::sync::{Notify, Semaphore};
use tokio::task::AbortHandle;

use crate::store::{Bus, Store};

pub(crate) use self::create::Order;
pub use self::option::TaskOptions;
pub(crate) use self::run::{Ended, Runner, Work};

/// The topic on which the nodes tell each other of tasks.
const TOPIC: &str = "tasks";

/// Tells the listeners of this node that a task has changed; `None` is any of them.
pub(crate) type Tell = Box<dyn Fn(Option<&str>) + Send + Sync>;

/// The tasks of a server: made, asked for, answered, ended, and run.
pub(crate) struct Tasks {
    store: Arc<dyn Store>,
    bus: Option<Arc<dyn Bus>>,
    options: TaskOptions,
    /// Which process this is, in leases.
    node: String,
    tell: Tell,
    runner: OnceLock<Weak<dyn Runner>>,
    /// The runs of this process, by the ids of their tasks.
    runs: Mutex<HashMap<Arc<str>, Arc<Notify>>>,
    /// What ends with the server.
    owned: Mutex<Vec<AbortHandle>>,
    slots: Arc<Semaphore>,
    /// There may be something to run.
    ready: Notify,
    is_started: AtomicBool,
}

/// What is left to say to other nodes.
enum Message<'m> {
    /// A task has changed.
    Changed(&'m str),
    /// A task is over, and whoever runs it stops.
    Ended(&'m str),
    /// A task waits for somebody to run it.
    Ready,
}

impl Message<'_> {
    fn written(&self) -> Bytes {
        match self {
            Self::Changed(id) => format!("changed {id}").into(),
            Self::Ended(id) => format!("ended {id}").into(),
            Self::Ready => Bytes::from_static(b"ready"),
        }
    }

    fn read(text: &str) -> Option<Message<'_>> {
        match text.split_once(' ') {
            Some(("changed", id)) => Some(Message::Changed(id)),
            Some(("ended", id)) => Some(Message::Ended(id)),
            None if text == "ready" => Some(Message::Ready),
            _ => None,
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Tasks {
    pub(crate) fn new(
        store: Arc<dyn Store>,
        bus: Option<Arc<dyn Bus>>,
        options: TaskOptions,
        tell: Tell,
    ) -> Self {
        let slots = Arc::new(Semaphore::new(options.concurrency));
        Self {
            store,
            bus,
            options,
            node: place::random().unwrap_or_else(|_| std::process::id().to_string()),
            tell,
            runner: OnceLock::new(),
            runs: Mutex::default(),
            owned: Mutex::default(),
            slots,
            ready: Notify::new(),
            is_started: AtomicBool::new(false),
        }
    }

    /// Says who runs the handlers, once.
    pub(crate) fn run_with(&self, runner: Weak<dyn Runner>) {
        drop(self.runner.set(runner));
    }

    fn runner(&self) -> Option<Arc<dyn Runner>> {
        self.runner.get()?.upgrade()
    }

    /// Milliseconds since 1970.
    fn now(&self) -> u64 {
        self.options.clock.milliseconds()
    }

    /// Tells this node's listeners, and the other nodes, which have listeners too.
    async fn tell(&self, message: Message<'_>) {
        match message {
            Message::Changed(id) | Message::Ended(id) => (self.tell)(Some(id)),
            Message::Ready => self.ready.notify_one(),
        }
        let Some(bus) = &self.bus else { return };
        // What is lost is found by the next look into the store.
        if let Err(error) = bus.publish(TOPIC, message.written()).await {
            tracing::debug!(%error, "the other nodes were not told of a task");
        }
    }

    /// Ends what runs here.
    fn stop(&self) {
        for owned in lock(&self.owned).drain(..) {
            owned.abort();
        }
    }

    /// Keeps a handle, so that what it stands for ends with the server.
    fn own(&self, handle: AbortHandle) {
        let mut owned = lock(&self.owned);
        owned.retain(|handle| !handle.is_finished());
        owned.push(handle);
    }
}

impl std::fmt::Debug for Tasks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tasks").field("node", &self.node).finish_non_exhaustive()
    }
}

/// Held by a server for as long as it serves: when it goes, what runs here is ended.
#[derive(Debug)]
pub(crate) struct Keeper(pub(crate) Arc<Tasks>);

impl Drop for Keeper {
    fn drop(&mut self) {
        self.0.stop();
    }
}
