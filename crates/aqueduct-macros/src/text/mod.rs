//! Words: which of several is meant, and how a name is spelled in another case.

mod case;
mod nearest;
mod secret;

pub(crate) use self::case::Case;
pub(crate) use self::nearest::nearest;
pub(crate) use self::secret::is_secret;
