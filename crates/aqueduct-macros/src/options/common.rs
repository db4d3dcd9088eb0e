//! The options that tools, prompts and resources have in common.

use syn::{Expr, LitStr};

use super::Entry;
use super::entry::as_text;
use crate::ctxt::Ctxt;
use crate::text::Case;

/// Their values.
#[derive(Default)]
pub(crate) struct Common {
    pub(crate) name: Option<LitStr>,
    pub(crate) title: Option<Expr>,
    pub(crate) description: Option<Expr>,
    pub(crate) icons: Vec<Expr>,
    pub(crate) meta: Option<Expr>,
    pub(crate) tags: Vec<LitStr>,
    pub(crate) scopes: Vec<LitStr>,
    pub(crate) visible_to: Option<Expr>,
    pub(crate) layers: Vec<Expr>,
    pub(crate) rename_all: Case,
}

impl Common {
    pub(crate) const NAMES: [&'static str; 10] = [
        "name",
        "title",
        "description",
        "icon",
        "meta",
        "tags",
        "scopes",
        "visible_to",
        "layer",
        "rename_all",
    ];

    /// Reads the entry if it is one of these.
    pub(crate) fn take(&mut self, entry: &Entry, ctxt: &mut Ctxt) -> bool {
        match entry.name.to_string().as_str() {
            "name" => self.name = entry.text(ctxt).and_then(|name| checked_name(name, ctxt)),
            "title" => self.title = entry.expr(ctxt),
            "description" => self.description = entry.expr(ctxt),
            "icon" => self.icons.extend(entry.expr(ctxt).and_then(|icon| checked_icon(icon, ctxt))),
            "meta" => self.meta = entry.expr(ctxt),
            "tags" => self.tags = entry.texts(ctxt),
            "scopes" => self.scopes = entry.texts(ctxt),
            "visible_to" => self.visible_to = entry.expr(ctxt),
            "layer" => self.layers.extend(entry.expr(ctxt)),
            "rename_all" => {
                self.rename_all =
                    entry.text(ctxt).map(|word| Case::read(&word, ctxt)).unwrap_or_default();
            }
            _ => return false,
        }
        true
    }
}

fn checked_name(name: LitStr, ctxt: &mut Ctxt) -> Option<LitStr> {
    if name.value().is_empty() {
        ctxt.error(&name, "the name is empty; leave it out to use the function's");
        return None;
    }
    Some(name)
}

/// Clients take `https:` and `data:` addresses only (Basic › Icons).
fn checked_icon(icon: Expr, ctxt: &mut Ctxt) -> Option<Expr> {
    let Some(address) = as_text(&icon) else { return Some(icon) };
    let value = address.value();
    let scheme = value.split_once(':').map_or("", |(scheme, _)| scheme);
    if !scheme.eq_ignore_ascii_case("https") && !scheme.eq_ignore_ascii_case("data") {
        ctxt.error(&address, "clients show icons from `https:` and `data:` addresses only");
        return None;
    }
    Some(icon)
}
