//! What an attribute stands on, read and checked.

mod docs;
mod function;
mod param;
mod returns;
mod signature;
mod template;
mod types;

pub(crate) use self::docs::Docs;
pub(crate) use self::function::{Function, Kind, Marked};
pub(crate) use self::param::{Argument, Param, Source};
pub(crate) use self::returns::Returns;
pub(crate) use self::signature::{Receiver, strip};
pub(crate) use self::template::check_uri;
