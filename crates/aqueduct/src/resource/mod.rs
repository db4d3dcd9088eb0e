//! Resources: what a server lets a client read, by URI.

mod template;

pub use template::{DecodeError, TemplateError, UriError, UriTemplate, Value, Variable, Variables};
