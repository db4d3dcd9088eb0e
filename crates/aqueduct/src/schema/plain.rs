//! Schemas that are seen to be right in one pass, without being compiled.
//!
//! Most tools take a few strings and numbers.
//! Whether such a schema is valid is a question of a few shapes; only holding a value against it
//! needs nodes. So a plain schema is compiled when a value is first held against it, and a server of
//! a hundred tools starts without a hundred compilations that nobody waits for.

use serde_json::Value;

use super::node::Types;

/// How deep a plain schema may nest.
const MAX_DEPTH: usize = 8;
/// How many subschemas a plain schema may have.
const MAX_NODES: usize = 256;
/// How many bytes the texts of a plain schema may have.
const MAX_TEXT: usize = 32 * 1024;

/// Whether a schema is plain: it compiles, and mirrors no argument into a header.
///
/// False says nothing: the schema may be valid all the same.
pub(super) fn is_plain(schema: &Value) -> bool {
    let mut left = Left { nodes: MAX_NODES, text: MAX_TEXT };
    left.schema(schema, MAX_DEPTH)
}

/// What a schema may still have and be plain.
struct Left {
    nodes: usize,
    text: usize,
}

impl Left {
    fn schema(&mut self, schema: &Value, depth: usize) -> bool {
        let Value::Object(map) = schema else { return schema.is_boolean() && self.node() };
        depth > 0 && self.node() && map.iter().all(|(key, value)| self.keyword(key, value, depth))
    }

    fn keyword(&mut self, keyword: &str, value: &Value, depth: usize) -> bool {
        match keyword {
            "type" => value.as_str().is_some_and(|name| Types::named(name).is_some()),
            "title" | "description" | "format" => self.text(value),
            "properties" => value.as_object().is_some_and(|members| {
                members
                    .iter()
                    .all(|(name, member)| self.bytes(name.len()) && self.schema(member, depth - 1))
            }),
            "required" => value.as_array().is_some_and(|names| self.names(names)),
            "additionalProperties" | "items" => self.schema(value, depth - 1),
            "minimum" | "maximum" => value.is_number(),
            "minLength" | "maxLength" | "minItems" | "maxItems" => value.is_u64(),
            "enum" => value.as_array().is_some_and(|values| {
                !values.is_empty() && values.iter().all(|value| self.scalar(value))
            }),
            "const" | "default" => self.scalar(value),
            _ => false,
        }
    }

    fn node(&mut self) -> bool {
        take(&mut self.nodes, 1)
    }

    fn bytes(&mut self, length: usize) -> bool {
        take(&mut self.text, length)
    }

    fn text(&mut self, value: &Value) -> bool {
        value.as_str().is_some_and(|text| self.bytes(text.len()))
    }

    fn scalar(&mut self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.bytes(text.len()),
            Value::Array(_) | Value::Object(_) => false,
            _ => self.bytes(1),
        }
    }

    /// Different names, few enough to be compared with each other.
    fn names(&mut self, names: &[Value]) -> bool {
        names.len() <= 64
            && names.iter().enumerate().all(|(at, name)| {
                self.text(name) && !names.iter().take(at).any(|earlier| earlier == name)
            })
    }
}

fn take(left: &mut usize, amount: usize) -> bool {
    match left.checked_sub(amount) {
        Some(rest) => {
            *left = rest;
            true
        }
        None => false,
    }
}
