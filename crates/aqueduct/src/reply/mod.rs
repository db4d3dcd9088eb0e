//! Results without ceremony: a function for each kind of content.
//!
//! ```
//! use aqueduct::reply;
//!
//! let block = reply::text("Hello");
//! assert_eq!(block.as_text(), Some("Hello"));
//! ```

mod page;
mod required;
mod result;

use aqueduct_protocol::content::ContentBlock;
use aqueduct_protocol::prompts::PromptMessage;
use serde::Serialize;

use crate::error::ToolError;

pub use self::page::{AppHtml, app_html};
pub use self::result::ToolResult;

/// A block of text.
#[must_use]
pub fn text(text: impl Into<String>) -> ContentBlock {
    ContentBlock::text(text)
}

/// Several blocks of text.
#[must_use]
pub fn texts<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Vec<ContentBlock> {
    texts.into_iter().map(text).collect()
}

/// A value as a block of JSON text.
///
/// # Errors
/// When the value cannot be written as JSON.
pub fn json(value: &impl Serialize) -> Result<ContentBlock, ToolError> {
    Ok(ContentBlock::text(serde_json::to_string(value)?))
}

/// A picture; the bytes are sent as base64.
#[must_use]
pub fn image(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> ContentBlock {
    ContentBlock::image(bytes, mime_type)
}

/// A sound; the bytes are sent as base64.
#[must_use]
pub fn audio(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> ContentBlock {
    ContentBlock::audio(bytes, mime_type)
}

/// A failure that the model reads and may do better after.
#[must_use]
pub fn execution_error(message: impl Into<String>) -> ToolError {
    ToolError::new(message)
}

/// A message of the user.
#[must_use]
pub fn user(content: impl Into<ContentBlock>) -> PromptMessage {
    PromptMessage::user(content.into())
}

/// A message of the assistant.
#[must_use]
pub fn assistant(content: impl Into<ContentBlock>) -> PromptMessage {
    PromptMessage::assistant(content.into())
}
