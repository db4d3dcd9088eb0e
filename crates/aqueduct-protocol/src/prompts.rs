//! Messages that a server prepares for a person to use.
//!
//! [Prompts](https://modelcontextprotocol.io/specification/2026-07-28/server/prompts).

use std::collections::BTreeMap;

use crate::content::{ContentBlock, Role};
use crate::icons::Icon;
use crate::input::InputResponses;
use crate::jsonrpc::{JsonRpcResultResponse, notification, request};
use crate::meta::{Meta, RequestMeta};
use crate::method;
use crate::pagination::{PaginatedRequestParams, page};
use crate::params::NotificationParams;
use crate::record::record;
use crate::result::{Outcome, ResultType, result_body};

record! {
    /// Messages to be filled in.
    #[derive(Eq)]
    Prompt {
        /// Its name for programs.
        name: String,
        /// Its name for people.
        title: Option<String>,
        /// What it is for.
        description: Option<String>,
        /// What is to be filled in.
        arguments: Option<Vec<PromptArgument>>,
        /// Its pictures.
        icons: Option<Vec<Icon>>,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

record! {
    /// Something to be filled in: always a text.
    #[derive(Eq)]
    PromptArgument {
        /// Its name for programs.
        name: String,
        /// Its name for people.
        title: Option<String>,
        /// What it is.
        description: Option<String>,
        /// Whether it may not be left out.
        required: Option<bool>,
    }
}

record! {
    /// One message.
    PromptMessage {
        /// Who says it.
        role: Role,
        /// What is said: one piece of content, not a list.
        content: ContentBlock,
    }
}

impl PromptMessage {
    /// What the person says.
    #[must_use]
    pub fn user(content: impl Into<ContentBlock>) -> Self {
        Self::new(Role::User, content.into())
    }

    /// What the model says.
    #[must_use]
    pub fn assistant(content: impl Into<ContentBlock>) -> Self {
        Self::new(Role::Assistant, content.into())
    }
}

request! {
    /// Asks for a page of the prompts.
    ListPromptsRequest = method::PROMPTS_LIST, PaginatedRequestParams
}

page! {
    /// A page of the prompts.
    #[derive(Eq)]
    ListPromptsResult {
        /// The prompts.
        prompts: Prompt
    }
}

/// An answer to [`ListPromptsRequest`].
pub type ListPromptsResultResponse = JsonRpcResultResponse<ListPromptsResult>;

record! {
    /// The parameters of [`GetPromptRequest`].
    #[derive(Eq)]
    GetPromptRequestParams {
        /// What each request says about itself and its client.
        #[serde(rename = "_meta")]
        meta: RequestMeta,
        /// The prompt.
        name: String,
        /// What it is filled in with.
        arguments: Option<BTreeMap<String, String>>,
        /// What the client answers to the questions of an earlier round.
        input_responses: Option<InputResponses>,
        /// What the server gave it in the earlier round.
        request_state: Option<String>,
    }
}

request! {
    /// Asks for the messages of a prompt.
    GetPromptRequest = method::PROMPTS_GET, GetPromptRequestParams
}

record! {
    /// The messages of a prompt; no result to be cached.
    ///
    /// ```
    /// use aqueduct_protocol::prompts::{GetPromptResult, PromptMessage};
    ///
    /// let result = GetPromptResult::new(vec![PromptMessage::user("Review this")])
    ///     .description("A review");
    /// # let _ = result;
    /// ```
    GetPromptResult {
        /// Which result this is.
        #[serde(default)]
        result_type: ResultType = ResultType::Complete,
        /// What the prompt is for.
        description: Option<String>,
        /// The messages.
        messages: Vec<PromptMessage>,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

/// An answer to [`GetPromptRequest`].
pub type GetPromptResultResponse = JsonRpcResultResponse<Outcome<GetPromptResult>>;

result_body!(GetPromptResult);

notification! {
    /// The set of prompts is another.
    PromptListChangedNotification = method::NOTIFICATIONS_PROMPTS_LIST_CHANGED,
    Option<NotificationParams>
}
