//! The options of `#[prompt]`.

use super::{Common, Entries};
use crate::ctxt::Ctxt;

/// Their values.
#[derive(Default)]
pub(crate) struct Prompt {
    pub(crate) common: Common,
}

impl Prompt {
    pub(crate) fn read(entries: &Entries, ctxt: &mut Ctxt) -> Self {
        let mut options = Self::default();
        for entry in &entries.entries {
            if !options.common.take(entry, ctxt) {
                ctxt.unknown(&entry.name, "`#[prompt]`", &Common::NAMES);
            }
        }
        options
    }
}
