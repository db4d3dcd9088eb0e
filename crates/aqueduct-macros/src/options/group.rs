//! The options of `#[tools]`.

use syn::LitStr;

use super::Entries;
use crate::ctxt::Ctxt;

/// Their values.
#[derive(Default)]
pub(crate) struct Group {
    pub(crate) prefix: Option<LitStr>,
}

impl Group {
    pub(crate) fn read(entries: &Entries, ctxt: &mut Ctxt) -> Self {
        let mut options = Self::default();
        for entry in &entries.entries {
            if entry.is("prefix") {
                options.prefix = entry.text(ctxt);
            } else {
                ctxt.unknown(&entry.name, "`#[tools]`", &["prefix"]);
            }
        }
        options
    }
}
