//! The one place that tells methods apart.

use std::borrow::Cow;
use std::sync::Arc;

use aqueduct_protocol::input::InputRequiredResult;
use aqueduct_protocol::jsonrpc::{self, Kind as Envelope, Param};
use aqueduct_protocol::method::Method;

use super::{Core, Dispatched, admit, background, found, list, mirror, run, skills};
use crate::call::{Call, Outcome, Reply};
use crate::context::{Admission, Context, Deferred};
use crate::error::{Error, Kind};
use crate::input::{self, InputRequired};
use crate::prompt::MAX_NAME;
use crate::subscription::{self, Offered};
use crate::tool::{Entry, Started};

/// Serves one message.
pub(super) fn serve(core: &Arc<Core>, call: Call) -> Dispatched {
    match call.request().envelope().kind() {
        Envelope::Request => {}
        // Over HTTP a cancellation is the end of the connection, and over stdio the transport
        // has acted on it; no notification asks anything else of a server. And this revision has
        // no requests of the server that a client could respond to.
        Envelope::Notification | Envelope::Response => return Dispatched::now(Reply::Silent),
    }
    match admit::admit(call, core) {
        Ok(ctx) => route(Arc::clone(core), ctx),
        Err(error) => Dispatched::now(Reply::Error(error)),
    }
}

/// Finds what serves the method.
///
/// What is written down already is answered here; everything else runs in a future of its own
/// size.
fn route(core: Arc<Core>, ctx: Context) -> Dispatched {
    macro_rules! later {
        ($work:expr) => {
            Dispatched::later(async move {
                let outcome: Result<Outcome, Error> = $work.await;
                ctx.end();
                demand(&ctx, &outcome);
                Reply::from(outcome)
            })
        };
    }
    let page = match ctx.request().envelope().known_method() {
        Some(Method::ServerDiscover) => Ok(Some(core.discover.clone())),
        Some(Method::ToolsList) if !core.tools.is_empty() => list::tool_page(&core, &ctx),
        Some(Method::ToolsCall) if !core.tools.is_empty() => {
            return later!(call_tool(&core, &ctx));
        }
        Some(Method::ResourcesList) if !core.resources.is_empty() => {
            return later!(list::resources(&core, &ctx));
        }
        Some(Method::ResourcesTemplatesList) if !core.resources.is_empty() => {
            list::template_page(&core, &ctx)
        }
        Some(Method::ResourcesRead) if !core.resources.is_empty() => {
            return later!(read_resource(&core, &ctx));
        }
        Some(Method::PromptsList) if !core.prompts.is_empty() => {
            return later!(list::prompts(&core, &ctx));
        }
        Some(Method::PromptsGet) if !core.prompts.is_empty() => {
            return later!(get_prompt(&core, &ctx));
        }
        Some(Method::CompletionComplete) if core.completes => {
            return later!(complete(&core, &ctx));
        }
        Some(Method::SkillsList) if core.skills.is_some() => skills::page(&core, &ctx),
        Some(Method::SkillsGet) if core.skills.is_some() => {
            return Dispatched::now(Reply::from(skills::get(&core, &ctx)));
        }
        Some(Method::ResourcesDirectoryRead) if core.skills.is_some() => {
            return Dispatched::now(Reply::from(skills::directory(&core, &ctx)));
        }
        Some(Method::SubscriptionsListen) => return later!(listen(&core, &ctx)),
        Some(Method::TasksGet) if core.tasks.is_some() => {
            return later!(background::get(&core, &ctx));
        }
        Some(Method::TasksUpdate) if core.tasks.is_some() => {
            return later!(background::update(&core, &ctx));
        }
        Some(Method::TasksCancel) if core.tasks.is_some() => {
            return later!(background::cancel(&core, &ctx));
        }
        _ => Err(unknown_method(&ctx.request().method())),
    };
    match page {
        Ok(Some(page)) => Dispatched::now(Reply::Result(Outcome::Prebuilt(page))),
        Ok(None) => later!(list::gathered(&core, &ctx)),
        Err(error) => Dispatched::now(Reply::Error(error)),
    }
}

async fn read_resource(core: &Arc<Core>, ctx: &Context) -> Result<Outcome, Error> {
    let uri = target(ctx, Param::Uri)?;
    let _seat = core.quota.enter(ctx).await?;
    input::open(ctx, &uri, &core.keys)?;
    spend(core, ctx).await?;
    found::read(core, ctx, &uri).await
}

async fn get_prompt(core: &Arc<Core>, ctx: &Context) -> Result<Outcome, Error> {
    let name = target(ctx, Param::Name)?;
    let _seat = core.quota.enter(ctx).await?;
    input::open(ctx, &name, &core.keys)?;
    spend(core, ctx).await?;
    found::get(core, ctx, &name).await
}

async fn complete(core: &Core, ctx: &Context) -> Result<Outcome, Error> {
    let _seat = core.quota.enter(ctx).await?;
    let complete = found::complete(core, ctx);
    run::bounded(ctx, core.options.timeout, complete).await?.map(Outcome::Complete)
}

async fn listen(core: &Core, ctx: &Context) -> Result<Outcome, Error> {
    let offered = Offered {
        tools: !core.tools.is_empty(),
        prompts: !core.prompts.is_empty(),
        resources: !core.resources.is_empty(),
    };
    let seen = background::Listener { core, ctx };
    subscription::listen(ctx, &core.subscriptions, offered, seen).await.map(Outcome::Listen)
}

/// Tells whoever authenticates which scopes are lacking.
fn demand(ctx: &Context, outcome: &Result<Outcome, Error>) {
    if let Err(error) = outcome
        && let Some(scopes) = error.required_scopes()
        && let Some(admission) = ctx.request().head().extensions().get::<Admission>()
    {
        admission.put(scopes);
    }
}

fn unknown_method(method: &str) -> Error {
    Error::of(Kind::MethodNotFound, format!("no method {:?} here", crate::error::shorten(method)))
}

/// What the request is about: `params.name`, `params.uri` or `params.taskId`, repeated by
/// `Mcp-Name`.
pub(super) fn target(ctx: &Context, param: Param) -> Result<Cow<'_, str>, Error> {
    let name = param.as_str();
    let raw = ctx
        .request()
        .param(param)
        .ok_or_else(|| Error::invalid_params(format!("params.{name} is missing")))?;
    let target = jsonrpc::string(raw)
        .ok_or_else(|| Error::invalid_params(format!("params.{name} must be a string")))?;
    if param == Param::Name && target.len() > MAX_NAME {
        return Err(Error::invalid_params(format!(
            "params.name has {} bytes, and {MAX_NAME} are allowed",
            target.len()
        )));
    }
    mirror::name(ctx.request(), &target)?;
    Ok(target)
}

async fn call_tool(core: &Arc<Core>, ctx: &Context) -> Result<Outcome, Error> {
    let name = target(ctx, Param::Name)?;
    let _seat = core.quota.enter(ctx).await?;
    if let Some(entry) = core.tools.get(&name).filter(|entry| entry.offer.is_open(ctx)) {
        if entry.offer.has_layers() {
            // On the heap, so that a call without layers moves a small future.
            return Box::pin(found::layered(core, entry, ctx)).await;
        }
        entry.offer.enter(ctx)?;
        return run_tool(core, entry, ctx).await;
    }
    match core.tools.find(&name, ctx).await? {
        Some(entry) => Box::pin(found::layered(core, &entry, ctx)).await,
        None => Err(core.tools.unknown(&name, ctx)),
    }
}

pub(super) async fn run_tool(core: &Core, entry: &Entry, ctx: &Context) -> Result<Outcome, Error> {
    let Entry { tool, compiled, .. } = entry;
    mirror::params(ctx.request(), compiled.header_params(), ctx.arguments())?;
    if let Some(required) = tool.required() {
        ctx.require(required)?;
    }
    if let Some(rate) = tool.own_rate() {
        Box::pin(core.quota.call(ctx, tool.name(), rate)).await?;
    }
    let is_task = background::is_task(core, tool, ctx)?;
    input::open(ctx, tool.name(), &core.keys)?;
    spend(core, ctx).await?;
    let work = match tool.start(compiled, ctx)? {
        Started::Refused(result) => return Ok(Outcome::CallTool(result)),
        // It has not begun before it is polled: the task makes another.
        Started::Running(_) if is_task => {
            return Box::pin(background::create(core, tool, ctx)).await;
        }
        Started::Running(work) => work,
    };
    let timeout = tool.own_timeout().or(entry.offer.timeout());
    let timeout = timeout.unwrap_or(core.options.timeout);
    let error = match run::bounded(ctx, timeout, work).await? {
        Ok(result) => return tool.finish(compiled, Ok(result)).map(Outcome::CallTool),
        Err(error) => error,
    };
    let error = match error.downcast::<InputRequired>() {
        Ok(required) => {
            return sealed(core, ctx, tool.name(), required).map(Outcome::InputRequired);
        }
        Err(error) => error,
    };
    match error.downcast::<Deferred>() {
        Ok(Deferred) => Box::pin(background::create(core, tool, ctx)).await,
        Err(error) => tool.finish(compiled, Err(error)).map(Outcome::CallTool),
    }
}

/// The result that asks for input.
pub(super) fn sealed(
    core: &Core,
    ctx: &Context,
    target: &str,
    required: InputRequired,
) -> Result<InputRequiredResult, Error> {
    input::seal(ctx, target, &core.keys, core.options.answer_time, required)
}

/// Uses up the state of a later round, where states are good for one use.
async fn spend(core: &Core, ctx: &Context) -> Result<(), Error> {
    match &core.options.single_use {
        Some(store) => Box::pin(input::spend(ctx, &**store, core.options.answer_time)).await,
        None => Ok(()),
    }
}
