//! What handlers answer with: the builders and helpers that `GenMCP`'s and `ConduitMCP`'s pages
//! describe, with the semantics of their examples.

#![expect(clippy::unwrap_used, reason = "the exemption for tests does not reach their helpers")]

mod builder;
mod helper;
mod repo;
