//! Completions: what a client offers while a person types an argument.

mod handler;

use aqueduct_protocol::jsonrpc::Param;
use serde::Deserialize;

use crate::context::{Context, object};
use crate::error::Error;
use crate::extract::{Extract, Rejection};
use crate::uri::Variables;

pub(crate) use self::handler::Completers;
pub use self::handler::{Completer, IntoCompletions};

/// The values that fit what was typed so far, the best first.
///
/// A client is given 100 of them at most (Completion › Completion Results); `total` says how many
/// there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Completions {
    /// The values.
    pub values: Vec<String>,
    /// How many there are in all, when that is more than are given here.
    pub total: Option<u64>,
}

impl Completions {
    /// These values and no others.
    #[must_use]
    pub fn new<S: Into<String>>(values: impl IntoIterator<Item = S>) -> Self {
        Self { values: values.into_iter().map(Into::into).collect(), total: None }
    }

    /// How many there are in all.
    #[must_use]
    pub fn total(mut self, total: u64) -> Self {
        self.total = Some(total);
        self
    }
}

/// What was typed so far, as an extractor for completers.
///
/// ```
/// use aqueduct::prelude::*;
///
/// let prompt = Prompt::new("greet")
///     .handler(|| async { "Greet the user" })
///     .argument(PromptArgument::new("language"))
///     .complete("language", |Prefix(typed): Prefix| async move {
///         ["german", "greek"].into_iter().filter(|l| l.starts_with(&typed)).collect::<Vec<_>>()
///     });
/// # let _ = prompt;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prefix(pub String);

impl Extract for Prefix {
    fn extract(ctx: &Context) -> Result<Self, Rejection> {
        Ok(Self(argument(ctx)?.value))
    }
}

/// The arguments that the client has settled already, as an extractor for completers.
#[derive(Clone, Debug, Default)]
pub struct Settled(pub Variables);

impl Extract for Settled {
    fn extract(ctx: &Context) -> Result<Self, Rejection> {
        #[derive(Deserialize)]
        struct Wire {
            #[serde(default)]
            arguments: std::collections::BTreeMap<String, String>,
        }
        let Some(raw) = ctx.request().param(Param::Context) else { return Ok(Self::default()) };
        let wire: Wire =
            object(raw).map_err(|why| Error::invalid_params(format!("params.context {why}")))?;
        let mut variables = Variables::new();
        for (name, value) in wire.arguments {
            variables.insert(name, value);
        }
        Ok(Self(variables))
    }
}

/// What an argument belongs to (Completion › Reference Types).
#[derive(Deserialize)]
#[serde(tag = "type")]
pub(crate) enum Reference {
    /// A prompt by its name.
    #[serde(rename = "ref/prompt")]
    Prompt { name: String },
    /// A resource template by its own text, not by a URI that matches it.
    #[serde(rename = "ref/resource")]
    Resource { uri: String },
}

pub(crate) fn reference(ctx: &Context) -> Result<Reference, Error> {
    let raw = ctx
        .request()
        .param(Param::Ref)
        .ok_or_else(|| Error::invalid_params("params.ref is missing"))?;
    object(raw).map_err(|why| Error::invalid_params(format!("params.ref {why}")))
}

/// The argument that is being typed.
#[derive(Deserialize)]
pub(crate) struct Typed {
    pub(crate) name: String,
    pub(crate) value: String,
}

pub(crate) fn argument(ctx: &Context) -> Result<Typed, Error> {
    let raw = ctx
        .request()
        .param(Param::Argument)
        .ok_or_else(|| Error::invalid_params("params.argument is missing"))?;
    object(raw).map_err(|why| Error::invalid_params(format!("params.argument {why}")))
}
