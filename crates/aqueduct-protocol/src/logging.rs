//! Log messages for the client, which is deprecated: a client asks for them with each request.
//!
//! [Logging](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging).

use crate::jsonrpc::{RawJson, notification};
use crate::meta::Meta;
use crate::method;
use crate::record::{record, words};

words! {
    /// How severe a log message is; ordered, so that `level >= wanted` is the question to ask.
    LoggingLevel {
        /// For finding faults.
        Debug = "debug",
        /// What goes on.
        Info = "info",
        /// What goes on and matters.
        Notice = "notice",
        /// Something may be wrong.
        Warning = "warning",
        /// Something failed.
        Error = "error",
        /// A part has failed.
        Critical = "critical",
        /// Someone must act now.
        Alert = "alert",
        /// Nothing works.
        Emergency = "emergency",
    }
}

record! {
    /// The parameters of [`LoggingMessageNotification`].
    #[derive(Eq)]
    LoggingMessageNotificationParams {
        /// How severe it is.
        level: LoggingLevel,
        /// Which part of the server says it.
        logger: Option<String>,
        /// What it says: any JSON, often a text.
        data: RawJson,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

notification! {
    /// A log message, on the stream of the request that it belongs to.
    LoggingMessageNotification = method::NOTIFICATIONS_MESSAGE, LoggingMessageNotificationParams
}
