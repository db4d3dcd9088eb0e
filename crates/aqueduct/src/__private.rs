//! What the macros' output names; no promise is made about any of it.

pub use schemars;
pub use serde;
pub use serde_json;

/// What `#[tool]`, `#[prompt]` and `#[resource]` leave beside the function, under its name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is nothing that a server can offer",
    label = "not marked with `#[tool]`, `#[prompt]` or `#[resource]`"
)]
pub trait Listed {
    /// What it is: a tool, a prompt or a resource.
    type Item;

    /// Makes it.
    fn item() -> Self::Item;
}
