//! Who touches the file: one thread that writes, a few connections that read beside it.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::{Semaphore, mpsc, oneshot};

use super::{Error, Result, schema};

/// Writes that may wait; the next caller then waits for a place, which slows it and loses nothing.
const QUEUE: usize = 64;
/// Writes that share one transaction, since waiting for the disk once is enough for all of them.
const BATCH: usize = 64;
/// Searches that run at once; more would only compete for the same disk.
const READERS: usize = 4;
/// How long cleaning up may wait for readers; a later checkpoint does it otherwise.
const CLEANING: Duration = Duration::from_millis(200);

/// A write that waits for its turn.
struct Job {
    work: Work,
    /// Whether what it removes must not stay readable in the log.
    cleans: bool,
}

/// Works in the transaction that it is given, if one could be begun, and leaves the answer.
type Work = Box<dyn FnOnce(Option<&mut Transaction<'_>>) -> Answer + Send>;
/// Tells the caller what became of the work, once the fate of the transaction is known.
type Answer = Box<dyn FnOnce(&Result<()>)>;

/// The thread that owns the writing connection; it ends when the last handle is dropped.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: mpsc::Sender<Job>,
}

impl Writer {
    pub(super) fn start(mut connection: Connection) -> Result<Self> {
        let (jobs, mut queue) = mpsc::channel(QUEUE);
        let run = move || {
            while let Some(first) = queue.blocking_recv() {
                let mut batch = vec![first];
                while batch.len() < BATCH
                    && let Ok(next) = queue.try_recv()
                {
                    batch.push(next);
                }
                write(&mut connection, batch);
            }
        };
        let thread = thread::Builder::new().name("memory-writer".to_owned());
        let thread = thread.spawn(run).map_err(|error| {
            Error::internal(format!("cannot start the thread that writes: {error}"))
        });
        thread.map(|_| Self { jobs })
    }

    /// Runs `work` after all that was queued before, and answers when it is on disk.
    ///
    /// # Cancel safety
    /// Dropping the future before the job is queued does nothing; afterwards the write still
    /// happens and only its answer is lost.
    pub(super) async fn run<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        self.queue(work, false).await
    }

    /// Does what [`Writer::run`] does, and then takes what was removed out of the log.
    pub(super) async fn run_and_clean<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        self.queue(work, true).await
    }

    async fn queue<T, F>(&self, work: F, cleans: bool) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let work: Work = Box::new(move |transaction| {
            let result = transaction.map_or_else(|| Err(lost()), |within| apart(within, work));
            Box::new(move |fate| {
                let result = fate.as_ref().map_or_else(|error| Err(error.again()), |()| result);
                // The caller may be gone; the write counts all the same.
                drop(answer.send(result));
            })
        });
        self.jobs.send(Job { work, cleans }).await.map_err(|_| lost())?;
        answered.await.map_err(|_| lost())?
    }
}

fn lost() -> Error {
    Error::internal("the write failed; the log says why")
}

/// Runs `work` so that its failure undoes nothing but itself.
fn apart<T>(
    transaction: &mut Transaction<'_>,
    work: impl FnOnce(&Connection) -> Result<T>,
) -> Result<T> {
    let savepoint = transaction.savepoint()?;
    let value = work(&savepoint)?;
    savepoint.commit()?;
    Ok(value)
}

/// Runs a batch in one transaction and tells every caller.
fn write(connection: &mut Connection, batch: Vec<Job>) {
    let cleans = batch.iter().any(|job| job.cleans);
    let (answers, fate) = transact(connection, batch);
    if cleans && fate.is_ok() {
        // The notes are gone either way; a reader in the way only delays the cleaning.
        drop(clean(connection));
    }
    for answer in answers {
        answer(&fate);
    }
}

/// A job that panics rolls its savepoint back while it unwinds; its caller learns that the answer
/// is lost, and the others are not concerned.
fn transact(connection: &mut Connection, batch: Vec<Job>) -> (Vec<Answer>, Result<()>) {
    let mut begun = connection.transaction_with_behavior(TransactionBehavior::Immediate);
    let run = |job: Job| catch_unwind(AssertUnwindSafe(|| (job.work)(begun.as_mut().ok()))).ok();
    let answers = batch.into_iter().filter_map(run).collect();
    (answers, begun.and_then(Transaction::commit).map_err(Error::from))
}

/// Empties the write-ahead log, in which removed text would otherwise stay readable.
fn clean(connection: &Connection) -> rusqlite::Result<()> {
    let former: u64 = connection.query_row("PRAGMA busy_timeout", [], |row| row.get(0))?;
    connection.busy_timeout(CLEANING)?;
    let emptied = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    connection.busy_timeout(Duration::from_millis(former))?;
    emptied
}

/// Connections that see the last committed state and never wait for the writer.
#[derive(Debug)]
pub(super) struct Readers {
    path: PathBuf,
    places: Semaphore,
    idle: Arc<Mutex<Vec<Connection>>>,
}

impl Readers {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, places: Semaphore::new(READERS), idle: Arc::default() }
    }

    /// Runs `work` on a thread for blocking work.
    ///
    /// # Cancel safety
    /// Dropping the future loses the answer and nothing else.
    pub(super) async fn run<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Connection) -> Result<T> + Send + 'static,
    {
        let place = self.places.acquire().await;
        let _place = place.map_err(|_| Error::internal("the memory is closed"))?;
        let (idle, path) = (Arc::clone(&self.idle), self.path.clone());
        let read = tokio::task::spawn_blocking(move || {
            let ready = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut connection = match ready {
                Some(connection) => connection,
                None => schema::open_reader(&path)?,
            };
            let result = work(&mut connection);
            idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
            result
        });
        read.await.map_err(|_| Error::internal("the search failed; the log says why"))?
    }
}
