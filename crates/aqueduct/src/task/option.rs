//! How a server keeps its tasks: how long, how many, and how soon another process takes over.

use std::time::Duration;

use crate::store::Clock;

/// How a server keeps its tasks.
///
/// ```
/// use std::time::Duration;
/// use aqueduct::prelude::*;
/// use aqueduct::server::TaskOptions;
///
/// let options = TaskOptions::new().ttl(Duration::from_secs(24 * 60 * 60)).concurrency(8);
/// let server = Server::new("importer", "1.0.0").tasks(options);
/// # let _ = server;
/// ```
#[derive(Clone, Debug)]
pub struct TaskOptions {
    pub(super) ttl: Duration,
    pub(super) poll_interval: Duration,
    pub(super) lease: Duration,
    pub(super) concurrency: usize,
    pub(super) per_principal: usize,
    pub(super) total: usize,
    pub(super) attempts: u32,
    pub(super) clock: Clock,
}

impl Default for TaskOptions {
    fn default() -> Self {
        Self {
            ttl: Duration::from_secs(60 * 60),
            poll_interval: Duration::from_secs(1),
            lease: Duration::from_secs(15),
            concurrency: 64,
            per_principal: 100,
            total: 10_000,
            attempts: 3,
            clock: Clock::system(),
        }
    }
}

impl TaskOptions {
    /// The defaults, which each method says.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How long a task is kept from its creation, unless its tool says otherwise; 1 hour.
    ///
    /// A task that still runs then is ended.
    #[must_use]
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.ttl = ttl.max(Duration::from_millis(1));
        self
    }

    /// How long a client is asked to wait between two questions; 1 second.
    #[must_use]
    pub fn poll_interval(mut self, interval: Duration) -> Self {
        self.poll_interval = interval.max(Duration::from_millis(1));
        self
    }

    /// How long a process that has gone silent keeps its tasks before another takes them; 15
    /// seconds, at least 1.
    ///
    /// A third of it is how often a running task is written anew.
    #[must_use]
    pub fn lease(mut self, lease: Duration) -> Self {
        self.lease = lease.max(Duration::from_secs(1));
        self
    }

    /// How many tasks run at once in this process; 64. Others wait for their turn.
    #[must_use]
    pub fn concurrency(mut self, tasks: usize) -> Self {
        self.concurrency = tasks.clamp(1, tokio::sync::Semaphore::MAX_PERMITS);
        self
    }

    /// How many tasks of one caller may be under way, where callers are told apart; 100.
    #[must_use]
    pub fn per_principal(mut self, tasks: usize) -> Self {
        self.per_principal = tasks;
        self
    }

    /// How many tasks may be under way in all; 10 000.
    ///
    /// They are counted in the store whenever a task is made, so a burst at several processes may go
    /// somewhat beyond it, and a store that holds many makes each a little dearer.
    #[must_use]
    pub fn total(mut self, tasks: usize) -> Self {
        self.total = tasks;
        self
    }

    /// How many runs of a task may be lost with their processes before it fails; 3.
    ///
    /// A task that ends its process would otherwise end every process, one after the other.
    #[must_use]
    pub fn attempts(mut self, runs: u32) -> Self {
        self.attempts = runs.max(1);
        self
    }

    /// The time that tasks go by; the machine's. For tests, together with the store's.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }
}
