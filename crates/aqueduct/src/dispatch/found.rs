//! What was found for a name or a URI, run through its layers.

use std::sync::Arc;

use aqueduct_protocol::completion::CompleteResult;

use super::{Core, route, run};
use crate::call::Outcome;
use crate::completion;
use crate::context::Context;
use crate::error::Error;
use crate::input::InputRequired;
use crate::uri::Variables;
use crate::{prompt, resource, tool};

/// Calls a tool through its layers, if it has any.
pub(super) async fn layered(
    core: &Arc<Core>,
    entry: &tool::Entry,
    ctx: &Context,
) -> Result<Outcome, Error> {
    entry.offer.enter(ctx)?;
    let inner = {
        let (core, entry, ctx) = (Arc::clone(core), entry.clone(), ctx.clone());
        async move { route::run_tool(&core, &entry, &ctx).await }
    };
    entry.offer.run(ctx, Box::pin(inner)).await
}

/// The messages of a prompt.
pub(super) async fn get(core: &Arc<Core>, ctx: &Context, name: &str) -> Result<Outcome, Error> {
    let given = prompt::arguments(ctx)?;
    let Some(found) = core.prompts.find(name, ctx).await? else {
        return Err(core.prompts.unknown(name, ctx));
    };
    let offer = found.offer().clone();
    offer.enter(ctx)?;
    if !offer.has_layers() {
        return get_found(core, ctx, name, &found, given).await;
    }
    let inner = {
        let (core, ctx, name) = (Arc::clone(core), ctx.clone(), name.to_owned());
        async move { get_found(&core, &ctx, &name, &found, given).await }
    };
    offer.run(ctx, Box::pin(inner)).await
}

async fn get_found(
    core: &Core,
    ctx: &Context,
    name: &str,
    found: &prompt::Found,
    given: Variables,
) -> Result<Outcome, Error> {
    let timeout = found.offer().timeout().unwrap_or(core.options.timeout);
    let got = run::bounded(ctx, timeout, found.get(name, given, ctx)).await?;
    asked(core, ctx, name, got.map(Outcome::GetPrompt))
}

/// What a resource holds.
pub(super) async fn read(core: &Arc<Core>, ctx: &Context, uri: &str) -> Result<Outcome, Error> {
    let found = core.resources.find(uri, ctx).await?;
    let offer = found.offer().clone();
    offer.enter(ctx)?;
    if !offer.has_layers() {
        return read_found(core, ctx, uri, &found).await;
    }
    let inner = {
        let (core, ctx, uri) = (Arc::clone(core), ctx.clone(), uri.to_owned());
        async move { read_found(&core, &ctx, &uri, &found).await }
    };
    offer.run(ctx, Box::pin(inner)).await
}

async fn read_found(
    core: &Core,
    ctx: &Context,
    uri: &str,
    found: &resource::Found,
) -> Result<Outcome, Error> {
    let timeout = found.offer().timeout().unwrap_or(core.options.timeout);
    let read = run::bounded(ctx, timeout, found.read(uri, ctx)).await?;
    asked(core, ctx, uri, read.map(Outcome::ReadResource))
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
    route::sealed(core, ctx, target, required).map(Outcome::InputRequired)
}

/// Completes an argument of what this caller sees; of anything else there is nothing to complete.
pub(super) async fn complete(core: &Core, ctx: &Context) -> Result<CompleteResult, Error> {
    let reference = completion::reference(ctx)?;
    let typed = completion::argument(ctx)?;
    let unknown =
        |what: &str| Error::invalid_params(format!("{what} has no argument {:?}", typed.name));
    match reference {
        completion::Reference::Prompt { name } => match core.prompts.find(&name, ctx).await? {
            None => Err(core.prompts.unknown(&name, ctx)),
            // A repository's prompt may be there, and nobody completes its arguments.
            Some(prompt::Found::Repo(..)) => Ok(CompleteResult::default()),
            Some(prompt::Found::Prompt(entry)) => {
                if !entry.prompt.takes(&typed.name) {
                    return Err(unknown(&format!("prompt {name:?}")));
                }
                entry.offer.enter(ctx)?;
                entry.prompt.completers().complete(&typed.name, ctx).await
            }
        },
        completion::Reference::Resource { uri } => {
            let Some(entry) = core.resources.template(&uri, ctx).await? else {
                if core.resources.knows(&uri, ctx).await? {
                    return Ok(CompleteResult::default());
                }
                return Err(Error::not_found(format!("no resource template {uri:?}")));
            };
            if !entry.resource.has_variable(&typed.name) {
                return Err(unknown(&format!("resource template {uri:?}")));
            }
            entry.offer.enter(ctx)?;
            entry.resource.completers().complete(&typed.name, ctx).await
        }
    }
}
