//! State that outlives a request: entries under keys, and messages to every node.
//!
//! Tasks, single-use marks and what else must survive are built on two small traits, [`Store`] and
//! [`Bus`]. Whoever writes a backend implements their seven methods and runs [`contract`] on it.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), aqueduct::store::StoreError> {
//! use aqueduct::store::{Memory, Put, Scan, Store};
//!
//! let store = Memory::new();
//! store.put("note/2", Put::new("second")).await?;
//! store.put("note/1", Put::new("first")).await?;
//! let page = store.scan(&Scan::prefix("note/")).await?;
//! assert_eq!(page.entries[0].1.value, "first");
//! # Ok(())
//! # }
//! ```

mod bus;
mod clock;
pub mod contract;
mod entry;
mod error;
pub mod limit;
mod memory;
mod open;
mod promise;
#[cfg(feature = "redb")]
mod redb;
#[cfg(not(feature = "redb"))]
#[path = "redb_left_out.rs"]
mod redb;
#[cfg(all(test, feature = "redb"))]
mod redb_left_out;
#[cfg(feature = "redis")]
mod redis;
#[cfg(not(feature = "redis"))]
#[path = "redis_left_out.rs"]
mod redis;
#[cfg(all(test, feature = "redis"))]
mod redis_left_out;
mod scan;
mod sealed;

use std::fmt;
use std::pin::Pin;

pub use self::bus::{Bus, Feed, Signal, Subscription};
pub use self::clock::Clock;
pub use self::entry::{Entry, Expected, Put, Version};
pub use self::error::StoreError;
pub use self::memory::Memory;
pub use self::open::{Backend, open};
pub use self::promise::{Durability, Promise};
#[cfg(feature = "redb")]
pub use self::redb::Redb;
#[cfg(feature = "redis")]
pub use self::redis::Redis;
pub use self::scan::{Page, Scan};
pub use self::sealed::Sealed;

/// What a store is asked for, once it is there: a future on the heap, so that a server can hold any
/// store as `Arc<dyn Store>`.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Entries under keys, each written as a whole.
///
/// A key is a string of 1 to [`limit::MAX_KEY_BYTES`] bytes; keys are ordered by their bytes.
/// A write that was answered is as durable as [`promise`](Self::promise) says, and every read that
/// starts later sees it, on every node that shares the store.
///
/// A backend's methods are written as `Box::pin(async move { … })`.
pub trait Store: fmt::Debug + Send + Sync + 'static {
    /// The entry under `key`, unless there is none or it has expired.
    fn get<'a>(&'a self, key: &'a str) -> Pending<'a, Option<Entry>>;

    /// Puts a value under `key` if the entry is as expected; its time to live starts anew.
    ///
    /// # Cancel safety
    /// When the future is dropped, the write may happen or not.
    fn put<'a>(&'a self, key: &'a str, put: Put) -> Pending<'a, Version>;

    /// Deletes the entry under `key` if it is as expected, and says whether there was one.
    ///
    /// # Cancel safety
    /// When the future is dropped, the entry may be deleted or not.
    fn delete<'a>(&'a self, key: &'a str, expected: Expected) -> Pending<'a, bool>;

    /// A page of entries in the order of their keys, all as they were at one moment.
    ///
    /// An entry that is there from the first page to the last is met exactly once.
    fn scan<'a>(&'a self, scan: &'a Scan) -> Pending<'a, Page>;

    /// What an acknowledged write survives, and who shares the entries.
    fn promise(&self) -> Promise;
}
