//! What every store must do, as a suite that runs on any: one call against your constructor.
//!
//! ```
//! use std::sync::Arc;
//! use aqueduct::store::contract::{self, Subject, Violations};
//! use aqueduct::store::{Clock, Memory};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Violations> {
//! contract::check(|| async {
//!     let clock = Clock::manual();
//!     let store = Arc::new(Memory::new().clock(clock.clone()));
//!     Subject::new(store.clone()).bus(store).clock(clock)
//! })
//! .await
//! # }
//! ```

mod expiry;
mod faulty;
mod message;
mod race;
mod read;
mod trouble;
mod write;

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

pub use self::faulty::Faulty;

use super::{Bus, Clock, Store, StoreError};

/// How long a check may take: what hangs is broken.
const PATIENCE: Duration = Duration::from_secs(60);

type Doing<T> = Pin<Box<dyn Future<Output = T> + Send>>;
type Pass = Arc<dyn Fn(Duration) -> Doing<()> + Send + Sync>;
type Reopen = Arc<dyn Fn() -> Doing<Arc<dyn Store>> + Send + Sync>;
type Fault = Arc<dyn Fn() + Send + Sync>;

/// A store to be checked, empty, and what the checks may do with it.
///
/// What is left out is not checked: the bus, other nodes, opening again, faults.
pub struct Subject {
    store: Arc<dyn Store>,
    bus: Option<Arc<dyn Bus>>,
    peer: Option<Arc<dyn Store>>,
    peer_bus: Option<Arc<dyn Bus>>,
    pass: Pass,
    reopen: Option<Reopen>,
    fault: Option<Fault>,
}

impl Subject {
    /// An empty store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self {
            store,
            bus: None,
            peer: None,
            peer_bus: None,
            pass: Arc::new(|time| Box::pin(tokio::time::sleep(time))),
            reopen: None,
            fault: None,
        }
    }

    /// The bus beside it.
    #[must_use]
    pub fn bus(mut self, bus: Arc<dyn Bus>) -> Self {
        self.bus = Some(bus);
        self
    }

    /// The same entries, as another node has them.
    #[must_use]
    pub fn peer(mut self, store: Arc<dyn Store>) -> Self {
        self.peer = Some(store);
        self
    }

    /// The same bus, as another node has it.
    #[must_use]
    pub fn peer_bus(mut self, bus: Arc<dyn Bus>) -> Self {
        self.peer_bus = Some(bus);
        self
    }

    /// The clock by which entries expire; without one the checks wait until time has passed.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.pass = Arc::new(move |time| {
            clock.advance(time);
            Box::pin(std::future::ready(()))
        });
        self
    }

    /// How the same entries are opened again, once every handle of the store is dropped.
    #[must_use]
    pub fn reopen<F, Fut>(mut self, reopen: F) -> Self
    where
        F: Fn() -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Arc<dyn Store>> + Send + 'static,
    {
        self.reopen = Some(Arc::new(move || Box::pin(reopen())));
        self
    }

    /// Lets something go wrong, once, with what the store does next: a write that fails, a
    /// connection that breaks before the answer.
    #[must_use]
    pub fn fault(mut self, fault: impl Fn() + Send + Sync + 'static) -> Self {
        self.fault = Some(Arc::new(fault));
        self
    }

    /// The only handle that is left of the store, and how to open it again.
    fn into_reopened(self) -> Option<(Arc<dyn Store>, Reopen, Pass)> {
        Some((self.store, self.reopen?, self.pass))
    }
}

impl fmt::Debug for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subject").field("store", &self.store).finish_non_exhaustive()
    }
}

/// What a check found.
#[derive(Debug)]
struct Broken(String);

impl From<StoreError> for Broken {
    fn from(error: StoreError) -> Self {
        Self(format!("failed with {error:?}"))
    }
}

type Checked = Result<(), Broken>;

struct Check {
    name: &'static str,
    run: fn(Subject) -> Doing<Checked>,
}

/// The checks of a module, each named as its function is.
macro_rules! checks {
    ($($module:ident: $($name:ident),+;)+) => {
        const CHECKS: &[Check] = &[
            $($(Check {
                name: stringify!($name),
                run: |subject| Box::pin($module::$name(subject)),
            },)+)+
        ];
    };
}

checks! {
    write:
        what_was_put_comes_back,
        a_put_takes_the_place_of_what_was_there,
        a_write_happens_only_at_the_expected_version,
        a_delete_happens_only_at_the_expected_version,
        a_version_never_comes_back,
        any_bytes_are_a_value_and_any_text_a_key,
        the_longest_are_kept_and_longer_ones_refused;
    read:
        a_scan_is_in_the_order_of_bytes,
        a_scan_keeps_to_its_prefix_and_bounds,
        pages_meet_every_entry_once,
        a_page_of_long_values_ends_early,
        pages_go_on_while_entries_come_and_go;
    expiry:
        an_entry_is_gone_when_its_time_is_over,
        a_put_starts_the_time_anew,
        what_has_expired_is_absent;
    race:
        one_of_many_takes_an_absent_key,
        no_increment_is_lost,
        a_reader_never_sees_half_a_write,
        nodes_see_each_other_at_once;
    message:
        a_message_reaches_every_subscriber_of_its_topic,
        a_subscriber_hears_from_the_moment_it_subscribed,
        a_slow_subscriber_is_told_to_read_again,
        a_message_reaches_other_nodes;
    trouble:
        what_was_acknowledged_is_there_after_opening_again,
        versions_go_on_after_opening_again,
        a_fault_loses_nothing_that_was_acknowledged,
        a_store_serves_again_after_a_fault;
}

/// Runs every check, each on a store of its own that `open` makes, empty.
///
/// # Errors
/// Names every check that the store breaks, with what was expected and what came.
pub async fn check<F, Fut>(open: F) -> Result<(), Violations>
where
    F: Fn() -> Fut,
    Fut: Future<Output = Subject>,
{
    let mut violations = Vec::new();
    for check in CHECKS {
        let subject = open().await;
        let outcome = tokio::time::timeout(PATIENCE, (check.run)(subject)).await;
        let outcome = outcome.unwrap_or_else(|_| Err(Broken("did not end".to_owned())));
        if let Err(Broken(why)) = outcome {
            violations.push((check.name, why));
        }
    }
    if violations.is_empty() { Ok(()) } else { Err(Violations(violations)) }
}

/// The checks that a store breaks.
pub struct Violations(Vec<(&'static str, String)>);

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} checks of the store's contract:", self.0.len(), CHECKS.len())?;
        for (name, why) in &self.0 {
            write!(f, "\n- {}: {why}", name.replace('_', " "))?;
        }
        Ok(())
    }
}

/// As it is displayed, because this is what a failed test shows.
impl fmt::Debug for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Violations {}

/// Refuses what is not as it should be.
fn same<T: PartialEq + fmt::Debug>(what: &str, got: &T, wanted: &T) -> Checked {
    if got == wanted {
        return Ok(());
    }
    Err(Broken(format!("{what}: expected {wanted:?}, got {got:?}")))
}

/// Refuses what is not so.
fn holds(what: &str, is_so: bool) -> Checked {
    if is_so { Ok(()) } else { Err(Broken(format!("not so: {what}"))) }
}

/// The error that must come.
fn refused<T: fmt::Debug>(what: &str, got: Result<T, StoreError>) -> Result<StoreError, Broken> {
    match got {
        Ok(got) => Err(Broken(format!("{what}: expected an error, got {got:?}"))),
        Err(error) => Ok(error),
    }
}
