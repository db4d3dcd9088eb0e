//! The attributes, each with its page; the prelude brings them all.

pub mod guide;

#[doc = include_str!("../docs/macros/args.md")]
#[doc(inline)]
pub use aqueduct_macros::args;
#[doc = include_str!("../docs/macros/form.md")]
#[doc(inline)]
pub use aqueduct_macros::form;
#[doc = include_str!("../docs/macros/output.md")]
#[doc(inline)]
pub use aqueduct_macros::output;
#[doc = include_str!("../docs/macros/prompt.md")]
#[doc(inline)]
pub use aqueduct_macros::prompt;
#[doc = include_str!("../docs/macros/resource.md")]
#[doc(inline)]
pub use aqueduct_macros::resource;
#[doc = include_str!("../docs/macros/tool.md")]
#[doc(inline)]
pub use aqueduct_macros::tool;
#[doc = include_str!("../docs/macros/tools.md")]
#[doc(inline)]
pub use aqueduct_macros::tools;
