//! Work that goes on after its request was answered.
//!
//! The extension [`io.modelcontextprotocol/tasks`](https://modelcontextprotocol.io/seps/2663-tasks)
//! (SEP-2663): a server answers `tools/call` with a task in place of a result, and the client
//! comes back for the result.

use crate::errors::Error;
use crate::input::{InputRequests, InputResponses};
use crate::jsonrpc::{RawJson, notification, request};
use crate::meta::{Meta, RequestMeta};
use crate::method;
use crate::record::{record, words};
use crate::result::{EmptyResult, ResultType, result_body};

/// The name of the extension, under which both sides declare it.
pub const EXTENSION: &str = "io.modelcontextprotocol/tasks";

words! {
    /// How far a task is; what is completed, failed or cancelled stays so.
    TaskStatus {
        /// It runs, or waits for its turn.
        Working = "working",
        /// It waits for answers of the client.
        InputRequired = "input_required",
        /// It has a result; that of a tool that failed is one too.
        Completed = "completed",
        /// It could not be served: it has an error of the protocol.
        Failed = "failed",
        /// It was ended before it had a result.
        Cancelled = "cancelled",
    }
}

impl TaskStatus {
    /// Whether nothing comes after it.
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}

/// How long a task is kept, in milliseconds from its creation; `None`, written as `null`, is for
/// ever.
///
/// An alias, so that the member is always written.
pub type TtlMs = Option<u64>;

/// Declares a struct with the members that every form of a task has, between its own.
macro_rules! task {
    ($(#[$about:meta])* $name:ident { $($first:tt)* } { $($last:tt)* }) => {
        record! {
            $(#[$about])*
            $name {
                $($first)*
                /// Its name: whoever knows it, and is its owner, can ask for it.
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
                ttl_ms: TtlMs,
                /// How long the client should wait between two questions, in milliseconds.
                poll_interval_ms: Option<u64>,
                $($last)*
            }
        }
    };
}

task! {
    /// A task without what came of it.
    #[derive(Eq)]
    Task {} {}
}

task! {
    /// A task with what belongs to its status: questions, a result or an error.
    DetailedTask {} {
        /// All questions that wait for an answer, of a task that is `input_required`.
        input_requests: Option<InputRequests>,
        /// What the request would have been answered with, of a task that is `completed`.
        result: Option<RawJson>,
        /// What it would have failed with, of a task that is `failed`.
        error: Option<Error>,
    }
}

task! {
    /// In place of a result: the task that it will come from.
    #[derive(Eq)]
    CreateTaskResult {
        /// Which result this is.
        result_type: ResultType = ResultType::Task,
    } {
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

task! {
    /// What became of a task.
    GetTaskResult {
        /// Which result this is.
        #[serde(default)]
        result_type: ResultType = ResultType::Complete,
    } {
        /// All questions that wait for an answer, of a task that is `input_required`.
        input_requests: Option<InputRequests>,
        /// What the request would have been answered with, of a task that is `completed`.
        result: Option<RawJson>,
        /// What it would have failed with, of a task that is `failed`.
        error: Option<Error>,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

task! {
    /// The parameters of [`TaskStatusNotification`].
    TaskStatusNotificationParams {} {
        /// All questions that wait for an answer, of a task that is `input_required`.
        input_requests: Option<InputRequests>,
        /// What the request would have been answered with, of a task that is `completed`.
        result: Option<RawJson>,
        /// What it would have failed with, of a task that is `failed`.
        error: Option<Error>,
        /// The id of the listener rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

result_body!(CreateTaskResult, GetTaskResult);

/// Copies the members that every form has, and those named.
macro_rules! copied {
    ($($from:ident => $to:ident { $($member:ident)* })+) => {$(
        impl From<$from> for $to {
            fn from(from: $from) -> Self {
                let (status, ttl) = (from.status, from.ttl_ms);
                let at = (from.created_at, from.last_updated_at);
                let mut to = Self::new(from.task_id, status, at.0, at.1, ttl);
                to.status_message = from.status_message;
                to.poll_interval_ms = from.poll_interval_ms;
                $(to.$member = from.$member;)*
                to
            }
        }
    )+};
}

copied! {
    Task => CreateTaskResult {}
    DetailedTask => Task {}
    DetailedTask => GetTaskResult { input_requests result error }
    DetailedTask => TaskStatusNotificationParams { input_requests result error }
}

record! {
    /// The parameters of [`GetTaskRequest`].
    #[derive(Eq)]
    GetTaskRequestParams {
        /// What each request says about itself and its client.
        #[serde(rename = "_meta")]
        meta: RequestMeta,
        /// Which task.
        task_id: String,
    }
}

request! {
    /// Asks what became of a task.
    GetTaskRequest = method::TASKS_GET, GetTaskRequestParams
}

record! {
    /// The parameters of [`UpdateTaskRequest`].
    #[derive(Eq)]
    UpdateTaskRequestParams {
        /// What each request says about itself and its client.
        #[serde(rename = "_meta")]
        meta: RequestMeta,
        /// Which task.
        task_id: String,
        /// Answers, each under the key of its question; some may be left for later.
        input_responses: InputResponses,
    }
}

request! {
    /// Answers what a task has asked.
    UpdateTaskRequest = method::TASKS_UPDATE, UpdateTaskRequestParams
}

/// The answers have been taken.
pub type UpdateTaskResult = EmptyResult;

record! {
    /// The parameters of [`CancelTaskRequest`].
    #[derive(Eq)]
    CancelTaskRequestParams {
        /// What each request says about itself and its client.
        #[serde(rename = "_meta")]
        meta: RequestMeta,
        /// Which task.
        task_id: String,
    }
}

request! {
    /// Asks for a task to be ended.
    CancelTaskRequest = method::TASKS_CANCEL, CancelTaskRequestParams
}

/// The wish has been taken note of.
pub type CancelTaskResult = EmptyResult;

notification! {
    /// A task has changed, told to a listener that names it.
    TaskStatusNotification = method::NOTIFICATIONS_TASKS, TaskStatusNotificationParams
}
