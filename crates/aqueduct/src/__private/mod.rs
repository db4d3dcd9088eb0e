//! What the macros' output names; no promise is made about any of it.
//!
//! Each trait here is the one place at which a mistake in a marked function is reported: the
//! output names a type of the user's in one `impl` of such a trait, at the place where he wrote
//! it, and everything else goes through the trait, so that one mistake is one error.

mod argument;
mod capability;
mod check;
mod decode;
mod field;
mod form;
mod handled;
mod output;
mod taken;

pub use self::argument::{Argument, Arguments, Given, Parameter, Place, Slot};
pub use self::capability::{Capability, capabilities};
pub use self::check::Checks;
pub use self::field::{
    Field, Fields, Measured, Mirrored, MirroredDefault, Published, Ranged, Unpublished, Worded,
    rules,
};
pub use self::form::{FormFields, FormRules};
pub use self::handled::{Handled, handled};
pub use self::output::{
    Fails, Failure, PromptAnswer, PromptReturns, ResourceAnswer, ResourceReturns, ToolAnswer,
    ToolReturns, failure,
};
pub use self::taken::{Both, Nothing, Taken, Takes};

pub use crate::error::ToolError;
pub use crate::extract::Args;
pub use crate::input::{Choices, Form, FormField, FormSpec};
pub use crate::prompt::Prompt;
pub use crate::resource::AnyResource;
pub use crate::resource::{Resource, ResourceTemplate};
pub use crate::tool::{Recover, TaskSupport, Tool};
pub use aqueduct_protocol::cache::CacheHint;
pub use aqueduct_protocol::icons::Icon;
pub use schemars;
pub use schemars::Schema;
pub use serde;
pub use serde::de::{Error as DecodeError, MapAccess};
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
