//! Asking the user.
//!
//! [Elicitation](https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation).

mod field;
mod form;

use serde::de::{self, Deserializer};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use crate::input::input_request;
use crate::jsonrpc::{JsonObject, RawJson, decoded};
use crate::record::{record, words};

pub use field::{
    BooleanSchema, EnumOption, EnumSchema, LegacyTitledEnumSchema, MultiSelectEnumSchema,
    NumberKind, NumberSchema, PrimitiveSchemaDefinition, SingleSelectEnumSchema, StringFormat,
    StringSchema, TitledItems, TitledMultiSelectEnumSchema, TitledSingleSelectEnumSchema,
    UntitledItems, UntitledMultiSelectEnumSchema, UntitledSingleSelectEnumSchema,
};
pub use form::{Properties, RequestedSchema};

input_request! {
    /// Asks the user.
    ElicitRequest = "elicitation/create", ElicitRequestParams
}

/// The parameters of [`ElicitRequest`]: which of the two ways to ask.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ElicitRequestParams {
    /// By a form, whose answers the server sees.
    Form(ElicitRequestFormParams),
    /// By sending the user to an address, for what the client must not see.
    Url(ElicitRequestUrlParams),
}

record! {
    /// A form for the user.
    ElicitRequestFormParams {
        /// Always `form`; a client of 2025-06-18 knows no other way and gets it without.
        mode: Option<FormMode>,
        /// What is asked, for the user.
        message: String,
        /// The form's fields.
        requested_schema: RequestedSchema,
    }
}

words! {
    /// The mode of [`ElicitRequestFormParams`].
    FormMode {
        /// By a form.
        Form = "form",
    }
}

record! {
    /// An address for the user.
    #[derive(Eq)]
    #[serde(tag = "mode", rename = "url")]
    ElicitRequestUrlParams {
        /// What it is for, for the user.
        message: String,
        /// The address.
        url: String,
    }
}

impl ElicitRequest {
    /// A form for the user.
    #[must_use]
    pub fn form(message: impl Into<String>, fields: RequestedSchema) -> Self {
        let params = ElicitRequestFormParams::new(message, fields).mode(FormMode::Form);
        Self::new(ElicitRequestParams::Form(params))
    }

    /// An address for the user.
    #[must_use]
    pub fn url(message: impl Into<String>, url: impl Into<String>) -> Self {
        Self::new(ElicitRequestParams::Url(ElicitRequestUrlParams::new(message, url)))
    }
}

impl Serialize for ElicitRequestParams {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Form(params) => params.serialize(serializer),
            Self::Url(params) => params.serialize(serializer),
        }
    }
}

/// The member that tells the two ways apart.
#[derive(Deserialize)]
struct Way {
    mode: Option<String>,
}

impl<'de> Deserialize<'de> for ElicitRequestParams {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = RawJson::deserialize(deserializer)?;
        let Way { mode } = decoded(&raw)?;
        match mode.as_deref() {
            None | Some("form") => decoded(&raw).map(Self::Form),
            Some("url") => decoded(&raw).map(Self::Url),
            Some(_) => Err(de::Error::custom("mode must be `form` or `url`")),
        }
    }
}

words! {
    /// What the user did.
    ElicitAction {
        /// Agreed, or filled in the form.
        Accept = "accept",
        /// Said no.
        Decline = "decline",
        /// Said nothing.
        Cancel = "cancel",
    }
}

record! {
    /// What the user did and filled in.
    #[derive(Eq)]
    ElicitResult {
        /// What the user did.
        action: ElicitAction,
        /// The form's answers, by field: texts, numbers, truth values, lists of texts.
        ///
        /// Numbers may have fractions, which the published JSON Schema forgets and the
        /// specification has.
        content: Option<JsonObject>,
    }
}

impl ElicitResult {
    /// The user filled in the form.
    #[must_use]
    pub fn accept(content: JsonObject) -> Self {
        Self::new(ElicitAction::Accept).content(content)
    }

    /// The user said no.
    #[must_use]
    pub fn decline() -> Self {
        Self::new(ElicitAction::Decline)
    }

    /// The user said nothing.
    #[must_use]
    pub fn cancel() -> Self {
        Self::new(ElicitAction::Cancel)
    }
}
