//! A framework for Model Context Protocol servers.

pub mod schema;
pub mod uri;
pub mod seal;
