//! Documentation comments, which become descriptions.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, LitStr, Meta};

use crate::options::as_text;

/// The documentation of one item.
#[derive(Clone)]
pub(crate) enum Docs {
    None,
    /// All of it is written out.
    Text(String, Span),
    /// Some of it comes from a macro, such as `include_str!`.
    Parts(Vec<Expr>),
}

impl Docs {
    pub(crate) fn read(attrs: &[Attribute]) -> Self {
        let lines: Vec<&Expr> = attrs.iter().filter_map(line).collect();
        let Some(first) = lines.first() else { return Self::None };
        let texts: Option<Vec<LitStr>> = lines.iter().map(|line| as_text(line)).collect();
        let Some(texts) = texts else {
            return Self::Parts(lines.into_iter().cloned().collect());
        };
        let joined = texts.iter().map(|text| plain(&text.value())).collect::<Vec<_>>().join("\n");
        match joined.trim() {
            "" => Self::None,
            trimmed => Self::Text(trimmed.to_owned(), first.span()),
        }
    }

    /// The documentation as an expression of type `&'static str`.
    pub(crate) fn expr(&self) -> Option<TokenStream> {
        match self {
            Self::None => None,
            Self::Text(text, span) => Some(quote_spanned!(*span=> #text)),
            Self::Parts(parts) => {
                let pieces = parts.iter().map(|part| {
                    let Some(text) = as_text(part) else { return quote!(#part) };
                    let text = plain(&text.value());
                    quote!(#text)
                });
                Some(quote!(str::trim(::core::concat!(#(#pieces, "\n"),*))))
            }
        }
    }
}

/// The text of `#[doc = …]`; `#[doc(hidden)]` and its kin have none.
fn line(attr: &Attribute) -> Option<&Expr> {
    match &attr.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => Some(&pair.value),
        Meta::NameValue(_) | Meta::Path(_) | Meta::List(_) => None,
    }
}

/// The text without what only marks it as a comment: the space after `///`, and the stars at the
/// beginning of the lines of `/** … */`.
fn plain(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let mut plain = first.strip_prefix(' ').unwrap_or(first).trim_end().to_owned();
    for line in lines {
        let bare = line.trim_start();
        let bare =
            bare.strip_prefix('*').map_or(bare, |rest| rest.strip_prefix(' ').unwrap_or(rest));
        plain.push('\n');
        plain.push_str(bare.trim_end());
    }
    plain
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    fn text(attrs: &[Attribute]) -> String {
        match Docs::read(attrs) {
            Docs::Text(text, _) => text,
            Docs::None => "none".to_owned(),
            Docs::Parts(parts) => format!("{} parts", parts.len()),
        }
    }

    #[test]
    fn lines_are_joined_as_they_were_written() {
        let lines: Vec<Attribute> = parse_quote! {
            /// Search the catalogue.
            ///
            /// - one
            ///   - indented
            #[doc(hidden)]
            #[doc = " By attribute. "]
        };
        assert_eq!(text(&lines), "Search the catalogue.\n\n- one\n  - indented\nBy attribute.");
    }

    #[test]
    fn a_block_comment_loses_its_stars() {
        let block: Vec<Attribute> = parse_quote! {
            /** Search.
             *
             *  All of it.
             */
        };
        assert_eq!(text(&block), "Search.\n\n All of it.");
    }

    #[test]
    fn an_included_text_stays_an_expression() {
        let included: Vec<Attribute> = parse_quote!(#[doc = include_str!("x.md")]);
        assert_eq!(text(&included), "1 parts");
        assert_eq!(text(&[]), "none");
    }
}
