//! The page of a tool and for whom the tool is: `ui`, `app_only`, `model_only`.

use syn::LitStr;

use super::Entry;
use crate::ctxt::Ctxt;

/// What the scheme of a page's address is.
const SCHEME: &str = "ui://";

/// Their values.
#[derive(Default)]
pub(crate) struct Ui {
    pub(crate) uri: Option<LitStr>,
    pub(crate) app_only: bool,
    pub(crate) model_only: bool,
}

impl Ui {
    /// Is it one of these?
    pub(super) fn take(&mut self, entry: &Entry, ctxt: &mut Ctxt) -> bool {
        match entry.name.to_string().as_str() {
            "ui" => self.uri = entry.text(ctxt).filter(|uri| is_page(uri, ctxt)),
            "app_only" => self.app_only = entry.flag(ctxt) == Some(true),
            "model_only" => self.model_only = entry.flag(ctxt) == Some(true),
            _ => return false,
        }
        if self.app_only && self.model_only {
            let both = "a tool is for pages or for the model; leave both out when it is for both";
            ctxt.error(&entry.name, both);
            self.model_only = false;
        }
        true
    }
}

fn is_page(uri: &LitStr, ctxt: &mut Ctxt) -> bool {
    let value = uri.value();
    let is_page = value.strip_prefix(SCHEME).is_some_and(|rest| !rest.is_empty());
    if !is_page {
        let mend = format!("{value:?} is no address of a page; write \"ui://server/page\"");
        ctxt.error(uri, mend);
    }
    is_page
}
