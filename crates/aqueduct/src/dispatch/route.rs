//! The one place that tells methods apart.

use std::borrow::Cow;

use aqueduct_protocol::completion::CompleteResult;
use aqueduct_protocol::input::InputRequiredResult;
use aqueduct_protocol::jsonrpc::{self, Kind as Envelope, Param};
use aqueduct_protocol::method::Method;

use super::{Core, admit, list, mirror, run};
use crate::call::{Call, Outcome, Reply};
use crate::completion;
use crate::context::Context;
use crate::error::{Error, Kind};
use crate::input::{self, InputRequired};
use crate::prompt::MAX_NAME;
use crate::subscription::{self, Offered};
use crate::tool::{Entry, Started};

/// Serves one message.
pub(super) async fn serve(core: &Core, call: Call) -> Reply {
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

/// Finds the handler of the method.
///
/// The branches that are long, or seldom taken, are boxed: the future of every call has room for
/// the largest of those that are not.
async fn route(core: &Core, ctx: &Context) -> Result<Outcome, Error> {
    match ctx.request().envelope().known_method() {
        Some(Method::ServerDiscover) => Ok(Outcome::Prebuilt(core.discover.clone())),
        Some(Method::ToolsList) if !core.tools.is_empty() => list::tools(core, ctx).await,
        Some(Method::ToolsCall) if !core.tools.is_empty() => call_tool(core, ctx).await,
        Some(Method::ResourcesList) if !core.resources.is_empty() => {
            Box::pin(list::resources(core, ctx)).await.map(Outcome::ListResources)
        }
        Some(Method::ResourcesTemplatesList) if !core.resources.is_empty() => {
            list::templates(core, ctx)
        }
        Some(Method::ResourcesRead) if !core.resources.is_empty() => {
            let uri = target(ctx, Param::Uri)?;
            input::open(ctx, &uri, &core.keys)?;
            let read = core.resources.read(&uri, ctx);
            let read = run::bounded(ctx, core.options.timeout, read).await?;
            asked(core, ctx, &uri, read.map(Outcome::ReadResource))
        }
        Some(Method::PromptsList) if !core.prompts.is_empty() => {
            Box::pin(list::prompts(core, ctx)).await.map(Outcome::ListPrompts)
        }
        Some(Method::PromptsGet) if !core.prompts.is_empty() => {
            let name = target(ctx, Param::Name)?;
            input::open(ctx, &name, &core.keys)?;
            let get = core.prompts.get(&name, ctx);
            let got = run::bounded(ctx, core.options.timeout, get).await?;
            asked(core, ctx, &name, got.map(Outcome::GetPrompt))
        }
        Some(Method::CompletionComplete) if core.completes => {
            let complete = Box::pin(complete(core, ctx));
            run::bounded(ctx, core.options.timeout, complete).await?.map(Outcome::Complete)
        }
        Some(Method::SubscriptionsListen) => {
            let offered = Offered {
                tools: !core.tools.is_empty(),
                prompts: !core.prompts.is_empty(),
                resources: !core.resources.is_empty(),
            };
            let listen = Box::pin(subscription::listen(ctx, &core.hub, offered));
            listen.await.map(Outcome::Listen)
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

async fn call_tool(core: &Core, ctx: &Context) -> Result<Outcome, Error> {
    let name = target(ctx, Param::Name)?;
    if let Some(entry) = core.tools.get(&name) {
        return run_tool(core, entry, ctx).await;
    }
    let provided = Box::pin(async {
        match core.tools.find(&name, ctx).await? {
            Some(entry) => run_tool(core, &entry, ctx).await,
            None => Err(Error::not_found(format!("no tool {name:?}"))),
        }
    });
    provided.await
}

async fn run_tool(core: &Core, entry: &Entry, ctx: &Context) -> Result<Outcome, Error> {
    let Entry { tool, compiled } = entry;
    mirror::params(ctx.request(), compiled.header_params(), ctx.arguments())?;
    if let Some(required) = tool.required() {
        ctx.require(required)?;
    }
    input::open(ctx, tool.name(), &core.keys)?;
    match tool.start(compiled, ctx)? {
        Started::Refused(result) => Ok(Outcome::CallTool(result)),
        Started::Running(work) => {
            let timeout = tool.own_timeout().unwrap_or(core.options.timeout);
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

/// What came of a prompt or a resource: a question of its handler's is a result too.
fn asked(
    core: &Core,
    ctx: &Context,
    target: &str,
    outcome: Result<Outcome, Error>,
) -> Result<Outcome, Error> {
    let error = match outcome {
        Ok(outcome) => return Ok(outcome),
        Err(error) => error,
    };
    let required = error.downcast::<InputRequired>()?;
    sealed(core, ctx, target, required).map(Outcome::InputRequired)
}

/// The result that asks for input.
fn sealed(
    core: &Core,
    ctx: &Context,
    target: &str,
    required: InputRequired,
) -> Result<InputRequiredResult, Error> {
    input::seal(ctx, target, &core.keys, core.options.answer_time, required)
}

async fn complete(core: &Core, ctx: &Context) -> Result<CompleteResult, Error> {
    let reference = completion::reference(ctx)?;
    let typed = completion::argument(ctx)?;
    let unknown =
        |what: &str| Error::invalid_params(format!("{what} has no argument {:?}", typed.name));
    match reference {
        completion::Reference::Prompt { name } => {
            let Some(prompt) = core.prompts.find(&name) else {
                // A repository's prompt may be there, and nobody completes its arguments.
                if core.prompts.repo(&name).is_some() {
                    return Ok(CompleteResult::default());
                }
                return Err(crate::prompt::unknown(&name));
            };
            if !prompt.takes(&typed.name) {
                return Err(unknown(&format!("prompt {name:?}")));
            }
            prompt.completers().complete(&typed.name, ctx).await
        }
        completion::Reference::Resource { uri } => {
            let Some(template) = core.resources.template(&uri) else {
                if core.resources.knows(&uri) {
                    return Ok(CompleteResult::default());
                }
                return Err(Error::not_found(format!("no resource template {uri:?}")));
            };
            if !template.has_variable(&typed.name) {
                return Err(unknown(&format!("resource template {uri:?}")));
            }
            template.completers().complete(&typed.name, ctx).await
        }
    }
}
