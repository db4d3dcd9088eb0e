//! Who has to enforce a derived schema: serde's decode alone, or the validator too.

use serde_json::{Map, Value};

use super::tidy;

/// Who enforces a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Enforcement {
    /// Decoding into the Rust type refuses everything that the schema refuses.
    Decode,
    /// The same, unless the value contains `null`, which an `Option` accepts and the schema does not.
    ///
    /// Arguments whose text does not contain `null` need no validator.
    DecodeUnlessNull,
    /// The schema has constraints that a Rust type does not carry.
    Validator,
}

impl Enforcement {
    /// What remains when optional properties lost their null.
    pub(super) fn with_nulls_removed(self, removed: bool) -> Self {
        if removed { self.max(Self::DecodeUnlessNull) } else { self }
    }
}

/// Whether decoding a value into the Rust type enforces the schema that was derived from it.
///
/// The schema must be the one that `schemars` gave, before [`normalize_input`]: only there `format`
/// tells the bounds of a `u32` from a `range` that was written by hand.
/// True means that the schema holds nothing but names, types, references, choices, annotations, and
/// the natural bounds of integers.
/// False as soon as one keyword needs the validator.
///
/// Two spellings of serde's that no schema knows are no matter of this: a struct written as the
/// array of its fields, which whoever holds arguments against the schema refuses by looking for
/// arrays, and a unit variant written as `{"Variant": null}`, which stays accepted.
/// A schema that was changed by hand (`#[schemars(extend(…))]`) cannot be told from a derived one.
///
/// [`normalize_input`]: super::normalize_input
#[must_use]
pub fn decode_is_enough(schema: &Value) -> bool {
    match schema {
        Value::Bool(accepts) => *accepts,
        Value::Object(map) => map.iter().all(|(keyword, value)| enforced(map, keyword, value)),
        _ => false,
    }
}

/// As [`decode_is_enough`], for a schema that is advertised as it was derived.
#[must_use]
pub fn enforcement(schema: &Value) -> Enforcement {
    if decode_is_enough(schema) { Enforcement::Decode } else { Enforcement::Validator }
}

fn enforced(map: &Map<String, Value>, keyword: &str, value: &Value) -> bool {
    match keyword {
        "type" | "required" | "$ref" | "enum" | "const" => true,
        "title" | "description" | "default" | "examples" | "format" | "deprecated" | "readOnly"
        | "writeOnly" | "$schema" | "$comment" => true,
        "properties" | "$defs" => {
            value.as_object().is_some_and(|members| members.values().all(decode_is_enough))
        }
        // The type decodes only the keys it knows, or every key into the same type.
        "additionalProperties" => value.is_boolean() || decode_is_enough(value),
        "items" => decode_is_enough(value),
        "prefixItems" | "oneOf" | "anyOf" => {
            value.as_array().is_some_and(|items| items.iter().all(decode_is_enough))
        }
        "minimum" => bounds(map).is_some_and(|(least, _)| tidy::is_natural(value, least)),
        "maximum" => bounds(map).is_some_and(|(_, most)| tidy::is_natural(value, most)),
        "minItems" | "maxItems" => is_tuple(map),
        "patternProperties" => has_number_keys(map, value),
        other => other.starts_with("x-"),
    }
}

fn bounds(map: &Map<String, Value>) -> Option<(Option<i64>, Option<i64>)> {
    tidy::natural_bounds(map.get("format")?.as_str()?)
}

/// A tuple has as many items as it has types.
fn is_tuple(map: &Map<String, Value>) -> bool {
    let count = map.get("prefixItems").and_then(Value::as_array).map(|items| items.len() as u64);
    let bound = |keyword: &str| map.get(keyword).and_then(Value::as_u64);
    count.is_some() && bound("minItems") == count && bound("maxItems") == count
}

/// A map with integers for keys.
fn has_number_keys(map: &Map<String, Value>, patterns: &Value) -> bool {
    map.get("additionalProperties") == Some(&Value::Bool(false))
        && !map.contains_key("properties")
        && patterns.as_object().is_some_and(|patterns| {
            patterns.iter().all(|(pattern, schema)| {
                matches!(pattern.as_str(), r"^\d+$" | r"^-?\d+$") && decode_is_enough(schema)
            })
        })
}
