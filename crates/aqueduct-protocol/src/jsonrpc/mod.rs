//! JSON-RPC 2.0 as MCP uses it: the one pass that reads a message, and the writers of answers.
//!
//! [`decode`] checks every byte of a message and remembers where the members that the protocol
//! knows begin and end; nothing is copied.
//! The payload is decoded later, once, straight into the type that wants it.
//!
//! ```
//! use aqueduct_protocol::jsonrpc::{Kind, Limits, Param, decode, string};
//!
//! let text = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo"}}"#;
//! let envelope = decode(text, &Limits::default())?;
//! assert_eq!(envelope.kind(), Kind::Request);
//! assert_eq!(envelope.id(text), Some("7"));
//! assert_eq!(envelope.method(text), "tools/call");
//! assert_eq!(envelope.param(text, Param::Name).and_then(string).as_deref(), Some("echo"));
//! # Ok::<(), aqueduct_protocol::jsonrpc::Malformed>(())
//! ```

mod envelope;
mod id;
mod known;
mod limits;
mod malformed;
mod message;
mod names;
mod number;
mod raw;
mod scan;
mod serialize;
mod span;
mod stack;
mod text;
mod tolerant;
mod union;
mod write;

pub use envelope::{Envelope, Kind, decode};
pub use id::RequestId;
pub use known::{MetaKey, Param};
pub use limits::Limits;
pub use malformed::Malformed;
pub use message::{
    JsonArray, JsonObject, JsonRpcErrorResponse, JsonRpcMessage, JsonRpcNotification,
    JsonRpcRequest, JsonRpcResponse, JsonRpcResultResponse, JsonValue, Notification, Request,
    Version,
};
pub use raw::RawJson;
pub use serialize::write_value;
pub use span::Span;
pub use text::string;
pub use union::{ClientRequest, ServerNotification};
pub use write::{write_error, write_result_head, write_string};

pub(crate) use message::{decoded, expect_method, notification, request};
pub(crate) use raw::present;

/// The value of the member `jsonrpc` in every message.
pub const VERSION: &str = "2.0";
