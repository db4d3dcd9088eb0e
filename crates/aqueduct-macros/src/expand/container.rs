//! `#[args]` and `#[output]` on a type: the derives, reached through the library.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Attribute, Expr, Field, Fields, Generics, Ident, Item, LitStr, Meta, Path, parse_quote};

use super::arguments::default_value;
use super::rules::rules;
use crate::ctxt::Ctxt;
use crate::item::Docs;
use crate::options::{Arg, Entries};

/// What the type is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Args,
    Output,
}

impl Use {
    const fn attribute(self) -> &'static str {
        match self {
            Self::Args => "args",
            Self::Output => "output",
        }
    }
}

pub(super) fn expand(usage: Use, options: TokenStream, item: &TokenStream) -> TokenStream {
    let mut ctxt = Ctxt::default();
    let Ok(mut parsed @ (Item::Struct(_) | Item::Enum(_))) = syn::parse2::<Item>(item.clone())
    else {
        let attribute = usage.attribute();
        ctxt.error_at(
            proc_macro2::Span::call_site(),
            format!("`#[{attribute}]` stands on a struct or an enum"),
        );
        let errors = ctxt.compile_errors();
        return quote!(#item #errors);
    };
    let rename_all = read_options(usage, options, &mut ctxt);
    let mut container = Container::new(usage, rename_all);
    match &mut parsed {
        Item::Struct(item) => {
            container.attributes(&mut item.attrs, &mut ctxt);
            container.fields(&item.ident, &item.generics, &mut item.fields, &mut ctxt);
            container.print(&item.ident.clone(), &item.generics.clone(), &parsed, &ctxt)
        }
        Item::Enum(item) => {
            container.attributes(&mut item.attrs, &mut ctxt);
            for variant in &mut item.variants {
                container.fields(&item.ident, &item.generics, &mut variant.fields, &mut ctxt);
            }
            container.print(&item.ident.clone(), &item.generics.clone(), &parsed, &ctxt)
        }
        _ => item.clone(),
    }
}

fn read_options(usage: Use, options: TokenStream, ctxt: &mut Ctxt) -> Option<LitStr> {
    let mut rename_all = None;
    for entry in &Entries::parse(options, false, ctxt).entries {
        if entry.is("rename_all") {
            rename_all = entry.text(ctxt);
        } else {
            let place = format!("`#[{}]`", usage.attribute());
            ctxt.unknown(&entry.name, &place, &["rename_all"]);
        }
    }
    rename_all
}

/// What is to be printed beside the type.
struct Container {
    args: bool,
    output: bool,
    rename_all: Option<LitStr>,
    /// Whether unknown fields can be refused.
    closed: bool,
    /// Functions that make the fields' defaults.
    defaults: Vec<TokenStream>,
}

impl Container {
    fn new(usage: Use, rename_all: Option<LitStr>) -> Self {
        Self {
            args: usage == Use::Args,
            output: usage == Use::Output,
            rename_all,
            closed: true,
            defaults: Vec::new(),
        }
    }

    /// Takes the other of the two attributes, and refuses derives that would come twice.
    fn attributes(&mut self, attrs: &mut Vec<Attribute>, ctxt: &mut Ctxt) {
        attrs.retain(|attr| {
            let last = attr.path().segments.last().map(|last| last.ident.to_string());
            let (other, usage) = match last.as_deref() {
                Some("args") => (&mut self.args, Use::Args),
                Some("output") => (&mut self.output, Use::Output),
                _ => return true,
            };
            *other = true;
            if let Meta::List(list) = &attr.meta
                && let Some(rename_all) = read_options(usage, list.tokens.clone(), ctxt)
            {
                self.rename_all = Some(rename_all);
            }
            false
        });
        for attr in attrs {
            self.refuse_derives(attr, ctxt);
            self.closed &= !says(attr, "deny_unknown_fields");
        }
    }

    /// Refuses derives that would come twice, and takes them out, lest the compiler refuse them
    /// too.
    fn refuse_derives(&self, attr: &mut Attribute, ctxt: &mut Ctxt) {
        if !attr.path().is_ident("derive") {
            return;
        }
        let derived = |path: &Path| match path.segments.last()?.ident.to_string().as_str() {
            "Deserialize" => self.args.then_some("args"),
            "Serialize" => self.output.then_some("output"),
            "JsonSchema" => Some(if self.args { "args" } else { "output" }),
            _ => None,
        };
        let mut kept: Vec<Path> = Vec::new();
        let parsed = attr.parse_nested_meta(|meta| {
            match derived(&meta.path) {
                Some(attribute) => {
                    let message = format!("`#[{attribute}]` derives this already; take it out");
                    ctxt.error(&meta.path, message);
                }
                None => kept.push(meta.path),
            }
            Ok(())
        });
        // What is wrong with a derive, the compiler tells.
        if parsed.is_ok() {
            *attr = parse_quote!(#[derive(#(#kept),*)]);
        }
    }

    fn fields(&mut self, ident: &Ident, generics: &Generics, fields: &mut Fields, ctxt: &mut Ctxt) {
        for field in fields.iter_mut() {
            self.closed &= !field.attrs.iter().any(|attr| says(attr, "flatten"));
            let (own, others): (Vec<Attribute>, Vec<Attribute>) =
                std::mem::take(&mut field.attrs).into_iter().partition(is_arg);
            field.attrs = others;
            if !own.is_empty() {
                self.field(ident, generics, field, &own, ctxt);
            }
        }
    }

    fn field(
        &mut self,
        ident: &Ident,
        generics: &Generics,
        field: &mut Field,
        own: &[Attribute],
        ctxt: &mut Ctxt,
    ) {
        let options = Arg::read(own, ctxt);
        options.of_no_form(ctxt);
        if let Some((word, _)) = &options.complete {
            ctxt.error(
                word,
                "a completer is named where the prompt or the resource is: on its parameter, or \
                 with `.complete(…)`",
            );
        }
        if let Some(name) = &options.rename {
            field.attrs.push(parse_quote!(#[serde(rename = #name)]));
        }
        if let Some(default) = &options.default {
            let name = format_ident!("__default{}", self.defaults.len());
            let (ty, value) = (&field.ty, default_value(default));
            self.defaults.push(quote!(fn #name() -> #ty { #value }));
            let (_, type_generics, _) = generics.split_for_impl();
            let turbofish = type_generics.as_turbofish();
            let path = quote!(#ident #turbofish::#name).to_string();
            let path = LitStr::new(&path.replace(' ', ""), ident.span());
            field.attrs.push(parse_quote!(#[serde(default = #path)]));
        }
        let rules = rules(&Docs::None, &options);
        if !rules.is_empty() {
            let ty = &field.ty;
            let change: Expr = parse_quote! {
                |schema: &mut ::aqueduct::__private::Schema| {
                    let mut field = ::aqueduct::__private::rules::<#ty>(schema);
                    #rules
                }
            };
            field.attrs.push(parse_quote!(#[schemars(transform = #change)]));
        }
    }

    fn print(&self, ident: &Ident, generics: &Generics, item: &Item, ctxt: &Ctxt) -> TokenStream {
        let errors = ctxt.compile_errors();
        let span = ident.span();
        let deserialize =
            self.args.then(|| quote_spanned!(span=> ::aqueduct::__private::serde::Deserialize,));
        let serialize =
            self.output.then(|| quote_spanned!(span=> ::aqueduct::__private::serde::Serialize,));
        let closed = (self.args && self.closed).then(|| quote!(, deny_unknown_fields));
        let rename_all = self.rename_all.as_ref().map(|case| quote!(, rename_all = #case));
        let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
        let defaults = &self.defaults;
        let defaults = (!defaults.is_empty()).then(|| {
            quote! {
                #[automatically_derived]
                impl #impl_generics #ident #type_generics #where_clause { #(#defaults)* }
            }
        });
        quote! {
            #[derive(#deserialize #serialize ::aqueduct::__private::schemars::JsonSchema)]
            #[serde(crate = "::aqueduct::__private::serde" #closed #rename_all)]
            #[schemars(crate = "::aqueduct::__private::schemars")]
            #item
            #defaults
            #errors
        }
        .into_token_stream()
    }
}

fn is_arg(attr: &Attribute) -> bool {
    attr.path().is_ident("arg")
}

/// Whether `#[serde(…)]` has this word.
fn says(attr: &Attribute, word: &str) -> bool {
    let Meta::List(list) = &attr.meta else { return false };
    attr.path().is_ident("serde")
        && list
            .tokens
            .clone()
            .into_iter()
            .any(|token| matches!(token, proc_macro2::TokenTree::Ident(ident) if ident == word))
}
