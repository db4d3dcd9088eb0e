//! From what a handler returns to a `GetPromptResult`.

use aqueduct_protocol::content::ContentBlock;
use aqueduct_protocol::prompts::{GetPromptResult, PromptMessage};

use crate::error::ToolError;

/// What a prompt's handler may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not something that a prompt can answer with",
    label = "cannot become the messages of a prompt",
    note = "return text (one message of the user), `PromptMessage`s, `GetPromptResult`, or a \
            `Result` of these"
)]
pub trait IntoPromptOutput {
    /// Makes the result.
    ///
    /// # Errors
    /// What the handler failed with.
    fn into_prompt_output(self) -> Result<GetPromptResult, ToolError>;
}

impl IntoPromptOutput for GetPromptResult {
    fn into_prompt_output(self) -> Result<GetPromptResult, ToolError> {
        Ok(self)
    }
}

impl IntoPromptOutput for Vec<PromptMessage> {
    fn into_prompt_output(self) -> Result<GetPromptResult, ToolError> {
        Ok(GetPromptResult::new(self))
    }
}

impl<const N: usize> IntoPromptOutput for [PromptMessage; N] {
    fn into_prompt_output(self) -> Result<GetPromptResult, ToolError> {
        Ok(GetPromptResult::new(self.into()))
    }
}

impl IntoPromptOutput for PromptMessage {
    fn into_prompt_output(self) -> Result<GetPromptResult, ToolError> {
        Ok(GetPromptResult::new(vec![self]))
    }
}

impl IntoPromptOutput for String {
    fn into_prompt_output(self) -> Result<GetPromptResult, ToolError> {
        PromptMessage::user(ContentBlock::text(self)).into_prompt_output()
    }
}

impl IntoPromptOutput for &'static str {
    fn into_prompt_output(self) -> Result<GetPromptResult, ToolError> {
        PromptMessage::user(ContentBlock::text(self)).into_prompt_output()
    }
}

impl<T: IntoPromptOutput, E: Into<ToolError>> IntoPromptOutput for Result<T, E> {
    fn into_prompt_output(self) -> Result<GetPromptResult, ToolError> {
        self.map_err(Into::into)?.into_prompt_output()
    }
}
