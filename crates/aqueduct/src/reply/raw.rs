//! A result that was written by hand, as JSON.

use aqueduct_protocol::tools::CallToolResult;
use serde::{Deserialize, Serialize};

use crate::error::{Error, ToolError};

/// A whole `tools/call` result as JSON, from a proxy or a recording.
///
/// It is sent as it is where it is a result: an object with `content`.
/// Anything else is refused here and answered as an internal error, because every client would
/// refuse it there; data without `content` is what [`structured`](super::structured) is for.
///
/// ```
/// use aqueduct::reply;
/// use serde_json::json;
///
/// let result = reply::raw(&json!({ "content": [{ "type": "text", "text": "done" }] }))?;
/// assert_eq!(result.content[0].as_text(), Some("done"));
/// assert!(reply::raw(&json!({ "status": "ok" })).is_err());
/// # Ok::<(), aqueduct::ToolError>(())
/// ```
///
/// # Errors
/// When the value is no result; the log reads which member is wrong.
pub fn raw(value: &impl Serialize) -> Result<CallToolResult, ToolError> {
    let refuse = |why: String| {
        Error::internal(format!(
            "{why}; a result is an object with `content`, use `reply::structured` for data"
        ))
    };
    let value = serde_json::to_value(value)?;
    if !value.is_object() {
        return Err(refuse(format!("{value} is no result")).into());
    }
    let result = CallToolResult::deserialize(&value).map_err(|error| refuse(error.to_string()))?;
    // What a result does not have is not written again.
    let written = serde_json::to_value(&result)?;
    let mut members = value.as_object().into_iter().flatten();
    match members.find(|(name, _)| written.get(name.as_str()).is_none()) {
        Some((name, _)) => Err(refuse(format!("a result has no member {name:?}")).into()),
        None => Ok(result),
    }
}
