//! The id of a request: a string or an integer, never anything else.

use std::fmt;

use serde::de::{self, Deserializer, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use super::text::string;

/// The id of a request, and the token of its progress.
///
/// [Basic › Requests](https://modelcontextprotocol.io/specification/2026-07-28/basic): a string or
/// an integer, never `null`.
/// `1` and `"1"` are different ids.
///
/// ```
/// use aqueduct_protocol::jsonrpc::RequestId;
///
/// assert_eq!(RequestId::from_raw("7"), Some(RequestId::from(7)));
/// assert_eq!(RequestId::from_raw("\"7\""), Some(RequestId::from("7")));
/// assert_eq!(RequestId::from_raw("7.0"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RequestId {
    /// An integer.
    Number(i64),
    /// A string, which may be empty.
    String(String),
}

impl RequestId {
    /// The id that a raw JSON text is, as [`Envelope::id`](super::Envelope::id) gives it.
    #[must_use]
    pub fn from_raw(raw: &str) -> Option<Self> {
        if raw.starts_with('"') {
            return string(raw).map(|text| Self::String(text.into_owned()));
        }
        let looks_right = raw.starts_with(|first: char| first == '-' || first.is_ascii_digit());
        if !looks_right || raw == "-0" {
            return None;
        }
        raw.parse().ok().map(Self::Number)
    }
}

impl From<i64> for RequestId {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for RequestId {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for RequestId {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::String(text) => text.fmt(f),
        }
    }
}

impl Serialize for RequestId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => serializer.serialize_i64(*number),
            Self::String(text) => serializer.serialize_str(text),
        }
    }
}

impl<'de> Deserialize<'de> for RequestId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(IdVisitor)
    }
}

struct IdVisitor;

impl Visitor<'_> for IdVisitor {
    type Value = RequestId;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or an integer")
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<RequestId, E> {
        Ok(RequestId::Number(number))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<RequestId, E> {
        i64::try_from(number)
            .map(RequestId::Number)
            .map_err(|_| E::custom("integer id of more than 64 bits"))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<RequestId, E> {
        Ok(RequestId::from(text))
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<RequestId, E> {
        Ok(RequestId::String(text))
    }
}
