//! The dialects of JSON Schema that are evaluated, and the refusal of every other one.
//!
//! Source: the specification, Basic, JSON Schema Usage: a schema without `$schema` is 2020-12, and a
//! dialect that is not supported must be refused in so many words.

use serde_json::{Map, Value};

use super::SchemaError;
use super::got;

/// What a `$schema` may say.
const SUPPORTED: &str = "https://json-schema.org/draft/2020-12/schema (the default) and \
                         http://json-schema.org/draft-07/schema#";

/// A version of JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Draft2020,
    Draft07,
}

impl Dialect {
    /// The dialect that the root of a schema declares.
    pub(super) fn of(schema: &Value) -> Result<Self, SchemaError> {
        let declared = schema.as_object().and_then(|map| map.get("$schema"));
        declared.map_or(Ok(Self::Draft2020), |value| Self::declared("", value))
    }

    /// Refuses a subschema that declares another dialect than the whole.
    pub(super) fn check_nested(
        self,
        map: &Map<String, Value>,
        pointer: &str,
    ) -> Result<(), SchemaError> {
        let Some(value) = map.get("$schema") else { return Ok(()) };
        if Self::declared(pointer, value)? == self {
            return Ok(());
        }
        Err(SchemaError::new(
            pointer,
            format!("\"$schema\" {} differs from the dialect of the root", got::json(value)),
        ))
    }

    fn declared(pointer: &str, value: &Value) -> Result<Self, SchemaError> {
        let Value::String(uri) = value else {
            return Err(SchemaError::keyword(pointer, "$schema", "a URI", value));
        };
        let bare = uri.strip_suffix('#').unwrap_or(uri);
        let bare = bare.strip_prefix("https:").or_else(|| bare.strip_prefix("http:"));
        match bare {
            Some("//json-schema.org/draft/2020-12/schema") => Ok(Self::Draft2020),
            Some("//json-schema.org/draft-07/schema") => Ok(Self::Draft07),
            _ => Err(SchemaError::new(
                pointer,
                format!(
                    "dialect \"{}\" is not supported, supported are {SUPPORTED}",
                    got::escape(&got::cut(uri, 200))
                ),
            )),
        }
    }

    /// Whether `$ref` hides everything beside it.
    pub(super) fn reference_stands_alone(self) -> bool {
        self == Self::Draft07
    }

    /// What the value of a keyword holds; asked for every key of every subschema, hence a `match`.
    pub(super) fn holds(self, keyword: &str) -> Holds {
        match (keyword, self) {
            ("items", Self::Draft07) => Holds::OneOrMany,
            (
                "items"
                | "contains"
                | "additionalProperties"
                | "propertyNames"
                | "not"
                | "if"
                | "then"
                | "else",
                _,
            )
            | ("unevaluatedItems" | "unevaluatedProperties" | "contentSchema", Self::Draft2020)
            | ("additionalItems", Self::Draft07) => Holds::One,
            ("allOf" | "anyOf" | "oneOf", _) | ("prefixItems", Self::Draft2020) => Holds::Many,
            ("properties" | "patternProperties" | "$defs" | "definitions", _)
            | ("dependentSchemas", Self::Draft2020) => Holds::Named,
            ("dependencies", Self::Draft07) => Holds::NamedOrKeys,
            _ => Holds::Nothing,
        }
    }
}

/// Where subschemas stand in the value of a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    Nothing,
    /// The value is one.
    One,
    /// It is an array of them.
    Many,
    /// It is one, or an array of them.
    OneOrMany,
    /// It is an object of them.
    Named,
    /// It is an object of them, or of lists that name keys.
    NamedOrKeys,
}
