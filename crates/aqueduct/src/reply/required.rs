//! A handler may return its questions as it returns anything else.

use aqueduct_protocol::prompts::GetPromptResult;
use aqueduct_protocol::resources::ReadResourceResult;
use aqueduct_protocol::tools::CallToolResult;

use crate::error::ToolError;
use crate::input::InputRequired;
use crate::prompt::IntoPromptOutput;
use crate::resource::{About, IntoResourceOutput};
use crate::tool::IntoToolOutput;

impl IntoToolOutput for InputRequired {
    fn into_tool_output(self) -> Result<CallToolResult, ToolError> {
        Err(self.into())
    }
}

impl IntoPromptOutput for InputRequired {
    fn into_prompt_output(self) -> Result<GetPromptResult, ToolError> {
        Err(self.into())
    }
}

impl IntoResourceOutput for InputRequired {
    fn into_resource_output(self, _: &About) -> Result<ReadResourceResult, ToolError> {
        Err(self.into())
    }
}
