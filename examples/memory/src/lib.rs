//! A memory that an assistant keeps: the store, the command line and the tools of the program.

pub mod board;
pub mod cli;
pub mod import;
pub mod prompts;
pub mod resources;
pub mod server;
pub mod store;
pub mod tools;
