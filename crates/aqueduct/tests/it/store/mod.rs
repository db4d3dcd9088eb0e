//! The stores, each against the contract that all of them must meet.

mod memory;
