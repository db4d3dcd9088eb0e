//! What is said of one argument, as changes of its schema.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Expr;

use crate::item::Docs;
use crate::options::{Arg, Range};

/// Statements that change `field`, a `__private::Field`; empty when there is nothing to say.
pub(super) fn rules(docs: &Docs, options: &Arg) -> TokenStream {
    let mut rules = TokenStream::new();
    let description = match &options.description {
        Some(description) => Some(quote!(#description)),
        None => docs.expr(),
    };
    if let Some(description) = description {
        rules.extend(quote!(field.description(#description);));
    }
    if let Some(title) = &options.title {
        rules.extend(quote!(field.title(#title);));
    }
    rules.extend(options.range.as_ref().map(range));
    rules.extend(options.length.as_ref().map(length));
    if let Some(pattern) = &options.pattern {
        let span = pattern.span();
        rules.extend(quote_spanned!(span=> field.pattern(#pattern);));
    }
    if let Some(format) = &options.format {
        rules.extend(quote!(field.format(#format);));
    }
    if let Some(first) = options.values.first() {
        let (span, values) = (first.span(), &options.values);
        rules.extend(quote_spanned!(span=> field.values(&[#(#values),*]);));
    }
    for example in &options.examples {
        rules.extend(quote!(field.example(&(#example));));
    }
    if let Some((_, header)) = &options.header {
        rules.extend(quote!(field.header(#header);));
    }
    rules
}

fn range(range: &Range) -> TokenStream {
    let span = range.word.span();
    let (start, end) = (maybe(range.start.as_ref()), maybe(range.end.as_ref()));
    match &range.end {
        Some(end) if !range.inclusive => quote_spanned!(span=> field.range_below(#start, #end);),
        Some(_) | None => quote_spanned!(span=> field.range(#start, #end);),
    }
}

fn length(length: &Range) -> TokenStream {
    let span = length.word.span();
    let start = maybe(length.start.as_ref());
    match &length.end {
        Some(end) if !length.inclusive => {
            quote_spanned!(span=> field.length(#start, ::core::option::Option::Some((#end) - 1));)
        }
        end => {
            let end = maybe(end.as_ref());
            quote_spanned!(span=> field.length(#start, #end);)
        }
    }
}

fn maybe(expr: Option<&Expr>) -> TokenStream {
    let Some(expr) = expr else { return quote!(::core::option::Option::None) };
    quote!(::core::option::Option::Some(#expr))
}
