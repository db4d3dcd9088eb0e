//! Facts about the evaluator, and its agreement with the official suite and with another evaluator.

#![expect(clippy::needless_pass_by_value, reason = "a literal reads better than a reference to it")]

mod choice;
mod compiling;
mod enforcement;
mod host;
mod hostile;
mod message;
mod oracle;
mod plain;
mod suite;
mod table;
mod x_mcp_header;

use serde_json::Value;

use super::{SchemaError, Validator};

fn compile(schema: &Value) -> Validator {
    Validator::compile(schema).unwrap_or_else(|error| panic!("{error}\n{schema}"))
}

fn refusal(schema: &Value) -> SchemaError {
    match Validator::compile(schema) {
        Ok(_) => panic!("compiled: {schema}"),
        Err(error) => error,
    }
}
