//! A record that this process has read, and writes back only if nobody else has written since.

use std::time::Duration;

use super::Tasks;
use super::place::Place;
use super::record::Record;
use crate::store::{Expected, Put, StoreError, Version};

/// How long a process waits before it asks a store again that did not answer.
const PAUSE: Duration = Duration::from_millis(100);

/// A record with the version at which it was read or written: the fencing token.
pub(super) struct Held {
    pub(super) place: Place,
    pub(super) record: Record,
    version: Option<Version>,
}

/// Somebody else has written the record, or it is gone.
#[derive(Debug)]
pub(super) struct Lost;

impl Held {
    /// A record that is not in the store yet.
    pub(super) const fn new(place: Place, record: Record) -> Self {
        Self { place, record, version: None }
    }

    /// Writes the record if it is as it was; once.
    ///
    /// # Errors
    /// A conflict when it is not; what the store could not do.
    pub(super) async fn write(&mut self, tasks: &Tasks) -> Result<(), StoreError> {
        self.record.writes += 1;
        let value = serde_json::to_vec(&self.record)
            .map_err(|error| StoreError::corrupt("a task cannot be written").source(error))?;
        let expected = self.version.map_or(Expected::Absent, Expected::Version);
        let put = Put::new(value).expected(expected).ttl(self.record.left(tasks.now()));
        self.version = Some(tasks.store.put(&self.place.record(), put).await?);
        Ok(())
    }

    /// Changes the record, as often as somebody else comes in between; `change` says whether there
    /// is anything to write.
    ///
    /// # Errors
    /// What the store could not do.
    pub(super) async fn change(
        &mut self,
        tasks: &Tasks,
        mut change: impl FnMut(&mut Record) -> bool,
    ) -> Result<Option<bool>, StoreError> {
        loop {
            let before = self.record.clone();
            if !change(&mut self.record) {
                return Ok(Some(false));
            }
            match self.write(tasks).await {
                Ok(()) => return Ok(Some(true)),
                Err(error) if error.is_conflict() => {}
                Err(error) if error.is_uncertain() => {
                    match self.is_written(tasks, tasks.now()).await {
                        Ok(true) => return Ok(Some(true)),
                        Ok(false) => {
                            self.record = before;
                            continue;
                        }
                        Err(Lost) => {}
                    }
                }
                Err(error) => return Err(error),
            }
            let Some(held) = tasks.held(self.place.clone()).await? else { return Ok(None) };
            *self = held;
        }
    }

    /// Writes the record, trying again while the store does not answer, until `deadline`.
    ///
    /// # Errors
    /// When it is somebody else's now, or gone, or the deadline has passed.
    pub(super) async fn insist(&mut self, tasks: &Tasks, deadline: u64) -> Result<(), Lost> {
        loop {
            let error = match self.write(tasks).await {
                Ok(()) => return Ok(()),
                Err(error) => error,
            };
            if error.is_uncertain() {
                if self.is_written(tasks, deadline).await? {
                    return Ok(());
                }
                continue;
            }
            if !(error.is_unavailable() || error.is_full()) {
                tracing::debug!(%error, "a task is another's now");
                return Err(Lost);
            }
            self.pause(tasks, deadline).await?;
        }
    }

    /// Did the write happen, of which no answer came?
    async fn is_written(&mut self, tasks: &Tasks, deadline: u64) -> Result<bool, Lost> {
        loop {
            match tasks.held(self.place.clone()).await {
                Ok(Some(found)) if found.record == self.record => {
                    self.version = found.version;
                    return Ok(true);
                }
                // As it was before: the write can be tried again.
                Ok(Some(found)) if found.version == self.version => return Ok(false),
                Ok(_) => return Err(Lost),
                Err(error) if error.is_unavailable() => self.pause(tasks, deadline).await?,
                Err(_) => return Err(Lost),
            }
        }
    }

    async fn pause(&self, tasks: &Tasks, deadline: u64) -> Result<(), Lost> {
        if tasks.now() >= deadline {
            return Err(Lost);
        }
        tokio::time::sleep(PAUSE).await;
        Ok(())
    }
}

impl Tasks {
    /// The record of a task, unless there is none or its time is over.
    pub(super) async fn held(&self, place: Place) -> Result<Option<Held>, StoreError> {
        let key = place.record();
        let Some(entry) = self.store.get(&key).await? else { return Ok(None) };
        let record: Record = serde_json::from_slice(&entry.value)
            .map_err(|error| StoreError::corrupt("a task cannot be read").source(error))?;
        let is_over = record.expires() <= self.now();
        Ok((!is_over).then_some(Held { place, record, version: Some(entry.version) }))
    }
}
