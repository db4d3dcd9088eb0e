//! How many calls each caller has open in this process.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::context::Principal;

/// What a caller is told to wait whose calls are all still open.
pub(super) const SOON: Duration = Duration::from_secs(1);

/// The callers that have something open, by a hash that nobody outside can aim at.
#[derive(Clone, Default)]
pub(super) struct Flight {
    open: Arc<Mutex<HashMap<u64, usize>>>,
    keys: RandomState,
}

/// The place of one call; leaving it is dropping it.
pub(crate) struct Seat {
    open: Arc<Mutex<HashMap<u64, usize>>>,
    caller: u64,
}

fn lock(open: &Mutex<HashMap<u64, usize>>) -> MutexGuard<'_, HashMap<u64, usize>> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Flight {
    /// A place for one more call of this caller, unless it has `most` already.
    pub(super) fn sit(&self, caller: &Principal, most: usize) -> Option<Seat> {
        let caller = self.keys.hash_one((&caller.issuer, &caller.subject));
        let mut open = lock(&self.open);
        let taken = open.get(&caller).copied().unwrap_or_default();
        if taken >= most {
            return None;
        }
        open.insert(caller, taken + 1);
        Some(Seat { open: Arc::clone(&self.open), caller })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut open = lock(&self.open);
        match open.get_mut(&self.caller) {
            Some(taken) if *taken > 1 => *taken -= 1,
            _ => drop(open.remove(&self.caller)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_caller_has_so_many_places_and_leaves_nothing_behind() {
        let flight = Flight::default();
        let (ann, bob) = (Principal::new("i", "ann"), Principal::new("i", "bob"));
        let first = flight.sit(&ann, 2).unwrap();
        let second = flight.sit(&ann, 2).unwrap();
        assert!(flight.sit(&ann, 2).is_none());
        // The issuer and the subject are two things, wherever one of them ends.
        assert!(flight.sit(&Principal::new("ia", "nn"), 2).is_some());
        assert!(flight.sit(&bob, 2).is_some());
        drop(first);
        drop(flight.sit(&ann, 2).unwrap());
        drop(second);
        assert!(lock(&flight.open).is_empty());
    }
}
