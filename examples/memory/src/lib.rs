//! A memory that an assistant keeps: the store, the command line and the tools of the program.

pub mod cli;
pub mod store;
