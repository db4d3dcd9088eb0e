//! The store that many nodes share, in Redis or Valkey.

mod link;
mod listener;
mod persistence;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ::redis::{Client, IntoConnectionInfo, ProtocolVersion, Script, Value, cmd};
use bytes::Bytes;

use self::link::{Effect, Link};
use self::listener::Listener;
use self::persistence::Settings;
use super::bus::{Bus, Subscription};
use super::entry::{Entry, Expected, Put, Version};
use super::error::StoreError;
use super::limit::{MAX_PAGE_BYTES, check_key, check_message, check_value, ttl_milliseconds};
use super::open::Backend;
use super::promise::Promise;
use super::scan::{Page, Scan};
use super::{Pending, Store};

/// What every key begins with unless the address says otherwise.
const PREFIX: &str = "aqueduct";
const MAX_PREFIX_BYTES: usize = 64;
/// How many bytes of a stored value are its version.
const VERSION_BYTES: usize = 16;

/// Entries and messages that many nodes share, in Redis (6 or newer) or Valkey.
///
/// Every key of a store has one hash tag, so that a script that writes an entry and its index works
/// in a cluster too; a store lies on one node of it.
/// An operation that is not answered within a second fails.
///
/// ```no_run
/// // Not run: it needs a server.
/// # #[tokio::main]
/// # async fn main() -> Result<(), aqueduct::store::StoreError> {
/// use aqueduct::store::{Put, Redis, Store};
///
/// let store = Redis::connect("redis://127.0.0.1:6379/0?prefix=notes").await?;
/// println!("{}", store.promise());
/// store.put("color", Put::new("red")).await?;
/// # Ok(())
/// # }
/// ```
pub struct Redis {
    link: Arc<Link>,
    listener: Listener,
    scripts: Scripts,
    prefix: String,
    promise: Promise,
}

pub(super) async fn open(url: &str) -> Result<Backend, StoreError> {
    Ok(Backend::new(Redis::connect(url).await?))
}

struct Scripts {
    get: Script,
    put: Script,
    delete: Script,
    scan: Script,
}

impl Redis {
    /// Connects to `redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE][?prefix=NAME]`.
    ///
    /// What the server's persistence settings promise is logged once, and told by
    /// [`promise`](Store::promise).
    ///
    /// # Errors
    /// Invalid when the address or the password is wrong or the server is a replica, unavailable
    /// when it does not answer.
    pub async fn connect(url: &str) -> Result<Self, StoreError> {
        let (url, prefix) = take_prefix(url)?;
        let wrong = |error| StoreError::invalid(WRONG_ADDRESS).source(error);
        let info = url.as_str().into_connection_info().map_err(wrong)?;
        // The third version of the protocol tells messages from answers on one connection.
        let settings = info.redis_settings().clone().set_protocol(ProtocolVersion::RESP3);
        let client = Client::open(info.set_redis_settings(settings)).map_err(wrong)?;
        let link = Arc::new(Link::new(client));
        let settings = link.run(Effect::Reads, Settings::ask).await?;
        if settings.is_replica {
            let message = format!("{link} is a replica, which takes no writes; name its primary");
            return Err(StoreError::invalid(message));
        }
        let promise = settings.promise();
        if promise.durability == super::Durability::Synced && promise.note.is_none() {
            tracing::info!("{promise}");
        } else {
            tracing::warn!("{promise}");
        }
        Ok(Self {
            listener: Listener::start(Arc::clone(&link)),
            link,
            scripts: Scripts::new(),
            prefix,
            promise,
        })
    }

    /// A key of the server; the braces make it lie where all others of this store do.
    fn key(&self, kind: &str, name: &str) -> String {
        format!("{{{}}}:{kind}:{name}", self.prefix)
    }

    async fn read(&self, key: &str) -> Result<Option<Entry>, StoreError> {
        check_key(key)?;
        let mut call = self.scripts.get.prepare_invoke();
        call.key(self.key("entry", key));
        let (stored, left): (Option<Vec<u8>>, i64) = self
            .link
            .run(Effect::Reads, async |mut link| call.invoke_async(&mut link).await)
            .await?;
        stored.map(|stored| parse(stored, left)).transpose()
    }

    async fn write(&self, key: &str, put: Put) -> Result<Version, StoreError> {
        check_key(key)?;
        check_value(&put.value)?;
        let mut call = self.scripts.put.prepare_invoke();
        call.key(self.key("entry", key)).key(self.key("index", "")).key(self.key("expiry", ""));
        call.key(self.key("version", "")).arg(key).arg(expected(put.expected));
        match put.ttl {
            Some(ttl) => call.arg(ttl_milliseconds(ttl)),
            None => call.arg(""),
        };
        call.arg(put.value.as_ref());
        let outcome: (bool, Vec<u8>) = self
            .link
            .run(Effect::Writes, async |mut link| call.invoke_async(&mut link).await)
            .await?;
        let version = version(&outcome.1)?;
        match (outcome.0, version) {
            (true, Some(version)) => Ok(version),
            (true, None) => Err(corrupt()),
            (false, current) => Err(StoreError::conflict(current)),
        }
    }

    async fn remove(&self, key: &str, expectation: Expected) -> Result<bool, StoreError> {
        check_key(key)?;
        let mut call = self.scripts.delete.prepare_invoke();
        call.key(self.key("entry", key)).key(self.key("index", "")).key(self.key("expiry", ""));
        call.arg(key).arg(expected(expectation));
        let outcome: (bool, Vec<u8>) = self
            .link
            .run(Effect::Writes, async |mut link| call.invoke_async(&mut link).await)
            .await?;
        let current = version(&outcome.1)?;
        if outcome.0 { Ok(current.is_some()) } else { Err(StoreError::conflict(current)) }
    }

    async fn page(&self, scan: &Scan) -> Result<Page, StoreError> {
        let (from, until) = bounds(scan);
        let mut call = self.scripts.scan.prepare_invoke();
        call.key(self.key("index", "")).key(self.key("expiry", "")).arg(self.key("entry", ""));
        call.arg(from).arg(until).arg(scan.page()).arg(MAX_PAGE_BYTES);
        let (is_more, found): (bool, Vec<(String, Vec<u8>, i64)>) = self
            .link
            .run(Effect::Reads, async |mut link| call.invoke_async(&mut link).await)
            .await?;
        let mut page = Page::default();
        for (key, stored, left) in found {
            let entry = parse(stored, left)?;
            page.entries.push((key, entry));
        }
        if is_more {
            page.next = page.entries.last().map(|(key, _)| key.clone());
        }
        Ok(page)
    }
}

const WRONG_ADDRESS: &str = "the address is none of redis; write redis://HOST:PORT, redis://USER:PASSWORD@HOST:PORT/DATABASE";

/// The address without `prefix=NAME`, and the name.
fn take_prefix(url: &str) -> Result<(String, String), StoreError> {
    let (address, query) = url.split_once('?').unwrap_or((url, ""));
    let mut prefix = PREFIX.to_owned();
    let mut others = Vec::new();
    for part in query.split('&').filter(|part| !part.is_empty()) {
        match part.strip_prefix("prefix=") {
            Some(name) => prefix = name.to_owned(),
            None => others.push(part),
        }
    }
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    if prefix.is_empty() || prefix.len() > MAX_PREFIX_BYTES || !prefix.bytes().all(is_plain) {
        return Err(StoreError::invalid(
            "the prefix in the address of redis must be 1 to 64 of A-Z a-z 0-9 _ - .",
        ));
    }
    let query = if others.is_empty() { String::new() } else { format!("?{}", others.join("&")) };
    Ok((format!("{address}{query}"), prefix))
}

/// The bounds of a scan, as the index takes them.
fn bounds(scan: &Scan) -> (Vec<u8>, Vec<u8>) {
    let from = [b"[", scan.start().as_bytes()].concat();
    // No text has this byte, so it lies behind everything with the prefix.
    let behind = [scan.as_prefix().as_bytes(), b"\xff"].concat();
    let end = scan.end().map_or(behind.as_slice(), |end| end.as_bytes().min(&behind));
    (from, [b"(", end].concat())
}

fn expected(expected: Expected) -> String {
    match expected {
        Expected::Any => "*".to_owned(),
        Expected::Absent => "-".to_owned(),
        Expected::Version(version) => format!("{:016}", version.number()),
    }
}

fn corrupt() -> StoreError {
    StoreError::corrupt("an entry in redis was not written by this store")
}

/// A version, or none for no bytes.
fn version(bytes: &[u8]) -> Result<Option<Version>, StoreError> {
    if bytes.is_empty() {
        return Ok(None);
    }
    let number = std::str::from_utf8(bytes).ok().and_then(|text| text.parse().ok());
    number.map(|number| Some(Version::new(number))).ok_or_else(corrupt)
}

fn parse(stored: Vec<u8>, left: i64) -> Result<Entry, StoreError> {
    let stored = Bytes::from(stored);
    let head = stored.get(..VERSION_BYTES).ok_or_else(corrupt)?;
    let version = version(head)?.ok_or_else(corrupt)?;
    let left = u64::try_from(left).ok().map(|left| Duration::from_millis(left.max(1)));
    Ok(Entry::new(stored.slice(VERSION_BYTES..), version).ttl(left))
}

impl Scripts {
    fn new() -> Self {
        Self {
            get: Script::new(include_str!("get.lua")),
            put: Script::new(include_str!("put.lua")),
            delete: Script::new(include_str!("delete.lua")),
            scan: Script::new(include_str!("scan.lua")),
        }
    }
}

impl Store for Redis {
    fn get<'a>(&'a self, key: &'a str) -> Pending<'a, Option<Entry>> {
        Box::pin(self.read(key))
    }

    fn put<'a>(&'a self, key: &'a str, put: Put) -> Pending<'a, Version> {
        Box::pin(self.write(key, put))
    }

    fn delete<'a>(&'a self, key: &'a str, expected: Expected) -> Pending<'a, bool> {
        Box::pin(self.remove(key, expected))
    }

    fn scan<'a>(&'a self, scan: &'a Scan) -> Pending<'a, Page> {
        Box::pin(self.page(scan))
    }

    fn promise(&self) -> Promise {
        self.promise.clone()
    }
}

impl Bus for Redis {
    fn publish<'a>(&'a self, topic: &'a str, message: Bytes) -> Pending<'a, ()> {
        Box::pin(async move {
            check_key(topic)?;
            check_message(&message)?;
            let mut publish = cmd("PUBLISH");
            publish.arg(self.key("topic", topic)).arg(message.as_ref());
            // A message that may have been sent is as good as one that was: the bus is lossy.
            let sent = async |mut link| publish.query_async::<Value>(&mut link).await;
            self.link.run(Effect::Reads, sent).await.map(drop)
        })
    }

    fn subscribe<'a>(&'a self, topic: &'a str) -> Pending<'a, Subscription> {
        Box::pin(async move {
            check_key(topic)?;
            self.listener.subscribe(self.key("topic", topic)).await
        })
    }
}

impl fmt::Debug for Redis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redis")
            .field("link", &self.link.to_string())
            .field("prefix", &self.prefix)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_is_taken_from_the_address() {
        let check = |url| take_prefix(url).map_err(|error| error.to_string());
        let plain = ("redis://h:1/2".to_owned(), "aqueduct".to_owned());
        assert_eq!(check("redis://h:1/2"), Ok(plain));
        let named = ("redis://h?protocol=resp3".to_owned(), "a-b.1".to_owned());
        assert_eq!(check("redis://h?prefix=a-b.1&protocol=resp3"), Ok(named));
        for wrong in ["redis://h?prefix=", "redis://h?prefix={x}", "redis://h?prefix=a:b"] {
            assert!(check(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn bounds_end_where_the_prefix_or_the_scan_does() {
        let check = |scan: Scan| bounds(&scan).1;
        assert_eq!(check(Scan::prefix("a/")), b"(a/\xff");
        assert_eq!(check(Scan::prefix("a/").until("a/5")), b"(a/5");
        assert_eq!(check(Scan::prefix("a/").until("b")), b"(a/\xff");
    }
}
