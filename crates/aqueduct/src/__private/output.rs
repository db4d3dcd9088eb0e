//! What a marked function returns.

use aqueduct_protocol::prompts::GetPromptResult;
use aqueduct_protocol::resources::ReadResourceResult;
use aqueduct_protocol::tools::CallToolResult;
use serde_json::Value;

use crate::error::ToolError;
use crate::prompt::IntoPromptOutput;
use crate::resource::{About, IntoResourceOutput};
use crate::tool::IntoToolOutput;

/// What a tool returns.
pub trait ToolReturns {
    /// Its type.
    type Value: IntoToolOutput;
}

/// What a tool returned.
pub struct ToolAnswer<R: ToolReturns>(pub R::Value);

impl<R: ToolReturns> IntoToolOutput for ToolAnswer<R> {
    fn into_tool_output(self) -> Result<CallToolResult, ToolError> {
        self.0.into_tool_output()
    }

    fn output_schema() -> Option<Value> {
        R::Value::output_schema()
    }
}

/// What a prompt returns.
pub trait PromptReturns {
    /// Its type.
    type Value: IntoPromptOutput;
}

/// What a prompt returned.
pub struct PromptAnswer<R: PromptReturns>(pub R::Value);

impl<R: PromptReturns> IntoPromptOutput for PromptAnswer<R> {
    fn into_prompt_output(self) -> Result<GetPromptResult, ToolError> {
        self.0.into_prompt_output()
    }
}

/// What a resource returns.
pub trait ResourceReturns {
    /// Its type.
    type Value: IntoResourceOutput;
}

/// What a resource returned.
pub struct ResourceAnswer<R: ResourceReturns>(pub R::Value);

impl<R: ResourceReturns> IntoResourceOutput for ResourceAnswer<R> {
    fn into_resource_output(self, about: &About) -> Result<ReadResourceResult, ToolError> {
        self.0.into_resource_output(about)
    }
}

/// An error that a function may fail with.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a tool, a prompt or a resource",
    label = "cannot become a `ToolError`",
    note = "return `aqueduct::Result<T>`: its error is made by `?` from any `std::error::Error`, \
            and by `ToolError::new(\"…\")` from words"
)]
pub trait Failure {
    /// The error that the library knows.
    fn into_tool_error(self) -> ToolError;
}

#[diagnostic::do_not_recommend]
impl<E: Into<ToolError>> Failure for E {
    fn into_tool_error(self) -> ToolError {
        self.into()
    }
}

/// The error of a function that returns a `Result`.
pub trait Fails {
    /// Its type.
    type Error: Failure;
}

/// The error that a function failed with.
pub fn failure<F: Fails>(error: F::Error) -> ToolError {
    error.into_tool_error()
}

macro_rules! unprinted {
    ($($answer:ident: $returns:ident)*) => {$(
        impl<R: $returns> std::fmt::Debug for $answer<R> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(stringify!($answer))
            }
        }
    )*};
}

unprinted!(ToolAnswer: ToolReturns PromptAnswer: PromptReturns ResourceAnswer: ResourceReturns);
