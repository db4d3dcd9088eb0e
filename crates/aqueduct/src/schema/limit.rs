//! The bounds on a schema and on the work of one check, and the scan that enforces the first kind.

use serde_json::Value;

use super::SchemaError;

/// The most bytes a schema may take, counted as keys, strings and one byte for everything else.
pub const MAX_SCHEMA_BYTES: usize = 256 * 1024;
/// How deep JSON may nest inside a schema; the parser stops at the same depth.
pub const MAX_JSON_DEPTH: usize = 128;
/// How deep a subschema may lie inside other subschemas.
pub const MAX_SCHEMA_DEPTH: usize = 64;
/// The most subschemas in one schema, referenced ones counted once.
pub const MAX_SUBSCHEMAS: usize = 10_000;
/// The most different patterns in one schema.
pub const MAX_PATTERNS: usize = 256;
/// The most bytes that one compiled pattern may take: enough for `^\p{L}{1,50}$`.
pub const MAX_PATTERN_BYTES: usize = 4 * 1024 * 1024;
/// The most subschemas that may apply to one single value, so that doubling `$defs` are refused.
pub const MAX_STEPS_PER_VALUE: u64 = 100_000;
/// The most steps of one check: a step is one subschema applied to one value, or one value compared.
pub const MAX_STEPS: u64 = 1_000_000;
/// The most subschemas that may be open at once while one value is checked; it bounds the stack.
pub const MAX_EVALUATION_DEPTH: u32 = 512;
/// The most problems reported about one value; what goes beyond is counted.
pub const MAX_PROBLEMS: usize = 50;

/// Refuses a schema that is too large or too deep, before anything walks it recursively.
pub(super) fn scan(schema: &Value) -> Result<(), SchemaError> {
    let mut open = vec![(schema, 1_usize)];
    let mut bytes = 0_usize;
    while let Some((value, depth)) = open.pop() {
        if depth > MAX_JSON_DEPTH {
            return Err(SchemaError::at_root(format!(
                "the schema nests deeper than {MAX_JSON_DEPTH} levels"
            )));
        }
        bytes += 1;
        match value {
            Value::String(text) => bytes += text.len(),
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(map) => {
                bytes += map.keys().map(String::len).sum::<usize>();
                open.extend(map.values().map(|member| (member, depth + 1)));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
        if bytes > MAX_SCHEMA_BYTES {
            return Err(SchemaError::at_root(format!(
                "the schema is larger than {} KiB",
                MAX_SCHEMA_BYTES / 1024
            )));
        }
    }
    Ok(())
}
