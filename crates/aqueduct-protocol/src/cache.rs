//! How long a result may be kept, and by whom.
//!
//! [Caching](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching).

use crate::record::{record, words};

words! {
    /// Who may keep a result.
    CacheScope {
        /// Only the client that asked, for the same authorization.
        Private = "private",
        /// Anyone, across users.
        Public = "public",
    }
}

impl Default for CacheScope {
    /// The choice that leaks nothing.
    fn default() -> Self {
        Self::Private
    }
}

record! {
    /// The two members that every cacheable result has; without a word, not to be kept.
    ///
    /// ```
    /// use aqueduct_protocol::cache::{CacheHint, CacheScope};
    ///
    /// let hint = CacheHint::default();
    /// assert_eq!((hint.ttl_ms, hint.cache_scope), (0, CacheScope::Private));
    /// ```
    #[derive(Copy, Default, Eq)]
    CacheHint {
        /// For how many milliseconds it may be used without asking again.
        #[serde(default)]
        ttl_ms: u64 = 0,
        /// Who may keep it.
        #[serde(default)]
        cache_scope: CacheScope = CacheScope::Private,
    }
}

impl CacheHint {
    /// May be kept by the client that asked, for so many milliseconds.
    #[must_use]
    pub const fn private(ttl_ms: u64) -> Self {
        Self { ttl_ms, cache_scope: CacheScope::Private }
    }

    /// May be kept by anyone, for so many milliseconds.
    #[must_use]
    pub const fn public(ttl_ms: u64) -> Self {
        Self { ttl_ms, cache_scope: CacheScope::Public }
    }
}

/// Gives results the one method that sets both of their cache members.
macro_rules! cacheable {
    ($($name:ident),+) => {$(
        impl $name {
            /// How long it may be kept, and by whom.
            #[must_use]
            pub const fn cache(mut self, hint: $crate::cache::CacheHint) -> Self {
                self.ttl_ms = hint.ttl_ms;
                self.cache_scope = hint.cache_scope;
                self
            }
        }
    )+};
}

pub(crate) use cacheable;
