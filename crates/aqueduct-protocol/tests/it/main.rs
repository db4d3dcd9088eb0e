//! What the crate promises, seen from outside: one binary, for linking is what costs.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::too_many_lines,
    reason = "clippy's exemption for tests does not reach helper functions and tables"
)]

mod differential;
mod envelope;
mod examples;
mod limits;
mod reference;
mod schema;
mod shared;
mod table;
