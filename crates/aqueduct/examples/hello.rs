//! The smallest server: one tool, over standard input and output or HTTP.

use aqueduct::prelude::*;

/// Greet somebody.
#[tool(read_only)]
async fn greet(
    /// Whom to greet
    name: String,
) -> String {
    format!("Hello, {name}!")
}

#[tokio::main]
async fn main() -> Result<()> {
    Server::new("hello", "1.0.0").tools(list![greet]).run().await
}
