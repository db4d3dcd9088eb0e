//! Every test of the framework from outside, in one binary, because linking is what costs.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that meets what it did not expect must end, and its helpers too"
)]

mod cases;
mod http;
mod macros;
mod message;
mod reply;
mod stdio_session;
mod store;
mod wire;
