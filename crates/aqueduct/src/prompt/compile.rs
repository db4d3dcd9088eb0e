//! Whether a prompt is in order, and how it is asked for its messages.

use std::sync::Arc;

use aqueduct_protocol::prompts::{GetPromptResult, PromptArgument};
use serde_json::Value;

use super::handler::ErasedPrompt;
use super::{Prompt, PromptItem};
use crate::completion::Completers;
use crate::context::Context;
use crate::error::{Error, shorten};
use crate::extract::{CHECKED, Needs, Rejection};
use crate::item::{Item, ItemKind};
use crate::schema::nearest;
use crate::uri::Variables;

/// How long a name may be that a request asks for, a tool's name too.
pub(crate) const MAX_NAME: usize = 256;

/// A prompt that was found to be in order.
pub(crate) struct Compiled {
    listed: PromptItem,
    pub(super) item: Arc<Item>,
    completers: Completers,
    handler: Arc<dyn ErasedPrompt>,
    needs: Arc<Needs>,
}

impl Prompt {
    /// Checks the definition at the first use and remembers the outcome.
    pub(super) fn compiled(&self) -> Result<&Arc<Compiled>, &str> {
        let compiled = self.0.compiled.get_or_init(|| self.compile().map(Arc::new));
        compiled.as_ref().map_err(String::as_str)
    }

    fn compile(&self) -> Result<Compiled, String> {
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
        if let Some(problem) = crate::error::meta_problem(prompt.meta.as_ref()) {
            return Err(refuse(&problem));
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
        let mut item = Item::new(ItemKind::Prompt, prompt.name.to_string());
        item.tags.clone_from(&prompt.terms.tags);
        item.scopes.clone_from(&prompt.terms.scopes);
        item.meta.clone_from(&prompt.meta);
        item.origin = prompt.terms.origin();
        Ok(Compiled {
            listed,
            item: Arc::new(item),
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

impl Compiled {
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

    /// Refuses arguments that the prompt does not take or lacks, all of them at once.
    fn check(&self, given: &Variables) -> Result<(), Error> {
        let mut problems = Vec::new();
        for (argument, _) in given.iter() {
            if !self.takes(argument) {
                let known: Vec<&str> = self.arguments().iter().map(|a| a.name.as_str()).collect();
                let hint = match nearest(argument, known.iter().copied()) {
                    Some(near) => format!("did you mean {near:?}?"),
                    None if known.is_empty() => "it takes none".to_owned(),
                    None => format!("it takes {}", known.join(", ")),
                };
                let argument = shorten(argument);
                problems.push(format!("takes no argument {argument:?}; {hint}"));
            }
        }
        for argument in self.arguments() {
            if argument.required == Some(true) && given.get(&argument.name).is_none() {
                let about = argument.description.as_deref().map(|about| format!(": {about}"));
                let about = about.unwrap_or_default();
                problems.push(format!("needs the argument {:?}{about}", argument.name));
            }
        }
        self.refuse(&problems)
    }

    /// Refuses texts that are no values of the types that the handler asks for; what else there is
    /// to an argument, its type alone knows.
    fn check_types(&self, given: &Variables) -> Result<(), Error> {
        let schema = self.needs.parameters.first().map(|parameters| parameters.schema.as_value());
        let properties = schema.and_then(|schema| schema.get("properties"));
        let problems = given.iter().filter_map(|(name, _)| {
            let kind = properties?.get(name)?.get("type")?.as_str()?;
            let text = given.get(name)?;
            let fits = match kind {
                "integer" => text.parse::<i128>().is_ok(),
                "number" => text.parse::<f64>().is_ok(),
                "boolean" => text.parse::<bool>().is_ok(),
                _ => true,
            };
            let text = shorten(text);
            (!fits).then(|| format!("takes for the argument {name:?} {kind}s, not {text:?}"))
        });
        self.refuse(&problems.collect::<Vec<_>>())
    }

    fn refuse(&self, problems: &[String]) -> Result<(), Error> {
        let name = &self.listed.name;
        match problems {
            [] => Ok(()),
            [one] => Err(Error::invalid_params(format!("prompt {name:?} {one}"))),
            many => Err(Error::invalid_params(format!(
                "prompt {name:?}: {} problems\n- {}",
                many.len(),
                many.join("\n- ")
            ))),
        }
    }

    pub(super) async fn get(
        &self,
        given: Variables,
        ctx: &Context,
    ) -> Result<GetPromptResult, Error> {
        self.check(&given)?;
        ctx.put_variables(given);
        let work = self.handler.start(ctx).map_err(|rejection| match rejection {
            Rejection::Arguments(refusal) => {
                let types = ctx.variables().map_or(Ok(()), |given| self.check_types(given));
                types.err().unwrap_or_else(|| {
                    let refusal = refusal.trim_start_matches(CHECKED);
                    Error::invalid_params(format!(
                        "arguments of prompt {:?}: {refusal}",
                        self.listed.name
                    ))
                })
            }
            Rejection::Error(error) => error,
        })?;
        work.await.map_err(|error| error.into_error(&format!("prompt {:?}", self.listed.name)))
    }
}
