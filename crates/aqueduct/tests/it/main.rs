//! Every test of the framework from outside, in one binary, because linking is what costs.

#![expect(clippy::expect_used, reason = "the exemption for tests does not reach their helpers")]

mod cases;
mod http;
mod macros;
mod wire;
