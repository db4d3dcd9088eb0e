//! A store that fails when a test wants it to.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::store::{
    Entry, Expected, Page, Pending, Promise, Put, Scan, Store, StoreError, Version,
};

/// Hands everything on to another store, except for the write that is to fail.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// use std::sync::Arc;
/// use aqueduct::store::contract::Faulty;
/// use aqueduct::store::{Memory, Put, Store};
///
/// let store = Faulty::new(Arc::new(Memory::new()));
/// store.fail_write(2);
/// assert!(store.put("a", Put::new("1")).await.is_ok());
/// assert!(store.put("a", Put::new("2")).await.is_err_and(|error| error.is_unavailable()));
/// assert!(store.put("a", Put::new("3")).await.is_ok());
/// # }
/// ```
pub struct Faulty {
    inner: Arc<dyn Store>,
    writes: AtomicU64,
    fails: AtomicU64,
    unanswered: AtomicU64,
}

impl Faulty {
    /// A store that works until it is told not to.
    #[must_use]
    pub fn new(inner: Arc<dyn Store>) -> Self {
        let never = || AtomicU64::new(u64::MAX);
        Self { inner, writes: AtomicU64::new(0), fails: never(), unanswered: never() }
    }

    /// The `n`-th write from now on, counted from one, does not happen.
    pub fn fail_write(&self, n: u64) {
        self.fails.store(self.writes.load(Ordering::SeqCst) + n, Ordering::SeqCst);
    }

    /// The `n`-th write from now on, counted from one, happens, and its answer is lost.
    pub fn lose_answer(&self, n: u64) {
        self.unanswered.store(self.writes.load(Ordering::SeqCst) + n, Ordering::SeqCst);
    }

    async fn write<T>(&self, write: Pending<'_, T>) -> Result<T, StoreError> {
        let number = self.writes.fetch_add(1, Ordering::SeqCst) + 1;
        if self.fails.load(Ordering::SeqCst) == number {
            return Err(StoreError::unavailable("a test lets this write fail"));
        }
        let outcome = write.await;
        if self.unanswered.load(Ordering::SeqCst) == number {
            return Err(StoreError::uncertain("a test lets this answer be lost"));
        }
        outcome
    }
}

impl Store for Faulty {
    fn get<'a>(&'a self, key: &'a str) -> Pending<'a, Option<Entry>> {
        self.inner.get(key)
    }

    fn put<'a>(&'a self, key: &'a str, put: Put) -> Pending<'a, Version> {
        Box::pin(self.write(self.inner.put(key, put)))
    }

    fn delete<'a>(&'a self, key: &'a str, expected: Expected) -> Pending<'a, bool> {
        Box::pin(self.write(self.inner.delete(key, expected)))
    }

    fn scan<'a>(&'a self, scan: &'a Scan) -> Pending<'a, Page> {
        self.inner.scan(scan)
    }

    fn promise(&self) -> Promise {
        self.inner.promise()
    }
}

impl fmt::Debug for Faulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Faulty").field(&self.inner).finish()
    }
}
