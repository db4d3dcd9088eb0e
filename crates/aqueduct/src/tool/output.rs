//! From what a handler returns to a `CallToolResult`.

use std::borrow::Cow;

use aqueduct_protocol::content::{
    AudioContent, ContentBlock, EmbeddedResource, ImageContent, ResourceLink, TextContent,
};
use aqueduct_protocol::jsonrpc::RawJson;
use aqueduct_protocol::tools::CallToolResult;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::Value;

use crate::error::ToolError;

/// What a tool's handler may return.
///
/// Text, content blocks, [`Json`] for structured results, nothing at all, or a `Result` of these
/// whose error `?` made.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not something that a tool can answer with",
    label = "cannot become a tool's result",
    note = "wrap a value that serialises in `Json(…)`: it becomes `structuredContent`, and its \
            type the `outputSchema`",
    note = "text, `ContentBlock`s, `ToolResult`, `()` and `Result`s of these work as they are; \
            the error of a `Result` is `ToolError`, which `?` makes from any error"
)]
pub trait IntoToolOutput {
    /// Makes the result.
    ///
    /// # Errors
    /// What the handler failed with, for the model to read.
    fn into_tool_output(self) -> Result<CallToolResult, ToolError>;

    /// The `outputSchema` of every result of this type, if it has one.
    #[must_use]
    fn output_schema() -> Option<Value> {
        None
    }
}

impl IntoToolOutput for CallToolResult {
    fn into_tool_output(self) -> Result<CallToolResult, ToolError> {
        Ok(self)
    }
}

impl IntoToolOutput for () {
    fn into_tool_output(self) -> Result<CallToolResult, ToolError> {
        Ok(CallToolResult::new(Vec::new()))
    }
}

impl IntoToolOutput for ContentBlock {
    fn into_tool_output(self) -> Result<CallToolResult, ToolError> {
        Ok(CallToolResult::new(vec![self]))
    }
}

impl IntoToolOutput for Vec<ContentBlock> {
    fn into_tool_output(self) -> Result<CallToolResult, ToolError> {
        Ok(CallToolResult::new(self))
    }
}

macro_rules! blocks {
    ($($kind:ty)*) => {$(
        impl IntoToolOutput for $kind {
            fn into_tool_output(self) -> Result<CallToolResult, ToolError> {
                ContentBlock::from(self).into_tool_output()
            }
        }
    )*};
}

blocks!(TextContent ImageContent AudioContent ResourceLink EmbeddedResource);

macro_rules! texts {
    ($($kind:ty)*) => {$(
        impl IntoToolOutput for $kind {
            fn into_tool_output(self) -> Result<CallToolResult, ToolError> {
                ContentBlock::text(self).into_tool_output()
            }
        }
    )*};
}

texts!(String &'static str Cow<'static, str> Box<str>);

impl<T: IntoToolOutput, E: Into<ToolError>> IntoToolOutput for Result<T, E> {
    fn into_tool_output(self) -> Result<CallToolResult, ToolError> {
        self.map_err(Into::into)?.into_tool_output()
    }

    fn output_schema() -> Option<Value> {
        T::output_schema()
    }
}

/// A structured result: `structuredContent`, its type as `outputSchema`, and the same JSON as
/// text for clients that read only text.
///
/// ```
/// use aqueduct::prelude::*;
///
/// #[output]
/// struct Hit { title: String, score: f64 }
///
/// #[tool]
/// async fn best() -> Json<Hit> {
///     Json(Hit { title: "Rust".into(), score: 0.9 })
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Json<T>(pub T);

/// A type whose values are structured content.
///
/// It stands between [`Json`] and the two derives so that the compiler can say what to write.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be structured content",
    label = "cannot be wrapped in `Json(…)`",
    note = "mark a type of your own with `#[output]`, or derive `Serialize` and `JsonSchema` of \
            `aqueduct::schemars` for it"
)]
pub trait Structured {
    /// The value as JSON.
    ///
    /// # Errors
    /// When it cannot be written.
    fn json(&self) -> Result<RawJson, ToolError>;

    /// The schema of all values.
    fn schema() -> Value;
}

// The two are no supertraits, because then the compiler would name each of them that is missing.
#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> Structured for T {
    fn json(&self) -> Result<RawJson, ToolError> {
        Ok(RawJson::new(self)?)
    }

    fn schema() -> Value {
        let settings = SchemaSettings::draft2020_12().for_serialize();
        settings.into_generator().into_root_schema_for::<T>().to_value()
    }
}

impl<T: Structured> IntoToolOutput for Json<T> {
    fn into_tool_output(self) -> Result<CallToolResult, ToolError> {
        let json = self.0.json()?;
        let mut result = CallToolResult::new(vec![ContentBlock::text(json.get())]);
        result.structured_content = Some(json);
        Ok(result)
    }

    fn output_schema() -> Option<Value> {
        Some(T::schema())
    }
}
