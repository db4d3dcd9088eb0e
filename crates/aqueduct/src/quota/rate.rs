//! How often something may happen, and how much of it at once.

use std::fmt;
use std::time::Duration;

/// The longest wait that is ever told.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// So many calls in a time, evenly spread, with some at once.
///
/// ```
/// use aqueduct::server::Rate;
///
/// // Ten at once, then one every six seconds.
/// let rate = Rate::per_minute(10);
/// // Two at once, then one every six seconds.
/// let even = Rate::per_minute(10).burst(2);
/// assert_ne!(rate, even);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    calls: u32,
    milliseconds: u32,
    burst: u32,
}

impl Rate {
    /// So many in any second, and as many at once.
    #[must_use]
    pub const fn per_second(calls: u32) -> Self {
        Self { calls, milliseconds: 1_000, burst: calls }
    }

    /// So many in any minute, and as many at once.
    #[must_use]
    pub const fn per_minute(calls: u32) -> Self {
        Self { calls, milliseconds: 60_000, burst: calls }
    }

    /// So many in any hour, and as many at once.
    #[must_use]
    pub const fn per_hour(calls: u32) -> Self {
        Self { calls, milliseconds: 3_600_000, burst: calls }
    }

    /// Sets how many may come at once after a while in which none came.
    #[must_use]
    pub const fn burst(mut self, calls: u32) -> Self {
        self.burst = calls;
        self
    }

    /// How many may come at once.
    pub(super) fn most(self) -> u32 {
        if self.calls == 0 { 0 } else { self.burst }
    }

    /// The microseconds that one call takes of the rate.
    pub(super) fn each(self) -> u64 {
        let whole = u64::from(self.milliseconds) * 1_000;
        whole.checked_div(u64::from(self.calls)).unwrap_or(whole).max(1)
    }

    /// How long it takes until as many as possible may come at once again.
    pub(super) fn whole(self) -> u64 {
        self.each().saturating_mul(u64::from(self.most()))
    }
}

/// "10 calls in 60 s".
impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} calls in {} s", self.calls, self.milliseconds / 1_000)?;
        if self.burst == self.calls { Ok(()) } else { write!(f, ", {} at once", self.burst) }
    }
}

/// Whole seconds in which the wait is over: at least one.
pub(super) fn seconds(wait: Duration) -> u64 {
    let wait = wait.min(LONGEST);
    (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1)
}
