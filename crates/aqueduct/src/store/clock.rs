//! The time by which entries expire; a test turns it by hand.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The time by which a store in this process lets entries expire.
///
/// ```
/// use std::time::Duration;
/// use aqueduct::store::{Clock, Memory};
///
/// let clock = Clock::manual();
/// let store = Memory::new().clock(clock.clone());
/// clock.advance(Duration::from_secs(60));
/// # let _ = store;
/// ```
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// Milliseconds since 1970; the machine's clock when there are none.
    by_hand: Option<Arc<AtomicU64>>,
}

impl Clock {
    /// The clock of the machine, by which Redis goes too.
    #[must_use]
    pub const fn system() -> Self {
        Self { by_hand: None }
    }

    /// A clock that stands still until it is turned; its clones turn with it.
    #[must_use]
    pub fn manual() -> Self {
        // Some time after 1970, so that it can be told from one that was never set.
        const START: u64 = 1_000_000_000_000;
        Self { by_hand: Some(Arc::new(AtomicU64::new(START))) }
    }

    /// Turns a manual clock; the machine's stays as it is.
    pub fn advance(&self, by: Duration) {
        if let Some(clock) = &self.by_hand {
            clock.fetch_add(u64::try_from(by.as_millis()).unwrap_or(u64::MAX), Ordering::SeqCst);
        }
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub fn milliseconds(&self) -> u64 {
        if let Some(clock) = &self.by_hand {
            return clock.load(Ordering::SeqCst);
        }
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }
}
