//! Asking the client's model, which is deprecated.
//!
//! [Sampling](https://modelcontextprotocol.io/specification/2026-07-28/client/sampling).

use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use crate::content::{AudioContent, ContentBlock, ImageContent, Priority, Role, TextContent};
use crate::input::input_request;
use crate::jsonrpc::{JsonObject, RawJson};
use crate::meta::Meta;
use crate::record::{record, words};
use crate::tools::Tool;

input_request! {
    /// Asks the client's model.
    CreateMessageRequest = "sampling/createMessage", CreateMessageRequestParams
}

record! {
    /// The parameters of [`CreateMessageRequest`].
    CreateMessageRequestParams {
        /// What was said so far.
        messages: Vec<SamplingMessage>,
        /// Which model would be best.
        model_preferences: Option<ModelPreferences>,
        /// What the model is told first.
        system_prompt: Option<String>,
        /// Whose context is to be included (deprecated).
        include_context: Option<IncludeContext>,
        /// How much chance there is in the answer.
        #[serde(serialize_with = "crate::number::write_some")]
        temperature: Option<f64>,
        /// The most tokens that the answer may have.
        max_tokens: u64,
        /// Texts that end the answer.
        stop_sequences: Option<Vec<String>>,
        /// What the model's provider should know.
        metadata: Option<JsonObject>,
        /// Tools that the model may ask for.
        tools: Option<Vec<Tool>>,
        /// Whether it may, or must.
        tool_choice: Option<ToolChoice>,
    }
}

words! {
    /// Whose context is to be included (deprecated).
    IncludeContext {
        /// Nobody's.
        None = "none",
        /// That of the server that asks.
        ThisServer = "thisServer",
        /// That of all servers.
        AllServers = "allServers",
    }
}

record! {
    /// Whether the model may ask for tools.
    #[derive(Default, Eq)]
    ToolChoice {
        /// Whether it may, or must.
        mode: Option<ToolChoiceMode>,
    }
}

words! {
    /// Whether the model may ask for tools, or must.
    ToolChoiceMode {
        /// It may.
        Auto = "auto",
        /// It must.
        Required = "required",
        /// It may not.
        None = "none",
    }
}

record! {
    /// Which model would be best.
    #[derive(Default)]
    ModelPreferences {
        /// Models by name, the best first.
        hints: Option<Vec<ModelHint>>,
        /// How much a low price matters.
        cost_priority: Option<Priority>,
        /// How much speed matters.
        speed_priority: Option<Priority>,
        /// How much ability matters.
        intelligence_priority: Option<Priority>,
    }
}

record! {
    /// A model by name, or part of a name.
    #[derive(Default, Eq)]
    ModelHint {
        /// The name.
        name: Option<String>,
    }
}

record! {
    /// One message to or from the model.
    SamplingMessage {
        /// Who says it.
        role: Role,
        /// What is said.
        content: SamplingContent,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

impl SamplingMessage {
    /// What the person says.
    #[must_use]
    pub fn user(content: impl Into<SamplingContent>) -> Self {
        Self::new(Role::User, content.into())
    }

    /// What the model says.
    #[must_use]
    pub fn assistant(content: impl Into<SamplingContent>) -> Self {
        Self::new(Role::Assistant, content.into())
    }
}

record! {
    /// What the client's model said.
    CreateMessageResult {
        /// Who says it.
        role: Role,
        /// What is said.
        content: SamplingContent,
        /// Which model said it.
        model: String,
        /// Why it stopped: `endTurn`, `stopSequence`, `maxTokens`, `toolUse` or another word.
        stop_reason: Option<String>,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

record! {
    /// The model asks for a tool.
    #[derive(Eq)]
    #[serde(tag = "type", rename = "tool_use")]
    ToolUseContent {
        /// What the result is to refer to.
        id: String,
        /// The tool.
        name: String,
        /// Its arguments.
        input: JsonObject,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

record! {
    /// What the tool had to say.
    #[serde(tag = "type", rename = "tool_result")]
    ToolResultContent {
        /// The id of the [`ToolUseContent`].
        tool_use_id: String,
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

/// One piece of what is said to or by the model.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum SamplingMessageContentBlock {
    /// Text.
    Text(TextContent),
    /// A picture.
    Image(ImageContent),
    /// Sound.
    Audio(AudioContent),
    /// The model asks for a tool.
    ToolUse(ToolUseContent),
    /// What the tool had to say.
    ToolResult(ToolResultContent),
}

impl Serialize for SamplingMessageContentBlock {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(content) => content.serialize(serializer),
            Self::Image(content) => content.serialize(serializer),
            Self::Audio(content) => content.serialize(serializer),
            Self::ToolUse(content) => content.serialize(serializer),
            Self::ToolResult(content) => content.serialize(serializer),
        }
    }
}

/// What is said: one piece, or a list of them.
#[derive(Clone, Debug, PartialEq)]
pub enum SamplingContent {
    /// One piece.
    One(Box<SamplingMessageContentBlock>),
    /// A list.
    Many(Vec<SamplingMessageContentBlock>),
}

impl SamplingContent {
    /// The pieces, however they are written.
    #[must_use]
    pub fn blocks(&self) -> &[SamplingMessageContentBlock] {
        match self {
            Self::One(block) => std::slice::from_ref(block),
            Self::Many(blocks) => blocks,
        }
    }
}

impl From<SamplingMessageContentBlock> for SamplingContent {
    fn from(block: SamplingMessageContentBlock) -> Self {
        Self::One(Box::new(block))
    }
}

impl From<Vec<SamplingMessageContentBlock>> for SamplingContent {
    fn from(blocks: Vec<SamplingMessageContentBlock>) -> Self {
        Self::Many(blocks)
    }
}

impl From<&str> for SamplingContent {
    fn from(text: &str) -> Self {
        SamplingMessageContentBlock::Text(TextContent::new(text)).into()
    }
}

impl Serialize for SamplingContent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::One(block) => block.serialize(serializer),
            Self::Many(blocks) => blocks.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for SamplingContent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOrMany)
    }
}

struct OneOrMany;

impl<'de> Visitor<'de> for OneOrMany {
    type Value = SamplingContent;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a piece of content or a list of them")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<SamplingContent, A::Error> {
        let block = SamplingMessageContentBlock::deserialize(MapAccessDeserializer::new(map))?;
        Ok(block.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<SamplingContent, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(seq)).map(SamplingContent::Many)
    }
}
