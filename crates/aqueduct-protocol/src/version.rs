//! The revisions of the protocol.

use std::cmp::Ordering;
use std::fmt;

use serde::de::{self, Deserializer};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

/// A revision of the protocol that this crate knows.
///
/// Revisions are ordered by their date.
///
/// ```
/// use aqueduct_protocol::version::ProtocolVersion;
///
/// let asked = ProtocolVersion::parse("2025-11-25").unwrap_or(ProtocolVersion::LATEST);
/// assert!(asked < ProtocolVersion::LATEST && asked.has_handshake());
/// assert_eq!(ProtocolVersion::parse("2025-11-26"), None);
/// ```
#[derive(Clone, Copy)]
pub struct ProtocolVersion(&'static Entry);

/// What differs between revisions, as data: adding one is adding an entry.
struct Entry {
    name: &'static str,
    is_stateless: bool,
}

impl ProtocolVersion {
    /// The first revision with Streamable HTTP, and the only one with batches.
    pub const V2025_03_26: Self = Self(&Entry { name: "2025-03-26", is_stateless: false });
    /// Structured tool output, elicitation.
    pub const V2025_06_18: Self = Self(&Entry { name: "2025-06-18", is_stateless: false });
    /// The last revision with a handshake.
    pub const V2025_11_25: Self = Self(&Entry { name: "2025-11-25", is_stateless: false });
    /// The first revision without one: each request says all there is to know.
    pub const V2026_07_28: Self = Self(&Entry { name: "2026-07-28", is_stateless: true });

    /// The newest revision.
    pub const LATEST: Self = Self::V2026_07_28;

    /// Every revision, oldest first.
    pub const ALL: &'static [Self] =
        &[Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];

    /// The revision of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|version| version.as_str() == name)
    }

    /// The revision's name on the wire, its date.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0.name
    }

    /// Whether each request carries its own revision, capabilities and identity.
    #[must_use]
    pub const fn is_stateless(self) -> bool {
        self.0.is_stateless
    }

    /// Whether a connection starts with `initialize`.
    #[must_use]
    pub const fn has_handshake(self) -> bool {
        !self.0.is_stateless
    }
}

impl PartialEq for ProtocolVersion {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for ProtocolVersion {}

impl PartialOrd for ProtocolVersion {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ProtocolVersion {
    fn cmp(&self, other: &Self) -> Ordering {
        // The names are ISO dates, whose order is the order of their texts.
        self.as_str().cmp(other.as_str())
    }
}

impl std::hash::Hash for ProtocolVersion {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Debug for ProtocolVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ProtocolVersion({})", self.as_str())
    }
}

impl fmt::Display for ProtocolVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for ProtocolVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ProtocolVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::parse(&name).ok_or_else(|| de::Error::custom("unknown protocol version"))
    }
}
