//! JSON kept as the text that it is.

use std::fmt;

use serde::de::{DeserializeOwned, Deserializer};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::tolerant::Tolerant;

/// One JSON value as text: key order, number spelling and whitespace survive.
///
/// It stands where the protocol carries JSON that is not the protocol's to understand, such as a
/// tool's schemas and structured content.
/// Two are equal when their texts are.
///
/// ```
/// use aqueduct_protocol::jsonrpc::RawJson;
///
/// let schema = RawJson::from_text(r#"{"type":"object","properties":{}}"#.to_owned())?;
/// assert_eq!(serde_json::to_string(&schema)?, schema.get());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone)]
pub struct RawJson(Box<RawValue>);

impl RawJson {
    /// The JSON of a value.
    ///
    /// # Errors
    ///
    /// When the value cannot be written as JSON, as a map with keys that are not strings.
    pub fn new(value: &(impl Serialize + ?Sized)) -> Result<Self, serde_json::Error> {
        serde_json::value::to_raw_value(value).map(Self)
    }

    /// A text that is one JSON value; surrounding whitespace is dropped.
    ///
    /// # Errors
    ///
    /// When the text is not JSON.
    pub fn from_text(text: String) -> Result<Self, serde_json::Error> {
        if text.trim_ascii().len() == text.len() {
            return RawValue::from_string(text).map(Self);
        }
        serde_json::from_str(&text).map(Self)
    }

    /// The text.
    #[must_use]
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// The value as a type.
    ///
    /// # Errors
    ///
    /// When the JSON is not of that type.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.get())
    }
}

impl PartialEq for RawJson {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for RawJson {}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RawJson").field(&self.get()).finish()
    }
}

impl From<&serde_json::Value> for RawJson {
    fn from(value: &serde_json::Value) -> Self {
        // A `Value` always has a JSON text, and its text is always JSON.
        RawValue::from_string(value.to_string())
            .map_or_else(|_| Self(RawValue::NULL.to_owned()), Self)
    }
}

impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RawJson {
    /// The text itself where the deserializer has it.
    ///
    /// Inside another type's `untagged` or internally tagged enum serde has buffered the value
    /// and the text is gone; then an equal one is written anew, its keys sorted.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(Tolerant(deserializer)).map(Self)
    }
}

/// For an optional member whose `null` is a value: absent is `None`, `null` is `Some`.
pub(crate) fn present<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<RawJson>, D::Error> {
    RawJson::deserialize(deserializer).map(Some)
}
