//! What a server says of itself, written down once from what was registered.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use aqueduct_protocol::capabilities::{
    PromptsCapability, ResourcesCapability, ServerCapabilities, ToolsCapability,
};
use aqueduct_protocol::discover::DiscoverResult;
use aqueduct_protocol::method::Method;
use aqueduct_protocol::resources::ListResourceTemplatesResult;
use aqueduct_protocol::tools::ListToolsResult;

use super::{Core, Options, Parts, admit, skills};
use crate::call::{Prebuilt, Stamp};
use crate::page::{Cursors, Pages};
use crate::skill::Skills;
use crate::{prompt, resource, tool};

impl Core {
    /// Writes down all that does not change between requests; `None` when a part of it cannot be
    /// written as JSON.
    pub(crate) fn new(parts: Parts) -> Option<Self> {
        let Parts {
            tools,
            resources,
            prompts,
            skills,
            state,
            quota,
            keys,
            subscriptions,
            tasks,
            options,
        } = parts;
        let stamp = Stamp::new(&options.info);
        let cursors =
            Cursors::new(Arc::clone(&keys), epoch(&tools, &resources, &prompts, skills.as_ref()));
        let completes = prompts.entries().iter().any(|entry| !entry.prompt.completers().is_empty())
            || resources.templates().iter().any(|entry| !entry.resource.completers().is_empty());
        let discover = discover(&options, &tools, &resources, &prompts, completes);
        let mut written = Vec::new();
        stamp.write(discover, &mut written)?;
        let tool_pages = tool_pages(&tools, &options, &cursors, &stamp)?;
        let template_pages = template_pages(&resources, &options, &cursors, &stamp)?;
        let skill_pages = match &skills {
            Some(skills) => Some(skills::pages(skills, &options, &cursors, &stamp)?),
            None => None,
        };
        Some(Self {
            tools,
            resources,
            prompts,
            skills,
            state,
            stamp,
            options,
            quota,
            keys,
            subscriptions,
            tasks,
            cursors,
            completes,
            discover: Prebuilt::new(written),
            tool_pages,
            template_pages,
            skill_pages,
        })
    }
}

/// Capabilities follow from what is registered, so they cannot promise what is not there.
fn discover(
    options: &Options,
    tools: &tool::Registry,
    resources: &resource::Registry,
    prompts: &prompt::Registry,
    completes: bool,
) -> DiscoverResult {
    let mut capabilities = ServerCapabilities::default();
    if !tools.is_empty() {
        capabilities.tools = Some(ToolsCapability::default().list_changed(true));
    }
    if !resources.is_empty() {
        capabilities.resources =
            Some(ResourcesCapability::default().list_changed(true).subscribe(true));
    }
    if !prompts.is_empty() {
        capabilities.prompts = Some(PromptsCapability::default().list_changed(true));
    }
    if completes {
        capabilities.completions = Some(serde_json::Map::new());
    }
    if options.logging {
        capabilities.logging = Some(serde_json::Map::new());
    }
    for (id, settings) in &options.extensions {
        capabilities = capabilities.with_extension(id.clone(), settings.clone());
    }
    let supported = admit::supported().map(|version| version.as_str().to_owned()).collect();
    let mut result = DiscoverResult::new(supported, capabilities);
    result.instructions.clone_from(&options.instructions);
    result.ttl_ms = options.list_cache.ttl_ms;
    result.cache_scope = options.list_cache.cache_scope;
    result
}

fn tool_pages(
    tools: &tool::Registry,
    options: &Options,
    cursors: &Cursors,
    stamp: &Stamp,
) -> Option<Pages<Prebuilt>> {
    let items: Vec<_> =
        tools.entries().iter().map(|entry| entry.compiled.listed().clone()).collect();
    Pages::build(Method::ToolsList, &items, options.page_size, cursors, |page, next| {
        let mut result = ListToolsResult::new(page);
        result.next_cursor = next;
        result.ttl_ms = options.list_cache.ttl_ms;
        result.cache_scope = options.list_cache.cache_scope;
        let mut out = Vec::new();
        stamp.write(result, &mut out).map(|()| Prebuilt::new(out))
    })
}

fn template_pages(
    resources: &resource::Registry,
    options: &Options,
    cursors: &Cursors,
    stamp: &Stamp,
) -> Option<Pages<Prebuilt>> {
    let registered = resources.templates().iter().filter_map(|entry| entry.resource.template());
    let items: Vec<_> = registered.chain(resources.repo_templates()).cloned().collect();
    let list = Method::ResourcesTemplatesList;
    Pages::build(list, &items, options.page_size, cursors, |page, next| {
        let mut result = ListResourceTemplatesResult::new(page);
        result.next_cursor = next;
        result.ttl_ms = options.list_cache.ttl_ms;
        result.cache_scope = options.list_cache.cache_scope;
        let mut out = Vec::new();
        stamp.write(result, &mut out).map(|()| Prebuilt::new(out))
    })
}

/// Tells this catalogue from another: a cursor of another one is refused instead of skipping or
/// repeating items.
///
/// Two processes that serve the same catalogue agree on it, so a cursor works on either.
fn epoch(
    tools: &tool::Registry,
    resources: &resource::Registry,
    prompts: &prompt::Registry,
    skills: Option<&Skills>,
) -> u64 {
    let mut hasher = DefaultHasher::new();
    for entry in tools.entries() {
        entry.tool.name().hash(&mut hasher);
    }
    for entry in resources.fixed().iter().chain(resources.templates()) {
        entry.offer.item.name.hash(&mut hasher);
    }
    for item in resources.repo_templates() {
        item.uri_template.hash(&mut hasher);
    }
    for entry in prompts.entries() {
        entry.offer.item.name.hash(&mut hasher);
    }
    for skill in skills.map(Skills::entries).into_iter().flatten() {
        skill.uri.hash(&mut hasher);
    }
    for repo in resources.repos() {
        repo.prefix().hash(&mut hasher);
    }
    for repo in prompts.repos() {
        repo.prefix().hash(&mut hasher);
    }
    hasher.finish()
}
