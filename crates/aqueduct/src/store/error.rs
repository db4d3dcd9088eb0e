//! What a store could not do, and what its caller may conclude from that.

use std::borrow::Cow;
use std::fmt;

use super::entry::Version;
use crate::error::{BoxError, Error, Kind as Refusal};

/// What a store or a bus could not do.
///
/// Of a write that failed, two things can be known: that it did not happen
/// ([`is_unavailable`](Self::is_unavailable)), or that it may have happened
/// ([`is_uncertain`](Self::is_uncertain)), as when a connection breaks before the answer.
/// Whoever gets the second reads again before acting.
pub struct StoreError(Box<Inner>);

struct Inner {
    kind: Kind,
    message: Cow<'static, str>,
    source: Option<BoxError>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Conflict(Option<Version>),
    TooLarge,
    Full,
    Invalid,
    Unavailable,
    Uncertain,
    Corrupt,
}

impl StoreError {
    fn of(kind: Kind, message: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Inner { kind, message: message.into(), source: None }))
    }

    /// The entry is not as the write expected; `current` is its version, if there is an entry.
    #[must_use]
    pub fn conflict(current: Option<Version>) -> Self {
        Self::of(Kind::Conflict(current), "the entry is not at the expected version")
    }

    /// A key, a value, a topic or a message is longer than it may be.
    #[must_use]
    pub fn too_large(message: impl Into<Cow<'static, str>>) -> Self {
        Self::of(Kind::TooLarge, message)
    }

    /// There is no room for the write.
    #[must_use]
    pub fn full(message: impl Into<Cow<'static, str>>) -> Self {
        Self::of(Kind::Full, message)
    }

    /// The request makes no sense, such as an empty key, or an address that is none.
    #[must_use]
    pub fn invalid(message: impl Into<Cow<'static, str>>) -> Self {
        Self::of(Kind::Invalid, message)
    }

    /// The store cannot be asked at present, and nothing was changed.
    #[must_use]
    pub fn unavailable(message: impl Into<Cow<'static, str>>) -> Self {
        Self::of(Kind::Unavailable, message)
    }

    /// The answer of the store is missing: the write may have been done or not.
    #[must_use]
    pub fn uncertain(message: impl Into<Cow<'static, str>>) -> Self {
        Self::of(Kind::Uncertain, message)
    }

    /// What is stored cannot be read: it was not written by us, or with a key that we lack.
    #[must_use]
    pub fn corrupt(message: impl Into<Cow<'static, str>>) -> Self {
        Self::of(Kind::Corrupt, message)
    }

    /// Adds the cause.
    #[must_use]
    pub fn source(mut self, source: impl Into<BoxError>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// Was the entry not as the write expected?
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        matches!(self.0.kind, Kind::Conflict(_))
    }

    /// The version that stood in the way of a write; `None` when there is no entry, or no conflict.
    #[must_use]
    pub fn current(&self) -> Option<Version> {
        let Kind::Conflict(current) = self.0.kind else { return None };
        current
    }

    /// Was something longer than it may be?
    #[must_use]
    pub fn is_too_large(&self) -> bool {
        self.0.kind == Kind::TooLarge
    }

    /// Was there no room?
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.0.kind == Kind::Full
    }

    /// Did the request make no sense?
    #[must_use]
    pub fn is_invalid(&self) -> bool {
        self.0.kind == Kind::Invalid
    }

    /// Can the store not be asked at present, with nothing changed?
    #[must_use]
    pub fn is_unavailable(&self) -> bool {
        self.0.kind == Kind::Unavailable
    }

    /// May a write have happened, although its answer is missing?
    #[must_use]
    pub fn is_uncertain(&self) -> bool {
        self.0.kind == Kind::Uncertain
    }

    /// Is what is stored unreadable?
    #[must_use]
    pub fn is_corrupt(&self) -> bool {
        self.0.kind == Kind::Corrupt
    }

    /// The same error for all who wait for one outcome; the cause stays with the first.
    #[must_use]
    pub fn duplicate(&self) -> Self {
        Self::of(self.0.kind, self.0.message.clone())
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.0;
        f.debug_struct("StoreError")
            .field("kind", &inner.kind)
            .field("message", &inner.message)
            .field("source", &inner.source)
            .finish()
    }
}

impl std::error::Error for StoreError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_deref().map(|source| source as &(dyn std::error::Error + 'static))
    }
}

/// What the peer gets to know: whether it may try again, and nothing about the store.
impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        match error.0.kind {
            Kind::Unavailable | Kind::Uncertain | Kind::Full => {
                Self::of(Refusal::Busy, "the store is unavailable at present").source(error)
            }
            Kind::Conflict(_) | Kind::TooLarge | Kind::Invalid | Kind::Corrupt => {
                Self::internal(error)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peer_learns_nothing_of_the_store() {
        let error = Error::from(StoreError::unavailable("redis://secret@host: refused"));
        assert_eq!(error.to_string(), "the store is unavailable at present");
        let error = Error::from(StoreError::corrupt("task/1 does not open"));
        assert!(error.is_internal());
        assert_eq!(error.to_string(), "internal error");
    }
}
