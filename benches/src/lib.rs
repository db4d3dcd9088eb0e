//! The one workload of every server that is measured here: what it offers and what it is asked.

pub mod request;
pub mod surface;

/// What ends a program of this package.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
