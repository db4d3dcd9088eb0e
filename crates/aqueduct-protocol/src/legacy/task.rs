//! Tasks as 2025-11-25 has them: asked for by the client, and its result waited for.
//!
//! [Tasks](https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks).

use crate::meta::{Meta, RELATED_TASK};
use crate::record::{record, words};
use crate::result::result_body;
use crate::tasks::{TaskStatus, TtlMs};

/// The parameter of `tools/call` by which a client asks for a task.
pub const TASK: &str = "task";

words! {
    /// Whether a tool can be called as a task.
    TaskSupport {
        /// It cannot.
        Forbidden = "forbidden",
        /// It can.
        Optional = "optional",
        /// It can be called in no other way.
        Required = "required",
    }
}

record! {
    /// How a tool can be called.
    #[derive(Default, Eq)]
    ToolExecution {
        /// As a task; forbidden unless said.
        task_support: Option<TaskSupport>,
    }
}

record! {
    /// A task.
    #[derive(Eq)]
    Task {
        /// Its name.
        task_id: String,
        /// How far it is.
        status: TaskStatus,
        /// The same in words, for people.
        status_message: Option<String>,
        /// When it was made, in ISO 8601.
        created_at: String,
        /// When it last changed, in ISO 8601.
        last_updated_at: String,
        /// How long it is kept, in milliseconds from its creation; `null` is for ever.
        ttl: TtlMs,
        /// How long the client should wait between two questions, in milliseconds.
        poll_interval: Option<u64>,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

record! {
    /// In place of a result: the task that it will come from.
    #[derive(Eq)]
    CreateTaskResult {
        /// The task.
        task: Task,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

result_body!(Task, CreateTaskResult);

impl From<crate::tasks::Task> for Task {
    fn from(task: crate::tasks::Task) -> Self {
        let at = (task.created_at, task.last_updated_at);
        let mut old = Self::new(task.task_id, task.status, at.0, at.1, task.ttl_ms);
        old.status_message = task.status_message;
        old.poll_interval = task.poll_interval_ms;
        old
    }
}

/// The `_meta` of every message that belongs to a task.
#[must_use]
pub fn related_task(id: &str) -> Meta {
    let task = serde_json::json!({ "taskId": id });
    Meta::of_wire(serde_json::Map::from_iter([(RELATED_TASK.to_owned(), task)]))
}
