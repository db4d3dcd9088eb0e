//! The options of `#[tool]` that say how its calls go on as tasks.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, Ident};

use super::Entry;
use super::entry::as_text;
use super::tool::{Timeout, timeout};
use crate::ctxt::{Ctxt, list};
use crate::text::nearest;

/// Their values.
#[derive(Default)]
pub(crate) struct Task {
    /// A variant of `TaskSupport`.
    support: Option<Ident>,
    /// A variant of `Recover`.
    recover: Option<Ident>,
    ttl: Option<Timeout>,
    poll_interval: Option<Timeout>,
}

/// The words of `task = "…"` and what they name.
const SUPPORT: [(&str, &str); 3] =
    [("optional", "Optional"), ("required", "Required"), ("deferred", "Deferred")];
/// The words of `recover = "…"` and what they name.
const RECOVER: [(&str, &str); 2] = [("fail", "Fail"), ("rerun", "Rerun")];

impl Task {
    pub(super) const NAMES: [&'static str; 4] = ["task", "recover", "task_ttl", "poll_interval"];

    /// Reads the entry if it is one of these.
    pub(super) fn take(&mut self, entry: &Entry, ctxt: &mut Ctxt) -> bool {
        match entry.name.to_string().as_str() {
            "task" => {
                self.support = match entry.maybe(ctxt) {
                    Some(word) => variant(entry, &word, &SUPPORT, ctxt),
                    None => Some(Ident::new("Optional", entry.name.span())),
                };
            }
            "recover" => {
                self.recover =
                    entry.expr(ctxt).and_then(|word| variant(entry, &word, &RECOVER, ctxt));
            }
            "task_ttl" => self.ttl = entry.expr(ctxt).and_then(|value| timeout(value, ctxt)),
            "poll_interval" => {
                self.poll_interval = entry.expr(ctxt).and_then(|value| timeout(value, ctxt));
            }
            _ => return false,
        }
        true
    }

    /// What says how a task is kept says nothing of a tool that makes none.
    pub(super) fn check(&self, entries: &[Entry], ctxt: &mut Ctxt) {
        if self.support.is_some() || entries.iter().any(|entry| entry.is("task")) {
            return;
        }
        let idle = entries.iter().filter(|entry| Self::NAMES.iter().any(|name| entry.is(name)));
        for Entry { name, .. } in idle {
            ctxt.error(
                name,
                format!("`{name}` is about tasks, and this tool makes none; add `task`"),
            );
        }
    }

    pub(crate) fn calls(&self) -> TokenStream {
        let mut calls = TokenStream::new();
        if let Some(support) = &self.support {
            calls.extend(quote!(.task(::aqueduct::__private::TaskSupport::#support)));
        }
        if let Some(recover) = &self.recover {
            calls.extend(quote!(.recover(::aqueduct::__private::Recover::#recover)));
        }
        if let Some(ttl) = self.ttl.as_ref().map(Timeout::expr) {
            calls.extend(quote!(.task_ttl(#ttl)));
        }
        if let Some(interval) = self.poll_interval.as_ref().map(Timeout::expr) {
            calls.extend(quote!(.poll_interval(#interval)));
        }
        calls
    }
}

/// The variant that a word in quotes stands for.
fn variant(entry: &Entry, word: &Expr, known: &[(&str, &str)], ctxt: &mut Ctxt) -> Option<Ident> {
    let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
    let text = as_text(word).map(|text| text.value()).unwrap_or_default();
    if let Some((_, variant)) = known.iter().find(|(word, _)| *word == text) {
        return Some(Ident::new(variant, entry.name.span()));
    }
    let hint = match nearest(&text, words.iter().copied()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("it takes {}, in quotes", list(&words)),
    };
    let name = &entry.name;
    ctxt.error(word, format!("`{name}` has no such value; {hint}"));
    None
}
