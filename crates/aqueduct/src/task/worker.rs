//! Finds tasks that nobody runs: those that wait for their turn, and those whose process has died.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::Duration;

use aqueduct_protocol::errors;
use aqueduct_protocol::version::ProtocolVersion;
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::hold::Held;
use super::place::{READY, Turn, turns_until};
use super::{Message, TOPIC, Tasks};
use crate::error::{Kind, code_of};
use crate::store::{Expected, Scan, Signal, StoreError};

/// How often a process looks for tasks when nothing tells it to.
const PATIENCE: Duration = Duration::from_secs(1);
/// How many turns are read at once.
const PAGE: usize = 64;
/// How often a task that waits for its client is looked after, in milliseconds.
const PARKED: u64 = 60_000;

impl Tasks {
    /// Begins to look for tasks, once, if there is a runtime to do it in.
    pub(crate) fn start(self: &Arc<Self>) {
        if self.is_started.load(Ordering::Relaxed) {
            return;
        }
        let Ok(runtime) = Handle::try_current() else { return };
        if self.is_started.swap(true, Ordering::AcqRel) {
            return;
        }
        self.own(runtime.spawn(look(Arc::downgrade(self))).abort_handle());
        if self.bus.is_some() {
            self.own(runtime.spawn(hear(Arc::downgrade(self))).abort_handle());
        }
    }

    /// Takes all turns that are due, as far as there is room.
    async fn take_due(self: &Arc<Self>) -> Result<(), StoreError> {
        let mut scan = Scan::prefix(READY).until(turns_until(self.now() + 1)).limit(PAGE);
        loop {
            let page = self.store.scan(&scan).await?;
            for (key, entry) in page.entries {
                let Ok(turn) = serde_json::from_slice::<Turn>(&entry.value) else {
                    self.store.delete(&key, Expected::Version(entry.version)).await.ok();
                    continue;
                };
                match self.take(&key, turn).await {
                    Ok(true) => {}
                    Ok(false) => return Ok(()),
                    // One that cannot be read must not stand in the way of the others.
                    Err(error) if error.is_corrupt() => tracing::error!(%error, "of a task"),
                    Err(error) => return Err(error),
                }
            }
            match page.next {
                Some(next) => scan = scan.after(next),
                None => return Ok(()),
            }
        }
    }

    /// Looks after one task; `false` when there is no room to run any.
    async fn take(self: &Arc<Self>, key: &str, turn: Turn) -> Result<bool, StoreError> {
        let Some(mut held) = self.held(turn.place).await? else {
            self.store.delete(key, Expected::Any).await?;
            return Ok(true);
        };
        let (record, now) = (&held.record, self.now());
        if record.status.is_terminal() {
            self.store.delete(key, Expected::Any).await?;
            self.forget(&held.place).await;
            return Ok(true);
        }
        if !record.questions.is_empty() {
            self.move_turn(&held, key, now + PARKED).await?;
            return Ok(true);
        }
        if record.is_leased(now) {
            let until = record.lease.as_ref().map_or(now, |lease| lease.until);
            self.move_turn(&held, key, until).await?;
            return Ok(true);
        }
        if !self.runner().is_some_and(|runner| runner.has(&turn.tool)) {
            return Ok(true);
        }
        let Ok(slot) = Arc::clone(&self.slots).try_acquire_owned() else { return Ok(false) };
        self.claim(key, &mut held).await.map(|claimed| {
            if claimed {
                self.begin(held, slot);
            }
            true
        })
    }

    /// Makes a task this process's own; one whose runs are lost too often, or that may not be run
    /// twice, is ended instead.
    async fn claim(self: &Arc<Self>, key: &str, held: &mut Held) -> Result<bool, StoreError> {
        let now = self.now();
        let record = &mut held.record;
        let was_lost = record.lease.is_some();
        record.lost += u32::from(was_lost);
        let error = match was_lost {
            true if !record.rerun => Some(
                "the server ended while the task ran; what it had done by then is not known"
                    .to_owned(),
            ),
            true if record.lost >= self.options.attempts => Some(format!(
                "the server ended {} times while the task ran, so it is not run again",
                record.lost
            )),
            _ => None,
        };
        record.updated = now;
        if let Some(error) = &error {
            tracing::warn!(tool = record.tool, error, "a task is given up");
            let code = code_of(Kind::Internal, ProtocolVersion::LATEST);
            record.fail(errors::Error::new(code, format!("internal error: {error}")));
        } else {
            record.runs += 1;
            record.lease = Some(self.lease());
        }
        let until = self.lease().until;
        if held.insist(self, until).await.is_err() {
            // Somebody else was quicker, or the time of the task is over.
            return Ok(false);
        }
        if error.is_some() {
            self.store.delete(key, Expected::Any).await?;
            self.forget(&held.place).await;
            self.tell(Message::Ended(&held.place.id)).await;
            return Ok(false);
        }
        self.move_turn(held, key, until).await?;
        Ok(true)
    }

    /// Puts the turn of a task to a later time: the new one first, so that there is always one.
    async fn move_turn(&self, held: &Held, key: &str, due: u64) -> Result<(), StoreError> {
        self.put_turn(held, due).await?;
        if held.place.turn(due) != key {
            self.store.delete(key, Expected::Any).await?;
        }
        Ok(())
    }
}

/// Looks again and again, until the server is gone.
async fn look(tasks: Weak<Tasks>) {
    loop {
        let Some(tasks) = tasks.upgrade() else { return };
        if let Err(error) = tasks.take_due().await {
            tracing::debug!(%error, "tasks cannot be looked for at present");
        }
        // Woken early is fine, and so is late: the store is the truth.
        drop(timeout(PATIENCE, tasks.ready.notified()).await);
    }
}

/// Hears what the other nodes have done.
async fn hear(tasks: Weak<Tasks>) {
    loop {
        let Some(bus) = tasks.upgrade().and_then(|tasks| tasks.bus.clone()) else { return };
        if let Ok(mut subscription) = bus.subscribe(TOPIC).await {
            while let Some(signal) = subscription.next().await {
                let Some(tasks) = tasks.upgrade() else { return };
                tasks.heard(&signal);
            }
        }
        tokio::time::sleep(PATIENCE).await;
    }
}

impl Tasks {
    fn heard(&self, signal: &Signal) {
        let Signal::Message(message) = signal else {
            (self.tell)(None);
            self.ready.notify_one();
            return;
        };
        match std::str::from_utf8(message).ok().and_then(Message::read) {
            Some(Message::Changed(id)) => (self.tell)(Some(id)),
            Some(Message::Ended(id)) => {
                self.stop_run(id);
                (self.tell)(Some(id));
            }
            Some(Message::Ready) => self.ready.notify_one(),
            None => {}
        }
    }
}
