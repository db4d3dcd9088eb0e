//! Schemas and values that somebody else wrote.

use aqueduct::schema::Validator;
use serde_json::Value;

/// A schema, a line end, and a value.
pub(crate) fn run(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let Some((schema, value)) = text.split_once('\n') else { return };
    let Ok(schema) = serde_json::from_str::<Value>(schema) else { return };
    let Ok(validator) = Validator::compile(&schema) else { return };
    let Ok(value) = serde_json::from_str::<Value>(value) else { return };
    let is_valid = validator.is_valid(&value);
    let problems = validator.problems(&value);
    assert_eq!(is_valid, problems.is_empty(), "{schema} and {value}: {problems:?}");
    assert_eq!(is_valid, validator.is_valid(&value), "the same twice");
}
