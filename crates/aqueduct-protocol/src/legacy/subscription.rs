//! Watching one resource at a time, for the rest of the session.
//!
//! [Resources › Subscriptions](https://modelcontextprotocol.io/specification/2025-11-25/server/resources).

use crate::jsonrpc::request;
use crate::meta::Meta;
use crate::method;
use crate::record::record;

record! {
    /// The parameters of [`SubscribeRequest`].
    #[derive(Eq)]
    SubscribeRequestParams {
        /// The resource, which need not be in any list.
        uri: String,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

/// The parameters of [`UnsubscribeRequest`].
pub type UnsubscribeRequestParams = SubscribeRequestParams;

request! {
    /// Watches a resource; its result is empty.
    SubscribeRequest = method::RESOURCES_SUBSCRIBE, SubscribeRequestParams
}

request! {
    /// Watches it no longer; its result is empty.
    UnsubscribeRequest = method::RESOURCES_UNSUBSCRIBE, UnsubscribeRequestParams
}
