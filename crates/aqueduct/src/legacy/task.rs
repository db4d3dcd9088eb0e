//! Tasks of 2025-11-25, translated to those of the extension.
//!
//! There the client asks for a task with `params.task`, and waits for its result with
//! `tasks/result`, in whose stream a task that needs answers asks for them. The tasks themselves
//! are the same, and are run by the same code.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::sync::Arc;
use std::time::Duration;

use aqueduct_protocol::capabilities::ServerCapabilities;
use aqueduct_protocol::input::InputRequiredResult;
use aqueduct_protocol::jsonrpc::{self, Param, RawJson};
use aqueduct_protocol::legacy::{self, TaskSupport, ToolExecution, related_task};
use aqueduct_protocol::method::Method;
use aqueduct_protocol::result::ResultBody;
use aqueduct_protocol::tasks::{GetTaskResult, TaskStatus};
use aqueduct_protocol::tools::CallToolResult;
use aqueduct_protocol::version::ProtocolVersion;
use serde_json::json;

use super::ask::Unanswered;
use super::drive::{Session, answers};
use super::outlet::Outlet;
use super::peer::Peer;
use super::upgrade::Upgraded;
use super::{Serves, downgrade};
use crate::call::{Call, Outcome, Reply};
use crate::context::{Head, Request};
use crate::error::{Error, Kind, shorten};

/// The tools whose calls can be tasks, by their names.
pub(crate) type TaskTools = Arc<BTreeMap<String, TaskSupport>>;

/// How often a task is looked at whose result is waited for.
const LOOK: Duration = Duration::from_millis(200);

/// Does the revision have tasks?
fn has_tasks(version: ProtocolVersion) -> bool {
    version == ProtocolVersion::V2025_11_25
}

/// What a server says of its tasks.
pub(super) fn declare(said: &mut ServerCapabilities, tools: &TaskTools, peer: &Peer) {
    if !has_tasks(peer.version) || tools.is_empty() {
        return;
    }
    let tasks = json!({ "cancel": {}, "requests": { "tools": { "call": {} } } });
    said.tasks = tasks.as_object().cloned();
}

/// A list of tools that says which of them can be called as tasks.
pub(super) fn listed(reply: Reply, session: &Session) -> Reply {
    if !has_tasks(session.peer.version) || session.tasks.is_empty() {
        return reply;
    }
    let list = match reply {
        Reply::Result(Outcome::ListTools(list)) => Some(list),
        Reply::Result(Outcome::Prebuilt(written)) => serde_json::from_slice(written.json()).ok(),
        other => return other,
    };
    let Some(mut list) = list else {
        return Reply::Error(Error::internal("a list of tools that is none"));
    };
    for tool in &mut list.tools {
        if let Some(support) = session.tasks.get(&tool.name) {
            tool.execution = Some(ToolExecution::new().task_support(*support));
        }
    }
    Reply::Result(list.into())
}

/// Does the client want this call to be a task?
///
/// # Errors
/// -32601 for a tool that cannot be called so, as the revision has it.
pub(super) fn is_wanted(call: &Upgraded, session: &Session) -> Result<bool, Error> {
    let is_call = call.method == Method::ToolsCall.as_str();
    if !is_call || !has_tasks(session.peer.version) || session.tasks.is_empty() {
        return Ok(false);
    }
    let is_asked = call.param(legacy::TASK).is_some_and(|task| task.get().starts_with('{'));
    let name = call.param(Param::Name.as_str()).and_then(|name| jsonrpc::string(name.get()));
    let Some(name) = name else { return Ok(false) };
    match session.tasks.get(&*name) {
        Some(TaskSupport::Required) if !is_asked => Err(unfit(&name, "is called as a task only")),
        Some(TaskSupport::Required | TaskSupport::Optional) => Ok(is_asked),
        _ if is_asked => Err(unfit(&name, "cannot be called as a task")),
        _ => Ok(false),
    }
}

fn unfit(name: &str, what: &str) -> Error {
    Error::of(Kind::MethodNotFound, format!("tool {:?} {what}", shorten(name)))
}

/// The answer to a request about a task; `None` for every other.
pub(super) async fn serve<S: Serves, O: Outlet>(
    service: &mut S,
    session: &Session,
    request: &Request,
    outlet: &O,
) -> Option<Vec<u8>> {
    let version = session.peer.version;
    let method = Method::parse(&request.method())?;
    let is_ours = matches!(method, Method::TasksGet | Method::TasksCancel | Method::TasksResult);
    if !is_ours || !has_tasks(version) || session.tasks.is_empty() {
        return None;
    }
    let id = request.id().unwrap_or_default();
    let named = request.param(Param::TaskId).and_then(jsonrpc::string);
    let Some(named) = named else {
        let error = Error::invalid_params("params.taskId must be a string");
        return Some(downgrade::error(id, &error, version));
    };
    let head = request.head().clone();
    let mut task = Asked { service, session, head, id: named.into_owned() };
    let done = match method {
        Method::TasksGet => task.get().await.and_then(|task| downgrade::result_of(id, &old(task))),
        Method::TasksCancel => {
            task.cancel().await.and_then(|task| downgrade::result_of(id, &old(task)))
        }
        _ => task.result(outlet).await.map(|task| outcome(id, &task, version)),
    };
    Some(done.unwrap_or_else(|error| downgrade::error(id, &error, version)))
}

/// A task that a session asks about.
struct Asked<'a, S> {
    service: &'a mut S,
    session: &'a Session,
    head: Head,
    id: String,
}

impl<S: Serves> Asked<'_, S> {
    async fn request(
        &mut self,
        method: Method,
        more: Option<(Param, RawJson)>,
    ) -> Result<Outcome, Error> {
        let id = RawJson::new(&self.id).map_err(Error::internal)?;
        let params = std::iter::once((Param::TaskId, id)).chain(more);
        let mut own = Upgraded::own(method, params, &self.session.peer, self.head.clone());
        own.take_tasks();
        let request = own.request()?;
        let Ok(()) = poll_fn(|cx| self.service.poll_ready(cx)).await;
        let Ok(reply) = self.service.call(Call::new(request, None)).await;
        match reply {
            Reply::Result(outcome) => Ok(outcome),
            Reply::Error(error) => Err(error),
            Reply::Silent => Err(Error::internal("a layer answered a request with silence")),
        }
    }

    async fn get(&mut self) -> Result<GetTaskResult, Error> {
        match self.request(Method::TasksGet, None).await? {
            Outcome::GetTask(task) => Ok(*task),
            _ => Err(Error::internal("a layer changed what becomes of a task")),
        }
    }

    /// Ends a task; one that is over cannot be ended any more, as that revision has it.
    async fn cancel(&mut self) -> Result<GetTaskResult, Error> {
        let before = self.get().await?;
        if before.status.is_terminal() {
            return Err(Error::invalid_params(format!(
                "the task is {} already and cannot be cancelled",
                before.status
            )));
        }
        self.request(Method::TasksCancel, None).await?;
        self.get().await
    }

    /// Waits until the task is over, and asks the client meanwhile what the task wants to know.
    async fn result<O: Outlet>(&mut self, outlet: &O) -> Result<GetTaskResult, Error> {
        loop {
            let task = self.get().await?;
            if task.status.is_terminal() {
                return Ok(task);
            }
            let Some(questions) = task.input_requests else {
                tokio::time::sleep(LOOK).await;
                continue;
            };
            let required = InputRequiredResult::asking(questions);
            let asked = answers(self.session, required, outlet).await;
            let (answers, _) = asked.map_err(Unanswered::into_error)?;
            let answers = RawJson::new(&answers).map_err(Error::internal)?;
            self.request(Method::TasksUpdate, Some((Param::InputResponses, answers))).await?;
        }
    }
}

/// As that revision writes it, where a tool that failed is a task that failed.
fn old(task: GetTaskResult) -> legacy::Task {
    let failed = task.result.as_ref().and_then(|result| result.decode::<CallToolResult>().ok());
    let is_failure = failed.is_some_and(|result| result.is_error == Some(true));
    let at = (task.created_at, task.last_updated_at);
    let status = if is_failure { TaskStatus::Failed } else { task.status };
    let mut old = legacy::Task::new(task.task_id, status, at.0, at.1, task.ttl_ms);
    old.status_message = task.status_message;
    old.poll_interval = task.poll_interval_ms;
    old
}

/// What the call would have been answered with.
fn outcome(id: &str, task: &GetTaskResult, version: ProtocolVersion) -> Vec<u8> {
    if let Some(error) = &task.error {
        let mut answer = Vec::with_capacity(128);
        jsonrpc::write_error(
            &mut answer,
            Some(id),
            error.code,
            &error.message,
            error.data.as_ref(),
        );
        return answer;
    }
    let result = task.result.as_ref().map(RawJson::decode::<CallToolResult>);
    let Some(Ok(mut result)) = result else {
        let error = Error::invalid_params("the task was cancelled, and has no result");
        return downgrade::error(id, &error, version);
    };
    *result.meta_mut() = Some(related_task(&task.task_id));
    let reply = Reply::Result(Outcome::CallTool(result));
    downgrade::reply(id, Method::ToolsCall.as_str(), reply, version)
}
