//! Results without ceremony: a function for each kind of content.
//!
//! Each returns an ordinary value that a handler may return, collect or take apart; a value that
//! needs more than one line is put together by [`ToolResult`].
//!
//! ```
//! use aqueduct::reply;
//!
//! let block = reply::text("Hello");
//! assert_eq!(block.as_text(), Some("Hello"));
//! ```

mod contents;
mod failure;
mod message;
mod page;
mod raw;
mod required;
mod result;

use aqueduct_protocol::content::{ContentBlock, EmbeddedResource, ResourceLink};
use aqueduct_protocol::resources::ResourceContents;
use serde::Serialize;

use crate::error::ToolError;

pub use self::contents::{RawResource, raw_blob, raw_resource};
pub use self::failure::{error, error_code, execution_error};
pub use self::message::{assistant, system, user};
pub use self::page::{AppHtml, app_html};
pub use self::raw::raw;
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

/// A resource that the client may read, by its URI and its name; its methods say more of it.
#[must_use]
pub fn link(uri: impl Into<String>, name: impl Into<String>) -> ResourceLink {
    ResourceLink::new(uri, name)
}

/// The contents of a resource, within the answer.
#[must_use]
pub fn embed(contents: impl Into<ResourceContents>) -> EmbeddedResource {
    EmbeddedResource::new(contents.into())
}

/// A value as structured content, and the same JSON as text.
///
/// A handler that returns [`Json`](crate::tool::Json) publishes the value's schema besides.
///
/// ```
/// use aqueduct::prelude::*;
/// use aqueduct::reply;
///
/// #[tool]
/// async fn count() -> Result<ToolResult> {
///     reply::structured(&serde_json::json!({ "rows": 3 }))
/// }
/// ```
///
/// # Errors
/// When the value cannot be written as JSON.
pub fn structured(value: &impl Serialize) -> Result<ToolResult, ToolError> {
    ToolResult::new().data(value)
}

/// A value as structured content, and a message as text in place of its JSON.
///
/// # Errors
/// When the value cannot be written as JSON.
pub fn structured_as(
    value: &impl Serialize,
    message: impl Into<String>,
) -> Result<ToolResult, ToolError> {
    ToolResult::new().text(message).data_only(value)
}
