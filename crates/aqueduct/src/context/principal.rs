//! Who a caller is, once the server has made sure of it.

use std::fmt;

/// An authenticated caller: who says so, and what he may do.
///
/// A transport or a layer before it puts one into the request's extensions; handlers take it as
/// an extractor. It never holds the credential that proved it.
///
/// ```
/// use aqueduct::Principal;
///
/// let alice = Principal::new("https://issuer.example", "alice").scopes(["notes:read"]);
/// assert!(alice.has_scope("notes:read"));
/// assert!(!alice.has_scope("notes:write"));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Principal {
    /// Who vouches for the subject: an issuer's URL, or a name of the server's own.
    pub issuer: String,
    /// The caller, unique within the issuer.
    pub subject: String,
    /// What the caller may do.
    pub scopes: Vec<String>,
}

impl Principal {
    /// A caller without any scope.
    #[must_use]
    pub fn new(issuer: impl Into<String>, subject: impl Into<String>) -> Self {
        Self { issuer: issuer.into(), subject: subject.into(), scopes: Vec::new() }
    }

    /// Sets what the caller may do.
    #[must_use]
    pub fn scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.scopes = scopes.into_iter().map(Into::into).collect();
        self
    }

    /// May the caller do this?
    #[must_use]
    pub fn has_scope(&self, scope: &str) -> bool {
        self.scopes.iter().any(|held| held == scope)
    }
}

impl fmt::Debug for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Principal({:?} of {:?})", self.subject, self.issuer)
    }
}
