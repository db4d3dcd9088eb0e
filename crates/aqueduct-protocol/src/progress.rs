//! How far a request has come.
//!
//! [Progress](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress).

use crate::jsonrpc::{RequestId, notification};
use crate::meta::Meta;
use crate::method;
use crate::record::record;

/// The token of a request that wants to hear of its progress: a string or an integer.
pub type ProgressToken = RequestId;

record! {
    /// The parameters of [`ProgressNotification`].
    ProgressNotificationParams {
        /// The token that the request gave, of the same JSON type.
        progress_token: ProgressToken,
        /// How far it has come; each time more than before.
        #[serde(serialize_with = "crate::number::write")]
        progress: f64,
        /// How far there is to go, if that is known.
        #[serde(serialize_with = "crate::number::write_some")]
        total: Option<f64>,
        /// Where it is, for people.
        message: Option<String>,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

notification! {
    /// How far a request has come, on the stream of that request.
    ProgressNotification = method::NOTIFICATIONS_PROGRESS, ProgressNotificationParams
}
