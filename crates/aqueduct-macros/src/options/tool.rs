//! The options of `#[tool]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, Ident, LitStr};

use super::duration;
use super::entry::as_text;
use super::task::Task;
use super::{Common, Entries, Entry, Ui};
use crate::ctxt::{Ctxt, list};
use crate::text::nearest;

/// Their values.
#[derive(Default)]
pub(crate) struct Tool {
    pub(crate) common: Common,
    pub(crate) read_only: bool,
    pub(crate) destructive: Option<bool>,
    pub(crate) idempotent: bool,
    pub(crate) lenient: bool,
    pub(crate) open_world: Option<bool>,
    pub(crate) timeout: Option<Timeout>,
    pub(crate) requires: Vec<Ident>,
    pub(crate) task: Task,
    pub(crate) input_schema: Option<Expr>,
    pub(crate) output_schema: Option<Expr>,
    pub(crate) ui: Ui,
}

/// How long a call may take.
pub(crate) enum Timeout {
    Millis(u64),
    Expr(Box<Expr>),
}

impl Timeout {
    /// The expression of a `Duration`.
    pub(crate) fn expr(&self) -> TokenStream {
        match self {
            Self::Millis(millis) => quote!(::core::time::Duration::from_millis(#millis)),
            Self::Expr(expr) => quote!(#expr),
        }
    }
}

const NAMES: [&str; 12] = [
    "read_only",
    "destructive",
    "idempotent",
    "lenient",
    "open_world",
    "timeout",
    "requires",
    "input_schema",
    "output_schema",
    "ui",
    "app_only",
    "model_only",
];

/// The words of `requires(…)` and the variants of `__private::Capability` that they name.
pub(crate) const CAPABILITIES: [(&str, &str); 5] = [
    ("elicitation", "Elicitation"),
    ("elicitation_url", "ElicitationUrl"),
    ("sampling", "Sampling"),
    ("sampling_tools", "SamplingTools"),
    ("roots", "Roots"),
];

impl Tool {
    pub(crate) fn read(entries: &Entries, ctxt: &mut Ctxt) -> Self {
        let mut options = Self::default();
        for entry in &entries.entries {
            if !options.common.take(entry, ctxt) && !options.task.take(entry, ctxt) {
                options.take(entry, ctxt);
            }
            if options.read_only && options.destructive == Some(true) {
                ctxt.error(&entry.name, "a tool that is `read_only` destroys nothing; keep one");
                options.destructive = None;
            }
        }
        options.task.check(&entries.entries, ctxt);
        if let Some(name) = &options.common.name {
            check_name(name, ctxt);
        }
        options
    }

    fn take(&mut self, entry: &Entry, ctxt: &mut Ctxt) {
        match entry.name.to_string().as_str() {
            "read_only" => self.read_only = only_true(entry, ctxt),
            "lenient" => self.lenient = only_true(entry, ctxt),
            "idempotent" => self.idempotent = only_true(entry, ctxt),
            "destructive" => self.destructive = entry.flag(ctxt),
            "open_world" => self.open_world = entry.flag(ctxt),
            "timeout" => self.timeout = entry.expr(ctxt).and_then(|value| timeout(value, ctxt)),
            "requires" => self.requires = capabilities(entry, ctxt),
            "input_schema" => self.input_schema = entry.expr(ctxt),
            "output_schema" => self.output_schema = entry.expr(ctxt),
            _ if self.ui.take(entry, ctxt) => {}
            _ => {
                let known = [&NAMES[..], &Task::NAMES[..], &Common::NAMES[..]].concat();
                ctxt.unknown(&entry.name, "`#[tool]`", &known);
            }
        }
    }
}

/// Tools are taken to change something unless they say otherwise, so `false` says nothing.
fn only_true(entry: &Entry, ctxt: &mut Ctxt) -> bool {
    let flag = entry.flag(ctxt);
    if flag == Some(false) {
        let name = &entry.name;
        ctxt.error(name, format!("a tool is not `{name}` unless it says so; leave it out"));
    }
    flag == Some(true)
}

pub(super) fn timeout(value: Expr, ctxt: &mut Ctxt) -> Option<Timeout> {
    let Some(text) = as_text(&value) else { return Some(Timeout::Expr(Box::new(value))) };
    match duration::millis(&text.value()) {
        Ok(millis) => Some(Timeout::Millis(millis)),
        Err(mend) => {
            ctxt.error(&text, mend);
            None
        }
    }
}

fn capabilities(entry: &Entry, ctxt: &mut Ctxt) -> Vec<Ident> {
    let known = CAPABILITIES.map(|(word, _)| word);
    let mut words = Vec::new();
    for value in entry.many(ctxt) {
        let word = match &value {
            Expr::Path(path) => path.path.get_ident().cloned(),
            _ => None,
        };
        match word {
            Some(word) if known.iter().any(|name| word == name) => words.push(word),
            Some(word) => {
                let hint = match nearest(&word.to_string(), known) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("there are {}", list(&known)),
                };
                ctxt.error(&word, format!("no client has the capability `{word}`; {hint}"));
            }
            None => ctxt.error(&value, format!("expected {}", list(&known))),
        }
    }
    words
}

/// 1 to 128 of `A-Z a-z 0-9 _ . -` (Tools › Tool Names).
pub(crate) fn check_name(name: &LitStr, ctxt: &mut Ctxt) {
    const MAX: usize = 128;
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let value = name.value();
    if let Some(odd) = value.chars().find(|c| !allowed(*c)) {
        let better: String = value.chars().map(|c| if allowed(c) { c } else { '_' }).collect();
        ctxt.error(
            name,
            format!(
                "the name has {odd:?}, and hosts take only A-Z a-z 0-9 _ . -; call it {better:?}"
            ),
        );
    } else if value.len() > MAX {
        let length = value.len();
        ctxt.error(name, format!("the name has {length} characters, and {MAX} are allowed"));
    }
}
