//! The options of `#[resource]`.

use syn::{Expr, LitStr};

use super::{Common, Entries, Entry};
use crate::ctxt::Ctxt;

/// Their values.
#[derive(Default)]
pub(crate) struct Resource {
    pub(crate) common: Common,
    pub(crate) uri: Option<LitStr>,
    pub(crate) mime_type: Option<Expr>,
    pub(crate) size: Option<Expr>,
    pub(crate) cache_ms: Option<Expr>,
    pub(crate) cache_public: bool,
}

const NAMES: [&str; 4] = ["mime_type", "size", "cache_ms", "cache_public"];

impl Resource {
    pub(crate) fn read(entries: Entries, ctxt: &mut Ctxt) -> Self {
        let mut options = Self { uri: entries.first, ..Self::default() };
        for entry in &entries.entries {
            if !options.common.take(entry, ctxt) {
                options.take(entry, ctxt);
            }
        }
        let public = entries.entries.iter().find(|entry| entry.is("cache_public"));
        if let Some(public) = public
            && options.cache_ms.is_none()
        {
            ctxt.error(&public.name, "say for how long: `cache_ms = 60_000`");
        }
        options
    }

    fn take(&mut self, entry: &Entry, ctxt: &mut Ctxt) {
        match entry.name.to_string().as_str() {
            "mime_type" => self.mime_type = entry.expr(ctxt),
            "size" => self.size = entry.expr(ctxt),
            "cache_ms" => self.cache_ms = entry.expr(ctxt),
            "cache_public" => self.cache_public = entry.flag(ctxt).unwrap_or_default(),
            "uri" => {
                ctxt.error(&entry.name, "the URI comes first, without a name");
                self.uri = entry.text(ctxt);
            }
            _ => {
                let known = [&NAMES[..], &Common::NAMES[..]].concat();
                ctxt.unknown(&entry.name, "`#[resource]`", &known);
            }
        }
    }
}
