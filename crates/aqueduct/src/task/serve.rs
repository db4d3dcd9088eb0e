//! What clients ask of a task: how far it is, to take an answer, to end.

use std::collections::BTreeMap;
use std::sync::Arc;

use aqueduct_protocol::jsonrpc::RawJson;
use aqueduct_protocol::tasks::{DetailedTask, TaskStatus};

use super::hold::Held;
use super::place::Place;
use super::{Message, Tasks};
use crate::context::Principal;
use crate::error::{Error, shorten};

impl Tasks {
    /// A task of this caller.
    ///
    /// # Errors
    /// -32602 when there is none of this id, or it is another's; nothing tells which. Another
    /// error when the store does not answer: a client that read "not found" would give it up.
    pub(crate) async fn get(
        self: &Arc<Self>,
        owner: Option<&Principal>,
        id: &str,
    ) -> Result<DetailedTask, Error> {
        Ok(self.find(owner, id).await?.record.detailed(id))
    }

    /// Takes answers of the client; what is not asked is left aside.
    ///
    /// # Errors
    /// See [`get`](Self::get).
    pub(crate) async fn update(
        self: &Arc<Self>,
        owner: Option<&Principal>,
        id: &str,
        answers: BTreeMap<String, RawJson>,
    ) -> Result<(), Error> {
        let mut held = self.find(owner, id).await?;
        let slot = Arc::clone(&self.slots).try_acquire_owned().ok();
        let mut is_ready = false;
        let changed = held.change(self, |record| {
            let before = record.questions.len();
            is_ready = record.answer(answers.clone());
            record.updated = self.now();
            if is_ready && slot.is_some() {
                record.lease = Some(self.lease());
                record.runs += 1;
            }
            record.questions.len() < before
        });
        match changed.await? {
            Some(true) => {}
            Some(false) => return Ok(()),
            None => return Err(unknown(id)),
        }
        if is_ready {
            // The turn of a parked task comes in any case; this one comes sooner.
            let due = held.record.lease.as_ref().map_or(held.record.updated, |lease| lease.until);
            self.put_turn(&held, due).await?;
            match slot {
                Some(slot) => self.begin(held, slot),
                None => self.tell(Message::Ready).await,
            }
        }
        self.tell(Message::Changed(id)).await;
        Ok(())
    }

    /// Ends a task, if it is not over.
    ///
    /// # Errors
    /// See [`get`](Self::get).
    pub(crate) async fn cancel(
        self: &Arc<Self>,
        owner: Option<&Principal>,
        id: &str,
    ) -> Result<(), Error> {
        let mut held = self.find(owner, id).await?;
        let changed = held.change(self, |record| {
            let is_over = record.status.is_terminal();
            if !is_over {
                record.end(TaskStatus::Cancelled);
                record.updated = self.now();
            }
            !is_over
        });
        match changed.await? {
            Some(true) => {
                self.stop_run(id);
                self.forget(&held.place).await;
                self.tell(Message::Ended(id)).await;
                Ok(())
            }
            Some(false) => Ok(()),
            None => Err(unknown(id)),
        }
    }

    async fn find(self: &Arc<Self>, owner: Option<&Principal>, id: &str) -> Result<Held, Error> {
        self.start();
        let Some(place) = Place::new(owner, id) else { return Err(unknown(id)) };
        self.held(place).await?.ok_or_else(|| unknown(id))
    }
}

fn unknown(id: &str) -> Error {
    Error::not_found(format!("no task {:?}", shorten(id)))
}
