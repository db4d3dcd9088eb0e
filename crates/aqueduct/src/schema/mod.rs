//! JSON Schema: checking values, telling a model what is wrong with them, and what hosts accept.
//!
//! [`Validator`] evaluates JSON Schema 2020-12 and draft-07 within fixed bounds, without any I/O.
//! [`Problem`] is one thing that is wrong with a value, in words that a model can act on.
//!
//! Source: the specification, Basic, JSON Schema Usage.

mod array;
mod compile;
mod cycle;
mod deferred;
mod dialect;
mod equal;
mod error;
mod format;
mod got;
pub mod host;
mod keyword;
mod limit;
mod logic;
mod node;
mod number;
mod object;
mod pattern;
mod plain;
mod problem;
mod reference;
mod report;
mod run;
mod text;
mod unevaluated;
mod uri;
pub mod x_mcp_header;

#[cfg(test)]
mod tests;

use serde_json::Value;

use self::compile::Compiled;
pub(crate) use self::deferred::Deferred;
pub use self::error::SchemaError;
pub use self::limit::{
    MAX_EVALUATION_DEPTH, MAX_JSON_DEPTH, MAX_PATTERN_BYTES, MAX_PATTERNS, MAX_PROBLEMS,
    MAX_SCHEMA_BYTES, MAX_SCHEMA_DEPTH, MAX_STEPS, MAX_STEPS_PER_VALUE, MAX_SUBSCHEMAS,
};
use self::node::NodeId;
pub use self::problem::{Problem, summary};
pub(crate) use self::report::nearest;
use self::run::Run;
use self::text::Formats;

/// A compiled JSON Schema.
///
/// ```
/// use aqueduct::schema::Validator;
/// use serde_json::json;
///
/// let schema = json!({
///     "type": "object",
///     "properties": { "limit": { "type": "integer", "minimum": 1, "maximum": 100 } },
/// });
/// let validator = Validator::compile(&schema)?;
/// assert!(validator.is_valid(&json!({ "limit": 20 })));
/// let problems = validator.problems(&json!({ "limit": 250 }));
/// assert_eq!(problems[0].to_string(), "/limit: expected an integer between 1 and 100, got 250");
/// # Ok::<(), aqueduct::schema::SchemaError>(())
/// ```
#[derive(Debug)]
pub struct Validator {
    compiled: Compiled,
    formats: Formats,
}

impl Validator {
    /// Compiles a schema.
    ///
    /// A schema without `$schema` is JSON Schema 2020-12.
    /// Draft-07 is evaluated as draft-07, every other dialect is refused.
    ///
    /// # Errors
    ///
    /// A schema that is not valid in its dialect, that refers outside itself, that has a pattern
    /// which needs backtracking, or that exceeds one of the bounds of this module.
    pub fn compile(schema: &Value) -> Result<Self, SchemaError> {
        Ok(Self { compiled: compile::compile(schema)?, formats: Formats::Described })
    }

    /// Whether `format` refuses values (`true`) or only describes them (`false`, the default).
    #[must_use]
    pub fn formats(mut self, asserted: bool) -> Self {
        self.formats = if asserted { Formats::Asserted } else { Formats::Described };
        self
    }

    /// Whether the schema accepts the value.
    #[must_use]
    pub fn is_valid(&self, instance: &Value) -> bool {
        let mut run = self.run();
        run.check(ROOT, instance) && !run.exhausted()
    }

    /// Everything that is wrong with the value, in the order of the schema; empty when nothing is.
    ///
    /// At most [`MAX_PROBLEMS`] are spelled out, then one entry says how many more there are.
    #[must_use]
    pub fn problems(&self, instance: &Value) -> Vec<Problem> {
        let mut run = self.run();
        let accepted = run.check(ROOT, instance);
        if run.exhausted() {
            return report::given_up();
        }
        if accepted {
            return Vec::new();
        }
        report::problems(self.run(), ROOT, instance)
    }

    fn run(&self) -> Run<'_> {
        Run::new(&self.compiled.nodes, self.formats, self.compiled.scoped)
    }
}

/// The node of the schema itself, which is compiled first.
const ROOT: NodeId = NodeId(0);
