//! The stores, each against the contract that all of them must meet.

mod memory;
#[cfg(feature = "redb")]
mod redb;
