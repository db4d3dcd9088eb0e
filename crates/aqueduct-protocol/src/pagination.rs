//! Lists that come a page at a time.
//!
//! [Pagination](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination).

use crate::jsonrpc::JsonRpcRequest;
use crate::meta::RequestMeta;
use crate::record::record;

/// Where the next page begins: opaque to the client, and never absent in disguise, for `""` is a
/// cursor too.
pub type Cursor = String;

record! {
    /// The parameters of a request for a page.
    #[derive(Eq)]
    PaginatedRequestParams {
        /// What each request says about itself and its client.
        #[serde(rename = "_meta")]
        meta: RequestMeta,
        /// Which page; the first when it is absent.
        cursor: Option<String>,
    }
}

/// A request for a page of any list.
pub type PaginatedRequest = JsonRpcRequest<PaginatedRequestParams>;

/// Declares the result of a list method: its items, the next page's cursor, cache members.
macro_rules! page {
    ($(#[$about:meta])* $name:ident { $(#[doc = $doc:literal])* $items:ident: $item:ty }) => {
        $crate::record::record! {
            $(#[$about])*
            $name {
                /// Which result this is.
                #[serde(default)]
                result_type: $crate::result::ResultType = $crate::result::ResultType::Complete,
                $(#[doc = $doc])*
                $items: Vec<$item>,
                /// Where the next page begins; absent on the last.
                next_cursor: Option<String>,
                /// For how many milliseconds it may be used without asking again.
                #[serde(default)]
                ttl_ms: u64 = 0,
                /// Who may keep it; the same on all pages of a list.
                #[serde(default)]
                cache_scope: $crate::cache::CacheScope = $crate::cache::CacheScope::Private,
                /// What rides along.
                #[serde(rename = "_meta")]
                meta: Option<$crate::meta::Meta>,
            }
        }

        $crate::result::result_body!($name);
        $crate::cache::cacheable!($name);
    };
}

pub(crate) use page;
