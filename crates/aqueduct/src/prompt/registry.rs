//! The prompts of a server: checked once, found by name, asked for their messages.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use aqueduct_protocol::jsonrpc::Param;
use aqueduct_protocol::prompts::GetPromptResult;
use serde_json::Value;

use super::compile::Compiled;
use super::{ErasedProvider, ErasedRepo, Prompt};
use crate::context::{Context, StateMap};
use crate::error::Error;
use crate::item::{ItemKind, Offer, Rules, Switches, Terms, both_from};
use crate::schema::nearest;
use crate::uri::Variables;

/// All prompts of a server.
#[derive(Default)]
pub(crate) struct Registry {
    prompts: Vec<Entry>,
    index: HashMap<String, usize>,
    providers: Vec<Arc<dyn ErasedProvider>>,
    repos: Vec<Arc<dyn ErasedRepo>>,
    rules: Rules,
    /// Does it depend on the caller what he sees of what is registered?
    ruled: bool,
}

/// What a registry of prompts is made of.
pub(crate) struct Sources {
    pub(crate) prompts: Vec<Prompt>,
    pub(crate) providers: Vec<Arc<dyn ErasedProvider>>,
    pub(crate) repos: Vec<Arc<dyn ErasedRepo>>,
    pub(crate) rules: Rules,
    pub(crate) switches: Arc<Switches>,
}

/// A prompt on the terms on which it is offered.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) prompt: Arc<Compiled>,
    pub(crate) offer: Offer,
    /// The state that its handler finds, when that is not the server's own.
    pub(crate) state: Option<Arc<StateMap>>,
}

/// What answers for a name.
pub(crate) enum Found {
    Prompt(Entry),
    Repo(Arc<dyn ErasedRepo>, Box<Offer>),
}

impl Found {
    pub(crate) fn offer(&self) -> &Offer {
        match self {
            Self::Prompt(entry) => &entry.offer,
            Self::Repo(_, offer) => offer,
        }
    }

    /// The messages.
    pub(crate) async fn get(
        &self,
        name: &str,
        given: Variables,
        ctx: &Context,
    ) -> Result<GetPromptResult, Error> {
        match self {
            Self::Prompt(entry) => entry.prompt.get(given, ctx).await,
            Self::Repo(repo, _) => repo
                .get(name, &given, ctx)
                .await
                .map_err(|error| error.into_error(&format!("prompt {name:?}"))),
        }
    }
}

impl Registry {
    /// Checks all prompts; every problem is told, not only the first.
    pub(crate) fn build(sources: Sources, problems: &mut Vec<String>) -> Self {
        let Sources { prompts, providers, repos, rules, switches } = sources;
        let mut registry = Self { providers, repos, rules, ..Self::default() };
        for prompt in &prompts {
            let entry = match registry.entry(prompt) {
                Ok(entry) => entry,
                Err(problem) => {
                    problems.push(problem);
                    continue;
                }
            };
            let place = registry.prompts.len();
            if let Some(other) = registry.registered(prompt.name()) {
                problems.push(entry.offer.item.clash(&other.offer.item));
                continue;
            }
            registry.index.insert(prompt.name().to_owned(), place);
            registry.ruled |= entry.offer.is_ruled();
            registry.prompts.push(Entry { offer: entry.offer.switched(&switches), ..entry });
        }
        // The longest prefix first, so that the first that fits is the right one.
        registry.repos.sort_by_key(|repo| std::cmp::Reverse(repo.prefix().len()));
        let mut prefixes = HashMap::new();
        for repo in &registry.repos {
            let origin = repo.terms().and_then(Terms::origin);
            if let Some(other) = prefixes.insert(repo.prefix().to_owned(), origin.clone()) {
                let from = both_from(other.as_deref(), origin.as_deref());
                problems.push(format!(
                    "two prompt repositories have the prefix {:?}{from}; only one could ever answer",
                    repo.prefix()
                ));
            }
        }
        registry
    }

    fn entry(&self, prompt: &Prompt) -> Result<Entry, String> {
        let compiled = Arc::clone(prompt.compiled()?);
        let terms = &prompt.0.terms;
        let offer = Offer::new(Arc::clone(&compiled.item), terms, &self.rules);
        Ok(Entry { prompt: compiled, offer, state: terms.state().cloned() })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.prompts.is_empty() && self.providers.is_empty() && self.repos.is_empty()
    }

    /// Does the list depend on who asks?
    pub(crate) fn depends_on_caller(&self) -> bool {
        let ruled = |repo: &Arc<dyn ErasedRepo>| {
            let has_own = |terms: &Terms| !terms.rules.visibility.is_empty();
            !self.rules.visibility.is_empty() || repo.terms().is_some_and(has_own)
        };
        self.ruled || !self.providers.is_empty() || self.repos.iter().any(ruled)
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.prompts
    }

    pub(crate) fn providers(&self) -> &[Arc<dyn ErasedProvider>] {
        &self.providers
    }

    /// The repositories that were registered by hand.
    pub(crate) fn repos(&self) -> &[Arc<dyn ErasedRepo>] {
        &self.repos
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    fn registered(&self, name: &str) -> Option<&Entry> {
        self.prompts.get(*self.index.get(name)?)
    }

    /// The repositories that this caller may see, those with the longest prefixes first.
    pub(crate) async fn all_repos(&self, ctx: &Context) -> Result<Vec<Arc<dyn ErasedRepo>>, Error> {
        let mut repos = self.repos.clone();
        for provider in &self.providers {
            for repo in provider.repos(ctx).await? {
                if !repos.iter().any(|other| other.prefix() == repo.0.prefix()) {
                    repos.push(repo.0);
                }
            }
        }
        repos.sort_by_key(|repo| std::cmp::Reverse(repo.prefix().len()));
        Ok(repos)
    }

    /// The prompts of the providers that this caller may see, the first of each name.
    pub(crate) async fn provided(&self, ctx: &Context) -> Result<Vec<Entry>, Error> {
        let mut all: Vec<Entry> = Vec::new();
        let mut seen = HashSet::new();
        for provider in &self.providers {
            for prompt in provider.prompts(ctx).await? {
                let registered = self.registered(prompt.name());
                let shadowed = registered.is_some_and(|entry| entry.offer.is_open(ctx));
                if shadowed || seen.contains(prompt.name()) {
                    continue;
                }
                match self.entry(&prompt) {
                    Ok(entry) if entry.offer.is_open(ctx) => {
                        seen.insert(prompt.name().to_owned());
                        all.push(entry);
                    }
                    Ok(_) => {}
                    Err(problem) => tracing::error!(problem, "a provider's prompt is left out"),
                }
            }
        }
        Ok(all)
    }

    /// The error that there is no prompt of this name, with the one that was probably meant among
    /// those that this caller sees.
    pub(crate) fn unknown(&self, name: &str, ctx: &Context) -> Error {
        let open = self.prompts.iter().filter(|entry| entry.offer.is_open(ctx));
        let near = nearest(name, open.map(|entry| entry.offer.item.name.as_str()));
        let hint = near.map(|near| format!("; did you mean {near:?}?")).unwrap_or_default();
        Error::not_found(format!("no prompt {name:?}{hint}"))
    }

    /// What answers this caller for a name.
    pub(crate) async fn find(&self, name: &str, ctx: &Context) -> Result<Option<Found>, Error> {
        if let Some(entry) = self.registered(name).filter(|entry| entry.offer.is_open(ctx)) {
            return Ok(Some(Found::Prompt(entry.clone())));
        }
        if !self.providers.is_empty() {
            let mut provided = self.provided(ctx).await?.into_iter();
            if let Some(entry) = provided.find(|entry| entry.offer.item.name == name) {
                return Ok(Some(Found::Prompt(entry)));
            }
        }
        let repos = self.all_repos(ctx).await?;
        let Some(repo) = repos.into_iter().find(|repo| name.starts_with(repo.prefix())) else {
            return Ok(None);
        };
        let offer = Offer::of_repo(ItemKind::Prompt, name, repo.terms(), &self.rules);
        Ok(offer.is_open(ctx).then(|| Found::Repo(repo, Box::new(offer))))
    }
}

/// A prompt's arguments are strings by name (schema `GetPromptRequestParams`).
pub(crate) fn arguments(ctx: &Context) -> Result<Variables, Error> {
    let raw = match ctx.request().param(Param::Arguments) {
        None | Some("null") => return Ok(Variables::new()),
        Some(raw) => raw,
    };
    let refuse = |what: &str| Error::invalid_params(format!("arguments of a prompt {what}"));
    let Ok(Value::Object(object)) = serde_json::from_str(raw) else {
        return Err(refuse("must be an object"));
    };
    let mut variables = Variables::new();
    for (name, value) in object {
        let Value::String(value) = value else {
            return Err(refuse(&format!("must be strings, and {name:?} is not")));
        };
        variables.insert(name, value);
    }
    Ok(variables)
}
