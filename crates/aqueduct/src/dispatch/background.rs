//! Calls that go on as tasks: when they do, what is asked of them, and how their handlers run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use aqueduct_protocol::capabilities::ClientCapabilities;
use aqueduct_protocol::jsonrpc::{Param, RawJson};
use aqueduct_protocol::result::EmptyResult;
use aqueduct_protocol::tasks::{CreateTaskResult, DetailedTask, EXTENSION, GetTaskResult};

use super::{Core, admit, route, run};
use crate::call::{Call, Outcome};
use crate::context::{BoxFuture, Context, Request, object};
use crate::error::Error;
use crate::input::{self, InputRequired};
use crate::subscription::Seen;
use crate::task::{Ended, Order, Runner, Tasks, Work};
use crate::tool::{Entry, Recover, Started, TaskSupport, Tool};

/// Does this call become a task before its handler runs?
pub(super) fn is_task(core: &Core, tool: &Tool, ctx: &Context) -> Result<bool, Error> {
    let Some(tasking) = tool.tasking() else { return Ok(false) };
    let takes = core.tasks.is_some() && ctx.require(&required()).is_ok();
    match tasking.support {
        TaskSupport::Required if !takes => Err(Error::missing_capability(&required())),
        TaskSupport::Required | TaskSupport::Optional => Ok(takes),
        TaskSupport::Deferred => {
            if takes {
                ctx.put_deferrable();
            }
            Ok(false)
        }
    }
}

/// What a client declares that takes tasks.
fn required() -> ClientCapabilities {
    ClientCapabilities::default().with_extension(EXTENSION, serde_json::Map::new())
}

/// Answers a call with a task.
pub(super) async fn create(core: &Core, tool: &Tool, ctx: &Context) -> Result<Outcome, Error> {
    let (Some(tasks), Some(tasking)) = (&core.tasks, tool.tasking()) else {
        return Err(Error::internal(format!("tool {:?} makes no tasks", tool.name())));
    };
    let (carried, answers) = ctx.replay().parts();
    let request = ctx.request();
    let order = Order {
        tool: tool.name().to_owned(),
        request: request.text().to_owned(),
        version: request.head().version(),
        owner: ctx.principal().cloned(),
        carried,
        answers,
        rerun: tasking.recover == Recover::Rerun,
        ttl: tasking.ttl,
        poll_interval: tasking.poll_interval,
    };
    let task: CreateTaskResult = tasks.create(order).await?;
    Ok(Outcome::Task(task))
}

/// The tasks, for a client that takes them.
fn tasks<'c>(core: &'c Core, ctx: &Context) -> Result<&'c Arc<Tasks>, Error> {
    ctx.require(&required())?;
    core.tasks.as_ref().ok_or_else(|| Error::internal("a server without tasks"))
}

/// `tasks/get`.
pub(super) async fn get(core: &Core, ctx: &Context) -> Result<Outcome, Error> {
    let id = route::target(ctx, Param::TaskId)?;
    let task = tasks(core, ctx)?.get(ctx.principal(), &id).await?;
    Ok(GetTaskResult::from(task).into())
}

/// `tasks/update`.
pub(super) async fn update(core: &Core, ctx: &Context) -> Result<Outcome, Error> {
    let id = route::target(ctx, Param::TaskId)?;
    let tasks = tasks(core, ctx)?;
    let given = ctx.request().param(Param::InputResponses);
    let given = given.ok_or_else(|| Error::invalid_params("params.inputResponses is missing"))?;
    let mut answers: BTreeMap<String, RawJson> = object(given)
        .map_err(|why| Error::invalid_params(format!("params.inputResponses {why}")))?;
    // What is no object answers nothing, and its question stays.
    answers.retain(|_, answer| answer.get().starts_with('{'));
    tasks.update(ctx.principal(), &id, answers).await?;
    Ok(EmptyResult::new().into())
}

/// `tasks/cancel`.
pub(super) async fn cancel(core: &Core, ctx: &Context) -> Result<Outcome, Error> {
    let id = route::target(ctx, Param::TaskId)?;
    tasks(core, ctx)?.cancel(ctx.principal(), &id).await?;
    Ok(EmptyResult::new().into())
}

/// What a listener gets to know.
pub(super) struct Listener<'l> {
    pub(super) core: &'l Core,
    pub(super) ctx: &'l Context,
}

impl Seen for Listener<'_> {
    async fn resources(&self, uris: BTreeSet<String>) -> BTreeSet<String> {
        self.core.resources.seen(uris, self.ctx).await
    }

    async fn tasks(&self, ids: BTreeSet<String>) -> Result<Vec<DetailedTask>, Error> {
        let mut found = Vec::new();
        if self.core.tasks.is_none() {
            return Ok(found);
        }
        let tasks = tasks(self.core, self.ctx)?;
        for id in ids {
            match tasks.get(self.ctx.principal(), &id).await {
                Ok(task) => found.push(task),
                Err(error) if error.is_not_found() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }
}

impl Runner for Core {
    fn has(&self, tool: &str) -> bool {
        self.tools.get(tool).is_some() || !self.tools.providers().is_empty()
    }

    fn run(self: Arc<Self>, work: Work) -> BoxFuture<Ended> {
        Box::pin(async move { ran(&self, work).await.unwrap_or_else(Ended::Failed) })
    }
}

/// Runs a handler once. Layers have run when the task was made, and rules have been asked.
async fn ran(core: &Core, work: Work) -> Result<Ended, Error> {
    let Work { request, version, owner, replay, task } = work;
    let request = Request::restored(request, owner, version)?;
    let ctx = admit::admit(Call::new(request, None), core)?;
    ctx.put_replay(replay);
    ctx.put_task(task);
    let name = route::target(&ctx, Param::Name)?;
    let found = match core.tools.get(&name) {
        Some(entry) => Some(entry.clone()),
        None => core.tools.find(&name, &ctx).await?,
    };
    let Some(Entry { tool, compiled, offer }) = found else {
        return Err(Error::not_found(format!("no tool {name:?}")));
    };
    offer.enter(&ctx)?;
    let work = match tool.start(&compiled, &ctx)? {
        Started::Refused(result) => return completed(&result),
        Started::Running(work) => work,
    };
    let returned = match tool.own_timeout() {
        Some(timeout) => run::bounded(&ctx, timeout, work).await?,
        None => run::unbounded(&ctx, work).await,
    };
    let returned = match returned {
        Ok(result) => Ok(result),
        Err(error) => match error.downcast::<InputRequired>() {
            Ok(required) => {
                let (asked, carried) = input::park(&ctx, required)?;
                return Ok(Ended::Asked(asked, carried));
            }
            Err(error) => Err(error),
        },
    };
    completed(&tool.finish(&compiled, returned)?)
}

fn completed(result: &aqueduct_protocol::tools::CallToolResult) -> Result<Ended, Error> {
    RawJson::new(result).map(Ended::Completed).map_err(Error::internal)
}
