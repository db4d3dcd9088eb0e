//! What nearly every server needs, for one `use`.

pub use crate::Result;
pub use crate::completion::{Completer, Completions, Prefix, Settled};
pub use crate::context::{Context, Principal};
pub use crate::error::{Error, ToolError};
pub use crate::extract::{Args, Extension, Handles, Headers, State};
pub use crate::input::Answer;
pub use crate::prompt::Prompt;
pub use crate::reply::ToolResult;
pub use crate::resource::{Resource, ResourceTemplate};
pub use crate::server::Server;
pub use crate::tool::{Json, Tool};
pub use aqueduct_protocol::cache::{CacheHint, CacheScope};
pub use aqueduct_protocol::content::ContentBlock;
pub use aqueduct_protocol::logging::LoggingLevel;
pub use aqueduct_protocol::prompts::{PromptArgument, PromptMessage};

#[cfg(feature = "macros")]
pub use crate::list;
#[cfg(feature = "macros")]
pub use crate::macros::{args, form, output, prompt, resource, tool, tools};
