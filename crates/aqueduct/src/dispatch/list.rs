//! The lists: pages written ahead where nothing depends on the caller, gathered otherwise.

use aqueduct_protocol::cache::{CacheHint, CacheScope};
use aqueduct_protocol::jsonrpc::{self, Param};
use aqueduct_protocol::method::Method;
use aqueduct_protocol::prompts::ListPromptsResult;
use aqueduct_protocol::resources::{
    ListResourceTemplatesResult, ListResourcesResult, Resource, ResourceTemplate,
};
use aqueduct_protocol::tools::ListToolsResult;

use super::gather::{Gather, source};
use super::{Core, skills};
use crate::call::{Outcome, Prebuilt};
use crate::context::Context;
use crate::error::Error;
use crate::item::ItemKind;
use crate::page::Place;
use crate::{prompt, resource, tool};

/// The cursor of the request.
pub(super) fn cursor(ctx: &Context) -> Result<Option<std::borrow::Cow<'_, str>>, Error> {
    match ctx.request().param(Param::Cursor) {
        None => Ok(None),
        Some(raw) => match jsonrpc::string(raw) {
            Some(cursor) => Ok(Some(cursor)),
            None => Err(Error::invalid_params("params.cursor must be a string")),
        },
    }
}

/// Where the request's page begins.
pub(super) fn begin(core: &Core, ctx: &Context, list: Method) -> Result<Place, Error> {
    Ok(core.cursors.open(list, cursor(ctx)?.as_deref())?)
}

/// The cursor of the next page.
pub(super) fn seal(
    core: &Core,
    list: Method,
    next: Option<Place>,
) -> Result<Option<String>, Error> {
    next.map(|place| core.cursors.seal(list, &place)).transpose()
}

/// A page of the tools, where it is the same for everybody.
pub(super) fn tool_page(core: &Core, ctx: &Context) -> Result<Option<Prebuilt>, Error> {
    if core.tools.is_dynamic() {
        return Ok(None);
    }
    Ok(Some(core.tool_pages.page(&core.cursors, cursor(ctx)?.as_deref())?))
}

/// A page of the resource templates, where it is the same for everybody.
pub(super) fn template_page(core: &Core, ctx: &Context) -> Result<Option<Prebuilt>, Error> {
    if core.resources.has_dynamic_templates() {
        return Ok(None);
    }
    Ok(Some(core.template_pages.page(&core.cursors, cursor(ctx)?.as_deref())?))
}

/// A page of one of the three that depends on the caller.
pub(super) async fn gathered(core: &Core, ctx: &Context) -> Result<Outcome, Error> {
    match ctx.request().envelope().known_method() {
        Some(Method::ToolsList) => tools(core, ctx).await,
        Some(Method::SkillsList) => skills::seen(core, ctx),
        _ => templates(core, ctx).await,
    }
}

async fn tools(core: &Core, ctx: &Context) -> Result<Outcome, Error> {
    let list = Method::ToolsList;
    let mut gather = Gather::new(core, begin(core, ctx, list)?);
    let listed = |entry: &tool::Entry| entry.compiled.listed().clone();
    let seen = |entry: &tool::Entry| entry.offer.is_open(ctx).then(|| listed(entry));
    gather.fixed(core.tools.entries(), seen)?;
    let provided = core.tools.provided(ctx).await?;
    gather.provided(
        provided.iter().map(|entry| (entry.tool.name().to_owned(), listed(entry))).collect(),
    )?;
    let (items, next) = gather.end();
    let mut result = ListToolsResult::new(items);
    result.next_cursor = seal(core, list, next)?;
    let hint = Hint::of(core).of_caller(core.tools.depends_on_caller());
    (result.ttl_ms, result.cache_scope) = (hint.0.ttl_ms, hint.0.cache_scope);
    Ok(Outcome::ListTools(result))
}

async fn templates(core: &Core, ctx: &Context) -> Result<Outcome, Error> {
    let list = Method::ResourcesTemplatesList;
    let resources = &core.resources;
    let mut gather = Gather::new(core, begin(core, ctx, list)?);
    let listed = |entry: &resource::Entry| -> Option<ResourceTemplate> {
        let template = entry.resource.template()?;
        entry.offer.is_open(ctx).then(|| template.clone())
    };
    gather.fixed(resources.templates(), listed)?;
    let mut provided: Vec<_> = resources.provided(ctx).await?.iter().filter_map(listed).collect();
    let of_repos = resources.all_repos(ctx).await?;
    provided.extend(of_repos.iter().filter_map(|repo| {
        let template = repo.listed.as_ref()?;
        let shown = resources.rules().show(
            ItemKind::ResourceTemplate,
            &template.uri_template,
            repo.repo.terms(),
            ctx,
        );
        shown.then(|| template.clone())
    }));
    let named = provided.into_iter().map(|item| (item.uri_template.clone(), item));
    gather.provided(named.collect())?;
    let (items, next) = gather.end();
    let mut result = ListResourceTemplatesResult::new(items);
    result.next_cursor = seal(core, list, next)?;
    let hint = Hint::of(core).of_caller(resources.depends_on_caller());
    (result.ttl_ms, result.cache_scope) = (hint.0.ttl_ms, hint.0.cache_scope);
    Ok(Outcome::ListResourceTemplates(result))
}

pub(super) async fn resources(core: &Core, ctx: &Context) -> Result<Outcome, Error> {
    let list = Method::ResourcesList;
    let resources = &core.resources;
    let mut gather = Gather::new(core, begin(core, ctx, list)?);
    let listed = |entry: &resource::Entry| -> Option<Resource> {
        let item = entry.resource.fixed()?;
        entry.offer.is_open(ctx).then(|| item.clone())
    };
    gather.fixed(resources.fixed(), listed)?;
    let provided = resources.provided(ctx).await?;
    let named = provided.iter().filter_map(listed).map(|item| (item.uri.clone(), item));
    gather.provided(named.collect())?;
    let mut hint = Hint::of(core).of_caller(resources.depends_on_caller());
    for repo in &resources.all_repos(ctx).await? {
        hint.narrow(repo.repo.cache());
        let source = source(repo.repo.prefix());
        while let Some(from) = gather.wants(&source) {
            let listing = repo.repo.list(from.0.as_deref(), ctx).await;
            let listing = listing.map_err(|error| error.into_error("a list"))?;
            gather.add(&source, listing, |item| {
                resources.rules().show(ItemKind::Resource, &item.uri, repo.repo.terms(), ctx)
            });
        }
    }
    let (items, next) = gather.end();
    let mut result = ListResourcesResult::new(items);
    result.next_cursor = seal(core, list, next)?;
    (result.ttl_ms, result.cache_scope) = (hint.0.ttl_ms, hint.0.cache_scope);
    Ok(Outcome::ListResources(result))
}

pub(super) async fn prompts(core: &Core, ctx: &Context) -> Result<Outcome, Error> {
    let list = Method::PromptsList;
    let prompts = &core.prompts;
    let mut gather = Gather::new(core, begin(core, ctx, list)?);
    let listed =
        |entry: &prompt::Entry| entry.offer.is_open(ctx).then(|| entry.prompt.listed().clone());
    gather.fixed(prompts.entries(), listed)?;
    let provided = prompts.provided(ctx).await?;
    let named = provided.iter().filter_map(listed).map(|item| (item.name.clone(), item));
    gather.provided(named.collect())?;
    let mut hint = Hint::of(core).of_caller(prompts.depends_on_caller());
    for repo in &prompts.all_repos(ctx).await? {
        hint.narrow(repo.cache());
        let source = source(repo.prefix());
        while let Some(from) = gather.wants(&source) {
            let listing = repo.list(from.0.as_deref(), ctx).await;
            let listing = listing.map_err(|error| error.into_error("a list"))?;
            gather.add(&source, listing, |item| {
                prompts.rules().show(ItemKind::Prompt, &item.name, repo.terms(), ctx)
            });
        }
    }
    let (items, next) = gather.end();
    let mut result = ListPromptsResult::new(items);
    result.next_cursor = seal(core, list, next)?;
    (result.ttl_ms, result.cache_scope) = (hint.0.ttl_ms, hint.0.cache_scope);
    Ok(Outcome::ListPrompts(result))
}

/// The strictest of the hints of all sources, the same for every page (Caching › Pagination).
struct Hint(CacheHint);

impl Hint {
    fn of(core: &Core) -> Self {
        Self(core.options.list_cache)
    }

    /// What depends on who asks must be given to nobody else.
    fn of_caller(mut self, depends: bool) -> Self {
        if depends {
            self.0.cache_scope = CacheScope::Private;
        }
        self
    }

    fn narrow(&mut self, other: CacheHint) {
        self.0.ttl_ms = self.0.ttl_ms.min(other.ttl_ms);
        if other.cache_scope == CacheScope::Private {
            self.0.cache_scope = CacheScope::Private;
        }
    }
}
