//! Where a client's work lies, which is deprecated.
//!
//! [Roots](https://modelcontextprotocol.io/specification/2026-07-28/client/roots).

use crate::input::input_request;
use crate::meta::Meta;
use crate::params::NotificationParams;
use crate::record::record;

input_request! {
    /// Asks for the client's roots.
    #[derive(Default, Eq)]
    ListRootsRequest = "roots/list", Option<ListRootsRequestParams>
}

/// The parameters of [`ListRootsRequest`]: nothing but `_meta`.
pub type ListRootsRequestParams = NotificationParams;

record! {
    /// The client's roots.
    #[derive(Eq)]
    ListRootsResult {
        /// The roots.
        roots: Vec<Root>,
    }
}

record! {
    /// A place where a client's work lies.
    #[derive(Eq)]
    Root {
        /// Its address, a `file:` one.
        uri: String,
        /// Its name for people.
        name: Option<String>,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}
