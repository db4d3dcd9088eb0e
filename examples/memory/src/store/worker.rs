//! Who touches the file: one thread that writes, a few connections that read beside it.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use rusqlite::Connection;
use tokio::sync::{Semaphore, mpsc, oneshot};

use super::{Error, Result, schema};

/// Writes that may wait; the next caller then waits for a place, which slows it and loses nothing.
const QUEUE: usize = 64;
/// Searches that run at once; more would only compete for the same disk.
const READERS: usize = 4;

type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// The thread that owns the writing connection; it ends when the last handle is dropped.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: mpsc::Sender<Job>,
}

impl Writer {
    pub(super) fn start(mut connection: Connection) -> Result<Self> {
        let (jobs, mut queue) = mpsc::channel::<Job>(QUEUE);
        let run = move || {
            while let Some(job) = queue.blocking_recv() {
                // A transaction that unwinds rolls back, so the connection stays good for the next.
                drop(catch_unwind(AssertUnwindSafe(|| job(&mut connection))));
            }
        };
        thread::Builder::new().name("memory-writer".to_owned()).spawn(run).map_err(|error| {
            Error::internal(format!("cannot start the writing thread: {error}"))
        })?;
        Ok(Self { jobs })
    }

    /// Runs `work` after all that was queued before.
    ///
    /// # Cancel safety
    /// Dropping the future before the job is queued does nothing; afterwards the write still
    /// happens and only its answer is lost.
    pub(super) async fn run<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Connection) -> Result<T> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            // The caller may be gone; the write counts all the same.
            drop(answer.send(work(connection)));
        });
        let lost = || Error::internal("the write failed; the log says why");
        self.jobs.send(job).await.map_err(|_| lost())?;
        answered.await.map_err(|_| lost())?
    }
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
