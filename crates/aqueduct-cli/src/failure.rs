//! Why there is no answer, sorted by the exit code it leads to.

use rmcp::{ServiceError, model::ErrorData, service::ClientInitializeError};

/// What kept the program from an answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line cannot be carried out.
    Usage(String),
    /// The server answered with a JSON-RPC error.
    Refused(ErrorData),
    /// The server was not reached, or what it said is not MCP.
    Transport(anyhow::Error),
}

impl From<ServiceError> for Failure {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::McpError(refusal) => Self::Refused(refusal),
            other => Self::Transport(other.into()),
        }
    }
}

impl From<ClientInitializeError> for Failure {
    fn from(error: ClientInitializeError) -> Self {
        match error {
            ClientInitializeError::JsonRpcError(refusal) => Self::Refused(refusal),
            // Its own message names neither of its two causes.
            ClientInitializeError::LegacyFallbackFailed { discover, fallback } => {
                Self::Transport(anyhow::anyhow!(
                    "server/discover failed: {discover}; initialize failed: {fallback}"
                ))
            }
            other => Self::Transport(other.into()),
        }
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Transport(error)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Transport(error.into())
    }
}
