//! A server within another: its items under new names, with its own state and rules.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use aqueduct_protocol::cache::CacheHint;
use aqueduct_protocol::prompts::GetPromptResult;
use aqueduct_protocol::resources::ReadResourceResult;

use super::Server;
use crate::context::Context;
use crate::error::{Error, ToolError};
use crate::item::{Changes, Home, Rules, Terms};
use crate::page::Listing;
use crate::prompt::{self, Prompt, PromptItem};
use crate::resource::{self, AnyResource, ResourceItem, ResourceTemplateItem, Wanted};
use crate::tool::{self, Tool};
use crate::uri::Variables;

type Asked<'a, T, E = Error> = Pin<Box<dyn Future<Output = Result<T, E>> + Send + 'a>>;

impl Server {
    /// Takes in all that another server offers, its tools and prompts with `prefix` before their
    /// names.
    ///
    /// Resources keep their URIs, which are names for the whole world: links to them stay right.
    /// What came along finds its own server's state, and the outer one's for what it lacks; its
    /// own server's timeout, rules of visibility and item layers hold for it, inside of those of
    /// the outer server. The outer server's name, instructions, keys, pages and cache hints are
    /// those of the whole. A name, a URI or a prefix that is there twice is refused when the
    /// server is built, and so is a mounted server with layers around all of its calls, which
    /// cannot be told apart from those of the others before they are dispatched.
    ///
    /// ```
    /// use aqueduct::prelude::*;
    ///
    /// let search = || Tool::new("search").handler(|| async { "nothing" });
    /// let notes = Server::new("notes", "1.0.0").tool(search());
    /// let mail = Server::new("mail", "1.0.0").tool(search());
    /// let office = Server::new("office", "1.0.0").mount("notes_", notes).mount("mail_", mail);
    /// assert!(office.build().is_ok());
    /// ```
    #[must_use]
    pub fn mount(mut self, prefix: impl Into<String>, other: Self) -> Self {
        self.mounts.push((prefix.into(), other));
        self
    }

    /// Takes in all mounted servers, with what this one lends to its handlers.
    pub(super) fn take_mounts(&mut self) {
        for (prefix, mut inner) in std::mem::take(&mut self.mounts) {
            inner.state.fill(&self.state);
            inner.take_mounts();
            self.take(prefix, inner);
        }
    }

    fn take(&mut self, prefix: String, inner: Self) {
        let name = &inner.options.info.name;
        let of_it = |problem: String| format!("mounted server {name:?}: {problem}");
        self.problems.extend(inner.problems.into_iter().map(of_it));
        if !inner.layers.is_empty() {
            let problem = "it has layers around all calls; give them to the outer server, or make \
                           them item layers";
            self.problems.push(of_it(problem.to_owned()));
        }
        if inner.subscriptions.is_some() {
            let problem = "it has a subscription handler; give it to the outer server";
            self.problems.push(of_it(problem.to_owned()));
        }
        self.options.extensions.extend(inner.options.extensions);
        self.options.logging |= inner.options.logging;
        if let Some(skills) = inner.skills {
            if !inner.rules.visibility.is_empty() || !inner.rules.layers.is_empty() {
                let problem = "it has skills, and rules or item layers, which do not hold for \
                               them; give the skills to the outer server";
                self.problems.push(of_it(problem.to_owned()));
            }
            self.skills = Some(match self.skills.take() {
                Some(known) => known.join(&skills, &mut self.problems),
                None => skills,
            });
        }
        let home = Home {
            name: name.as_str().into(),
            state: Arc::new(inner.state),
            timeout: inner.options.timeout,
        };
        let mount = Arc::new(Mount { rules: inner.rules.within(&prefix), prefix, home });
        self.tools.extend(inner.tools.into_iter().map(|tool| mount.tool(tool)));
        self.prompts.extend(inner.prompts.into_iter().map(|prompt| mount.prompt(prompt)));
        let resources = inner.resources.into_iter().map(|resource| mount.resource(resource));
        self.resources.extend(resources);
        for inner in inner.tool_providers {
            self.tool_providers.push(Arc::new(mount.around(inner)));
        }
        for inner in inner.prompt_providers {
            self.prompt_providers.push(Arc::new(mount.around(inner)));
        }
        for inner in inner.resource_providers {
            self.resource_providers.push(Arc::new(mount.around(inner)));
        }
        self.prompt_repos.extend(inner.prompt_repos.into_iter().map(|repo| mount.prompts(repo)));
        let repos = inner.resource_repos.into_iter().map(|repo| mount.resources(repo));
        self.resource_repos.extend(repos);
        self.watchers.extend(inner.watchers);
    }
}

/// How a server is mounted.
struct Mount {
    prefix: String,
    rules: Rules,
    home: Home,
}

/// A source of a mounted server.
struct Mounted<T: ?Sized> {
    inner: Arc<T>,
    mount: Arc<Mount>,
    /// What the names of a repository begin with here.
    prefix: String,
    terms: Terms,
}

impl Mount {
    fn tool(&self, tool: Tool) -> Tool {
        tool.mounted(&self.prefix, |terms| terms.mount(&self.prefix, &self.rules, &self.home))
    }

    fn prompt(&self, prompt: Prompt) -> Prompt {
        prompt.mounted(&self.prefix, |terms| terms.mount(&self.prefix, &self.rules, &self.home))
    }

    fn resource(&self, resource: AnyResource) -> AnyResource {
        let change = |terms: &mut Terms| terms.mount(&self.prefix, &self.rules, &self.home);
        match resource {
            AnyResource::Fixed(resource) => resource.mounted(change).into(),
            AnyResource::Template(template) => template.mounted(change).into(),
        }
    }

    fn around<T: ?Sized>(self: &Arc<Self>, inner: Arc<T>) -> Mounted<T> {
        self.with(inner, String::new(), None)
    }

    fn with<T: ?Sized>(
        self: &Arc<Self>,
        inner: Arc<T>,
        prefix: String,
        terms: Option<&Terms>,
    ) -> Mounted<T> {
        let mut terms = terms.cloned().unwrap_or_default();
        terms.mount(&self.prefix, &self.rules, &self.home);
        Mounted { inner, mount: Arc::clone(self), prefix, terms }
    }

    fn prompts(self: &Arc<Self>, repo: Arc<dyn prompt::ErasedRepo>) -> Arc<dyn prompt::ErasedRepo> {
        let prefix = format!("{}{}", self.prefix, repo.prefix());
        let terms = repo.terms().cloned();
        Arc::new(self.with(repo, prefix, terms.as_ref()))
    }

    fn resources(
        self: &Arc<Self>,
        repo: Arc<dyn resource::ErasedRepo>,
    ) -> Arc<dyn resource::ErasedRepo> {
        let (prefix, terms) = (repo.prefix().to_owned(), repo.terms().cloned());
        Arc::new(self.with(repo, prefix, terms.as_ref()))
    }
}

impl tool::ErasedProvider for Mounted<dyn tool::ErasedProvider> {
    fn tools<'a>(&'a self, ctx: &'a Context) -> Asked<'a, Vec<Tool>> {
        Box::pin(async move {
            let tools = self.inner.tools(ctx).await?;
            Ok(tools.into_iter().map(|tool| self.mount.tool(tool)).collect())
        })
    }

    fn tool<'a>(&'a self, name: &'a str, ctx: &'a Context) -> Asked<'a, Option<Tool>> {
        Box::pin(async move {
            let Some(name) = name.strip_prefix(&self.mount.prefix) else { return Ok(None) };
            Ok(self.inner.tool(name, ctx).await?.map(|tool| self.mount.tool(tool)))
        })
    }

    fn watch(&self, changes: Changes) {
        self.inner.watch(changes);
    }
}

impl prompt::ErasedProvider for Mounted<dyn prompt::ErasedProvider> {
    fn prompts<'a>(&'a self, ctx: &'a Context) -> Asked<'a, Vec<Prompt>> {
        Box::pin(async move {
            let prompts = self.inner.prompts(ctx).await?;
            Ok(prompts.into_iter().map(|prompt| self.mount.prompt(prompt)).collect())
        })
    }

    fn repos<'a>(&'a self, ctx: &'a Context) -> Asked<'a, Vec<prompt::SharedRepo>> {
        Box::pin(async move {
            let repos = self.inner.repos(ctx).await?.into_iter();
            Ok(repos.map(|repo| prompt::SharedRepo(self.mount.prompts(repo.0))).collect())
        })
    }

    fn watch(&self, changes: Changes) {
        self.inner.watch(changes);
    }
}

impl resource::ErasedProvider for Mounted<dyn resource::ErasedProvider> {
    fn resources<'a>(&'a self, ctx: &'a Context) -> Asked<'a, Vec<AnyResource>> {
        Box::pin(async move {
            let resources = self.inner.resources(ctx).await?;
            Ok(resources.into_iter().map(|resource| self.mount.resource(resource)).collect())
        })
    }

    fn repos<'a>(&'a self, ctx: &'a Context) -> Asked<'a, Vec<resource::SharedRepo>> {
        Box::pin(async move {
            let repos = self.inner.repos(ctx).await?.into_iter();
            Ok(repos.map(|repo| resource::SharedRepo(self.mount.resources(repo.0))).collect())
        })
    }

    fn watch(&self, changes: Changes) {
        self.inner.watch(changes);
    }
}

impl prompt::ErasedRepo for Mounted<dyn prompt::ErasedRepo> {
    fn prefix(&self) -> &str {
        &self.prefix
    }

    fn cache(&self) -> CacheHint {
        self.inner.cache()
    }

    fn watch(&self, changes: Changes) {
        self.inner.watch(changes);
    }

    fn terms(&self) -> Option<&Terms> {
        Some(&self.terms)
    }

    fn list<'a>(
        &'a self,
        cursor: Option<&'a str>,
        ctx: &'a Context,
    ) -> Asked<'a, Listing<PromptItem>, ToolError> {
        Box::pin(async move {
            let mut listing = self.inner.list(cursor, ctx).await?;
            for item in &mut listing.items {
                item.name.insert_str(0, &self.mount.prefix);
            }
            Ok(listing)
        })
    }

    fn get<'a>(
        &'a self,
        name: &'a str,
        arguments: &'a Variables,
        ctx: &'a Context,
    ) -> Asked<'a, GetPromptResult, ToolError> {
        let name = name.strip_prefix(&self.mount.prefix).unwrap_or(name);
        self.inner.get(name, arguments, ctx)
    }
}

impl resource::ErasedRepo for Mounted<dyn resource::ErasedRepo> {
    fn prefix(&self) -> &str {
        &self.prefix
    }

    fn template(&self) -> Option<ResourceTemplateItem> {
        self.inner.template()
    }

    fn parse_uri(&self, uri: &str) -> Result<Option<Variables>, Error> {
        self.inner.parse_uri(uri)
    }

    fn cache(&self) -> CacheHint {
        self.inner.cache()
    }

    fn watch(&self, changes: Changes) {
        self.inner.watch(changes);
    }

    fn terms(&self) -> Option<&Terms> {
        Some(&self.terms)
    }

    fn list<'a>(
        &'a self,
        cursor: Option<&'a str>,
        ctx: &'a Context,
    ) -> Asked<'a, Listing<ResourceItem>, ToolError> {
        self.inner.list(cursor, ctx)
    }

    fn read<'a>(
        &'a self,
        wanted: &'a Wanted,
        ctx: &'a Context,
    ) -> Asked<'a, ReadResourceResult, ToolError> {
        self.inner.read(wanted, ctx)
    }
}
