//! What a client is to the flow: something that asks a server and tells what came back.

use std::path::PathBuf;

use anyhow::Result;
use serde_json::Value;

/// Where the server is.
#[derive(Clone, Debug)]
pub(super) enum Endpoint {
    Http { url: String },
    Stdio { program: PathBuf, args: Vec<String> },
}

/// What came back, as the client tells it.
#[derive(Debug)]
pub(super) enum Reply {
    Result(Value),
    /// The server refused, or the client did not accept what it said.
    Error(Value),
    /// This client has no way to ask; the reason names its version.
    Limit(&'static str),
}

/// A client that we did not write.
pub(super) trait Client {
    /// Asks the server. An error means that the client itself broke down.
    fn ask(&mut self, method: &str, params: &Value) -> Result<Reply>;
}
