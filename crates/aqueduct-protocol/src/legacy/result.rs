//! A result without what came after the handshake revisions.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::jsonrpc::RawJson;

/// The members that no result of a handshake revision has. Some clients of those refuse a result
/// that should be empty and is not.
const LATER: [&str; 3] = ["resultType", "ttlMs", "cacheScope"];

/// A result object as the handshake revisions write it: the same members, in the same order,
/// without those that came later.
///
/// ```
/// use aqueduct_protocol::legacy::PlainResult;
/// use aqueduct_protocol::tools::CallToolResult;
///
/// let plain = PlainResult::new(&CallToolResult::text("done"))?;
/// assert_eq!(
///     serde_json::to_string(&plain)?,
///     r#"{"content":[{"type":"text","text":"done"}]}"#,
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainResult(Vec<(String, RawJson)>);

impl PlainResult {
    /// From a result in the form of the stateless revision.
    ///
    /// # Errors
    ///
    /// When it cannot be written as a JSON object.
    pub fn new(result: &impl Serialize) -> Result<Self, serde_json::Error> {
        Self::from_slice(&serde_json::to_vec(result)?)
    }

    /// From the text of one.
    ///
    /// # Errors
    ///
    /// When it is not a JSON object.
    pub fn from_slice(result: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(result)
    }
}

impl Serialize for PlainResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for PlainResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = PlainResult;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a result object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PlainResult, A::Error> {
        let mut members = Vec::new();
        while let Some((name, value)) = map.next_entry::<String, RawJson>()? {
            if !LATER.contains(&name.as_str()) {
                members.push((name, value));
            }
        }
        Ok(PlainResult(members))
    }
}
