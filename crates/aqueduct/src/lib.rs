//! A framework for Model Context Protocol servers: ordinary functions in, any client out.
//!
//! ```no_run
//! // Not run: it would wait for a client.
//! use aqueduct::prelude::*;
//!
//! /// Greet somebody.
//! #[tool(read_only)]
//! async fn greet(
//!     /// Whom to greet
//!     name: String,
//! ) -> String {
//!     format!("Hello, {name}!")
//! }
//!
//! #[tokio::main]
//! async fn main() -> aqueduct::Result<()> {
//!     Server::new("greeter", "1.0.0").tools(list![greet]).run().await
//! }
//! ```
//!
//! A newcomer reads [`call`], then the folder that he came for: [`tool`](mod@tool),
//! [`resource`](mod@resource), [`prompt`](mod@prompt), [`completion`], [`extract`], [`context`],
//! [`transport`]. The guides are in [`macros::guide`].

mod app;
#[cfg(feature = "auth")]
pub mod auth;
pub mod call;
pub mod completion;
pub mod context;
mod dispatch;
pub mod error;
pub mod extract;
pub mod input;
pub mod item;
#[cfg(any(feature = "http", feature = "stdio"))]
mod legacy;
#[cfg(feature = "macros")]
mod list;
#[cfg(feature = "macros")]
pub mod macros;
mod middleware;
pub mod page;
pub mod prelude;
pub mod prompt;
mod quota;
pub mod reply;
pub mod resource;
pub mod schema;
pub mod seal;
pub mod server;
#[cfg(feature = "skills")]
mod skill;
#[cfg(not(feature = "skills"))]
#[path = "skill/left_out.rs"]
mod skill;
pub mod store;
pub mod subscription;
mod task;
pub mod testing;
pub mod tool;
pub mod transport;
pub mod uri;

#[cfg(feature = "macros")]
#[doc(hidden)]
pub mod __private;

pub use aqueduct_protocol as protocol;
pub use http;
pub use schemars;

pub use self::context::{Context, Principal};
pub use self::error::{Error, ToolError};
pub use self::server::Server;

/// What a handler returns, and `main` too: `?` makes its error from any other.
pub type Result<T, E = ToolError> = std::result::Result<T, E>;
