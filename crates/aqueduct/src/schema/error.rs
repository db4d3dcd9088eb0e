//! Why a schema was refused: where in the schema, which keyword, and what was expected.

use std::error::Error;
use std::fmt;

use serde_json::Value;

use super::got;

/// A schema that cannot be used, with the JSON pointer of the place that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaError {
    pointer: String,
    message: String,
}

impl SchemaError {
    /// An error at `pointer`, a JSON pointer into the schema.
    pub(super) fn new(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), message: message.into() }
    }

    /// An error about the schema as a whole.
    pub(crate) fn at_root(message: impl Into<String>) -> Self {
        Self::new("", message)
    }

    /// A keyword whose value has the wrong shape.
    pub(super) fn keyword(pointer: &str, keyword: &str, expected: &str, value: &Value) -> Self {
        Self::new(pointer, format!("\"{keyword}\" must be {expected}, got {}", got::got(value)))
    }

    /// The JSON pointer of the subschema that is wrong; empty for the root.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// What is wrong there.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_empty() {
            return write!(f, "schema: {}", self.message);
        }
        write!(f, "schema at {}: {}", got::escape(&self.pointer), self.message)
    }
}

impl Error for SchemaError {}
