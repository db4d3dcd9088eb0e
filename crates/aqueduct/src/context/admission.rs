//! What whoever authenticates puts beside a request, and what comes back to him.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// How long a caller is let in, and a place for the scopes that its call turns out to lack.
///
/// Both generations of the protocol write their answers differently and the challenge is the same,
/// so it is made from what is left here.
#[derive(Clone, Debug, Default)]
pub(crate) struct Admission {
    /// When the caller's credential ends, and with it what it has open.
    pub(crate) until: Option<Instant>,
    pub(crate) missing: Arc<OnceLock<Vec<String>>>,
}

impl Admission {
    /// The call lacks scopes; these are all that it needs.
    pub(crate) fn put(&self, scopes: &[String]) {
        // The first refusal is the one that is answered.
        drop(self.missing.set(scopes.to_vec()));
    }

    /// How long there is left, of a time that everybody gets.
    pub(crate) fn left(&self, most: Duration) -> Duration {
        let left = self.until.map(|until| until.saturating_duration_since(Instant::now()));
        left.map_or(most, |left| left.min(most))
    }
}
