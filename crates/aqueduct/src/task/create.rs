//! Making a task: it is in the store before anybody learns of it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use aqueduct_protocol::jsonrpc::RawJson;
use aqueduct_protocol::tasks::{CreateTaskResult, Task, TaskStatus};
use aqueduct_protocol::version::ProtocolVersion;

use super::hold::Held;
use super::place::{self, ACTIVE, Place, Turn};
use super::record::{Call, Lease, Owner, Record};
use super::{Message, Tasks};
use crate::context::{Carried, Principal};
use crate::error::{Error, Kind};
use crate::store::{Expected, Put, Scan, StoreError};

/// How long a request may be that becomes a task.
const MAX_REQUEST: usize = 1024 * 1024;

/// What is to be done as a task.
#[derive(Debug)]
pub(crate) struct Order {
    pub(crate) tool: String,
    /// The message, as it came.
    pub(crate) request: String,
    /// The revision of the session that it came in, if in any.
    pub(crate) version: Option<ProtocolVersion>,
    pub(crate) owner: Option<Principal>,
    /// What came of the rounds before.
    pub(crate) carried: Carried,
    pub(crate) answers: BTreeMap<String, RawJson>,
    /// Is it run again when its process has died?
    pub(crate) rerun: bool,
    pub(crate) ttl: Option<Duration>,
    pub(crate) poll_interval: Option<Duration>,
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

impl Tasks {
    /// Makes a task, and begins to run it if there is room for one more here.
    ///
    /// # Errors
    /// When the caller, or the server, has too many; when the request is too long; when the store
    /// does not take it: then there is no task that anybody knows of.
    pub(crate) async fn create(self: &Arc<Self>, order: Order) -> Result<CreateTaskResult, Error> {
        self.start();
        let bytes = order.request.len();
        if bytes > MAX_REQUEST {
            return Err(Error::invalid_params(format!(
                "the request has {bytes} bytes, and {MAX_REQUEST} are allowed for a task"
            )));
        }
        self.check_room(order.owner.as_ref()).await?;
        let slot = Arc::clone(&self.slots).try_acquire_owned().ok();
        let id = place::random()?;
        let place = Place::new(order.owner.as_ref(), &id)
            .ok_or_else(|| Error::internal("a task got an id that is none"))?;
        let record = self.record(order, slot.is_some());
        let mut held = Held::new(place, record);
        held.write(self).await?;
        self.put_active(&held).await?;
        let due = held.record.lease.as_ref().map_or(held.record.created, |lease| lease.until);
        self.put_turn(&held, due).await?;
        let task = Task::from(held.record.detailed(&id));
        match slot {
            Some(slot) => self.begin(held, slot),
            None => self.tell(Message::Ready).await,
        }
        Ok(task.into())
    }

    fn record(&self, order: Order, is_begun: bool) -> Record {
        let now = self.now();
        let owner = order.owner.as_ref().map(Owner::from);
        let call = Call { request: order.request, version: order.version, owner };
        Record {
            tool: order.tool,
            status: TaskStatus::Working,
            message: None,
            created: now,
            updated: now,
            ttl: milliseconds(order.ttl.unwrap_or(self.options.ttl)),
            poll: milliseconds(order.poll_interval.unwrap_or(self.options.poll_interval)),
            rerun: order.rerun,
            call: Some(call),
            lease: is_begun.then(|| self.lease()),
            runs: u32::from(is_begun),
            lost: 0,
            writes: 0,
            questions: BTreeMap::new(),
            keys: std::collections::BTreeSet::new(),
            answers: order.answers,
            carried: order.carried,
            result: None,
            error: None,
        }
    }

    /// A lease of this process, from now on.
    pub(super) fn lease(&self) -> Lease {
        let until = self.now().saturating_add(milliseconds(self.options.lease));
        Lease { node: self.node.clone(), until }
    }

    /// Says when somebody should look after the task.
    pub(super) async fn put_turn(&self, held: &Held, due: u64) -> Result<(), StoreError> {
        let turn = Turn { place: held.place.clone(), tool: held.record.tool.clone() };
        let value = serde_json::to_vec(&turn)
            .map_err(|error| StoreError::corrupt("a turn cannot be written").source(error))?;
        let put = Put::new(value).ttl(held.record.left(self.now()));
        self.store.put(&held.place.turn(due), put).await.map(drop)
    }

    async fn put_active(&self, held: &Held) -> Result<(), StoreError> {
        let put = Put::new("").ttl(held.record.left(self.now()));
        self.store.put(&held.place.active(), put).await.map(drop)
    }

    /// What only tasks under way have is taken away; what cannot be expires by itself.
    pub(super) async fn forget(&self, place: &Place) {
        if let Err(error) = self.store.delete(&place.active(), Expected::Any).await {
            tracing::debug!(%error, "the mark of a task that is over stays until it expires");
        }
    }

    async fn check_room(&self, owner: Option<&Principal>) -> Result<(), Error> {
        if owner.is_some() {
            let most = self.options.per_principal;
            let own = self.count(place::active_of(owner), most).await?;
            if own >= most {
                let message = format!("{most} tasks of this caller are under way; wait for one");
                return Err(Error::of(Kind::Busy, message));
            }
        }
        let most = self.options.total;
        if self.count(ACTIVE.to_owned(), most).await? >= most {
            return Err(Error::of(Kind::Busy, "too many tasks are under way on this server"));
        }
        Ok(())
    }

    /// How many entries there are below a prefix, `most` at most.
    async fn count(&self, prefix: String, most: usize) -> Result<usize, StoreError> {
        let mut scan = Scan::prefix(prefix);
        let mut count = 0;
        loop {
            let page = self.store.scan(&scan).await?;
            count += page.entries.len();
            match page.next {
                Some(next) if count < most => scan = scan.after(next),
                _ => return Ok(count.min(most)),
            }
        }
    }
}
