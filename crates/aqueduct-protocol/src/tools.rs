//! What a server can do for a model.
//!
//! [Tools](https://modelcontextprotocol.io/specification/2026-07-28/server/tools).

use crate::content::ContentBlock;
use crate::icons::Icon;
use crate::input::InputResponses;
use crate::jsonrpc::{JsonObject, JsonRpcResultResponse, RawJson, notification, request};
use crate::legacy::ToolExecution;
use crate::meta::{Meta, RequestMeta};
use crate::method;
use crate::pagination::{PaginatedRequestParams, page};
use crate::params::NotificationParams;
use crate::record::record;
use crate::result::{Outcome, ResultType, result_body};

record! {
    /// Something that a server can do.
    ///
    /// Its schemas are kept as text: key order and every keyword survive.
    #[derive(Eq)]
    Tool {
        /// Its name for programs: up to 128 of `A-Z a-z 0-9 _ . -`.
        name: String,
        /// Its name for people.
        title: Option<String>,
        /// What it does, for the model.
        description: Option<String>,
        /// Its pictures.
        icons: Option<Vec<Icon>>,
        /// The arguments that it takes: a JSON Schema whose root is an object.
        input_schema: RawJson,
        /// What its structured content is like: any JSON Schema.
        output_schema: Option<RawJson>,
        /// What it does to the world.
        annotations: Option<ToolAnnotations>,
        /// 2025-11-25: how it can be called.
        execution: Option<ToolExecution>,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

record! {
    /// Hints on what a tool does to the world; a client need not believe them.
    #[derive(Default, Eq)]
    ToolAnnotations {
        /// The tool's name for people.
        title: Option<String>,
        /// It changes nothing; false unless said.
        read_only_hint: Option<bool>,
        /// It may destroy something; true unless said.
        destructive_hint: Option<bool>,
        /// Twice is the same as once; false unless said.
        idempotent_hint: Option<bool>,
        /// It deals with the world outside; true unless said.
        open_world_hint: Option<bool>,
    }
}

request! {
    /// Asks for a page of the tools.
    ListToolsRequest = method::TOOLS_LIST, PaginatedRequestParams
}

page! {
    /// A page of the tools.
    #[derive(Eq)]
    ListToolsResult {
        /// The tools.
        tools: Tool
    }
}

/// An answer to [`ListToolsRequest`].
pub type ListToolsResultResponse = JsonRpcResultResponse<ListToolsResult>;

record! {
    /// The parameters of [`CallToolRequest`].
    #[derive(Eq)]
    CallToolRequestParams {
        /// What each request says about itself and its client.
        #[serde(rename = "_meta")]
        meta: RequestMeta,
        /// The tool.
        name: String,
        /// Its arguments.
        arguments: Option<JsonObject>,
        /// What the client answers to the questions of an earlier round.
        input_responses: Option<InputResponses>,
        /// What the server gave it in the earlier round.
        request_state: Option<String>,
    }
}

request! {
    /// Runs a tool.
    CallToolRequest = method::TOOLS_CALL, CallToolRequestParams
}

record! {
    /// What a tool has to say.
    ///
    /// A tool that fails says so here, for the model to read; an error response is for a call that
    /// never reached the tool.
    ///
    /// ```
    /// use aqueduct_protocol::jsonrpc::RawJson;
    /// use aqueduct_protocol::tools::CallToolResult;
    ///
    /// let result = CallToolResult::text("nothing found").structured_content(RawJson::new(&())?);
    /// assert_eq!(
    ///     serde_json::to_string(&result)?,
    ///     concat!(
    ///         r#"{"resultType":"complete","content":[{"type":"text","text":"nothing found"}],"#,
    ///         r#""structuredContent":null}"#,
    ///     ),
    /// );
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    CallToolResult {
        /// Which result this is.
        #[serde(default)]
        result_type: ResultType = ResultType::Complete,
        /// What the model reads.
        content: Vec<ContentBlock>,
        /// What programs read: any JSON; `null` is a value, unlike absence.
        #[serde(default, deserialize_with = "crate::jsonrpc::present")]
        structured_content: Option<RawJson>,
        /// Whether the tool failed.
        is_error: Option<bool>,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

/// An answer to [`CallToolRequest`].
pub type CallToolResultResponse = JsonRpcResultResponse<Outcome<CallToolResult>>;

result_body!(CallToolResult);

impl CallToolResult {
    /// One text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(vec![ContentBlock::text(text)])
    }

    /// A failure, and what the model should know about it.
    #[must_use]
    pub fn error(text: impl Into<String>) -> Self {
        Self::text(text).is_error(true)
    }
}

notification! {
    /// The set of tools is another.
    ToolListChangedNotification = method::NOTIFICATIONS_TOOLS_LIST_CHANGED,
    Option<NotificationParams>
}
