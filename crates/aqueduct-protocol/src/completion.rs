//! Suggestions for the value of an argument.
//!
//! [Completion](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};

use crate::jsonrpc::{JsonRpcResultResponse, request};
use crate::meta::{Meta, RequestMeta};
use crate::method;
use crate::record::record;
use crate::result::{ResultType, result_body};

/// How many suggestions one answer may hold.
pub const MAX_VALUES: usize = 100;

record! {
    /// A prompt, by its name.
    #[derive(Eq)]
    #[serde(tag = "type", rename = "ref/prompt")]
    PromptReference {
        /// Its name for programs.
        name: String,
        /// Its name for people.
        title: Option<String>,
    }
}

record! {
    /// A resource template, by its pattern.
    #[derive(Eq)]
    #[serde(tag = "type", rename = "ref/resource")]
    ResourceTemplateReference {
        /// The pattern, or an address.
        uri: String,
    }
}

/// What has the argument.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type")]
#[non_exhaustive]
pub enum CompletionReference {
    /// A prompt.
    #[serde(rename = "ref/prompt")]
    Prompt(PromptReference),
    /// A resource template.
    #[serde(rename = "ref/resource")]
    Resource(ResourceTemplateReference),
}

impl Serialize for CompletionReference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Prompt(prompt) => prompt.serialize(serializer),
            Self::Resource(template) => template.serialize(serializer),
        }
    }
}

record! {
    /// The argument, and what was typed so far.
    #[derive(Eq)]
    CompletionArgument {
        /// Its name.
        name: String,
        /// What was typed so far.
        value: String,
    }
}

record! {
    /// What is already settled.
    #[derive(Default, Eq)]
    CompletionContext {
        /// The values of other arguments.
        arguments: Option<BTreeMap<String, String>>,
    }
}

record! {
    /// The parameters of [`CompleteRequest`].
    #[derive(Eq)]
    CompleteRequestParams {
        /// What each request says about itself and its client.
        #[serde(rename = "_meta")]
        meta: RequestMeta,
        /// What has the argument.
        #[serde(rename = "ref")]
        reference: CompletionReference,
        /// The argument.
        argument: CompletionArgument,
        /// What is already settled.
        context: Option<CompletionContext>,
    }
}

request! {
    /// Asks for suggestions.
    CompleteRequest = method::COMPLETION_COMPLETE, CompleteRequestParams
}

record! {
    /// Suggestions, best first.
    #[derive(Default, Eq)]
    Completion {
        /// The suggestions, at most [`MAX_VALUES`].
        values: Vec<String>,
        /// How many there are in all.
        total: Option<u64>,
        /// Whether there are more.
        has_more: Option<bool>,
    }
}

record! {
    /// An answer with suggestions.
    ///
    /// ```
    /// use aqueduct_protocol::completion::CompleteResult;
    ///
    /// let result = CompleteResult::of((0..150).map(|n| n.to_string()));
    /// assert_eq!(result.completion.values.len(), 100);
    /// assert_eq!((result.completion.total, result.completion.has_more), (Some(150), Some(true)));
    /// ```
    #[derive(Default, Eq)]
    CompleteResult {
        /// Which result this is.
        #[serde(default)]
        result_type: ResultType = ResultType::Complete,
        /// The suggestions.
        completion: Completion,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

/// An answer to [`CompleteRequest`].
pub type CompleteResultResponse = JsonRpcResultResponse<CompleteResult>;

result_body!(CompleteResult);

impl CompleteResult {
    /// All suggestions there are: the first [`MAX_VALUES`] are sent, with the number of all.
    pub fn of(values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let mut values = values.into_iter();
        let sent: Vec<String> = values.by_ref().take(MAX_VALUES).map(Into::into).collect();
        let more = values.count();
        let total = (sent.len() + more) as u64;
        Self::new(Completion::new(sent).total(total).has_more(more > 0))
    }
}
