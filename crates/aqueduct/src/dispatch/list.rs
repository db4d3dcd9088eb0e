//! The lists: pages written ahead where nothing depends on the caller, gathered otherwise.

use aqueduct_protocol::cache::{CacheHint, CacheScope};
use aqueduct_protocol::jsonrpc::{self, Param};
use aqueduct_protocol::method::Method;
use aqueduct_protocol::prompts::ListPromptsResult;
use aqueduct_protocol::resources::ListResourcesResult;
use aqueduct_protocol::tools::ListToolsResult;

use super::Core;
use crate::call::Outcome;
use crate::context::Context;
use crate::error::Error;
use crate::page::{Listing, Place};
use crate::prompt;

/// The cursor of the request.
fn cursor(ctx: &Context) -> Result<Option<std::borrow::Cow<'_, str>>, Error> {
    match ctx.request().param(Param::Cursor) {
        None => Ok(None),
        Some(raw) => match jsonrpc::string(raw) {
            Some(cursor) => Ok(Some(cursor)),
            None => Err(Error::invalid_params("params.cursor must be a string")),
        },
    }
}

pub(super) async fn tools(core: &Core, ctx: &Context) -> Result<Outcome, Error> {
    let cursor = cursor(ctx)?;
    if !core.tools.is_dynamic() {
        let page = core.tool_pages.page(&core.cursors, cursor.as_deref())?;
        return Ok(Outcome::Prebuilt(page));
    }
    Box::pin(provided_tools(core, ctx, cursor.as_deref())).await
}

async fn provided_tools(
    core: &Core,
    ctx: &Context,
    cursor: Option<&str>,
) -> Result<Outcome, Error> {
    let place = core.cursors.open(Method::ToolsList, cursor)?;
    let skip = offset(&place)?;
    let all = core.tools.list(ctx).await?;
    let size = core.options.page_size;
    let page = all.iter().skip(skip).take(size).map(|entry| entry.compiled.listed().clone());
    let mut result = ListToolsResult::new(page.collect());
    if all.len() > skip + size {
        result.next_cursor = Some(core.cursors.seal(Method::ToolsList, &position(skip + size))?);
    }
    // What providers answer depends on who asks, so nobody else may be given it.
    result.cache_scope = CacheScope::Private;
    Ok(Outcome::ListTools(result))
}

pub(super) fn templates(core: &Core, ctx: &Context) -> Result<Outcome, Error> {
    let cursor = cursor(ctx)?;
    Ok(Outcome::Prebuilt(core.template_pages.page(&core.cursors, cursor.as_deref())?))
}

pub(super) async fn resources(core: &Core, ctx: &Context) -> Result<ListResourcesResult, Error> {
    let method = Method::ResourcesList;
    let mut gather = Gather::new(core, core.cursors.open(method, cursor(ctx)?.as_deref())?);
    gather.fixed(core.resources.listed())?;
    let mut hint = Hint::of(core);
    for repo in core.resources.repos() {
        hint.narrow(repo.cache());
        let source = source(repo.prefix());
        while let Some(from) = gather.wants(&source) {
            let listing = repo.list(from.0.as_deref(), ctx).await;
            gather.add(&source, listing.map_err(|error| error.into_error("a list"))?);
        }
    }
    let (items, next) = gather.end();
    let mut result = ListResourcesResult::new(items);
    result.next_cursor = next.map(|place| core.cursors.seal(method, &place)).transpose()?;
    (result.ttl_ms, result.cache_scope) = (hint.0.ttl_ms, hint.0.cache_scope);
    Ok(result)
}

pub(super) async fn prompts(core: &Core, ctx: &Context) -> Result<ListPromptsResult, Error> {
    let method = Method::PromptsList;
    let mut gather = Gather::new(core, core.cursors.open(method, cursor(ctx)?.as_deref())?);
    gather.fixed(core.prompts.entries().iter().map(prompt::Entry::listed))?;
    let mut hint = Hint::of(core);
    for repo in core.prompts.repos() {
        hint.narrow(repo.cache());
        let source = source(repo.prefix());
        while let Some(from) = gather.wants(&source) {
            let listing = repo.list(from.0.as_deref(), ctx).await;
            gather.add(&source, listing.map_err(|error| error.into_error("a list"))?);
        }
    }
    let (items, next) = gather.end();
    let mut result = ListPromptsResult::new(items);
    result.next_cursor = next.map(|place| core.cursors.seal(method, &place)).transpose()?;
    (result.ttl_ms, result.cache_scope) = (hint.0.ttl_ms, hint.0.cache_scope);
    Ok(result)
}

/// The key of a repository, which is never that of what was registered by hand.
fn source(prefix: &str) -> String {
    format!("repo:{prefix}")
}

fn position(skip: usize) -> Place {
    Place { source: String::new(), inner: skip.to_string() }
}

fn offset(place: &Place) -> Result<usize, Error> {
    if place.inner.is_empty() {
        return Ok(0);
    }
    place.inner.parse().map_err(|_| Error::invalid_params("the cursor is not one of this list"))
}

/// The strictest of the hints of all sources, the same for every page (Caching › Pagination).
struct Hint(CacheHint);

impl Hint {
    fn of(core: &Core) -> Self {
        Self(core.options.list_cache)
    }

    fn narrow(&mut self, other: CacheHint) {
        self.0.ttl_ms = self.0.ttl_ms.min(other.ttl_ms);
        if other.cache_scope == CacheScope::Private {
            self.0.cache_scope = CacheScope::Private;
        }
    }
}

/// Where a source is asked to begin: at its start, or at a place that it named.
struct Begin(Option<String>);

/// Fills one page from several sources, one after the other.
///
/// A source that runs out lets the next one fill the rest, so no page is empty before the last.
struct Gather<T> {
    items: Vec<T>,
    size: usize,
    /// Where the page begins; gone once that source has been reached.
    from: Option<Place>,
    /// Where the current source goes on, while it does.
    within: Option<String>,
    done: Vec<String>,
    next: Option<Place>,
}

impl<T: Clone> Gather<T> {
    fn new(core: &Core, from: Place) -> Self {
        Self {
            items: Vec::new(),
            size: core.options.page_size,
            from: Some(from),
            within: None,
            done: Vec::new(),
            next: None,
        }
    }

    /// What was registered by hand comes first.
    fn fixed<'i>(&mut self, items: impl Iterator<Item = &'i T>) -> Result<(), Error>
    where
        T: 'i,
    {
        let Some(from) = self.from.take_if(|from| from.source.is_empty()) else { return Ok(()) };
        let skip = offset(&from)?;
        let mut items = items.skip(skip);
        self.items.extend(items.by_ref().take(self.size).cloned());
        if items.next().is_some() {
            self.next = Some(position(skip + self.size));
        }
        Ok(())
    }

    /// Should this source be asked, and from where?
    fn wants(&mut self, source: &str) -> Option<Begin> {
        if self.next.is_some() || self.done.iter().any(|done| done == source) {
            return None;
        }
        if let Some(from) = &self.from {
            if from.source != source {
                return None;
            }
            let inner = self.from.take().map(|from| from.inner).filter(|inner| !inner.is_empty());
            return Some(Begin(inner));
        }
        if self.items.len() >= self.size {
            let inner = self.within.take().unwrap_or_default();
            self.next = Some(Place { source: source.to_owned(), inner });
            return None;
        }
        Some(Begin(self.within.take()))
    }

    fn add(&mut self, source: &str, listing: Listing<T>) {
        let empty = listing.items.is_empty();
        self.items.extend(listing.items);
        match listing.next {
            // A repository that names a place after an empty page would be asked for ever.
            Some(next) if !empty => self.within = Some(next),
            _ => {
                self.within = None;
                self.done.push(source.to_owned());
            }
        }
    }

    fn end(self) -> (Vec<T>, Option<Place>) {
        (self.items, self.next)
    }
}
