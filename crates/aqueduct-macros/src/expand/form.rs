//! `#[form]`: a struct of plain fields that a user fills in, or an enum that is a choice in one.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, Field, Fields, Ident, Item, ItemEnum, ItemStruct, LitStr, parse_quote};

use super::arguments::default_value;
use crate::ctxt::Ctxt;
use crate::item::Docs;
use crate::options::{Arg, Entries, Range};
use crate::text::is_secret;

/// What the specification forbids (Elicitation › Security considerations).
const SECRET: &str = "a form must not ask for a secret, which the client and its model would see: \
                      send the user to a page with `ctx.visit(…)`; if it is none, say \
                      `#[arg(not_secret)]`";

pub(super) fn expand(options: TokenStream, item: &TokenStream) -> TokenStream {
    let mut ctxt = Ctxt::default();
    for entry in &Entries::parse(options, false, &mut ctxt).entries {
        ctxt.unknown(&entry.name, "`#[form]`", &[]);
    }
    let output = match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Struct(item)) => of_struct(item, &mut ctxt),
        Ok(Item::Enum(item)) => of_enum(item, &mut ctxt),
        Ok(_) | Err(_) => {
            ctxt.error_at(Span::call_site(), "`#[form]` stands on a struct or an enum");
            item.clone()
        }
    };
    let errors = ctxt.compile_errors();
    quote!(#output #errors)
}

fn derives(rest: &TokenStream) -> TokenStream {
    quote! {
        #[derive(::aqueduct::__private::serde::Deserialize)]
        #[serde(crate = "::aqueduct::__private::serde" #rest)]
    }
}

fn of_struct(mut item: ItemStruct, ctxt: &mut Ctxt) -> TokenStream {
    let ident = item.ident.clone();
    if !item.generics.params.is_empty() {
        ctxt.error(&item.generics, "a form has no generics: a client is sent one fixed schema");
    }
    let Fields::Named(fields) = &mut item.fields else {
        ctxt.error(&ident, "a form has fields with names, which the user is shown");
        return quote!(#item);
    };
    let mut adds = Vec::new();
    let mut defaults = Vec::new();
    for field in &mut fields.named {
        adds.push(add(&ident, field, &mut defaults, ctxt));
    }
    let derives = derives(&quote!());
    let span = ident.span();
    let body = quote_spanned! {span=>
        #[automatically_derived]
        impl ::aqueduct::__private::Form for #ident {
            fn spec() -> &'static ::aqueduct::__private::FormSpec {
                static SPEC: ::std::sync::OnceLock<::aqueduct::__private::FormSpec> =
                    ::std::sync::OnceLock::new();
                SPEC.get_or_init(|| {
                    let mut form = ::aqueduct::__private::FormFields::default();
                    #(#adds)*
                    form.spec()
                })
            }
        }
    };
    let defaults = (!defaults.is_empty()).then(|| {
        quote! {
            #[automatically_derived]
            impl #ident { #(#defaults)* }
        }
    });
    quote!(#derives #item #body #defaults)
}

/// The statement that adds a field to the form.
fn add(
    ident: &Ident,
    field: &mut Field,
    defaults: &mut Vec<TokenStream>,
    ctxt: &mut Ctxt,
) -> TokenStream {
    let Some(name) = field.ident.clone() else { return TokenStream::new() };
    let docs = Docs::read(&field.attrs);
    let (own, others): (Vec<Attribute>, Vec<Attribute>) =
        std::mem::take(&mut field.attrs).into_iter().partition(|attr| attr.path().is_ident("arg"));
    field.attrs = others;
    let options = Arg::read(&own, ctxt);
    refuse(&options, ctxt);
    let shown = name.to_string();
    let shown = LitStr::new(shown.strip_prefix("r#").unwrap_or(&shown), name.span());
    let shown = options.rename.clone().unwrap_or(shown);
    if options.not_secret.is_none() && is_secret(&shown.value()) {
        ctxt.error(&shown, SECRET);
    }
    field.attrs.push(parse_quote!(#[serde(rename = #shown)]));
    let mut rules = rules(&docs, &options);
    if let Some(default) = &options.default {
        let maker = quote::format_ident!("__default{}", defaults.len());
        let (ty, value) = (&field.ty, default_value(default));
        defaults.push(quote!(fn #maker() -> #ty { #value }));
        let path = LitStr::new(&format!("{ident}::{maker}"), ident.span());
        field.attrs.push(parse_quote!(#[serde(default = #path)]));
        rules.extend(quote!(field.default(&Self::#maker());));
    }
    let (ty, has_default) = (&field.ty, options.default.is_some());
    quote_spanned! {ty.span()=>
        form.add::<#ty>(#shown, #has_default, |field| {
            let _ = &field;
            #rules
        });
    }
}

/// What arguments can say and forms cannot (Elicitation › Restricted schemas).
fn refuse(options: &Arg, ctxt: &mut Ctxt) {
    if let Some(pattern) = &options.pattern {
        ctxt.error(pattern, "a form has no patterns; use `format` or `length`");
    }
    if let Some(values) = options.values.first() {
        ctxt.error(values, "for a choice, mark an enum with `#[form]` and use it as the type");
    }
    if let Some((word, _)) = &options.header {
        ctxt.error(word, "a form is not an argument, and has no header");
    }
    if let Some((word, _)) = &options.complete {
        ctxt.error(word, "a form is not an argument, and has no completions");
    }
    if let Some(format) = &options.format
        && !["email", "uri", "date", "date-time"].contains(&format.value().as_str())
    {
        ctxt.error(format, "a form knows the formats email, uri, date and date-time");
    }
}

fn rules(docs: &Docs, options: &Arg) -> TokenStream {
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
    if let Some(range) = &options.range {
        let (least, most) = ends(range, &quote!(i64));
        rules.extend(quote!(field.range(#least, #most);));
    }
    if let Some(length) = &options.length {
        let (least, most) = ends(length, &quote!(u64));
        rules.extend(quote!(field.length(#least, #most);));
    }
    if let Some(format) = &options.format {
        rules.extend(quote!(field.format(#format);));
    }
    rules
}

/// The two ends; an end that does not belong to the range is one less, as for integers.
fn ends(range: &Range, none: &TokenStream) -> (TokenStream, TokenStream) {
    let end = |expr: Option<&Expr>, less: bool| match expr {
        Some(expr) if less => quote!(::core::option::Option::Some((#expr) - 1)),
        Some(expr) => quote!(::core::option::Option::Some(#expr)),
        None => quote!(::core::option::Option::None::<#none>),
    };
    (end(range.start.as_ref(), false), end(range.end.as_ref(), !range.inclusive))
}

fn of_enum(mut item: ItemEnum, ctxt: &mut Ctxt) -> TokenStream {
    let ident = item.ident.clone();
    let mut choices = Vec::new();
    for variant in &mut item.variants {
        if !matches!(variant.fields, Fields::Unit) {
            ctxt.error(&variant.fields, "a choice has no data: a form is flat");
        }
        let docs = Docs::read(&variant.attrs);
        let (own, others): (Vec<Attribute>, Vec<Attribute>) = std::mem::take(&mut variant.attrs)
            .into_iter()
            .partition(|attr| attr.path().is_ident("arg"));
        variant.attrs = others;
        let options = Arg::read(&own, ctxt);
        let name = LitStr::new(&variant.ident.to_string(), variant.ident.span());
        let value = options.rename.clone().unwrap_or_else(|| name.clone());
        variant.attrs.push(parse_quote!(#[serde(rename = #value)]));
        let title = match (&options.title, docs.expr()) {
            (Some(title), _) => quote!(#title),
            (None, Some(docs)) => docs,
            (None, None) => quote!(#name),
        };
        choices.push(quote!((#value, #title)));
    }
    if choices.is_empty() {
        ctxt.error(&ident, "a choice has at least one variant");
    }
    let derives = derives(&quote!());
    quote! {
        #derives
        #item
        #[automatically_derived]
        impl ::aqueduct::__private::Choices for #ident {
            const CHOICES: &'static [(&'static str, &'static str)] = &[#(#choices),*];
        }
    }
}
