//! What a tool takes: its published schema, and the check that holds arguments against it.

use aqueduct_protocol::jsonrpc::RawJson;
use serde_json::{Value, json};

use crate::error::{MAX_MESSAGE, cut};
use crate::extract::{CHECKED, Needs, Parameters};
use crate::schema::host::{Enforcement, Host, Normalized, require_object};
use crate::schema::x_mcp_header::{HeaderParam, header_params};
use crate::schema::{Deferred, SchemaError, summary};

/// A tool's `inputSchema`, compiled.
pub(super) struct Input {
    schema: Deferred,
    pub(super) header_params: Vec<HeaderParam>,
    /// Decoding into the handler's type refuses whatever a derived schema refuses, so most good
    /// calls are parsed once and never validated.
    enforcement: Enforcement,
    /// Are there structs within? A decoder takes an array of their fields for one.
    nests: bool,
}

impl Input {
    /// From the schema that the author wrote, or else from what the handler asks for.
    pub(super) fn of(
        tool: &str,
        written: Option<&Value>,
        needs: &Needs,
    ) -> Result<Self, SchemaError> {
        if let Some(written) = written {
            require_object(written)?;
            return Self::compile(written, Enforcement::Validator);
        }
        match needs.parameters.as_slice() {
            [] => Self::compile(
                &json!({ "type": "object", "properties": {}, "additionalProperties": false }),
                Enforcement::Validator,
            ),
            [Parameters { type_name, schema }] => {
                let derived = Host::new().input(schema.clone().to_value(), type_name)?;
                let Normalized { schema, warnings, enforcement, .. } = derived;
                for warning in warnings {
                    tracing::warn!(tool, "{warning}");
                }
                Self::compile(&schema, enforcement)
            }
            [first, second, ..] => Err(SchemaError::at_root(format!(
                "the handler takes its arguments twice, as {} and as {}; join them in one type",
                first.type_name, second.type_name
            ))),
        }
    }

    fn compile(schema: &Value, enforcement: Enforcement) -> Result<Self, SchemaError> {
        let deferred = Deferred::new(schema)?;
        let header_params = if deferred.is_plain() { Vec::new() } else { header_params(schema)? };
        Ok(Self { schema: deferred, header_params, enforcement, nests: nests(schema) })
    }

    /// The schema as it is listed.
    pub(super) fn published(&self) -> &RawJson {
        self.schema.published()
    }

    /// Holds the arguments against the schema; what is wrong comes back in words for the model.
    pub(super) fn check(&self, tool: &str, arguments: &str) -> Result<(), String> {
        let decoding_checks = match self.enforcement {
            Enforcement::Decode => true,
            Enforcement::DecodeUnlessNull => !arguments.contains("null"),
            Enforcement::Validator => false,
        };
        if decoding_checks && !(self.nests && arguments.contains('[')) {
            return Ok(());
        }
        match self.problems(tool, arguments) {
            Some(problems) => Err(problems),
            None => Ok(()),
        }
    }

    /// The arguments with texts read as what the schema asks for; `None` when there are none.
    pub(super) fn lenient(&self, arguments: &str) -> Option<String> {
        let schema = serde_json::from_str(self.published().get()).ok()?;
        super::lenient::read(&schema, arguments)
    }

    /// Why the handler's type refused the arguments, in full; serde's word where the schema finds
    /// nothing wrong, which is a type that takes less than its schema says.
    pub(super) fn explain(&self, tool: &str, arguments: &str, refusal: &str) -> String {
        if let Some(checks) = own_checks(tool, refusal) {
            return checks;
        }
        let numbers = || fractions(tool, arguments, refusal);
        self.problems(tool, arguments).or_else(numbers).unwrap_or_else(|| {
            // serde quotes what it refuses, however long that is.
            let cut = cut(refusal, MAX_MESSAGE);
            format!("{tool}: 1 problem\n- {}", cut.as_deref().unwrap_or(refusal))
        })
    }

    fn problems(&self, tool: &str, arguments: &str) -> Option<String> {
        let Ok(arguments) = serde_json::from_str(arguments) else { return None };
        let problems = self.schema.problems(&arguments);
        (!problems.is_empty()).then(|| summary(tool, &problems))
    }
}

/// What the checks of the tool's author said; `None` when the refusal is serde's.
fn own_checks(tool: &str, refusal: &str) -> Option<String> {
    let (_, found) = refusal.split_once(CHECKED)?;
    // The decoder adds where it was.
    let found = found.rsplit_once(" at line ").map_or(found, |(found, _)| found);
    let problems: Vec<&str> = found.lines().collect();
    let count = match problems.len() {
        1 => "1 problem".to_owned(),
        many => format!("{many} problems"),
    };
    let told = format!("{tool}: {count}\n- {}", problems.join("\n- "));
    Some(cut(&told, MAX_MESSAGE).unwrap_or(told))
}

/// Is there an object with named properties below the root?
fn nests(schema: &Value) -> bool {
    let below = match schema {
        Value::Object(members) => members.values().collect::<Vec<_>>(),
        Value::Array(items) => items.iter().collect(),
        _ => return false,
    };
    below.into_iter().any(|value| value.get("properties").is_some() || nests(value))
}

/// The numbers that are integers to a schema and not to a Rust type: `1.0`, and what has more than
/// 64 bits, or more than the type has, which serde's word repeats; `None` when there are none.
fn fractions(tool: &str, arguments: &str, refusal: &str) -> Option<String> {
    let arguments: Value = serde_json::from_str(arguments).ok()?;
    let mut found = Vec::new();
    let mut open = vec![(String::new(), &arguments)];
    while let Some((path, value)) = open.pop() {
        match value {
            Value::Number(number) if !(number.is_i64() || number.is_u64()) => {
                let exact = number.as_f64().filter(|exact| exact.fract() == 0.0);
                found.extend(exact.map(|exact| match exact.abs() {
                    // Up to here a double is as exact as an integer.
                    ..=9_007_199_254_740_992.0 => format!("{path}: write {exact:.0}, not {number}"),
                    _ => format!("{path}: {number} is out of range"),
                }));
            }
            Value::Number(number) if refusal.contains(&format!("integer `{number}`")) => {
                found.push(format!("{path}: {number} is out of range"));
            }
            Value::Array(items) => {
                open.extend(
                    items.iter().enumerate().map(|(at, item)| (format!("{path}/{at}"), item)),
                );
            }
            Value::Object(members) => {
                open.extend(members.iter().map(|(key, member)| (format!("{path}/{key}"), member)));
            }
            _ => {}
        }
    }
    found.sort_unstable();
    found.truncate(10);
    let count = match found.len() {
        0 => return None,
        1 => "1 problem".to_owned(),
        many => format!("{many} problems"),
    };
    let problems = format!("{tool}: {count}\n- {}", found.join("\n- "));
    Some(cut(&problems, MAX_MESSAGE).unwrap_or(problems))
}
