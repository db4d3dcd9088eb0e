//! The smallest tool.

#[tool]
fn ping() {}
