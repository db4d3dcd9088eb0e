//! A request that need not be answered any more.
//!
//! [Cancellation](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/cancellation).

use crate::jsonrpc::{RequestId, notification};
use crate::meta::Meta;
use crate::method;
use crate::record::record;

record! {
    /// The parameters of [`CancelledNotification`].
    #[derive(Eq)]
    CancelledNotificationParams {
        /// The request.
        request_id: RequestId,
        /// Why, for the log.
        reason: Option<String>,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

notification! {
    /// A request need not be answered any more; a server sends it to end a listen stream.
    CancelledNotification = method::NOTIFICATIONS_CANCELLED, CancelledNotificationParams
}

/// What a client may notify of: that, and nothing else.
pub type ClientNotification = CancelledNotification;
