//! The Model Context Protocol on the wire: types, names, codes and versions.
//!
//! One file a page of the
//! [specification](https://modelcontextprotocol.io/specification/2026-07-28), and
//! [`jsonrpc`], the one pass that reads a message.
//! Nothing here does input or output, waits, or knows a transport.

pub mod base64;
pub mod code;
pub mod header;
pub mod jsonrpc;
pub mod meta;
pub mod method;
pub mod version;
