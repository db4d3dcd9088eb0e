//! What lies under a key, and what a write says besides the value.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;

/// Which write made an entry what it is.
///
/// A later write to the same key has a greater version, also when the entry was deleted or expired
/// in between: a version that was seen once never comes back, so it serves as a fencing token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(u64);

impl Version {
    /// A version by its number; only a store makes new ones.
    #[must_use]
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What lies under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// What was put.
    pub value: Bytes,
    /// Which write put it.
    pub version: Version,
    /// What is left of its time to live; `None` when it stays until it is deleted.
    pub ttl: Option<Duration>,
}

impl Entry {
    /// An entry that stays until it is deleted.
    #[must_use]
    pub const fn new(value: Bytes, version: Version) -> Self {
        Self { value, version, ttl: None }
    }

    /// What is left of its time to live.
    #[must_use]
    pub const fn ttl(mut self, ttl: Option<Duration>) -> Self {
        self.ttl = ttl;
        self
    }
}

/// How an entry must be for a write to happen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Expected {
    /// However it is, and if there is none.
    #[default]
    Any,
    /// There is no entry.
    Absent,
    /// The entry is of this version.
    Version(Version),
}

impl Expected {
    /// Whether an entry of version `current`, or none, is as expected.
    #[must_use]
    pub fn allows(self, current: Option<Version>) -> bool {
        match self {
            Self::Any => true,
            Self::Absent => current.is_none(),
            Self::Version(version) => current == Some(version),
        }
    }
}

impl From<Version> for Expected {
    fn from(version: Version) -> Self {
        Self::Version(version)
    }
}

/// A value to put under a key, in place of what is there.
///
/// ```
/// use std::time::Duration;
/// use aqueduct::store::{Expected, Put};
///
/// let put = Put::new("taken").expected(Expected::Absent).ttl(Duration::from_secs(30));
/// assert_eq!(put.value, "taken");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Put {
    /// What to put.
    pub value: Bytes,
    /// How the entry must be before.
    pub expected: Expected,
    /// How long the entry lives from now; `None` until it is deleted.
    pub ttl: Option<Duration>,
}

impl Put {
    /// Puts `value`, whatever is there, until it is deleted.
    #[must_use]
    pub fn new(value: impl Into<Bytes>) -> Self {
        Self { value: value.into(), expected: Expected::Any, ttl: None }
    }

    /// Only if the entry is as expected.
    #[must_use]
    pub fn expected(mut self, expected: impl Into<Expected>) -> Self {
        self.expected = expected.into();
        self
    }

    /// The entry is gone after this time, counted in whole milliseconds and at least one.
    #[must_use]
    pub const fn ttl(mut self, ttl: Duration) -> Self {
        self.ttl = Some(ttl);
        self
    }
}
