//! A store whose values, and a bus whose messages, only this server's keys can read.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

use super::bus::{Bus, Signal, Subscription};
use super::entry::{Entry, Expected, Put, Version};
use super::error::StoreError;
use super::limit::{MAX_MESSAGE_BYTES, MAX_VALUE_BYTES};
use super::promise::Promise;
use super::scan::{Page, Scan};
use super::{Pending, Store};
use crate::seal::{Binding, KeyRing, Purpose};

/// Encrypts what it hands on to another store or bus.
///
/// A value is bound to its key and a message to its topic, so that neither counts in another place.
/// Keys, topics, lengths and times to live stay readable, because the store works with them.
/// Whoever can write to the store can still delete entries, or put back what a key held before.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::Arc;
/// use aqueduct::seal::KeyRing;
/// use aqueduct::store::{Memory, Put, Sealed, Store};
///
/// let inner = Arc::new(Memory::new());
/// let store = Sealed::new(inner.clone() as Arc<dyn Store>, KeyRing::random()?);
/// store.put("name", Put::new("Ada")).await?;
/// assert_eq!(store.get("name").await?.unwrap().value, "Ada");
/// assert_ne!(inner.get("name").await?.unwrap().value, "Ada");
/// # Ok(())
/// # }
/// ```
pub struct Sealed<T: ?Sized> {
    inner: Arc<T>,
    keys: KeyRing,
}

impl<T: ?Sized> Sealed<T> {
    /// What `inner` holds, sealed with the first key of the ring and opened with any.
    #[must_use]
    pub fn new(inner: Arc<T>, keys: KeyRing) -> Self {
        Self { inner, keys }
    }

    fn seal(&self, purpose: Purpose, place: &str, plain: &[u8]) -> Result<Bytes, StoreError> {
        let sealed = self.keys.seal_bytes(purpose, &Binding::new().field(place), plain);
        let failed = |error| StoreError::unavailable("a value cannot be encrypted").source(error);
        sealed.map(Bytes::from).map_err(failed)
    }
}

fn open(keys: &KeyRing, purpose: Purpose, place: &str, sealed: &[u8]) -> Option<Bytes> {
    let opened = keys.open_bytes(purpose, &Binding::new().field(place), sealed);
    let refused = |error: &crate::seal::Unsealed| {
        tracing::warn!(place, reason = error.reason(), "what is stored does not open");
    };
    opened.inspect_err(refused).ok().map(Bytes::from)
}

impl<T: Store + ?Sized> Sealed<T> {
    fn open_entry(&self, key: &str, mut entry: Entry) -> Result<Entry, StoreError> {
        let Some(value) = open(&self.keys, Purpose::STORED, key, &entry.value) else {
            return Err(StoreError::corrupt(format!(
                "the entry \"{key}\" does not open with the keys of this server"
            )));
        };
        entry.value = value;
        Ok(entry)
    }
}

impl<T: Store + ?Sized> Store for Sealed<T> {
    fn get<'a>(&'a self, key: &'a str) -> Pending<'a, Option<Entry>> {
        Box::pin(async move {
            let entry = self.inner.get(key).await?;
            entry.map(|entry| self.open_entry(key, entry)).transpose()
        })
    }

    fn put<'a>(&'a self, key: &'a str, mut put: Put) -> Pending<'a, Version> {
        Box::pin(async move {
            let bytes = put.value.len();
            if bytes > MAX_VALUE_BYTES {
                let message = format!("a value has {bytes} bytes, {MAX_VALUE_BYTES} are the limit");
                return Err(StoreError::too_large(message));
            }
            put.value = self.seal(Purpose::STORED, key, &put.value)?;
            self.inner.put(key, put).await
        })
    }

    fn delete<'a>(&'a self, key: &'a str, expected: Expected) -> Pending<'a, bool> {
        self.inner.delete(key, expected)
    }

    fn scan<'a>(&'a self, scan: &'a Scan) -> Pending<'a, Page> {
        Box::pin(async move {
            let mut page = self.inner.scan(scan).await?;
            for (key, entry) in &mut page.entries {
                *entry = self.open_entry(key, entry.clone())?;
            }
            Ok(page)
        })
    }

    fn promise(&self) -> Promise {
        self.inner.promise()
    }
}

impl<T: Bus + ?Sized> Bus for Sealed<T> {
    fn publish<'a>(&'a self, topic: &'a str, message: Bytes) -> Pending<'a, ()> {
        Box::pin(async move {
            let bytes = message.len();
            if bytes > MAX_MESSAGE_BYTES {
                let text =
                    format!("a message has {bytes} bytes, {MAX_MESSAGE_BYTES} are the limit");
                return Err(StoreError::too_large(text));
            }
            let sealed = self.seal(Purpose::MESSAGE, topic, &message)?;
            self.inner.publish(topic, sealed).await
        })
    }

    /// A message that does not open counts as lost.
    fn subscribe<'a>(&'a self, topic: &'a str) -> Pending<'a, Subscription> {
        Box::pin(async move {
            let (keys, place) = (self.keys.clone(), topic.to_owned());
            let opened = move |signal| match signal {
                Signal::Message(sealed) => open(&keys, Purpose::MESSAGE, &place, &sealed)
                    .map_or(Signal::Resync, Signal::Message),
                Signal::Resync => Signal::Resync,
            };
            Ok(self.inner.subscribe(topic).await?.map(opened))
        })
    }
}

impl<T: fmt::Debug + ?Sized> fmt::Debug for Sealed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Sealed").field(&self.inner).finish()
    }
}
