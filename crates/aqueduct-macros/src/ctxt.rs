//! Collects the mistakes of one item, so that all of them are told at once.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::{Error, Ident};

use crate::text::nearest;

/// The mistakes found so far.
#[derive(Default)]
pub(crate) struct Ctxt {
    errors: Vec<Error>,
}

impl Ctxt {
    /// A mistake at these tokens.
    pub(crate) fn error(&mut self, at: impl ToTokens, message: impl std::fmt::Display) {
        self.errors.push(Error::new_spanned(at, message));
    }

    /// A mistake at a place that has no tokens of its own.
    pub(crate) fn error_at(&mut self, span: Span, message: impl std::fmt::Display) {
        self.errors.push(Error::new(span, message));
    }

    /// A mistake that the parser found.
    pub(crate) fn syntax(&mut self, error: Error) {
        self.errors.push(error);
    }

    /// A name that is none of those that are known here.
    pub(crate) fn unknown(&mut self, name: &Ident, place: &str, known: &[&str]) {
        let hint = match nearest(&name.to_string(), known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it takes {}", list(known)),
        };
        self.error(name, format!("{place} has no option `{name}`; {hint}"));
    }

    /// All mistakes of a part.
    pub(crate) fn append(&mut self, part: Self) {
        self.errors.extend(part.errors);
    }

    pub(crate) fn is_clean(&self) -> bool {
        self.errors.is_empty()
    }

    /// All mistakes, as items that make the compiler tell them.
    pub(crate) fn compile_errors(&self) -> TokenStream {
        self.errors.iter().map(Error::to_compile_error).collect()
    }
}

/// `a`, `b` and `c`.
pub(crate) fn list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        None => "none".to_owned(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}
