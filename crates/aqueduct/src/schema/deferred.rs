//! A published schema, and the validator for it, which a plain schema gets at the first value.

use std::sync::OnceLock;

use aqueduct_protocol::jsonrpc::RawJson;
use serde_json::Value;

use super::plain::is_plain;
use super::{Problem, SchemaError, Validator, report};

/// A schema as it is published, known to be right.
pub(crate) struct Deferred {
    published: RawJson,
    validator: OnceLock<Option<Validator>>,
    plain: bool,
}

impl Deferred {
    /// Checks a schema; compiles it unless it is plain.
    pub(crate) fn new(schema: &Value) -> Result<Self, SchemaError> {
        let published =
            RawJson::new(schema).map_err(|error| SchemaError::at_root(error.to_string()))?;
        let plain = is_plain(schema);
        let validator = match plain {
            true => OnceLock::new(),
            false => Some(Validator::compile(schema)?).into(),
        };
        Ok(Self { published, validator, plain })
    }

    /// The schema's text.
    pub(crate) fn published(&self) -> &RawJson {
        &self.published
    }

    /// Whether the schema is too simple to hold more than names, types and bounds.
    pub(crate) fn is_plain(&self) -> bool {
        self.plain
    }

    /// As [`Validator::problems`].
    pub(crate) fn problems(&self, instance: &Value) -> Vec<Problem> {
        let compiled = self.validator.get_or_init(|| {
            let schema = serde_json::from_str(self.published.get()).ok()?;
            Validator::compile(&schema).ok()
        });
        // What is plain compiles, so that nothing is refused for want of a validator.
        compiled.as_ref().map_or_else(report::given_up, |validator| validator.problems(instance))
    }
}
