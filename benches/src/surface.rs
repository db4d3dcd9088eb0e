//! What each server offers: an echo among a hundred tools, and a resource of 64 KiB.

use serde_json::{Value, json};

/// The protocol version that is spoken.
pub const VERSION: &str = "2026-07-28";
/// The name that each server gives itself.
pub const SERVER_NAME: &str = "bench";
/// The version that each server gives itself.
pub const SERVER_VERSION: &str = "1.0.0";
/// The tool that is called.
pub const ECHO: &str = "echo";
/// What is echoed.
pub const ECHOED: &str = "a short text, as a model would send it";
/// How many tools a server has unless it is told otherwise.
pub const TOOLS: usize = 100;
/// The resource that is read.
pub const URI: &str = "bench:///text";
/// How long the resource is, in bytes.
pub const LENGTH: usize = 64 * 1024;

/// The description of the echo.
pub const ECHO_DESCRIPTION: &str = "Gives back the text that it was given.";

/// The name of a tool that is only listed.
#[must_use]
pub fn filler_name(index: usize) -> String {
    format!("tool_{index:04}")
}

/// The description of a tool that is only listed.
#[must_use]
pub fn filler_description(index: usize) -> String {
    format!("Does the thing number {index} to the text, up to a limit.")
}

/// The input schema of every tool but the echo.
#[must_use]
pub fn filler_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "What to look at"},
            "limit": {"type": "integer", "description": "How far to go"},
        },
        "required": ["text"],
    })
}

/// The input schema of the echo.
#[must_use]
pub fn echo_schema() -> Value {
    json!({
        "type": "object",
        "properties": {"text": {"type": "string"}},
        "required": ["text"],
    })
}

/// The text of the resource: lines of prose, whose ends are what there is to escape.
#[must_use]
pub fn text() -> String {
    let line = "The quick brown fox jumped over the lazy dog and went on its way.\n";
    let mut text = line.repeat(LENGTH / line.len() + 1);
    text.truncate(LENGTH);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workload_is_of_the_size_that_the_figures_name() {
        assert_eq!(text().len(), LENGTH);
        let tool = json!({
            "name": filler_name(7),
            "description": filler_description(7),
            "inputSchema": filler_schema(),
        });
        assert!((250..350).contains(&tool.to_string().len()), "{tool}");
    }
}
