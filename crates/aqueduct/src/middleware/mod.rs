//! What stands around every call: layers of ours, and the room for those of others.

mod catch_panic;
mod trace;

pub(crate) use self::catch_panic::CatchPanic;
pub(crate) use self::trace::Traced;
