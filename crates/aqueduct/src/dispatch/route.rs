//! The one place that tells methods apart.

use std::borrow::Cow;
use std::sync::Arc;

use aqueduct_protocol::input::InputRequiredResult;
use aqueduct_protocol::jsonrpc::{self, Kind as Envelope, Param};
use aqueduct_protocol::method::Method;

use super::{Core, admit, found, list, mirror, run};
use crate::call::{Call, Outcome, Reply};
use crate::context::Context;
use crate::error::{Error, Kind};
use crate::input::{self, InputRequired};
use crate::prompt::MAX_NAME;
use crate::subscription::{self, Offered};
use crate::tool::{Entry, Started};

/// Serves one message.
pub(super) async fn serve(core: &Arc<Core>, call: Call) -> Reply {
    match call.request().envelope().kind() {
        Envelope::Request => {}
        // Over HTTP a cancellation is the end of the connection, and over stdio the transport
        // has acted on it; no notification asks anything else of a server.
        Envelope::Notification => return Reply::Silent,
        // This revision has no requests of the server that a client could respond to.
        Envelope::Response => return Reply::Silent,
    }
    match admit::admit(call, core) {
        Ok(ctx) => {
            let reply = Reply::from(route(core, &ctx).await);
            ctx.end();
            reply
        }
        Err(error) => Reply::Error(error),
    }
}

async fn route(core: &Arc<Core>, ctx: &Context) -> Result<Outcome, Error> {
    match ctx.request().envelope().known_method() {
        Some(Method::ServerDiscover) => Ok(Outcome::Prebuilt(core.discover.clone())),
        Some(Method::ToolsList) if !core.tools.is_empty() => list::tools(core, ctx).await,
        Some(Method::ToolsCall) if !core.tools.is_empty() => call_tool(core, ctx).await,
        Some(Method::ResourcesList) if !core.resources.is_empty() => {
            list::resources(core, ctx).await
        }
        Some(Method::ResourcesTemplatesList) if !core.resources.is_empty() => {
            list::templates(core, ctx).await
        }
        Some(Method::ResourcesRead) if !core.resources.is_empty() => {
            let uri = target(ctx, Param::Uri)?;
            input::open(ctx, &uri, &core.keys)?;
            spend(core, ctx).await?;
            found::read(core, ctx, &uri).await
        }
        Some(Method::PromptsList) if !core.prompts.is_empty() => list::prompts(core, ctx).await,
        Some(Method::PromptsGet) if !core.prompts.is_empty() => {
            let name = target(ctx, Param::Name)?;
            input::open(ctx, &name, &core.keys)?;
            spend(core, ctx).await?;
            found::get(core, ctx, &name).await
        }
        Some(Method::CompletionComplete) if core.completes => {
            let complete = found::complete(core, ctx);
            run::bounded(ctx, core.options.timeout, complete).await?.map(Outcome::Complete)
        }
        Some(Method::SubscriptionsListen) => {
            let offered = Offered {
                tools: !core.tools.is_empty(),
                prompts: !core.prompts.is_empty(),
                resources: !core.resources.is_empty(),
            };
            let seen = |uris| core.resources.seen(uris, ctx);
            subscription::listen(ctx, &core.subscriptions, offered, seen).await.map(Outcome::Listen)
        }
        _ => Err(unknown_method(&ctx.request().method())),
    }
}

fn unknown_method(method: &str) -> Error {
    Error::of(Kind::MethodNotFound, format!("no method {:?} here", crate::error::shorten(method)))
}

/// What the request is about: `params.name` or `params.uri`, repeated by `Mcp-Name`.
fn target(ctx: &Context, param: Param) -> Result<Cow<'_, str>, Error> {
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
    if let Some(entry) = core.tools.get(&name).filter(|entry| entry.offer.is_open(ctx)) {
        if entry.offer.has_layers() {
            // On the heap, so that a call without layers moves a small future.
            return Box::pin(found::layered(core, entry, ctx)).await;
        }
        entry.offer.enter(ctx);
        return run_tool(core, entry, ctx).await;
    }
    match core.tools.find(&name, ctx).await? {
        Some(entry) => Box::pin(found::layered(core, &entry, ctx)).await,
        None => Err(Error::not_found(format!("no tool {name:?}"))),
    }
}

pub(super) async fn run_tool(core: &Core, entry: &Entry, ctx: &Context) -> Result<Outcome, Error> {
    let Entry { tool, compiled, .. } = entry;
    mirror::params(ctx.request(), compiled.header_params(), ctx.arguments())?;
    if let Some(required) = tool.required() {
        ctx.require(required)?;
    }
    input::open(ctx, tool.name(), &core.keys)?;
    spend(core, ctx).await?;
    match tool.start(compiled, ctx)? {
        Started::Refused(result) => Ok(Outcome::CallTool(result)),
        Started::Running(work) => {
            let timeout = tool.own_timeout().or(entry.offer.timeout());
            let timeout = timeout.unwrap_or(core.options.timeout);
            let returned = match run::bounded(ctx, timeout, work).await? {
                Ok(result) => Ok(result),
                Err(error) => match error.downcast::<InputRequired>() {
                    Ok(required) => {
                        let result = sealed(core, ctx, tool.name(), required)?;
                        return Ok(Outcome::InputRequired(result));
                    }
                    Err(error) => Err(error),
                },
            };
            tool.finish(compiled, returned).map(Outcome::CallTool)
        }
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
