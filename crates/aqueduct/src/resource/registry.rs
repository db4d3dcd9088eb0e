//! The resources of a server: checked once, found by URI, read.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use aqueduct_protocol::resources::ReadResourceResult;

use super::compile::{Compiled, Fit, Reader};
use super::output::About;
use super::{AnyResource, ErasedProvider, ErasedRepo, ResourceTemplateItem, Wanted};
use crate::context::{Context, StateMap};
use crate::error::{Error, ToolError};
use crate::extract::Rejection;
use crate::item::{ItemKind, Offer, Rules, Switches, Terms, both_from};
use crate::schema::nearest;
use crate::uri::UriTemplate;

/// How long a URI may be.
pub(super) const MAX_URI: usize = 4 * 1024;

/// All resources of a server.
#[derive(Default)]
pub(crate) struct Registry {
    fixed: Vec<Entry>,
    index: HashMap<String, usize>,
    templates: Vec<Entry>,
    providers: Vec<Arc<dyn ErasedProvider>>,
    repos: Vec<Arc<Repo>>,
    rules: Rules,
    switches: Arc<Switches>,
    /// Does it depend on the caller what he sees of what is registered?
    ruled: bool,
    /// Does any of them need scopes?
    scoped: bool,
}

/// What a registry of resources is made of.
pub(crate) struct Sources {
    pub(crate) resources: Vec<AnyResource>,
    pub(crate) providers: Vec<Arc<dyn ErasedProvider>>,
    pub(crate) repos: Vec<Arc<dyn ErasedRepo>>,
    pub(crate) rules: Rules,
    pub(crate) switches: Arc<Switches>,
}

/// A resource or a template on the terms on which it is offered.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) resource: Arc<Compiled>,
    pub(crate) offer: Offer,
    /// The state that its handler finds, when that is not the server's own.
    pub(crate) state: Option<Arc<StateMap>>,
}

/// A repository, with its template compiled.
pub(crate) struct Repo {
    pub(crate) repo: Arc<dyn ErasedRepo>,
    template: Option<UriTemplate>,
    pub(crate) listed: Option<ResourceTemplateItem>,
}

/// What answers for a URI.
pub(crate) enum Found {
    Registered(Entry, Fit),
    Repo(Arc<dyn ErasedRepo>, Wanted, Box<Offer>),
}

impl Found {
    pub(crate) fn offer(&self) -> &Offer {
        match self {
            Self::Registered(entry, _) => &entry.offer,
            Self::Repo(_, _, offer) => offer,
        }
    }

    /// Reads what is at `uri`.
    pub(crate) async fn read(&self, uri: &str, ctx: &Context) -> Result<ReadResourceResult, Error> {
        let read = match self {
            Self::Registered(entry, fit) => entry.resource.reader.read(uri, fit, ctx).await?,
            Self::Repo(repo, wanted, _) => repo.read(wanted, ctx).await,
        };
        match read {
            // An empty list would tell the client that the resource is there and holds nothing.
            Ok(result) if result.contents.is_empty() => Err(Error::resource_not_found(uri)),
            Ok(result) => Ok(result),
            Err(error) => Err(error.into_error(&format!("resource {uri:?}"))),
        }
    }
}

impl Registry {
    /// Checks all resources; every problem is told, not only the first.
    pub(crate) fn build(sources: Sources, problems: &mut Vec<String>) -> Self {
        let Sources { resources, providers, repos, rules, switches } = sources;
        let mut registry = Self { providers, rules, switches, ..Self::default() };
        for resource in &resources {
            match registry.entry(resource) {
                Ok(entry) => registry.add(entry, problems),
                Err(problem) => problems.push(problem),
            }
        }
        let mut prefixes = HashMap::new();
        for repo in repos {
            let origin = repo.terms().and_then(Terms::origin);
            if let Some(other) = prefixes.insert(repo.prefix().to_owned(), origin.clone()) {
                let from = both_from(other.as_deref(), origin.as_deref());
                problems.push(format!(
                    "two resource repositories have the prefix {:?}{from}; only one could ever answer",
                    repo.prefix()
                ));
            }
            match compile_repo(repo) {
                Ok(repo) => registry.repos.push(Arc::new(repo)),
                Err(problem) => problems.push(problem),
            }
        }
        longest_first(&mut registry.repos);
        registry
    }

    fn entry(&self, resource: &AnyResource) -> Result<Entry, String> {
        let compiled = Arc::clone(resource.compiled()?);
        let terms = resource.terms();
        let offer = Offer::new(Arc::clone(&compiled.item), terms, &self.rules);
        Ok(Entry { resource: compiled, offer, state: terms.state().cloned() })
    }

    fn add(&mut self, entry: Entry, problems: &mut Vec<String>) {
        let item = &entry.offer.item;
        let is_template = item.kind == ItemKind::ResourceTemplate;
        let other = match is_template {
            true => self.templates.iter().find(|other| other.offer.item.name == item.name),
            false => self.index.get(&item.name).and_then(|place| self.fixed.get(*place)),
        };
        if let Some(other) = other {
            problems.push(item.clash(&other.offer.item));
            return;
        }
        let entry = Entry { offer: entry.offer.clone().switched(&self.switches), ..entry };
        self.ruled |= entry.offer.is_ruled();
        self.scoped |= !entry.offer.item.scopes.is_empty();
        if is_template {
            self.templates.push(entry);
        } else {
            self.index.insert(entry.offer.item.name.clone(), self.fixed.len());
            self.fixed.push(entry);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.fixed.is_empty()
            && self.templates.is_empty()
            && self.providers.is_empty()
            && self.repos.is_empty()
    }

    /// The registered resources.
    pub(crate) fn fixed(&self) -> &[Entry] {
        &self.fixed
    }

    /// Is there something at this URI for anybody? A provider may have anything.
    pub(crate) fn may_serve(&self, uri: &str) -> bool {
        let fits = |entry: &Entry| matches!(entry.resource.fit(uri), Ok(Some(_)));
        self.index.contains_key(uri)
            || self.templates.iter().any(fits)
            || self.repos.iter().any(|repo| uri.starts_with(repo.repo.prefix()))
            || !self.providers.is_empty()
    }

    /// Does any address begin with this scheme?
    pub(crate) fn has_scheme(&self, scheme: &str) -> bool {
        let registered = self.fixed.iter().chain(&self.templates);
        registered.map(|entry| &entry.offer.item.name).any(|uri| uri.starts_with(scheme))
            || self.repos.iter().any(|repo| repo.repo.prefix().starts_with(scheme))
    }

    /// The registered templates.
    pub(crate) fn templates(&self) -> &[Entry] {
        &self.templates
    }

    pub(crate) fn providers(&self) -> &[Arc<dyn ErasedProvider>] {
        &self.providers
    }

    /// The repositories that were registered by hand.
    pub(crate) fn repos(&self) -> impl Iterator<Item = &Arc<dyn ErasedRepo>> {
        self.repos.iter().map(|repo| &repo.repo)
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Do the lists depend on who asks?
    pub(crate) fn depends_on_caller(&self) -> bool {
        let ruled = |repo: &Arc<Repo>| {
            let has_own = |terms: &Terms| !terms.rules.visibility.is_empty();
            !self.rules.visibility.is_empty() || repo.repo.terms().is_some_and(has_own)
        };
        self.ruled || !self.providers.is_empty() || self.repos.iter().any(ruled)
    }

    /// May the list of templates be another one than that of all registered templates?
    pub(crate) fn has_dynamic_templates(&self) -> bool {
        self.depends_on_caller() || !self.switches.are_all_on()
    }

    /// The templates of the repositories that were registered by hand, as they are listed.
    pub(crate) fn repo_templates(&self) -> impl Iterator<Item = &ResourceTemplateItem> {
        self.repos.iter().filter_map(|repo| repo.listed.as_ref())
    }

    /// The repositories that this caller may see, those with the longest prefixes first.
    pub(crate) async fn all_repos(&self, ctx: &Context) -> Result<Vec<Arc<Repo>>, Error> {
        let mut repos = self.repos.clone();
        for provider in &self.providers {
            for repo in provider.repos(ctx).await? {
                if repos.iter().any(|other| other.repo.prefix() == repo.0.prefix()) {
                    continue;
                }
                match compile_repo(repo.0) {
                    Ok(repo) => repos.push(Arc::new(repo)),
                    Err(problem) => tracing::error!(problem, "a repository is left out"),
                }
            }
        }
        longest_first(&mut repos);
        Ok(repos)
    }

    /// The resources and templates of the providers that this caller may see, the first of each
    /// URI.
    pub(crate) async fn provided(&self, ctx: &Context) -> Result<Vec<Entry>, Error> {
        let mut all: Vec<Entry> = Vec::new();
        let registered = self.fixed.iter().chain(&self.templates);
        let open = registered.filter(|entry| entry.offer.is_open(ctx));
        let mut seen: HashSet<String> = match self.providers.is_empty() {
            true => return Ok(all),
            false => open.map(|entry| entry.offer.item.name.clone()).collect(),
        };
        for provider in &self.providers {
            for resource in provider.resources(ctx).await? {
                match self.entry(&resource) {
                    Ok(entry) if entry.offer.is_open(ctx) => {
                        if seen.insert(entry.offer.item.name.clone()) {
                            all.push(entry);
                        }
                    }
                    Ok(_) => {}
                    Err(problem) => tracing::error!(problem, "a provider's resource is left out"),
                }
            }
        }
        Ok(all)
    }

    /// The template of exactly this text, if this caller may see it.
    pub(crate) async fn template(&self, text: &str, ctx: &Context) -> Result<Option<Entry>, Error> {
        let is_it = |entry: &&Entry| {
            entry.resource.template().is_some_and(|item| item.uri_template == text)
        };
        let registered = self.templates.iter().find(is_it);
        if let Some(entry) = registered.filter(|entry| entry.offer.is_open(ctx)) {
            return Ok(Some(entry.clone()));
        }
        Ok(self.provided(ctx).await?.iter().find(is_it).cloned())
    }

    /// Is there a resource or a template of exactly this URI for this caller?
    pub(crate) async fn knows(&self, uri: &str, ctx: &Context) -> Result<bool, Error> {
        let registered = self.index.get(uri).and_then(|place| self.fixed.get(*place));
        if registered.is_some_and(|entry| entry.offer.is_open(ctx)) {
            return Ok(true);
        }
        if self.provided(ctx).await?.iter().any(|entry| entry.offer.item.name == uri) {
            return Ok(true);
        }
        let kind = ItemKind::ResourceTemplate;
        let listed = |repo: &Arc<Repo>| {
            repo.listed.as_ref().is_some_and(|item| item.uri_template == uri)
                && self.rules.show(kind, uri, repo.repo.terms(), ctx)
        };
        Ok(self.all_repos(ctx).await?.iter().any(listed))
    }

    /// Those of these URIs that this caller may hear of; no repository is asked.
    pub(crate) async fn seen(&self, uris: BTreeSet<String>, ctx: &Context) -> BTreeSet<String> {
        if !self.depends_on_caller() && !self.scoped && self.switches.are_all_on() {
            return uris;
        }
        let provided = match uris.is_empty() {
            true => return uris,
            // What a provider cannot say now the rules for all say in its place.
            false => self.provided(ctx).await.unwrap_or_default(),
        };
        let fits = |entry: &&Entry, uri: &str| matches!(entry.resource.fit(uri), Ok(Some(_)));
        let shows = |uri: &String| {
            let registered = self.fixed.iter().chain(&self.templates);
            let mut fitting = registered.filter(|entry| fits(entry, uri)).peekable();
            let mut provided = provided.iter().filter(|entry| fits(entry, uri)).peekable();
            if provided.peek().is_some() {
                return provided.all(|entry| entry.offer.permits(ctx));
            }
            if fitting.peek().is_some() {
                let mut open = fitting.filter(|entry| entry.offer.is_open(ctx)).peekable();
                return open.peek().is_some() && open.all(|entry| entry.offer.permits(ctx));
            }
            let repo = self.repos.iter().find(|repo| uri.starts_with(repo.repo.prefix()));
            let terms = repo.and_then(|repo| repo.repo.terms());
            self.rules.show(ItemKind::Resource, uri, terms, ctx)
        };
        uris.into_iter().filter(shows).collect()
    }

    /// The error that there is no such resource, with the one that was probably meant among those
    /// that this caller sees.
    fn unknown(&self, uri: &str, ctx: &Context) -> Error {
        let open = self.fixed.iter().filter(|entry| entry.offer.is_open(ctx));
        match nearest(uri, open.map(|entry| entry.offer.item.name.as_str())) {
            Some(near) => Error::resource_not_found_near(uri, near),
            None => Error::resource_not_found(uri),
        }
    }

    /// What answers this caller for a URI.
    ///
    /// # Errors
    /// When nothing does, or the URI is longer than it may be.
    pub(crate) async fn find(&self, uri: &str, ctx: &Context) -> Result<Found, Error> {
        if uri.len() > MAX_URI {
            return Err(Error::invalid_params(format!(
                "the URI has {} bytes, and {MAX_URI} are allowed",
                uri.len()
            )));
        }
        let fixed = self.index.get(uri).and_then(|place| self.fixed.get(*place));
        if let Some(fixed) = fixed.filter(|entry| entry.offer.is_open(ctx)) {
            return Ok(Found::Registered(fixed.clone(), Fit::Exact));
        }
        let provided = self.provided(ctx).await?;
        // The URI itself comes before any template that it fits.
        let exact = provided.iter().filter(|entry| entry.offer.item.name == uri);
        let open = self.templates.iter().filter(|entry| entry.offer.is_open(ctx));
        for entry in exact.chain(open).chain(&provided) {
            if let Some(fit) = entry.resource.fit(uri)? {
                return Ok(Found::Registered(entry.clone(), fit));
            }
        }
        let missing = || self.unknown(uri, ctx);
        let repos = self.all_repos(ctx).await?;
        let fits = |repo: &Arc<Repo>| uri.starts_with(repo.repo.prefix());
        let repo = repos.into_iter().find(fits).ok_or_else(missing)?;
        let Repo { repo, template, .. } = &*repo;
        let offer = Offer::of_repo(ItemKind::Resource, uri, repo.terms(), &self.rules);
        if !offer.is_open(ctx) {
            return Err(missing());
        }
        let variables = match (repo.parse_uri(uri)?, template) {
            (Some(variables), _) => Some(variables),
            (None, Some(template)) => {
                template.matches(uri).map_err(|error| missing().source(error))?
            }
            (None, None) => None,
        };
        Ok(Found::Repo(
            Arc::clone(repo),
            Wanted { uri: uri.to_owned(), variables },
            Box::new(offer),
        ))
    }
}

fn longest_first(repos: &mut [Arc<Repo>]) {
    // So that the first that fits is the right one.
    repos.sort_by_key(|repo| std::cmp::Reverse(repo.repo.prefix().len()));
}

impl Reader {
    async fn read(
        &self,
        uri: &str,
        fit: &Fit,
        ctx: &Context,
    ) -> Result<Result<ReadResourceResult, ToolError>, Error> {
        if let Fit::Filled(variables) = fit {
            ctx.put_variables(variables.clone());
        }
        let about = About { uri: uri.to_owned(), mime_type: self.mime_type.clone() };
        let work = self.handler.start(about, ctx).map_err(|rejection| match rejection {
            // A variable that does not decode, `{id}` read as a number say, names nothing.
            Rejection::Arguments(refusal) => Error::resource_not_found(uri).source(refusal),
            Rejection::Error(error) => error,
        })?;
        let mut read = work.await;
        if let (Ok(result), Some(cache)) = (&mut read, self.cache) {
            result.ttl_ms = cache.ttl_ms;
            result.cache_scope = cache.cache_scope;
        }
        Ok(read)
    }
}

fn compile_repo(repo: Arc<dyn ErasedRepo>) -> Result<Repo, String> {
    let listed = repo.template();
    let template = match &listed {
        None => None,
        Some(item) => {
            let refuse =
                |what: String| format!("resource repository {:?}: template: {what}", repo.prefix());
            let template = UriTemplate::parse(&item.uri_template)
                .map_err(|error| refuse(error.to_string()))?;
            template.check_matchable().map_err(|error| refuse(error.to_string()))?;
            Some(template)
        }
    };
    Ok(Repo { repo, template, listed })
}
