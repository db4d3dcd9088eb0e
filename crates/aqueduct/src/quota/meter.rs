//! How often each caller has called: in this process, or in a store that many processes share.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::Rate;
use super::bucket::Bucket;
use crate::context::Principal;
use crate::store::{Clock, Expected, Put, Store, StoreError};

/// How many rates are kept in this process; what is beyond shares one.
const MAX_KEPT: usize = 100_000;
/// How often, in microseconds, a full room is looked through for what is given back.
const SWEEP: u64 = 1_000_000;
/// Which part of what may come at once a process takes from the store in one piece.
const PARTS: u32 = 16;
/// How often a process tries to write when others write too.
const ATTEMPTS: u32 = 8;
/// What a caller is told to wait when none of these attempts came through.
const CONTENDED: Duration = Duration::from_secs(1);

/// Whose rate it is, and of which tool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key<'k> {
    pub(super) caller: Option<&'k Principal>,
    pub(super) tool: Option<&'k str>,
}

/// What is left of each rate.
pub(super) struct Meter {
    shared: Option<Arc<dyn Store>>,
    clock: Clock,
    keys: RandomState,
    room: Mutex<Room>,
}

/// What is kept in this process, and when it was last looked through.
#[derive(Default)]
struct Room {
    kept: HashMap<u64, Kept>,
    swept: u64,
}

/// What this process knows of one rate.
#[derive(Clone, Copy, Debug, Default)]
struct Kept {
    bucket: Bucket,
    /// What was taken from the store and not used, and until when it is good.
    ahead: u32,
    good_until: u64,
    /// Until when the store has nothing to give.
    shut_until: u64,
}

/// What is known without asking the store.
enum Known {
    Granted,
    Refused(Duration),
    Nothing,
}

impl Kept {
    fn is_idle(&self, now: u64) -> bool {
        self.bucket.is_full(now) && self.good_until <= now && self.shut_until <= now
    }

    fn known(&mut self, now: u64) -> Known {
        if self.ahead > 0 && self.good_until > now {
            self.ahead -= 1;
            return Known::Granted;
        }
        match self.shut_until.checked_sub(now) {
            Some(wait) if wait > 0 => Known::Refused(Duration::from_micros(wait)),
            _ => Known::Nothing,
        }
    }
}

impl Room {
    /// Where a rate is kept.
    ///
    /// Who finds no room shares one rate with all others who find none: memory stays bounded, and
    /// inventing callers opens nothing.
    fn place(&mut self, id: u64, now: u64) -> u64 {
        if self.kept.len() < MAX_KEPT || self.kept.contains_key(&id) {
            return id;
        }
        if now.abs_diff(self.swept) >= SWEEP {
            self.swept = now;
            self.kept.retain(|_, one| !one.is_idle(now));
        }
        if self.kept.len() < MAX_KEPT { id } else { 0 }
    }
}

impl Meter {
    pub(super) fn new(shared: Option<Arc<dyn Store>>) -> Self {
        Self { shared, clock: Clock::system(), keys: RandomState::new(), room: Mutex::default() }
    }

    /// Takes one call of a rate.
    ///
    /// Where a store is shared, a process takes some at once and spends them without asking again;
    /// so fewer may pass than the rate allows while one process holds what another needs, never
    /// more. While the store cannot be reached each process counts for itself.
    ///
    /// # Errors
    /// How long the caller should wait.
    pub(super) async fn take(&self, key: &Key<'_>, rate: Rate) -> Result<(), Duration> {
        let id = self.id(key);
        let Some(store) = &self.shared else { return self.take_here(id, rate) };
        match self.with(id, Kept::known) {
            Known::Granted => return Ok(()),
            Known::Refused(wait) => return Err(wait),
            Known::Nothing => {}
        }
        match Box::pin(self.take_there(&**store, &stored(key), rate)).await {
            Ok(Ok(granted)) => {
                self.with(id, |kept, now| {
                    kept.ahead = granted - 1;
                    kept.good_until = now.saturating_add(rate.whole());
                });
                Ok(())
            }
            Ok(Err(wait)) => {
                let micros = u64::try_from(wait.as_micros()).unwrap_or(u64::MAX);
                self.with(id, |kept, now| kept.shut_until = now.saturating_add(micros));
                Err(wait)
            }
            Err(error) => {
                tracing::warn!(%error, "rates are counted in this process alone");
                self.take_here(id, rate)
            }
        }
    }

    fn now(&self) -> u64 {
        self.clock.milliseconds().saturating_mul(1_000)
    }

    fn id(&self, key: &Key<'_>) -> u64 {
        let caller = key.caller.map(|caller| (&caller.issuer, &caller.subject));
        self.keys.hash_one((caller, key.tool))
    }

    /// Looks at what is kept of a rate, and makes room when there is none.
    fn with<T>(&self, id: u64, look: impl FnOnce(&mut Kept, u64) -> T) -> T {
        let now = self.now();
        let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
        let id = room.place(id, now);
        look(room.kept.entry(id).or_default(), now)
    }

    fn take_here(&self, id: u64, rate: Rate) -> Result<(), Duration> {
        self.with(id, |kept, now| kept.bucket.take(rate, now, 1).map(|_| ()))
    }

    /// Takes some from the store, which holds one number for all processes.
    async fn take_there(
        &self,
        store: &dyn Store,
        key: &str,
        rate: Rate,
    ) -> Result<Result<u32, Duration>, StoreError> {
        let piece = (rate.most() / PARTS).max(1);
        for _ in 0..ATTEMPTS {
            let entry = store.get(key).await?;
            let number = entry.as_ref().and_then(|entry| <[u8; 8]>::try_from(&*entry.value).ok());
            let mut bucket = Bucket(number.map_or(0, u64::from_be_bytes));
            let granted = match bucket.take(rate, self.now(), piece) {
                Ok(granted) => granted,
                Err(wait) => return Ok(Err(wait)),
            };
            let expected = entry.map_or(Expected::Absent, |entry| Expected::Version(entry.version));
            let value = bucket.0.to_be_bytes().to_vec();
            let ttl = Duration::from_micros(rate.whole().saturating_add(1_000_000));
            match store.put(key, Put::new(value).expected(expected).ttl(ttl)).await {
                Ok(_) => return Ok(Ok(granted)),
                Err(error) if error.is_conflict() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Err(CONTENDED))
    }
}

/// The key in the store, which tells nobody who the caller is.
fn stored(key: &Key<'_>) -> String {
    let mut hash = Sha256::new();
    let caller = key.caller.map(|caller| [caller.issuer.as_str(), caller.subject.as_str()]);
    for part in caller.into_iter().flatten().chain(key.tool) {
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    let kind = match (key.caller, key.tool) {
        (Some(_), None) => "caller",
        (Some(_), Some(_)) => "caller-tool",
        (None, _) => "tool",
    };
    let name: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("rate/{kind}/{name}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Memory;

    const ANN: Key<'static> = Key { caller: None, tool: Some("ann") };

    fn processes(store: &Arc<dyn Store>, clock: &Clock) -> [Meter; 2] {
        [(), ()].map(|()| Meter { clock: clock.clone(), ..Meter::new(Some(Arc::clone(store))) })
    }

    #[tokio::test]
    async fn two_processes_together_grant_what_one_would() {
        let clock = Clock::manual();
        let store: Arc<dyn Store> = Arc::new(Memory::new().clock(clock.clone()));
        let [one, two] = processes(&store, &clock);
        let rate = Rate::per_minute(100);
        let mut granted = 0;
        for _ in 0..200 {
            granted += u32::from(one.take(&ANN, rate).await.is_ok());
            granted += u32::from(two.take(&ANN, rate).await.is_ok());
        }
        assert_eq!(granted, 100);
        let wait = one.take(&ANN, rate).await.unwrap_err();
        assert!(wait <= Duration::from_millis(600), "{wait:?}");
        clock.advance(Duration::from_millis(600));
        assert!(one.take(&ANN, rate).await.is_ok());
        // Another rate is another's.
        assert!(two.take(&Key { tool: Some("bob"), ..ANN }, rate).await.is_ok());
        clock.advance(Duration::from_secs(3_600));
        assert!(store.get(&stored(&ANN)).await.unwrap().is_none(), "it is forgotten in time");
    }

    #[tokio::test]
    async fn a_store_that_is_gone_leaves_each_process_to_count_for_itself() {
        let clock = Clock::manual();
        // There is no room for a single entry.
        let full: Arc<dyn Store> = Arc::new(Memory::new().max_bytes(1));
        let [one, two] = processes(&full, &clock);
        for meter in [one, two] {
            assert!(meter.take(&ANN, Rate::per_minute(1)).await.is_ok());
            assert!(meter.take(&ANN, Rate::per_minute(1)).await.is_err());
        }
    }

    #[tokio::test]
    async fn callers_without_number_take_a_bounded_room() {
        let clock = Clock::manual();
        let meter = Meter { clock: clock.clone(), ..Meter::new(None) };
        let rate = Rate::per_minute(1);
        let take = async |number: u32| {
            let name = number.to_string();
            meter.take(&Key { tool: Some(&name), ..ANN }, rate).await
        };
        let mut granted = 0;
        for number in 0..300_000 {
            granted += usize::from(take(number).await.is_ok());
        }
        assert_eq!(meter.room.lock().unwrap().kept.len(), MAX_KEPT + 1);
        assert_eq!(granted, MAX_KEPT + 1, "whoever finds no room shares one rate");
        clock.advance(Duration::from_secs(61));
        assert!(take(1_000_001).await.is_ok());
        assert!(meter.room.lock().unwrap().kept.len() <= 1, "what is given back is forgotten");
    }

    #[test]
    fn the_key_of_each_is_its_own_and_short() {
        let ann = Principal::new("i", "ann");
        let other = Principal::new("ia", "nn");
        let (none, some) = (None, Some("nn"));
        let of = |caller, tool| stored(&Key { caller, tool });
        let keys = [
            of(Some(&ann), none),
            of(Some(&other), none),
            of(Some(&ann), some),
            of(Some(&other), some),
            of(None, some),
        ];
        let apart: std::collections::HashSet<_> = keys.iter().collect();
        assert_eq!(apart.len(), keys.len());
        assert!(keys.iter().all(|key| key.len() < 100 && !key.contains("ann")));
    }
}
