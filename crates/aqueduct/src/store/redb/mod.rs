//! The store in one file, for one process: what it acknowledged has been synced.

mod file;
mod record;
#[cfg(test)]
mod tests;
mod writer;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::Semaphore;

use self::file::{File, Opener};
use self::record::read_page;
use self::writer::{Change, Done, Writer};
use super::bus::{Bus, Subscription};
use super::clock::Clock;
use super::entry::{Entry, Expected, Put, Version};
use super::error::StoreError;
use super::limit::{check_key, check_value};
use super::memory::Memory;
use super::open::Backend;
use super::promise::{Durability, Promise};
use super::scan::{Page, Scan};
use super::{Pending, Store};

/// How many reads run at once, each on a thread that may wait for the disk.
const MAX_READS: usize = 64;
/// How often what has expired is collected while nobody writes.
const COLLECT_EVERY: Duration = Duration::from_secs(30);
/// How long to wait for a file that another process has open: it may be about to end.
const LOCK_PATIENCE: Duration = Duration::from_secs(1);
const LOCK_RETRY: Duration = Duration::from_millis(50);

/// Entries in one file, and messages in this process.
///
/// A write is answered when the file has been synced; writes that come together share one sync.
/// Only one process can have the file open.
/// What has expired is never seen again, and its room is used again after a while.
///
/// ```
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use aqueduct::store::{Put, Redb, Store};
///
/// let path = std::env::temp_dir().join(format!("example-{}.redb", std::process::id()));
/// let store = Redb::open(&path).await?;
/// store.put("color", Put::new("red")).await?;
/// # drop(store);
/// # std::fs::remove_file(path)?;
/// # Ok(())
/// # }
/// ```
pub struct Redb {
    path: PathBuf,
    file: Arc<File>,
    writer: Writer,
    reads: Arc<Semaphore>,
    clock: Clock,
    bus: Memory,
}

pub(super) async fn open(path: &str) -> Result<Backend, StoreError> {
    Ok(Backend::new(Redb::open(path).await?))
}

impl Redb {
    /// Opens a file, or makes it; nobody but its owner may read a file that is made.
    ///
    /// # Errors
    /// Unavailable when another process has it open, invalid when there can be no such file, corrupt
    /// when it is something else.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::open_by(path, Clock::system()).await
    }

    /// As [`open`](Self::open), by another clock than the machine's.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub async fn open_by(path: impl AsRef<Path>, clock: Clock) -> Result<Self, StoreError> {
        let path = path.as_ref().to_owned();
        let opener = file::opener(path.clone());
        Self::start(path, opener, clock, COLLECT_EVERY).await
    }

    async fn start(
        path: PathBuf,
        opener: Opener,
        clock: Clock,
        collect_every: Duration,
    ) -> Result<Self, StoreError> {
        let file = Arc::new(File::new(opener));
        let mut waited = Duration::ZERO;
        loop {
            let opening = Arc::clone(&file);
            match blocking(move || opening.open()).await {
                Err(error) if error.is_unavailable() && waited < LOCK_PATIENCE => {
                    tokio::time::sleep(LOCK_RETRY).await;
                    waited += LOCK_RETRY;
                }
                outcome => break outcome?,
            }
        }
        let writer = Writer::start(Arc::clone(&file), clock.clone(), collect_every)?;
        let reads = Arc::new(Semaphore::new(MAX_READS));
        Ok(Self { path, file, writer, reads, clock, bus: Memory::new() })
    }

    async fn read<T, F>(&self, read: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&::redb::ReadTransaction) -> Result<T, ::redb::Error> + Send + 'static,
    {
        let permit = Arc::clone(&self.reads).acquire_owned().await;
        let file = Arc::clone(&self.file);
        blocking(move || {
            let outcome = file.read(read);
            drop(permit);
            outcome
        })
        .await
    }
}

/// Runs what may wait for the disk where nothing else waits behind it.
async fn blocking<T, F>(work: F) -> Result<T, StoreError>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T, StoreError> + Send + 'static,
{
    let outcome = tokio::task::spawn_blocking(work).await;
    outcome.unwrap_or_else(|error| {
        Err(StoreError::unavailable("the thread that read the file ended").source(error))
    })
}

impl Store for Redb {
    fn get<'a>(&'a self, key: &'a str) -> Pending<'a, Option<Entry>> {
        Box::pin(async move {
            check_key(key)?;
            let now = self.clock.milliseconds();
            let key = key.to_owned();
            self.read(move |transaction| record::read(transaction, &key, now)).await
        })
    }

    fn put<'a>(&'a self, key: &'a str, put: Put) -> Pending<'a, Version> {
        Box::pin(async move {
            check_key(key)?;
            check_value(&put.value)?;
            match self.writer.write(Change::Put { key: key.to_owned(), put }).await? {
                Done::Put(version) => Ok(version),
                Done::Deleted(_) => Err(StoreError::corrupt("a put was answered as a delete")),
            }
        })
    }

    fn delete<'a>(&'a self, key: &'a str, expected: Expected) -> Pending<'a, bool> {
        Box::pin(async move {
            check_key(key)?;
            match self.writer.write(Change::Delete { key: key.to_owned(), expected }).await? {
                Done::Deleted(was_there) => Ok(was_there),
                Done::Put(_) => Err(StoreError::corrupt("a delete was answered as a put")),
            }
        })
    }

    fn scan<'a>(&'a self, scan: &'a Scan) -> Pending<'a, Page> {
        Box::pin(async move {
            let now = self.clock.milliseconds();
            let scan = scan.clone();
            self.read(move |transaction| read_page(transaction, &scan, now)).await
        })
    }

    fn promise(&self) -> Promise {
        Promise::new("redb", Durability::Synced)
    }
}

impl Bus for Redb {
    fn publish<'a>(&'a self, topic: &'a str, message: Bytes) -> Pending<'a, ()> {
        self.bus.publish(topic, message)
    }

    fn subscribe<'a>(&'a self, topic: &'a str) -> Pending<'a, Subscription> {
        self.bus.subscribe(topic)
    }
}

impl fmt::Debug for Redb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redb").field("path", &self.path).finish_non_exhaustive()
    }
}
