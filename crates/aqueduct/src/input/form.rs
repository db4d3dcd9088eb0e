//! A type that can be asked of a user: a flat set of plain fields.

use aqueduct_protocol::elicitation::{ElicitResult, RequestedSchema};
use serde::de::DeserializeOwned;

use crate::schema::{Validator, summary};

/// A struct of plain fields that a user can fill in; made by `#[form]`.
///
/// Forms are flat (Elicitation › Restricted schemas): text, numbers, yes or no, one of a list,
/// some of a list.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a form",
    label = "cannot be filled in by a user",
    note = "mark a struct of plain fields with `#[form]`"
)]
pub trait Form: DeserializeOwned + Send + 'static {
    /// The fields, made once.
    fn spec() -> &'static FormSpec;
}

/// The schema of a form, and the check of what comes back.
#[derive(Debug)]
pub struct FormSpec {
    schema: RequestedSchema,
    validator: Option<Validator>,
}

impl FormSpec {
    /// From a schema, compiled once.
    #[must_use]
    pub fn new(schema: RequestedSchema) -> Self {
        let validator = serde_json::to_value(&schema)
            .ok()
            .and_then(|schema| Validator::compile(&schema).ok())
            .map(|validator| validator.formats(true));
        Self { schema, validator }
    }

    /// What is sent to the client.
    #[must_use]
    pub fn schema(&self) -> &RequestedSchema {
        &self.schema
    }

    /// Why a filled-in form does not fit; `None` when it does, or was not filled in.
    pub(super) fn explain(&self, result: &ElicitResult) -> Option<String> {
        let content = serde_json::to_value(result.content.as_ref()?).ok()?;
        let problems = self.validator.as_ref()?.problems(&content);
        (!problems.is_empty()).then(|| summary("the answer before", &problems))
    }

    /// The values of a filled-in form; `None` when they do not fit, and must be asked for again.
    pub(super) fn decode<T: Form>(&self, result: &ElicitResult) -> Option<T> {
        let content = serde_json::to_value(result.content.as_ref()?).ok()?;
        let fits = self.validator.as_ref().is_none_or(|validator| validator.is_valid(&content));
        if !fits {
            return None;
        }
        serde_json::from_value(content).ok()
    }
}
