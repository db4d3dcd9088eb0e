//! The codes of JSON-RPC errors.
//!
//! [Basic › Error codes](https://modelcontextprotocol.io/specification/2026-07-28/basic).
//! Under 2026-07-28 nothing else may be sent from −32099 to −32000.

/// The text is not JSON.
pub const PARSE_ERROR: i32 = -32700;
/// The JSON is not a message.
pub const INVALID_REQUEST: i32 = -32600;
/// No such method here, or one whose capability is not declared.
pub const METHOD_NOT_FOUND: i32 = -32601;
/// The parameters are wrong, or name something that does not exist.
pub const INVALID_PARAMS: i32 = -32602;
/// Something failed that is not the peer's fault.
pub const INTERNAL_ERROR: i32 = -32603;
/// A header of the HTTP request is missing or disagrees with its body.
pub const HEADER_MISMATCH: i32 = -32020;
/// The request needs a capability that the client did not declare.
pub const MISSING_REQUIRED_CLIENT_CAPABILITY: i32 = -32021;
/// The request is written in a revision that the server does not speak.
pub const UNSUPPORTED_PROTOCOL_VERSION: i32 = -32022;

/// No such resource, up to 2025-11-25; [`INVALID_PARAMS`] since.
pub const RESOURCE_NOT_FOUND: i32 = -32002;
/// The user must visit an address first, in 2025-11-25 alone.
pub const URL_ELICITATION_REQUIRED: i32 = -32042;

/// What JSON-RPC and MCP keep for themselves (Basic › Error Codes).
pub const RESERVED: std::ops::RangeInclusive<i32> = -32768..=-32000;
