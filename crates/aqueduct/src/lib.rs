//! A framework for Model Context Protocol servers.

pub mod schema;
pub mod resource;
pub mod seal;
