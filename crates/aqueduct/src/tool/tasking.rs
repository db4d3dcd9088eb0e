//! Whether a tool's calls may go on as tasks, and what becomes of them when a process dies.

use std::time::Duration;

use super::Tool;

/// When a call of a tool becomes a task
/// ([SEP-2663](https://modelcontextprotocol.io/seps/2663-tasks)); without one it never does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TaskSupport {
    /// For every client that takes tasks; for others the call is answered when it is done.
    Optional,
    /// Always; a client that takes no tasks gets -32021.
    Required,
    /// When the handler says [`Context::defer`](crate::Context::defer), for clients that take
    /// tasks; until then it can ask its client without a task.
    Deferred,
}

/// What becomes of a task whose process has died while its handler ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Recover {
    /// It fails: the handler runs at most once between two questions.
    #[default]
    Fail,
    /// Its handler is run again from the beginning, at least once in all.
    ///
    /// [`TaskRun::id`](crate::context::TaskRun::id) is the same in each run, for those whom the
    /// handler asks to do something.
    Rerun,
}

/// What a tool says about its tasks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tasking {
    pub(crate) support: TaskSupport,
    pub(crate) recover: Recover,
    pub(crate) ttl: Option<Duration>,
    pub(crate) poll_interval: Option<Duration>,
}

impl Default for Tasking {
    fn default() -> Self {
        let support = TaskSupport::Optional;
        Self { support, recover: Recover::default(), ttl: None, poll_interval: None }
    }
}

impl Tool {
    fn tasked(self, change: impl FnOnce(&mut Tasking)) -> Self {
        self.change(|tool| change(tool.tasking.get_or_insert_default()))
    }

    /// Lets calls go on as tasks.
    ///
    /// The server's own timeout does not hold for a task, the tool's does.
    ///
    /// ```
    /// use aqueduct::prelude::*;
    /// use aqueduct::tool::{Recover, TaskSupport};
    ///
    /// let index = Tool::new("index")
    ///     .task(TaskSupport::Optional)
    ///     .recover(Recover::Rerun)
    ///     .handler(|ctx: Context| async move {
    ///         ctx.progress((1, 2, "reading"));
    ///         "indexed"
    ///     });
    /// # let _ = index;
    /// ```
    #[must_use]
    pub fn task(self, support: TaskSupport) -> Self {
        self.tasked(|tasking| tasking.support = support)
    }

    /// What becomes of a task whose process has died; it fails otherwise.
    #[must_use]
    pub fn recover(self, recover: Recover) -> Self {
        self.tasked(|tasking| tasking.recover = recover)
    }

    /// How long a task of this tool is kept from its creation; the server's default otherwise.
    #[must_use]
    pub fn task_ttl(self, ttl: Duration) -> Self {
        self.tasked(|tasking| tasking.ttl = Some(ttl.max(Duration::from_millis(1))))
    }

    /// How long a client is asked to wait between two questions; the server's default otherwise.
    #[must_use]
    pub fn poll_interval(self, interval: Duration) -> Self {
        let interval = interval.max(Duration::from_millis(1));
        self.tasked(|tasking| tasking.poll_interval = Some(interval))
    }

    pub(crate) fn tasking(&self) -> Option<&Tasking> {
        self.0.tasking.as_ref()
    }
}
