//! What authors, models and people are told, word for word.

#![expect(clippy::unwrap_used, reason = "the exemption for tests does not reach their helpers")]

mod call;
mod parameter;
mod peers;
mod property;
