//! What a server is and can do.
//!
//! [Discovery](https://modelcontextprotocol.io/specification/2026-07-28/server/discover).

use crate::cache::{CacheScope, cacheable};
use crate::capabilities::ServerCapabilities;
use crate::icons::Implementation;
use crate::jsonrpc::{JsonRpcResultResponse, request};
use crate::meta::{Meta, SERVER_INFO};
use crate::method;
use crate::params::RequestParams;
use crate::record::record;
use crate::result::{ResultType, result_body};
use crate::version::ProtocolVersion;

request! {
    /// Asks what the server is and can do.
    DiscoverRequest = method::SERVER_DISCOVER, RequestParams
}

record! {
    /// What the server is and can do.
    ///
    /// Who it is stands in `_meta`, as in every result.
    #[derive(Eq)]
    DiscoverResult {
        /// Which result this is.
        #[serde(default)]
        result_type: ResultType = ResultType::Complete,
        /// The revisions that it speaks.
        supported_versions: Vec<String>,
        /// What it can do.
        capabilities: ServerCapabilities,
        /// What a model should know about using it.
        instructions: Option<String>,
        /// For how many milliseconds it may be used without asking again.
        #[serde(default)]
        ttl_ms: u64 = 0,
        /// Who may keep it.
        #[serde(default)]
        cache_scope: CacheScope = CacheScope::Private,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

/// An answer to [`DiscoverRequest`].
pub type DiscoverResultResponse = JsonRpcResultResponse<DiscoverResult>;

result_body!(DiscoverResult);
cacheable!(DiscoverResult);

impl DiscoverResult {
    /// A server that speaks these revisions, and who it is.
    #[must_use]
    pub fn of(
        server: &Implementation,
        versions: &[ProtocolVersion],
        capabilities: ServerCapabilities,
    ) -> Self {
        let names = versions.iter().map(|version| version.as_str().to_owned()).collect();
        let mut meta = Meta::new();
        // An `Implementation` is texts, which JSON can hold; there is no error to speak of.
        let written = meta.insert_reserved(SERVER_INFO, server);
        let mut result = Self::new(names, capabilities);
        result.meta = written.is_ok().then_some(meta);
        result
    }
}
