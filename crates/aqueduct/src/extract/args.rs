//! The arguments of a tool, a prompt or a URI template, decoded into a type.

use std::any::type_name;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;

use super::{Extract, Needs, Rejection};
use crate::context::Context;

/// The arguments of the call, decoded into `T`.
///
/// Its schema becomes the tool's `inputSchema`; for a prompt its fields are the arguments; for a
/// resource they are the variables of the template.
///
/// ```
/// use aqueduct::prelude::*;
///
/// #[args]
/// struct Search {
///     /// Words to look for
///     query: String,
/// }
///
/// let tool = Tool::new("search")
///     .description("Search the catalogue")
///     .handler(|Args(search): Args<Search>| async move { format!("nothing on {}", search.query) });
/// # let _ = tool;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Args<T>(pub T);

impl<T: DeserializeOwned + JsonSchema> Extract for Args<T> {
    fn describe(needs: &mut Needs) {
        needs.arguments(Parameters::of::<T>());
    }

    fn extract(ctx: &Context) -> Result<Self, Rejection> {
        let decoded = match ctx.variables() {
            Some(variables) => variables.decode().map_err(|error| error.to_string()),
            None => serde_json::from_str(ctx.arguments()).map_err(|error| error.to_string()),
        };
        decoded.map(Self).map_err(Rejection::Arguments)
    }
}

/// What the refusal begins with that a check of the author's own wrote, not serde.
pub(crate) const CHECKED: &str = "checked: ";

/// What is known of a type of arguments before any call.
#[derive(Clone, Debug)]
pub struct Parameters {
    pub(crate) type_name: &'static str,
    pub(crate) schema: Schema,
}

impl Parameters {
    /// Derives them from the type.
    #[must_use]
    pub fn of<T: JsonSchema>() -> Self {
        let generator = SchemaSettings::draft2020_12().into_generator();
        Self { type_name: type_name::<T>(), schema: generator.into_root_schema_for::<T>() }
    }
}
