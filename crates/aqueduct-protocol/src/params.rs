//! Parameters that have no member of their own.

use crate::meta::{Meta, RequestMeta};
use crate::record::record;

record! {
    /// The parameters of a request that has none of its own.
    #[derive(Eq)]
    RequestParams {
        /// What each request says about itself and its client.
        #[serde(rename = "_meta")]
        meta: RequestMeta,
    }
}

record! {
    /// The parameters of a notification that has none of its own.
    #[derive(Default, Eq)]
    NotificationParams {
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}
