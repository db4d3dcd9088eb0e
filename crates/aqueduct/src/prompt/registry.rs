//! The prompts of a server: checked once, found by name, asked for their messages.

use std::collections::HashMap;
use std::sync::Arc;

use aqueduct_protocol::jsonrpc::Param;
use aqueduct_protocol::prompts::{GetPromptResult, PromptArgument};
use serde_json::Value;

use super::handler::ErasedPrompt;
use super::{ErasedRepo, Prompt, PromptItem};
use crate::completion::Completers;
use crate::context::Context;
use crate::error::Error;
use crate::extract::{Needs, Rejection};
use crate::schema::nearest;
use crate::uri::Variables;

/// How long a name may be that a request asks for, a tool's name too.
pub(crate) const MAX_NAME: usize = 256;

/// All prompts of a server.
#[derive(Default)]
pub(crate) struct Registry {
    prompts: Vec<Entry>,
    index: HashMap<String, usize>,
    repos: Vec<Arc<dyn ErasedRepo>>,
}

/// A prompt that was found to be in order.
pub(crate) struct Entry {
    listed: PromptItem,
    completers: Completers,
    handler: Arc<dyn ErasedPrompt>,
    needs: Arc<Needs>,
}

impl Prompt {
    fn compile(&self) -> Result<Entry, String> {
        let prompt = &*self.0;
        let refuse = |what: &str| format!("prompt {:?}: {what}", prompt.name);
        if prompt.name.is_empty() {
            return Err("a prompt has an empty name".to_owned());
        }
        if prompt.name.len() > MAX_NAME {
            let bytes = prompt.name.len();
            return Err(refuse(&format!("the name has {bytes} bytes, and {MAX_NAME} are allowed")));
        }
        let Some(handler) = &prompt.handler else {
            return Err(refuse("it has no handler; give it one with .handler(…)"));
        };
        for icon in &prompt.icons {
            if let Some(problem) = crate::error::icon_problem(icon) {
                return Err(refuse(&problem));
            }
        }
        let arguments = self.arguments().map_err(|what| refuse(&what))?;
        for name in prompt.completers.names() {
            if !arguments.iter().any(|argument| argument.name == name) {
                return Err(refuse(&format!("it completes {name:?}, which it does not take")));
            }
        }
        let mut listed = PromptItem::new(prompt.name.to_string());
        listed.title.clone_from(&prompt.title);
        listed.description = prompt.description.as_deref().map(ToOwned::to_owned);
        listed.icons = (!prompt.icons.is_empty()).then(|| prompt.icons.clone());
        listed.meta.clone_from(&prompt.meta);
        listed.arguments = (!arguments.is_empty()).then_some(arguments);
        Ok(Entry {
            listed,
            completers: prompt.completers.clone(),
            handler: Arc::clone(handler),
            needs: Arc::clone(&prompt.needs),
        })
    }

    /// What the handler's type asks for, with what the author said beside it.
    fn arguments(&self) -> Result<Vec<PromptArgument>, String> {
        let mut arguments = match self.0.needs.parameters.as_slice() {
            [] => Vec::new(),
            [parameters] => derived(parameters.schema.as_value()),
            [first, second, ..] => {
                return Err(format!(
                    "the handler takes its arguments twice, as {} and as {}; join them",
                    first.type_name, second.type_name
                ));
            }
        };
        for said in &self.0.arguments {
            match arguments.iter_mut().find(|argument| argument.name == said.name) {
                Some(argument) => *argument = said.clone(),
                None => arguments.push(said.clone()),
            }
        }
        Ok(arguments)
    }
}

/// The fields of the arguments' type, as the arguments of a prompt.
fn derived(schema: &Value) -> Vec<PromptArgument> {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let required = schema.get("required").and_then(Value::as_array);
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return Vec::new();
    };
    let argument = |(name, property): (&String, &Value)| {
        let mut argument = PromptArgument::new(name.clone());
        argument.title = text(property, "title");
        argument.description = text(property, "description");
        if required.is_some_and(|names| names.iter().any(|n| n.as_str() == Some(name))) {
            argument.required = Some(true);
        }
        argument
    };
    properties.iter().map(argument).collect()
}

impl Entry {
    pub(crate) fn listed(&self) -> &PromptItem {
        &self.listed
    }

    pub(crate) fn completers(&self) -> &Completers {
        &self.completers
    }

    pub(crate) fn needs(&self) -> impl Iterator<Item = &Needs> {
        std::iter::once(&*self.needs).chain(self.completers.needs())
    }

    pub(crate) fn takes(&self, argument: &str) -> bool {
        self.arguments().iter().any(|known| known.name == argument)
    }

    fn arguments(&self) -> &[PromptArgument] {
        self.listed.arguments.as_deref().unwrap_or_default()
    }

    /// Refuses arguments that the prompt does not take or lacks.
    fn check(&self, given: &Variables) -> Result<(), Error> {
        let name = &self.listed.name;
        for (argument, _) in given.iter() {
            if !self.takes(argument) {
                let known: Vec<&str> = self.arguments().iter().map(|a| a.name.as_str()).collect();
                let hint = match nearest(argument, known.iter().copied()) {
                    Some(near) => format!("did you mean {near:?}?"),
                    None if known.is_empty() => "it takes none".to_owned(),
                    None => format!("it takes {}", known.join(", ")),
                };
                return Err(Error::invalid_params(format!(
                    "prompt {name:?} takes no argument {argument:?}; {hint}"
                )));
            }
        }
        for argument in self.arguments() {
            if argument.required == Some(true) && given.get(&argument.name).is_none() {
                return Err(Error::invalid_params(format!(
                    "prompt {name:?} needs the argument {:?}{}",
                    argument.name,
                    argument.description.as_deref().map(|d| format!(": {d}")).unwrap_or_default()
                )));
            }
        }
        Ok(())
    }

    async fn get(&self, given: Variables, ctx: &Context) -> Result<GetPromptResult, Error> {
        self.check(&given)?;
        ctx.put_variables(given);
        let work = self.handler.start(ctx).map_err(|rejection| match rejection {
            Rejection::Arguments(refusal) => Error::invalid_params(format!(
                "arguments of prompt {:?}: {refusal}",
                self.listed.name
            )),
            Rejection::Error(error) => error,
        })?;
        work.await.map_err(|error| error.into_error(&format!("prompt {:?}", self.listed.name)))
    }
}

impl Registry {
    /// Checks all prompts; every problem is told, not only the first.
    pub(crate) fn build(
        prompts: &[Prompt],
        repos: Vec<Arc<dyn ErasedRepo>>,
        problems: &mut Vec<String>,
    ) -> Self {
        let mut registry = Self { prompts: Vec::new(), index: HashMap::new(), repos };
        for prompt in prompts {
            let entry = match prompt.compile() {
                Ok(entry) => entry,
                Err(problem) => {
                    problems.push(problem);
                    continue;
                }
            };
            let place = registry.prompts.len();
            if registry.index.insert(prompt.name().to_owned(), place).is_some() {
                problems.push(format!("prompt {:?} is there twice", prompt.name()));
                continue;
            }
            registry.prompts.push(entry);
        }
        // The longest prefix first, so that the first that fits is the right one.
        registry.repos.sort_by_key(|repo| std::cmp::Reverse(repo.prefix().len()));
        let mut prefixes = std::collections::HashSet::new();
        for repo in &registry.repos {
            if !prefixes.insert(repo.prefix().to_owned()) {
                problems.push(format!(
                    "two prompt repositories have the prefix {:?}; only one could ever answer",
                    repo.prefix()
                ));
            }
        }
        registry
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.prompts.is_empty() && self.repos.is_empty()
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.prompts
    }

    pub(crate) fn repos(&self) -> &[Arc<dyn ErasedRepo>] {
        &self.repos
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Entry> {
        self.prompts.get(*self.index.get(name)?)
    }

    /// The repository whose prompts are named like this one.
    pub(crate) fn repo(&self, name: &str) -> Option<&Arc<dyn ErasedRepo>> {
        self.repos.iter().find(|repo| name.starts_with(repo.prefix()))
    }

    /// The messages of a prompt.
    pub(crate) async fn get(&self, name: &str, ctx: &Context) -> Result<GetPromptResult, Error> {
        let given = arguments(ctx)?;
        if let Some(entry) = self.find(name) {
            return entry.get(given, ctx).await;
        }
        match self.repo(name) {
            Some(repo) => repo
                .get(name, &given, ctx)
                .await
                .map_err(|error| error.into_error(&format!("prompt {name:?}"))),
            None => Err(unknown(name)),
        }
    }
}

pub(crate) fn unknown(name: &str) -> Error {
    Error::not_found(format!("no prompt {name:?}"))
}

/// A prompt's arguments are strings by name (schema `GetPromptRequestParams`).
fn arguments(ctx: &Context) -> Result<Variables, Error> {
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
