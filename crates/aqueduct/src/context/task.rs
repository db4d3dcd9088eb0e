//! The task that a handler runs as, when its call was answered with one.

use std::fmt;
use std::sync::Arc;

use super::{BoxFuture, Carried, Context, Principal, Progress};
use crate::error::{Error, ToolError};

/// The task that a handler runs as; [`Context::task`] gives it.
///
/// ```
/// use aqueduct::prelude::*;
///
/// /// Charge a card once, whatever happens to the server meanwhile.
/// #[tool(task, recover = "rerun")]
/// async fn charge(card: String, ctx: Context) -> Result<String> {
///     let key = ctx.task().map_or("none", |task| task.id());
///     Ok(format!("charged {card} under the key {key}"))
/// }
/// ```
#[derive(Clone)]
pub struct TaskRun {
    id: Arc<str>,
    owner: Option<Principal>,
    attempt: u32,
    ledger: Arc<dyn Ledger>,
}

/// What a run says to whoever keeps its task.
pub(crate) trait Ledger: Send + Sync {
    /// How far the work is, for people.
    fn status(&self, message: String);

    /// What must not happen again; done once it is as durable as the store makes it.
    fn keep(&self, carried: Carried) -> BoxFuture<Result<(), Error>>;
}

/// What a call has to do with tasks.
pub(super) enum Stage {
    /// It may become one.
    Deferrable,
    /// It is one.
    Task(TaskRun),
}

impl TaskRun {
    pub(crate) fn new(
        id: Arc<str>,
        owner: Option<Principal>,
        attempt: u32,
        ledger: Arc<dyn Ledger>,
    ) -> Self {
        Self { id, owner, attempt, ledger }
    }

    /// The task's id, the same in every run: an idempotency key for what the handler does outside.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Who made the task; `None` when the server does not authenticate its callers.
    #[must_use]
    pub fn owner(&self) -> Option<&Principal> {
        self.owner.as_ref()
    }

    /// Which run this is, counted from 1: a later one follows answers of the client, or the end
    /// of a process.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    pub(super) fn progress(&self, progress: &Progress) {
        self.ledger.status(progress.sentence());
    }

    pub(crate) async fn keep(&self, carried: Carried) -> Result<(), Error> {
        self.ledger.keep(carried).await
    }
}

impl fmt::Debug for TaskRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskRun").field("attempt", &self.attempt).finish_non_exhaustive()
    }
}

impl Context {
    /// The task that this handler runs as; `None` in a call that is answered at once.
    #[must_use]
    pub fn task(&self) -> Option<&TaskRun> {
        match self.0.stage.get().map(|stage| &**stage) {
            Some(Stage::Task(task)) => Some(task),
            Some(Stage::Deferrable) | None => None,
        }
    }

    /// Goes on as a task, if the tool was made with `task = "deferred"` and the client takes tasks;
    /// for every other call, and once it is a task, nothing happens.
    ///
    /// The handler runs again from its beginning, as after a question: answers are found where
    /// they were asked for, and what must not happen twice stands in
    /// [`once`](Self::once).
    ///
    /// # Errors
    /// What `?` hands on, so that the call is answered with the task.
    ///
    /// ```
    /// use aqueduct::prelude::*;
    ///
    /// #[form]
    /// struct Size { nights: u32 }
    ///
    /// /// Ask first, then work in the background.
    /// #[tool(task = "deferred")]
    /// async fn plan(ctx: Context) -> Result<String> {
    ///     let size: Size = ctx.elicit("size", "How many nights?").await?;
    ///     ctx.defer()?;
    ///     Ok(format!("a plan for {} nights", size.nights))
    /// }
    /// ```
    pub fn defer(&self) -> Result<(), ToolError> {
        match self.0.stage.get().map(|stage| &**stage) {
            Some(Stage::Deferrable) => Err(Deferred.into()),
            Some(Stage::Task(_)) | None => Ok(()),
        }
    }

    pub(crate) fn put_deferrable(&self) {
        // It is put once, before the handler runs.
        drop(self.0.stage.set(Box::new(Stage::Deferrable)));
    }

    pub(crate) fn put_task(&self, task: TaskRun) {
        drop(self.0.stage.set(Box::new(Stage::Task(task))));
    }
}

/// The call goes on as a task.
#[derive(Debug)]
pub(crate) struct Deferred;

impl fmt::Display for Deferred {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the call goes on as a task")
    }
}

impl std::error::Error for Deferred {}
