//! Tokens that were good a moment ago, known by their hash and kept in memory only.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;

use super::verifier::{Refusal, Verified};

/// How many tokens are remembered.
const MAX_TOKENS: usize = 10_000;

/// What a token is known by; what it is, nobody can read from it.
pub(super) type Hash = [u8; 32];

/// Bounded in number and time.
#[derive(Default)]
pub(super) struct Cache(Mutex<Known>);

#[derive(Default)]
struct Known {
    tokens: HashMap<Hash, Entry>,
    /// How often all was forgotten.
    epoch: u64,
}

struct Entry {
    verified: Arc<Verified>,
    until: Instant,
}

pub(super) fn hash(token: &str) -> Hash {
    Sha256::digest(token.as_bytes()).into()
}

impl Cache {
    pub(super) fn get(&self, hash: &Hash) -> Option<Arc<Verified>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = known.tokens.get(hash)?;
        if entry.until <= Instant::now() {
            known.tokens.remove(hash);
            return None;
        }
        Some(Arc::clone(&entry.verified))
    }

    /// What [`put`](Self::put) is told of a token that is looked at from now on.
    pub(super) fn epoch(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).epoch
    }

    /// Remembers a token, unless all was forgotten since it was looked at.
    pub(super) fn put(&self, hash: Hash, verified: &Arc<Verified>, time: Duration, epoch: u64) {
        let now = Instant::now();
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.epoch != epoch {
            return;
        }
        if known.tokens.len() >= MAX_TOKENS {
            known.tokens.retain(|_, entry| entry.until > now);
            // Whoever has so many good tokens may verify them anew.
            if known.tokens.len() >= MAX_TOKENS {
                known.tokens.clear();
            }
        }
        known.tokens.insert(hash, Entry { verified: Arc::clone(verified), until: now + time });
    }

    /// Forgets all, because the keys are others now.
    pub(super) fn clear(&self) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.tokens.clear();
        known.epoch += 1;
    }
}

/// The answer about one token, for all who wait for it; whoever goes away leaves the question to
/// the next.
pub(super) type Flight = OnceCell<Result<Arc<Verified>, Refusal>>;

/// Tokens that are looked at just now: as many as there are requests, and gone with them.
#[derive(Default)]
pub(super) struct Flights(Mutex<HashMap<Hash, Weak<Flight>>>);

impl Flights {
    /// The flight of this token, which begins with its first passenger.
    pub(super) fn join(&self, hash: Hash) -> Arc<Flight> {
        let mut flights = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(flight) = flights.get(&hash).and_then(Weak::upgrade) {
            return flight;
        }
        flights.retain(|_, flight| flight.strong_count() > 0);
        let flight = Arc::default();
        flights.insert(hash, Arc::downgrade(&flight));
        flight
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Principal;

    #[test]
    fn what_was_looked_at_before_all_was_forgotten_is_not_remembered() {
        let (cache, hash) = (Cache::default(), hash("token"));
        let verified = Arc::new(Verified::new(Principal::new("i", "s")));
        let epoch = cache.epoch();
        cache.clear();
        cache.put(hash, &verified, Duration::from_secs(60), epoch);
        assert!(cache.get(&hash).is_none());
        cache.put(hash, &verified, Duration::from_secs(60), cache.epoch());
        assert!(cache.get(&hash).is_some());
    }

    #[test]
    fn a_flight_is_gone_with_its_passengers() {
        let flights = Flights::default();
        let (one, two) = (flights.join(hash("a")), flights.join(hash("a")));
        assert!(Arc::ptr_eq(&one, &two));
        drop((one, two));
        drop(flights.join(hash("b")));
        assert_eq!(flights.0.lock().unwrap().len(), 1);
    }
}
