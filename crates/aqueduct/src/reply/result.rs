//! A tool's result put together from several pieces.

use aqueduct_protocol::content::ContentBlock;
use aqueduct_protocol::jsonrpc::RawJson;
use aqueduct_protocol::meta::Meta;
use aqueduct_protocol::resources::ResourceContents;
use aqueduct_protocol::tools::CallToolResult;
use serde::Serialize;

use crate::error::ToolError;
use crate::tool::IntoToolOutput;

/// A tool's result: content for the model, perhaps structured content beside it.
///
/// ```
/// use aqueduct::prelude::*;
///
/// fn rows() -> Result<ToolResult> {
///     ToolResult::new().text("3 rows").data(&serde_json::json!({ "rows": 3 }))
/// }
/// # rows().unwrap();
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct ToolResult(CallToolResult);

impl Default for ToolResult {
    fn default() -> Self {
        Self(CallToolResult::new(Vec::new()))
    }
}

impl ToolResult {
    /// A result with nothing in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a block of text.
    pub fn text(self, text: impl Into<String>) -> Self {
        self.content(ContentBlock::text(text))
    }

    /// Adds a block: text, a picture, a [`ResourceLink`](super::link), whatever becomes one.
    pub fn content(mut self, block: impl Into<ContentBlock>) -> Self {
        self.0.content.push(block.into());
        self
    }

    /// Adds a picture; the bytes are sent as base64.
    pub fn image(self, bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        self.content(ContentBlock::image(bytes, mime_type))
    }

    /// Adds a sound; the bytes are sent as base64.
    pub fn audio(self, bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        self.content(ContentBlock::audio(bytes, mime_type))
    }

    /// Adds a link to a resource, by its URI and its name.
    pub fn link(self, uri: impl Into<String>, name: impl Into<String>) -> Self {
        self.content(super::link(uri, name))
    }

    /// Adds the contents of a resource.
    pub fn embed(self, contents: impl Into<ResourceContents>) -> Self {
        self.content(super::embed(contents))
    }

    /// Sets the structured content, and adds the same JSON as text for clients that read only
    /// text.
    ///
    /// # Errors
    /// When there is structured content already, or the value cannot be written as JSON.
    pub fn data(self, value: &impl Serialize) -> Result<Self, ToolError> {
        let result = self.data_only(value)?;
        let json = result.0.structured_content.as_ref().map(|json| json.get().to_owned());
        Ok(result.text(json.unwrap_or_default()))
    }

    /// Sets the structured content alone.
    ///
    /// # Errors
    /// When there is structured content already, or the value cannot be written as JSON.
    pub fn data_only(mut self, value: &impl Serialize) -> Result<Self, ToolError> {
        if self.0.structured_content.is_some() {
            return Err(crate::error::Error::internal(
                "a result has one structured content, and this would be the second",
            )
            .into());
        }
        self.0.structured_content = Some(RawJson::new(value)?);
        Ok(self)
    }

    /// Adds a message and says that the tool failed; nothing takes that back.
    pub fn error(self, message: impl Into<String>) -> Self {
        self.failed().text(message)
    }

    /// Says that the tool failed; nothing takes that back.
    pub fn failed(mut self) -> Self {
        self.0.is_error = Some(true);
        self
    }

    /// Sets the `_meta` of the result.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.0.meta = Some(meta);
        self
    }
}

impl From<ToolResult> for CallToolResult {
    fn from(result: ToolResult) -> Self {
        result.0
    }
}

impl IntoToolOutput for ToolResult {
    fn into_tool_output(self) -> Result<CallToolResult, ToolError> {
        Ok(self.0)
    }
}
