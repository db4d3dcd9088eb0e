//! All integration tests of the framework, in one binary, since linking is what costs.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that meets what it did not expect must end"
)]

#[cfg(feature = "http")]
mod http;
