//! `#[tools]` on an `impl` block: methods that share the value they are called on.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{Attribute, ImplItem, ImplItemFn, ItemImpl, Meta, Signature, parse_quote};

use super::definition::{self, Definition};
use super::handler::Handler;
use super::lenient::{MANY_PARAMETERS, lenient};
use crate::ctxt::Ctxt;
use crate::item::{Function, Kind, strip};
use crate::options::{self, Entries};

const KINDS: [Kind; 3] = [Kind::Tool, Kind::Prompt, Kind::Resource];

/// A marked method.
struct Method {
    kind: Kind,
    name: String,
    /// The expression that makes its tool, prompt or resource.
    value: TokenStream,
}

pub(super) fn expand(options: TokenStream, item: &TokenStream) -> TokenStream {
    let mut ctxt = Ctxt::default();
    let mut block: ItemImpl = match syn::parse2(item.clone()) {
        Ok(block) => block,
        Err(error) => {
            ctxt.error_at(error.span(), format!("`#[tools]` stands on an impl block: {error}"));
            let errors = ctxt.compile_errors();
            return quote!(#item #errors);
        }
    };
    let group = options::Group::read(&Entries::parse(options, false, &mut ctxt), &mut ctxt);
    let prefix = group.prefix.as_ref().map(syn::LitStr::value).unwrap_or_default();
    check(&block, &mut ctxt);
    let methods = methods(&mut block, &prefix, &mut ctxt);
    if methods.is_empty() {
        ctxt.error(
            &block.self_ty,
            "no method here is marked with `#[tool]`, `#[prompt]` or `#[resource]`",
        );
    }
    let lists = KINDS.iter().map(|kind| list(*kind, &methods));
    let (self_ty, errors) = (&block.self_ty, ctxt.compile_errors());
    let lists = if block.generics.params.is_empty() && block.trait_.is_none() {
        quote!(#[automatically_derived] impl #self_ty { #(#lists)* })
    } else {
        TokenStream::new()
    };
    quote!(#block #errors #lists)
}

fn check(block: &ItemImpl, ctxt: &mut Ctxt) {
    if !block.generics.params.is_empty() {
        ctxt.error(
            &block.generics.params,
            "the value behind tools has one type; write it out instead of the parameters",
        );
    }
    if let Some((path, _)) = &block.trait_ {
        ctxt.error(path, "`#[tools]` stands on an impl block of the type's own, not of a trait");
    }
}

fn methods(block: &mut ItemImpl, prefix: &str, ctxt: &mut Ctxt) -> Vec<Method> {
    let self_ty = block.self_ty.to_token_stream();
    let mut methods: Vec<Method> = Vec::new();
    for item in &mut block.items {
        let ImplItem::Fn(method) = item else { continue };
        let Some((kind, attr)) = take_attribute(method, ctxt) else { continue };
        let read = read(method, kind, attr, prefix, &self_ty, ctxt);
        let same = |other: &&Method| other.kind == kind && other.name == read.name;
        if kind != Kind::Resource && methods.iter().find(same).is_some() {
            let what = kind.attribute();
            ctxt.error(&method.sig.ident, format!("two {what}s are called {:?}", read.name));
        }
        methods.push(read);
    }
    methods
}

/// Takes the attribute that says what the method is.
fn take_attribute(method: &mut ImplItemFn, ctxt: &mut Ctxt) -> Option<(Kind, Attribute)> {
    let kind_of = |attr: &Attribute| {
        let last = attr.path().segments.last()?;
        KINDS.into_iter().find(|kind| last.ident == kind.attribute())
    };
    let mut found: Option<(Kind, Attribute)> = None;
    for attr in std::mem::take(&mut method.attrs) {
        match kind_of(&attr) {
            None => method.attrs.push(attr),
            Some(kind) if found.is_none() => {
                let lenient = lenient(&[MANY_PARAMETERS]);
                method.attrs.push(parse_quote!(#lenient));
                found = Some((kind, attr));
            }
            Some(_) => ctxt.error(&attr, "a method is one thing; write a second method"),
        }
    }
    found
}

fn read(
    method: &mut ImplItemFn,
    kind: Kind,
    attr: Attribute,
    prefix: &str,
    self_ty: &TokenStream,
    ctxt: &mut Ctxt,
) -> Method {
    let mut own = Ctxt::default();
    let options = match attr.meta {
        Meta::List(list) => list.tokens,
        Meta::Path(_) => TokenStream::new(),
        Meta::NameValue(pair) => {
            own.error(&pair, "options stand in parentheses");
            TokenStream::new()
        }
    };
    let definition = Definition::read(kind, spell_out(options, self_ty), &mut own);
    let spelled = spell_out(method.sig.to_token_stream(), self_ty);
    let sig: Signature = syn::parse2(spelled).unwrap_or_else(|_| method.sig.clone());
    strip(&mut method.sig);
    let mut function = Function::read(&method.attrs, &sig, kind, definition.case(), &mut own);
    function.in_impl = true;
    definition::check(&definition, &function, &mut own);
    let name = definition.name(&function, prefix);
    let value = if own.is_clean() {
        let Handler { items, handler } = Handler::of(&function, kind);
        let value = definition.build(&function, &name, &handler);
        quote!({ #items #value })
    } else {
        Definition::placeholder(kind, &name)
    };
    ctxt.append(own);
    Method { kind, name, value }
}

/// The functions that list all methods of a kind.
fn list(kind: Kind, methods: &[Method]) -> TokenStream {
    let values: Vec<&TokenStream> =
        methods.iter().filter(|method| method.kind == kind).map(|method| &method.value).collect();
    if values.is_empty() {
        return TokenStream::new();
    }
    let unused = lenient(&["dead_code"]);
    let item = Definition::item(kind);
    let what = kind.attribute();
    let into = format_ident!("into_{what}s");
    let to = format_ident!("to_{what}s");
    let of_value = format!("The {what}s of this value, which they share.");
    let of_shared = format!("The {what}s of a value that is shared with others.");
    quote! {
        #[doc = #of_value]
        #[must_use]
        #unused
        pub fn #into(self) -> ::std::vec::Vec<#item> {
            ::std::sync::Arc::new(self).#to()
        }

        #[doc = #of_shared]
        #[must_use]
        #unused
        pub fn #to(self: &::std::sync::Arc<Self>) -> ::std::vec::Vec<#item> {
            ::std::vec::Vec::from([#(#values),*])
        }
    }
}

/// Writes the type for `Self`, which items inside of a function cannot say.
fn spell_out(tokens: TokenStream, self_ty: &TokenStream) -> TokenStream {
    let spelled = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(ident) if ident == "Self" => {
            let mut ty = self_ty.clone();
            respan(&mut ty, ident.span());
            ty
        }
        TokenTree::Group(group) => {
            let mut new = Group::new(group.delimiter(), spell_out(group.stream(), self_ty));
            new.set_span(group.span());
            TokenTree::Group(new).into()
        }
        other => other.into(),
    });
    spelled.collect()
}

/// Puts tokens at another place, so that errors point there.
fn respan(tokens: &mut TokenStream, span: Span) {
    let moved = std::mem::take(tokens).into_iter().map(|mut token| {
        token.set_span(span);
        token
    });
    *tokens = moved.collect();
}
