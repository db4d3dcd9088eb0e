//! What stands between the parentheses of an attribute.

mod arg;
mod common;
mod duration;
mod entry;
mod group;
mod prompt;
mod range;
mod resource;
mod task;
mod tool;
mod ui;

pub(crate) use self::arg::{Arg, Default};
pub(crate) use self::common::Common;
pub(crate) use self::entry::{Entries, Entry, as_text};
pub(crate) use self::group::Group;
pub(crate) use self::prompt::Prompt;
pub(crate) use self::range::Range;
pub(crate) use self::resource::Resource;
pub(crate) use self::tool::{CAPABILITIES, Timeout, Tool};
pub(crate) use self::ui::Ui;
