//! The resources of a server: checked once, found by URI, read.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use aqueduct_protocol::resources::ReadResourceResult;

use super::compile::{Fixed, Reader, Templated};
use super::output::About;
use super::{ErasedRepo, Resource, ResourceItem, ResourceTemplate, ResourceTemplateItem, Wanted};
use crate::context::Context;
use crate::error::{Error, ToolError};
use crate::extract::{Needs, Rejection};
use crate::uri::{UriTemplate, Variables};

/// How long a URI may be.
pub(super) const MAX_URI: usize = 4 * 1024;

/// All resources of a server.
#[derive(Default)]
pub(crate) struct Registry {
    fixed: Vec<Fixed>,
    index: HashMap<String, usize>,
    templates: Vec<Templated>,
    repos: Vec<Repo>,
}

struct Repo {
    repo: Arc<dyn ErasedRepo>,
    template: Option<UriTemplate>,
    listed: Option<ResourceTemplateItem>,
}

/// Where a URI leads.
enum Found<'r> {
    Registered(&'r Reader, Option<Variables>),
    Repo(&'r dyn ErasedRepo, Wanted),
}

impl Registry {
    /// Checks all resources; every problem is told, not only the first.
    pub(crate) fn build(
        resources: &[Resource],
        templates: &[ResourceTemplate],
        repos: Vec<Arc<dyn ErasedRepo>>,
        problems: &mut Vec<String>,
    ) -> Self {
        let mut registry = Self::default();
        for resource in resources {
            match resource.compile() {
                Ok(fixed) => registry.add_fixed(fixed, problems),
                Err(problem) => problems.push(problem),
            }
        }
        for template in templates {
            match template.compile() {
                Ok(templated) => registry.add_template(templated, problems),
                Err(problem) => problems.push(problem),
            }
        }
        let mut prefixes = HashSet::new();
        for repo in repos {
            if !prefixes.insert(repo.prefix().to_owned()) {
                problems.push(format!(
                    "two resource repositories have the prefix {:?}; only one could ever answer",
                    repo.prefix()
                ));
            }
            match compile_repo(repo) {
                Ok(repo) => registry.repos.push(repo),
                Err(problem) => problems.push(problem),
            }
        }
        // The longest prefix first, so that the first that fits is the right one.
        registry.repos.sort_by_key(|repo| std::cmp::Reverse(repo.repo.prefix().len()));
        registry
    }

    fn add_fixed(&mut self, fixed: Fixed, problems: &mut Vec<String>) {
        let uri = fixed.listed.uri.clone();
        if self.index.insert(uri.clone(), self.fixed.len()).is_some() {
            problems.push(format!("resource {uri:?} is there twice"));
            return;
        }
        self.fixed.push(fixed);
    }

    fn add_template(&mut self, templated: Templated, problems: &mut Vec<String>) {
        let uri = templated.template.as_str();
        if self.templates.iter().any(|other| other.template.as_str() == uri) {
            problems.push(format!("resource template {uri:?} is there twice"));
            return;
        }
        self.templates.push(templated);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.fixed.is_empty() && self.templates.is_empty() && self.repos.is_empty()
    }

    /// The registered resources, as they are listed.
    pub(crate) fn listed(&self) -> impl Iterator<Item = &ResourceItem> {
        self.fixed.iter().map(|fixed| &fixed.listed)
    }

    /// The repositories, whose lists follow.
    pub(crate) fn repos(&self) -> impl Iterator<Item = &Arc<dyn ErasedRepo>> {
        self.repos.iter().map(|repo| &repo.repo)
    }

    /// All templates, as they are listed.
    pub(crate) fn listed_templates(&self) -> impl Iterator<Item = &ResourceTemplateItem> {
        let registered = self.templates.iter().map(|templated| &templated.listed);
        registered.chain(self.repos.iter().filter_map(|repo| repo.listed.as_ref()))
    }

    /// The template of exactly this text.
    pub(crate) fn template(&self, text: &str) -> Option<&Templated> {
        self.templates.iter().find(|templated| templated.template.as_str() == text)
    }

    /// Is there a resource or a template of exactly this URI?
    pub(crate) fn knows(&self, uri: &str) -> bool {
        self.index.contains_key(uri) || self.listed_templates().any(|item| item.uri_template == uri)
    }

    pub(crate) fn templates(&self) -> &[Templated] {
        &self.templates
    }

    /// What all handlers need, with what each is called.
    pub(crate) fn needs(&self) -> impl Iterator<Item = (String, &Needs)> {
        let fixed = self
            .fixed
            .iter()
            .map(|fixed| (format!("resource {:?}", fixed.listed.uri), &*fixed.reader.needs));
        let templated = self.templates.iter().flat_map(|templated| {
            let name = format!("resource template {:?}", templated.template.as_str());
            std::iter::once(&*templated.reader.needs)
                .chain(templated.completers.needs())
                .map(move |needs| (name.clone(), needs))
        });
        fixed.chain(templated)
    }

    fn find(&self, uri: &str) -> Result<Found<'_>, Error> {
        if let Some(fixed) = self.index.get(uri).and_then(|place| self.fixed.get(*place)) {
            return Ok(Found::Registered(&fixed.reader, None));
        }
        let missing = || Error::resource_not_found(uri);
        for templated in &self.templates {
            let matched = templated.template.matches(uri);
            if let Some(variables) = matched.map_err(|error| missing().source(error))? {
                return Ok(Found::Registered(&templated.reader, Some(variables)));
            }
        }
        let Repo { repo, template, .. } = self
            .repos
            .iter()
            .find(|repo| uri.starts_with(repo.repo.prefix()))
            .ok_or_else(missing)?;
        let variables = match (repo.parse_uri(uri)?, template) {
            (Some(variables), _) => Some(variables),
            (None, Some(template)) => {
                template.matches(uri).map_err(|error| missing().source(error))?
            }
            (None, None) => None,
        };
        Ok(Found::Repo(&**repo, Wanted { uri: uri.to_owned(), variables }))
    }

    /// Reads what is at `uri`.
    pub(crate) async fn read(&self, uri: &str, ctx: &Context) -> Result<ReadResourceResult, Error> {
        if uri.len() > MAX_URI {
            return Err(Error::invalid_params(format!(
                "the URI has {} bytes, and {MAX_URI} are allowed",
                uri.len()
            )));
        }
        let read = match self.find(uri)? {
            Found::Registered(reader, variables) => reader.read(uri, variables, ctx).await?,
            Found::Repo(repo, wanted) => repo.read(&wanted, ctx).await,
        };
        match read {
            // An empty list would tell the client that the resource is there and holds nothing.
            Ok(result) if result.contents.is_empty() => Err(Error::resource_not_found(uri)),
            Ok(result) => Ok(result),
            Err(error) => Err(error.into_error(&format!("resource {uri:?}"))),
        }
    }
}

impl Reader {
    async fn read(
        &self,
        uri: &str,
        variables: Option<Variables>,
        ctx: &Context,
    ) -> Result<Result<ReadResourceResult, ToolError>, Error> {
        if let Some(variables) = variables {
            ctx.put_variables(variables);
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
