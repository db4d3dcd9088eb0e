//! One run of a task's handler, from its lease to what came of it.

use std::collections::BTreeMap;
use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aqueduct_protocol::errors;
use aqueduct_protocol::input::InputRequest;
use aqueduct_protocol::jsonrpc::RawJson;
use aqueduct_protocol::version::ProtocolVersion;
use tokio::sync::{Notify, OwnedSemaphorePermit, mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::hold::{Held, Lost};
use super::{Message, Tasks, lock};
use crate::context::{BoxFuture, Carried, Ledger, Principal, Replay, TaskRun};
use crate::error::{Error, code_of};

/// How long a result may be that is kept in a task.
const MAX_RESULT: usize = 1024 * 1024;
/// How often the status message of a task is written at most.
const STATUS_GAP: Duration = Duration::from_millis(250);

/// Runs the handlers that tasks are for.
pub(crate) trait Runner: Send + Sync {
    /// May there be a tool of this name?
    fn has(&self, tool: &str) -> bool;

    /// Runs the handler once.
    fn run(self: Arc<Self>, work: Work) -> BoxFuture<Ended>;
}

/// What a run is made of.
pub(crate) struct Work {
    pub(crate) request: String,
    pub(crate) version: Option<ProtocolVersion>,
    pub(crate) owner: Option<Principal>,
    pub(crate) replay: Replay,
    pub(crate) task: TaskRun,
}

/// What came of a run.
pub(crate) enum Ended {
    /// A result, also that of a tool that failed.
    Completed(RawJson),
    /// An error of the protocol.
    Failed(Error),
    /// Questions, and what the next run has to find.
    Asked(BTreeMap<String, InputRequest>, Carried),
}

/// What a handler has to be told before it goes on.
struct Order {
    carried: Carried,
    done: oneshot::Sender<()>,
}

/// The handler's end of a run.
struct Line {
    message: Mutex<Option<String>>,
    said: Notify,
    orders: mpsc::Sender<Order>,
}

impl Ledger for Arc<Line> {
    fn status(&self, message: String) {
        *lock(&self.message) = Some(message);
        self.said.notify_one();
    }

    fn keep(&self, carried: Carried) -> BoxFuture<Result<(), Error>> {
        let orders = self.orders.clone();
        Box::pin(async move {
            let (done, kept) = oneshot::channel();
            let sent = orders.send(Order { carried, done }).await;
            if sent.is_ok() && kept.await.is_ok() {
                return Ok(());
            }
            // Nobody keeps the task any more, so nothing that comes of this run counts: it ends
            // here, at the latest when its handler is dropped.
            pending().await
        })
    }
}

/// Aborts the handler when its run is over for another reason.
struct Handler(JoinHandle<Ended>);

impl Drop for Handler {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Tasks {
    /// Starts to run a task that this process holds the lease of.
    pub(super) fn begin(self: &Arc<Self>, held: Held, slot: OwnedSemaphorePermit) {
        let tasks = Arc::clone(self);
        let stop = Arc::new(Notify::new());
        let id: Arc<str> = held.place.id.as_str().into();
        lock(&self.runs).insert(Arc::clone(&id), Arc::clone(&stop));
        let run = tokio::spawn(async move {
            tokio::select! {
                () = tasks.drive(held) => {}
                () = stop.notified() => {}
            }
            let mut runs = lock(&tasks.runs);
            if runs.get(&id).is_some_and(|other| Arc::ptr_eq(other, &stop)) {
                runs.remove(&id);
            }
            drop(runs);
            drop(slot);
            tasks.ready.notify_one();
        });
        self.own(run.abort_handle());
    }

    /// Ends a run of this process, if there is one.
    pub(super) fn stop_run(&self, id: &str) {
        if let Some(stop) = lock(&self.runs).remove(id) {
            stop.notify_one();
        }
    }

    /// Runs the handler and writes down what comes of it.
    async fn drive(&self, mut held: Held) {
        let Some(runner) = self.runner() else { return };
        let (orders, mut ordered) = mpsc::channel(1);
        let line = Arc::new(Line { message: Mutex::default(), said: Notify::new(), orders });
        let Some(work) = work(&held, Arc::new(Arc::clone(&line))) else { return };
        let mut handler = Handler(tokio::spawn(runner.run(work)));
        let mut next = Instant::now() + self.options.lease / 3;
        let ended = loop {
            tokio::select! {
                biased;
                ended = &mut handler.0 => break ended,
                Some(order) = ordered.recv() => {
                    held.record.carried = order.carried;
                    if self.renew(&mut held, &line).await.is_err() {
                        return;
                    }
                    order.done.send(()).ok();
                    next = Instant::now() + self.options.lease / 3;
                }
                () = line.said.notified() => next = next.min(Instant::now() + STATUS_GAP),
                () = tokio::time::sleep_until(next) => {
                    let is_said = lock(&line.message).is_some();
                    if self.renew(&mut held, &line).await.is_err() {
                        return;
                    }
                    if is_said {
                        self.tell(Message::Changed(&held.place.id)).await;
                    }
                    next = Instant::now() + self.options.lease / 3;
                }
            }
        };
        if let Some(message) = lock(&line.message).take() {
            held.record.say(&message);
        }
        let ended = ended.unwrap_or_else(|error| Ended::Failed(Error::internal(error)));
        self.settle(held, ended).await;
    }

    /// Writes that the task is still run, and how far it is.
    async fn renew(&self, held: &mut Held, line: &Line) -> Result<(), Lost> {
        let deadline = held.record.lease.as_ref().map_or(0, |lease| lease.until);
        if let Some(message) = lock(&line.message).take() {
            held.record.say(&message);
            held.record.updated = self.now();
        }
        if held.record.expires() <= self.now() {
            return Err(Lost);
        }
        held.record.lease = Some(self.lease());
        held.insist(self, deadline).await
    }

    /// Writes what came of a run, unless the task is another's by now.
    async fn settle(&self, mut held: Held, ended: Ended) {
        let record = &mut held.record;
        match ended {
            Ended::Completed(result) if result.get().len() > MAX_RESULT => {
                let bytes = result.get().len();
                let error = format!("the result has {bytes} bytes, and {MAX_RESULT} are allowed");
                record.fail(written(&Error::internal(error)));
            }
            Ended::Completed(result) => record.complete(result),
            Ended::Failed(error) => record.fail(written(&error)),
            Ended::Asked(asked, carried) => record.park(asked, carried),
        }
        record.updated = self.now();
        let (is_over, expires) = (record.status.is_terminal(), record.expires());
        if held.insist(self, expires).await.is_err() {
            return;
        }
        let id = &held.place.id;
        if is_over {
            self.forget(&held.place).await;
        }
        self.tell(Message::Changed(id)).await;
    }
}

/// What a run begins with; `None` when the task has no call any more, because it is over.
fn work(held: &Held, ledger: Arc<dyn Ledger>) -> Option<Work> {
    let record = &held.record;
    let call = record.call.clone()?;
    let owner = call.owner.map(Principal::from);
    let id = held.place.id.as_str().into();
    Some(Work {
        request: call.request,
        version: call.version,
        owner: owner.clone(),
        replay: Replay::new(record.carried.clone(), record.answers.clone()),
        task: TaskRun::new(id, owner, record.runs, ledger),
    })
}

/// An error as a client reads it.
fn written(error: &Error) -> errors::Error {
    if let Some(cause) = error.cause() {
        tracing::error!(?cause, "a task failed");
    }
    let code = code_of(error.kind(), ProtocolVersion::LATEST);
    let mut written = errors::Error::new(code, error.message());
    written.data = error.data_json().cloned();
    written
}
