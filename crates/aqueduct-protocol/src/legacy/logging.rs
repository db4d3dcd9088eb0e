//! The level of a session's log messages.
//!
//! [Logging](https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging).

use crate::jsonrpc::request;
use crate::logging::LoggingLevel;
use crate::meta::Meta;
use crate::method;
use crate::record::record;

record! {
    /// The parameters of [`SetLevelRequest`].
    #[derive(Eq)]
    SetLevelRequestParams {
        /// The least severe message that the client wants.
        level: LoggingLevel,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

request! {
    /// Sets the level for the rest of the session; its result is empty.
    SetLevelRequest = method::LOGGING_SET_LEVEL, SetLevelRequestParams
}
