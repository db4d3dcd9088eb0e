//! A reply of the stateless revision made into the answer of a session.

mod content;
mod list;

use aqueduct_protocol::jsonrpc;
use aqueduct_protocol::legacy::{CreateTaskResult, PlainResult, Task};
use aqueduct_protocol::meta;
use aqueduct_protocol::method;
use aqueduct_protocol::resources::ListResourceTemplatesResult;
use aqueduct_protocol::result::ResultBody;
use aqueduct_protocol::skills::ListSkillsResult;
use aqueduct_protocol::tasks;
use aqueduct_protocol::tools::ListToolsResult;
use aqueduct_protocol::version::ProtocolVersion;
use serde::Serialize;

use crate::call::{Outcome, Prebuilt, Reply};
use crate::error::{Error, code_of};

pub(super) use self::list::implementation;

/// How long an answer may be; what is longer would not be read by most hosts.
const MAX_ANSWER: usize = 4 * 1024 * 1024;

/// The answer to the request of this id.
pub(super) fn reply(id: &str, method: &str, reply: Reply, version: ProtocolVersion) -> Vec<u8> {
    let outcome = match reply {
        Reply::Result(outcome) => outcome,
        Reply::Error(refusal) => return error(id, &refusal, version),
        Reply::Silent => {
            let silent = Error::internal("a layer answered a request with silence");
            return error(id, &silent, version);
        }
    };
    let written = plain(outcome, method, version).map_err(Error::internal);
    match written.and_then(|result| result_of(id, &result)) {
        Ok(answer) => answer,
        Err(failure) => {
            tracing::error!(cause = ?failure.cause(), "a result was not sent");
            error(id, &failure, version)
        }
    }
}

/// An answer with this result.
pub(super) fn result_of(id: &str, result: &impl Serialize) -> Result<Vec<u8>, Error> {
    let mut answer = Vec::with_capacity(256);
    jsonrpc::write_result_head(&mut answer, id);
    serde_json::to_writer(&mut answer, result).map_err(Error::internal)?;
    answer.push(b'}');
    if answer.len() > MAX_ANSWER {
        let size = answer.len();
        return Err(Error::internal(format!("{size} bytes of a result, {MAX_ANSWER} are allowed")));
    }
    Ok(answer)
}

/// An answer that holds an error, with the code that it has in this revision.
pub(super) fn error(id: &str, error: &Error, version: ProtocolVersion) -> Vec<u8> {
    let mut answer = Vec::with_capacity(128);
    let code = code_of(error.kind(), version);
    let id = (!id.is_empty()).then_some(id);
    jsonrpc::write_error(&mut answer, id, code, error.message(), error.data_json());
    answer
}

/// The result as the revision writes it.
fn plain(
    outcome: Outcome,
    method: &str,
    version: ProtocolVersion,
) -> Result<PlainResult, serde_json::Error> {
    match outcome {
        Outcome::CallTool(mut result) => {
            content::tool_result(&mut result, version);
            finished(result)
        }
        Outcome::ReadResource(mut result) => {
            content::read(&mut result, version);
            finished(result)
        }
        Outcome::GetPrompt(mut result) => {
            content::prompt(&mut result, version);
            finished(result)
        }
        Outcome::Complete(result) => finished(result),
        Outcome::ListTools(result) => tools(result, version),
        Outcome::ListResources(mut result) => {
            result.resources.iter_mut().for_each(|item| list::resource(item, version));
            finished(result)
        }
        Outcome::ListResourceTemplates(result) => templates(result, version),
        Outcome::ListPrompts(mut result) => {
            result.prompts.iter_mut().for_each(|item| list::prompt(item, version));
            finished(result)
        }
        Outcome::ListSkills(result) => finished(result),
        Outcome::GetSkill(result) => finished(result),
        Outcome::ReadDirectory(mut result) => {
            result.resources.iter_mut().for_each(|item| list::resource(item, version));
            finished(result)
        }
        Outcome::Prebuilt(written) => prebuilt(&written, method, version),
        // Neither gets here: the one is asked, the other is no method of a session.
        Outcome::InputRequired(result) => finished(result),
        Outcome::Listen(result) => finished(result),
        Outcome::Task(result) => finished(created(result)),
        Outcome::GetTask(result) => finished(*result),
        Outcome::Taken(result) => finished(result),
    }
}

/// A task as the one revision that has them writes it.
fn created(task: tasks::CreateTaskResult) -> CreateTaskResult {
    let at = (task.created_at, task.last_updated_at);
    let mut old = Task::new(task.task_id, task.status, at.0, at.1, task.ttl_ms);
    old.status_message = task.status_message;
    old.poll_interval = task.poll_interval_ms;
    CreateTaskResult::new(old)
}

/// A result that was written ahead of time, read again, because it is written otherwise here.
fn prebuilt(
    written: &Prebuilt,
    method: &str,
    version: ProtocolVersion,
) -> Result<PlainResult, serde_json::Error> {
    match method {
        method::TOOLS_LIST => tools(serde_json::from_slice(written.json())?, version),
        method::RESOURCES_TEMPLATES_LIST => {
            templates(serde_json::from_slice(written.json())?, version)
        }
        method::SKILLS_LIST => {
            finished(serde_json::from_slice::<ListSkillsResult>(written.json())?)
        }
        _ => PlainResult::from_slice(written.json()),
    }
}

fn tools(
    mut result: ListToolsResult,
    version: ProtocolVersion,
) -> Result<PlainResult, serde_json::Error> {
    result.tools.iter_mut().for_each(|item| list::tool(item, version));
    finished(result)
}

fn templates(
    mut result: ListResourceTemplatesResult,
    version: ProtocolVersion,
) -> Result<PlainResult, serde_json::Error> {
    result.resource_templates.iter_mut().for_each(|item| list::template(item, version));
    finished(result)
}

/// Who the server is was said in the handshake.
fn finished<R: ResultBody>(mut result: R) -> Result<PlainResult, serde_json::Error> {
    let rides = result.meta_mut();
    if let Some(members) = rides {
        members.remove(meta::SERVER_INFO);
    }
    if rides.as_ref().is_some_and(meta::Meta::is_empty) {
        *rides = None;
    }
    PlainResult::new(&result)
}
