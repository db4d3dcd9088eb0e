//! `#[args]` and `#[output]` on a type: the derives, reached through the library.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{
    Attribute, Expr, Field, Fields, Generics, Ident, Item, ItemEnum, LitStr, Meta, Path,
    parse_quote,
};

use super::arguments::default_value;
use super::lenient::lenient;
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
                self::variant(&mut variant.attrs, &mut ctxt);
            }
            container.mirror =
                container.args.then(|| mirror(item, container.rename_all.as_ref())).flatten();
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
    /// Functions that make the fields' defaults, and those that check what was read.
    defaults: Vec<TokenStream>,
    /// How a choice is written, for defaults.
    mirror: Option<TokenStream>,
}

impl Container {
    fn new(usage: Use, rename_all: Option<LitStr>) -> Self {
        Self {
            args: usage == Use::Args,
            output: usage == Use::Output,
            rename_all,
            closed: true,
            defaults: Vec::new(),
            mirror: None,
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
        let mut rules = rules(&Docs::None, &options);
        if options.default.is_some() {
            let name = format_ident!("__default{}", self.defaults.len() - 1);
            let (_, type_generics, _) = generics.split_for_impl();
            let turbofish = type_generics.as_turbofish();
            let lenient = lenient(&["unused_imports"]);
            rules.extend(quote! {
                field.default({
                    #lenient
                    use ::aqueduct::__private::{MirroredDefault as _, Unpublished as _};
                    ::aqueduct::__private::Published(#ident #turbofish::#name()).value()
                });
            });
        }
        if let Some((word, path)) = &options.check {
            self.check(ident, field, word, path);
        }
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

    /// Has the field read by a function that checks what it read.
    fn check(&mut self, ident: &Ident, field: &mut Field, word: &Ident, path: &Path) {
        let maker = format_ident!("__check{}", self.defaults.len());
        let ty = &field.ty;
        let name = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
        let call = quote_spanned!(word.span()=> checks.add(#name, #path(&value)););
        self.defaults.push(quote! {
            fn #maker<'de, D: ::aqueduct::__private::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<#ty, D::Error> {
                let value: #ty = ::aqueduct::__private::serde::Deserialize::deserialize(deserializer)?;
                let mut checks = ::aqueduct::__private::Checks::default();
                #call
                checks.end()?;
                ::core::result::Result::Ok(value)
            }
        });
        let path = LitStr::new(&format!("{ident}::{maker}"), ident.span());
        field.attrs.push(parse_quote!(#[serde(deserialize_with = #path)]));
        let is_option = matches!(ty, syn::Type::Path(path)
            if path.path.segments.last().is_some_and(|last| last.ident == "Option"));
        let has_default = field.attrs.iter().any(|attr| says(attr, "default"));
        if is_option && !has_default {
            field.attrs.push(parse_quote!(#[serde(default)]));
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
        let mirror = &self.mirror;
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
            #mirror
            #errors
        }
        .into_token_stream()
    }
}

/// What is said of a variant: its name on the wire, and what people read.
fn variant(attrs: &mut Vec<Attribute>, ctxt: &mut Ctxt) {
    let (own, others): (Vec<Attribute>, Vec<Attribute>) =
        std::mem::take(attrs).into_iter().partition(is_arg);
    *attrs = others;
    let Some(first) = own.first() else { return };
    let Arg { rename, title, description, .. } = Arg::read(&own, ctxt);
    if rename.is_none() && title.is_none() && description.is_none() {
        ctxt.error(first, "a variant takes `rename`, `title` and `description`");
    }
    attrs.extend(rename.map(|name| -> Attribute { parse_quote!(#[serde(rename = #name)]) }));
    attrs.extend(title.map(|title| -> Attribute { parse_quote!(#[schemars(title = #title)]) }));
    attrs.extend(
        description.map(|description| -> Attribute {
            parse_quote!(#[schemars(description = #description)])
        }),
    );
}

/// How a choice is written as JSON, which a type that only goes in does not say: an enum of the
/// same names beside it. `None` for what has data or generics.
fn mirror(item: &ItemEnum, rename_all: Option<&LitStr>) -> Option<TokenStream> {
    let is_plain = item.variants.iter().all(|variant| matches!(variant.fields, Fields::Unit));
    if !is_plain || item.variants.is_empty() || !item.generics.params.is_empty() {
        return None;
    }
    let serde = |attrs: &[Attribute]| -> Vec<Attribute> {
        attrs.iter().filter(|attr| attr.path().is_ident("serde")).cloned().collect()
    };
    let rename_all = rename_all.map(|case| quote!(, rename_all = #case));
    let container = serde(&item.attrs);
    let ident = &item.ident;
    let names: Vec<&Ident> = item.variants.iter().map(|variant| &variant.ident).collect();
    let renames = item.variants.iter().map(|variant| serde(&variant.attrs));
    Some(quote! {
        #[automatically_derived]
        impl ::aqueduct::__private::Mirrored for #ident {
            fn mirrored(&self) -> ::core::option::Option<::aqueduct::__private::serde_json::Value> {
                #[derive(::aqueduct::__private::serde::Serialize)]
                #[serde(crate = "::aqueduct::__private::serde" #rename_all)]
                #(#container)*
                enum __Mirror { #(#(#renames)* #names),* }
                let mirror = match self { #(Self::#names => __Mirror::#names),* };
                ::aqueduct::__private::Published(mirror).value()
            }
        }
    })
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
