//! How a handler says that it failed: to the model, or to the client.

use std::borrow::Cow;

use aqueduct_protocol::code;

use crate::error::{Error, ReservedCode, ToolError};

/// A failure that the model reads and may do better after: a result with `isError: true`.
#[must_use]
pub fn execution_error(message: impl Into<String>) -> ToolError {
    ToolError::new(message)
}

/// A failure that is a JSON-RPC error with this message, code -32603.
///
/// The model does not get to read it; [`execution_error`] is what a tool that ran and failed wants.
#[must_use]
pub fn error(message: impl Into<Cow<'static, str>>) -> ToolError {
    ToolError::protocol(Error::failed(message))
}

/// A failure that is a JSON-RPC error with this code and message.
///
/// `-32602` says that the parameters are wrong and `-32603` that something broke; any other code
/// is the application's own and lies outside of -32768 to -32000.
///
/// ```
/// use aqueduct::prelude::*;
/// use aqueduct::reply;
///
/// #[tool]
/// async fn print(pages: u32) -> Result<()> {
///     if pages > 100 {
///         return Err(reply::error_code(1001, "out of paper")?);
///     }
///     Ok(())
/// }
/// # assert!(reply::error_code(-32000, "busy").is_err());
/// ```
///
/// # Errors
/// When JSON-RPC or MCP keeps the code for itself; the error names it.
pub fn error_code(
    code: i32,
    message: impl Into<Cow<'static, str>>,
) -> Result<ToolError, ReservedCode> {
    let error = match code {
        code::INVALID_PARAMS => Error::invalid_params(message),
        code::INTERNAL_ERROR => Error::failed(message),
        code => Error::application(code, message)?,
    };
    Ok(ToolError::protocol(error))
}
