//! The store that needs nothing: entries and messages in this process, bounded.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::future::ready;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;

use super::bus::{Bus, Feed, Subscription};
use super::clock::Clock;
use super::entry::{Entry, Expected, Put, Version};
use super::error::StoreError;
use super::limit::{check_key, check_message, check_value, ttl_milliseconds};
use super::promise::{Durability, Promise};
use super::scan::{Page, Scan};
use super::{Pending, Store};

/// How many bytes of keys and values are kept unless it is said otherwise.
const MAX_BYTES: usize = 256 * 1024 * 1024;
/// What an entry costs besides its key and value, about.
const ENTRY_BYTES: usize = 128;
/// How many subscriptions there are at most.
const MAX_SUBSCRIPTIONS: usize = 10_000;

/// Entries and messages in this process: fast, and gone when it ends.
///
/// When there is no room a write fails and nothing is thrown away: what was acknowledged stays
/// until it expires.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), aqueduct::store::StoreError> {
/// use aqueduct::store::{Memory, Put, Store};
///
/// let store = Memory::new();
/// let first = store.put("color", Put::new("red")).await?;
/// store.put("color", Put::new("blue").expected(first)).await?;
/// let conflict = store.put("color", Put::new("green").expected(first)).await;
/// assert!(conflict.is_err_and(|error| error.is_conflict()));
/// # Ok(())
/// # }
/// ```
#[derive(Default)]
pub struct Memory {
    entries: Mutex<Entries>,
    feeds: Mutex<HashMap<String, Vec<Feed>>>,
    clock: Clock,
    max_bytes: Option<usize>,
}

#[derive(Default)]
struct Entries {
    by_key: BTreeMap<Arc<str>, Stored>,
    /// What expires, the earliest first.
    by_expiry: BTreeSet<(u64, Arc<str>)>,
    bytes: usize,
    last_version: u64,
}

struct Stored {
    value: Bytes,
    version: Version,
    expires: Option<u64>,
}

impl Memory {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many bytes of keys and values it keeps, about; 256 MiB unless it is said otherwise.
    #[must_use]
    pub const fn max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = Some(bytes);
        self
    }

    /// The clock by which its entries expire.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    fn read(&self, key: &str) -> Result<Option<Entry>, StoreError> {
        check_key(key)?;
        let now = self.clock.milliseconds();
        Ok(lock(&self.entries).by_key.get(key).and_then(|stored| stored.entry(now)))
    }

    fn write(&self, key: &str, put: Put) -> Result<Version, StoreError> {
        check_key(key)?;
        check_value(&put.value)?;
        let now = self.clock.milliseconds();
        let mut entries = lock(&self.entries);
        entries.expire(now);
        entries.expect(key, put.expected)?;
        let cost = cost(key, &put.value);
        let before = entries.by_key.get(key).map_or(0, |stored| self::cost(key, &stored.value));
        let bytes = entries.bytes - before + cost;
        let limit = self.max_bytes.unwrap_or(MAX_BYTES);
        if bytes > limit {
            let message = format!("the memory store is full: {limit} bytes are its limit");
            return Err(StoreError::full(message));
        }
        entries.remove(key);
        entries.last_version += 1;
        let version = Version::new(entries.last_version);
        let expires = put.ttl.map(|ttl| now.saturating_add(ttl_milliseconds(ttl)));
        let key: Arc<str> = key.into();
        if let Some(expires) = expires {
            entries.by_expiry.insert((expires, Arc::clone(&key)));
        }
        entries.bytes += cost;
        entries.by_key.insert(key, Stored { value: put.value, version, expires });
        Ok(version)
    }

    fn remove(&self, key: &str, expected: Expected) -> Result<bool, StoreError> {
        check_key(key)?;
        let mut entries = lock(&self.entries);
        entries.expire(self.clock.milliseconds());
        entries.expect(key, expected)?;
        Ok(entries.remove(key))
    }

    fn page(&self, scan: &Scan) -> Result<Page, StoreError> {
        let now = self.clock.milliseconds();
        let entries = lock(&self.entries);
        let from = (Bound::Included(scan.start()), Bound::Unbounded);
        let found = entries.by_key.range::<str, _>(from);
        let found = found.take_while(|(key, _)| scan.contains(key));
        let found = found.filter_map(|(key, stored)| Some((key.to_string(), stored.entry(now)?)));
        Page::collect(scan, found.map(Ok))
    }

    fn send(&self, topic: &str, message: &Bytes) -> Result<(), StoreError> {
        check_key(topic)?;
        check_message(message)?;
        let mut feeds = lock(&self.feeds);
        if let Some(subscribed) = feeds.get_mut(topic) {
            subscribed.retain(|feed| feed.message(message.clone()));
            if subscribed.is_empty() {
                feeds.remove(topic);
            }
        }
        Ok(())
    }

    fn listen(&self, topic: &str) -> Result<Subscription, StoreError> {
        check_key(topic)?;
        let mut feeds = lock(&self.feeds);
        if feeds.values().map(Vec::len).sum::<usize>() >= MAX_SUBSCRIPTIONS {
            feeds.retain(|_, subscribed| {
                subscribed.retain(|feed| !feed.is_closed());
                !subscribed.is_empty()
            });
        }
        if feeds.values().map(Vec::len).sum::<usize>() >= MAX_SUBSCRIPTIONS {
            let message = format!("the bus has {MAX_SUBSCRIPTIONS} subscriptions, the limit");
            return Err(StoreError::full(message));
        }
        let (feed, subscription) = Subscription::pair();
        feeds.entry(topic.to_owned()).or_default().push(feed);
        Ok(subscription)
    }
}

impl Store for Memory {
    fn get<'a>(&'a self, key: &'a str) -> Pending<'a, Option<Entry>> {
        Box::pin(ready(self.read(key)))
    }

    fn put<'a>(&'a self, key: &'a str, put: Put) -> Pending<'a, Version> {
        Box::pin(async move { self.write(key, put) })
    }

    fn delete<'a>(&'a self, key: &'a str, expected: Expected) -> Pending<'a, bool> {
        Box::pin(async move { self.remove(key, expected) })
    }

    fn scan<'a>(&'a self, scan: &'a Scan) -> Pending<'a, Page> {
        Box::pin(async move { self.page(scan) })
    }

    fn promise(&self) -> Promise {
        Promise::new("memory", Durability::Process)
    }
}

impl Bus for Memory {
    fn publish<'a>(&'a self, topic: &'a str, message: Bytes) -> Pending<'a, ()> {
        Box::pin(async move { self.send(topic, &message) })
    }

    fn subscribe<'a>(&'a self, topic: &'a str) -> Pending<'a, Subscription> {
        Box::pin(async move { self.listen(topic) })
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").finish_non_exhaustive()
    }
}

impl Entries {
    /// Drops what has expired; each entry is dropped once, so a write pays for what others wrote.
    fn expire(&mut self, now: u64) {
        while let Some((expires, key)) = self.by_expiry.first().cloned() {
            if expires > now {
                return;
            }
            if !self.remove(&key) {
                self.by_expiry.pop_first();
            }
        }
    }

    fn expect(&self, key: &str, expected: Expected) -> Result<(), StoreError> {
        let current = self.by_key.get(key).map(|stored| stored.version);
        if expected.allows(current) { Ok(()) } else { Err(StoreError::conflict(current)) }
    }

    fn remove(&mut self, key: &str) -> bool {
        let Some((key, stored)) = self.by_key.remove_entry(key) else { return false };
        self.bytes = self.bytes.saturating_sub(cost(&key, &stored.value));
        if let Some(expires) = stored.expires {
            self.by_expiry.remove(&(expires, key));
        }
        true
    }
}

impl Stored {
    fn entry(&self, now: u64) -> Option<Entry> {
        let ttl = match self.expires {
            Some(expires) if expires <= now => return None,
            Some(expires) => Some(Duration::from_millis(expires - now)),
            None => None,
        };
        Some(Entry::new(self.value.clone(), self.version).ttl(ttl))
    }
}

fn cost(key: &str, value: &Bytes) -> usize {
    key.len() + value.len() + ENTRY_BYTES
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_has_expired_makes_room() {
        let clock = Clock::manual();
        let store = Memory::new().max_bytes(1_000).clock(clock.clone());
        let large = || Put::new(vec![0; 700]);
        store.put("a", large().ttl(Duration::from_secs(1))).await.unwrap();
        assert!(store.put("b", large()).await.unwrap_err().is_full());
        assert!(store.get("a").await.unwrap().is_some());
        clock.advance(Duration::from_secs(1));
        store.put("b", large()).await.unwrap();
        store.put("b", large()).await.unwrap();
        assert_eq!(lock(&store.entries).bytes, 700 + 1 + ENTRY_BYTES);
        assert_eq!(lock(&store.entries).by_expiry.len(), 0);
    }
}
