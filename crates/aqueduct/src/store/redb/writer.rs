//! The one thread that writes the file: writes that come together share one sync.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use ::redb::{Database, Durability, WriteTransaction};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::file::{File, failed};
use super::record::Tables;
use crate::store::clock::Clock;
use crate::store::entry::{Expected, Put, Version};
use crate::store::error::StoreError;

/// How many writes wait at once; who comes later waits for a place.
const MAX_WAITING: usize = 1_024;
/// How many writes share one sync at most.
const MAX_BATCH: usize = 512;
/// After how many bytes of values a batch is full.
const MAX_BATCH_BYTES: usize = 16 * 1024 * 1024;
/// How many entries that have expired a batch removes beside its work.
const COLLECTED_BESIDE: usize = 256;
/// How many are removed at once while nobody writes.
const COLLECTED_ALONE: usize = 8_192;

/// What to change.
pub(super) enum Change {
    Put { key: String, put: Put },
    Delete { key: String, expected: Expected },
}

/// What was changed.
#[derive(Debug)]
pub(super) enum Done {
    Put(Version),
    Deleted(bool),
}

/// A change that somebody waits for.
struct Waiting {
    change: Change,
    answer: oneshot::Sender<Result<Done, StoreError>>,
    _place: OwnedSemaphorePermit,
}

/// The way to the thread, which ends when this is dropped.
pub(super) struct Writer {
    waiting: Sender<Waiting>,
    places: Arc<Semaphore>,
}

impl Writer {
    pub(super) fn start(
        file: Arc<File>,
        clock: Clock,
        collect_every: Duration,
    ) -> Result<Self, StoreError> {
        // Bounded by the places: whoever sends holds one until the answer.
        let (waiting, changes) = channel();
        let writing = Writing { file, clock, changes };
        let thread = thread::Builder::new().name("aqueduct-redb".to_owned());
        thread.spawn(move || writing.run(collect_every)).map_err(|error| {
            StoreError::unavailable("the thread that writes the file did not start").source(error)
        })?;
        Ok(Self { waiting, places: Arc::new(Semaphore::new(MAX_WAITING)) })
    }

    /// Makes a change; the answer comes after the sync.
    pub(super) async fn write(&self, change: Change) -> Result<Done, StoreError> {
        let ended = || StoreError::unavailable("the thread that writes the file has ended");
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(|_| ended())?;
        let (answer, answered) = oneshot::channel();
        self.waiting.send(Waiting { change, answer, _place: place }).map_err(|_| ended())?;
        answered.await.unwrap_or_else(|_| {
            Err(StoreError::uncertain("the thread that writes the file ended before its answer"))
        })
    }
}

struct Writing {
    file: Arc<File>,
    clock: Clock,
    changes: Receiver<Waiting>,
}

impl Writing {
    fn run(self, collect_every: Duration) {
        loop {
            match self.changes.recv_timeout(collect_every) {
                Ok(first) => self.write(self.gather(first)),
                Err(RecvTimeoutError::Timeout) => self.write(Vec::new()),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// The first change, and those that came while the last batch was synced.
    fn gather(&self, first: Waiting) -> Vec<Waiting> {
        let mut bytes = first.change.bytes();
        let mut batch = vec![first];
        while batch.len() < MAX_BATCH && bytes < MAX_BATCH_BYTES {
            let Ok(next) = self.changes.try_recv() else { break };
            bytes += next.change.bytes();
            batch.push(next);
        }
        batch
    }

    fn write(&self, batch: Vec<Waiting>) {
        let outcome = self.file.open().and_then(|()| {
            self.file.with(|database| commit(database, &batch, self.clock.milliseconds()))
        });
        match outcome {
            Ok(answers) => {
                for (waiting, answer) in batch.into_iter().zip(answers) {
                    // Whoever asked may have gone; the change stands nevertheless.
                    drop(waiting.answer.send(answer));
                }
            }
            Err(error) => {
                tracing::error!(error = ?error, writes = batch.len(), "the store could not write");
                for waiting in batch {
                    drop(waiting.answer.send(Err(error.duplicate())));
                }
                // After a failure redb takes no more writes until the file is opened again, which
                // also settles whether the failed commit happened. The next batch tries once more.
                self.file.close();
                if let Err(error) = self.file.open() {
                    tracing::error!(error = ?error, "the store could not open its file again");
                }
            }
        }
    }
}

/// Makes all changes in one transaction and syncs once; conflicts are answers like others.
fn commit(
    database: &Database,
    batch: &[Waiting],
    now: u64,
) -> Result<Vec<Result<Done, StoreError>>, StoreError> {
    let mut transaction = database.begin_write().map_err(failed)?;
    transaction.set_durability(Durability::Immediate).map_err(failed)?;
    let (answers, is_changed) = apply(&transaction, batch, now).map_err(failed)?;
    if is_changed {
        transaction.commit().map_err(|error| {
            let message = "the file of the store could not be synced; the write may be there";
            StoreError::uncertain(message).source(error)
        })?;
    } else {
        transaction.abort().map_err(failed)?;
    }
    Ok(answers)
}

type Answers = Vec<Result<Done, StoreError>>;

/// The answers, and whether anything was changed.
fn apply(
    transaction: &WriteTransaction,
    batch: &[Waiting],
    now: u64,
) -> Result<(Answers, bool), ::redb::Error> {
    let mut tables = Tables::open(transaction, now)?;
    let collected = if batch.is_empty() { COLLECTED_ALONE } else { COLLECTED_BESIDE };
    let mut is_changed = tables.collect(collected)? > 0;
    let mut answers = Vec::with_capacity(batch.len());
    for waiting in batch {
        let answer = match &waiting.change {
            Change::Put { key, put } => tables.put(key, put)?.map(Done::Put),
            Change::Delete { key, expected } => tables.delete(key, *expected)?.map(Done::Deleted),
        };
        is_changed |= matches!(answer, Ok(Done::Put(_) | Done::Deleted(true)));
        answers.push(answer);
    }
    Ok((answers, is_changed))
}

impl Change {
    fn bytes(&self) -> usize {
        match self {
            Self::Put { put, .. } => put.value.len(),
            Self::Delete { .. } => 0,
        }
    }
}
