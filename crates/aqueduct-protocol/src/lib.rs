//! The Model Context Protocol on the wire: types, names, codes and versions.
//!
//! One file a page of the
//! [specification](https://modelcontextprotocol.io/specification/2026-07-28), and
//! [`jsonrpc`], the one pass that reads a message.
//! Nothing here does input or output, waits, or knows a transport.
//!
//! The types are those of 2026-07-28; what the handshake revisions write differently is a
//! translation on their way out.
//! Every struct has public fields, `new` with what it must have, and a builder method for each
//! member that may be left out.
//!
//! ```
//! use aqueduct_protocol::content::Content;
//! use aqueduct_protocol::tools::CallToolResult;
//!
//! let result = CallToolResult::new(vec![Content::text("3 hits")]);
//! assert_eq!(
//!     serde_json::to_string(&result)?,
//!     r#"{"resultType":"complete","content":[{"type":"text","text":"3 hits"}]}"#,
//! );
//! # Ok::<(), serde_json::Error>(())
//! ```

mod number;
mod record;

pub mod jsonrpc;

pub mod code;
pub mod header;
pub mod meta;
pub mod method;
pub mod version;

pub mod cache;
pub mod capabilities;
pub mod discover;
pub mod errors;
pub mod icons;
pub mod pagination;
pub mod params;
pub mod result;

pub mod completion;
pub mod content;
pub mod logging;
pub mod prompts;
pub mod resources;
pub mod tools;

pub mod elicitation;
pub mod input;
pub mod roots;
pub mod sampling;

pub mod cancellation;
pub mod progress;
pub mod subscriptions;
pub mod tasks;

pub mod apps;
pub mod skills;

pub mod legacy;

pub mod base64;
