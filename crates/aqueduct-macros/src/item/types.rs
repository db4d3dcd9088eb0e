//! Types: what they are called, what they borrow.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{GenericArgument, PathArguments, PathSegment, Type, TypeReference, parse_quote_spanned};

use crate::ctxt::Ctxt;

/// How the value that a parameter needs is made from the owned one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binding {
    /// `value`
    Owned,
    /// `&value`
    Borrowed,
    /// `value.as_deref()`
    AsDeref,
    /// `value.as_ref()`
    AsRef,
}

impl Binding {
    pub(crate) fn apply(self, value: &syn::Ident) -> TokenStream {
        let span = value.span();
        match self {
            Self::Owned => quote_spanned!(span=> #value),
            Self::Borrowed => quote_spanned!(span=> &#value),
            Self::AsDeref => quote_spanned!(span=> #value.as_deref()),
            Self::AsRef => quote_spanned!(span=> #value.as_ref()),
        }
    }
}

/// The owned type behind a parameter, which outlives the call, and how to lend it out.
pub(crate) fn owned(ty: &Type, ctxt: &mut Ctxt) -> Option<(Type, Binding)> {
    let ty = bare(ty);
    let (owned, binding) = match ty {
        Type::Reference(reference) => (behind(reference, ctxt)?.0, Binding::Borrowed),
        _ => match option_of_reference(ty) {
            Some(reference) => {
                let (inner, unsized_) = behind(reference, ctxt)?;
                let span = ty.span();
                let binding = if unsized_ { Binding::AsDeref } else { Binding::AsRef };
                (parse_quote_spanned!(span=> ::core::option::Option<#inner>), binding)
            }
            None => (forever(ty), Binding::Owned),
        },
    };
    if let Some(place) = borrowed(&owned) {
        ctxt.error_at(
            place,
            "an argument is decoded into a value of its own and cannot borrow inside; use \
             `String` for `&str`, `Vec<T>` for `&[T]`",
        );
        return None;
    }
    Some((owned, binding))
}

/// The type without the invisible groups that macros put around it, and without parentheses.
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        other => other,
    }
}

/// `State` of `aqueduct::extract::State<Db>`.
pub(crate) fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match bare(ty) {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}

/// The types between the angle brackets of a path segment.
pub(crate) fn arguments(segment: &PathSegment) -> Vec<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return Vec::new() };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.collect()
}

/// `T` of `Option<T>`.
pub(crate) fn inside_option(ty: &Type) -> Option<&Type> {
    let segment = last_segment(ty)?;
    match arguments(segment).as_slice() {
        [inner] if segment.ident == "Option" => Some(bare(inner)),
        _ => None,
    }
}

/// Where something is borrowed.
pub(crate) fn borrowed(ty: &Type) -> Option<Span> {
    references(ty).into_iter().map(|(span, _)| span).next()
}

/// Where something is borrowed for less than for ever.
pub(crate) fn lent(ty: &Type) -> Option<Span> {
    references(ty).into_iter().find(|(_, forever)| !forever).map(|(span, _)| span)
}

/// All `&`, and whether `'static` follows them.
fn references(ty: &Type) -> Vec<(Span, bool)> {
    fn flatten(tokens: TokenStream, into: &mut Vec<TokenTree>) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => flatten(group.stream(), into),
                other => into.push(other),
            }
        }
    }
    let mut tokens = Vec::new();
    flatten(ty.to_token_stream(), &mut tokens);
    let forever = |place: usize| {
        tokens.get(place + 2).is_some_and(
            |token| matches!(token, TokenTree::Ident(lifetime) if lifetime == "static"),
        )
    };
    let found = tokens.iter().enumerate().filter_map(|(place, token)| match token {
        TokenTree::Punct(punct) if punct.as_char() == '&' => Some((punct.span(), forever(place))),
        _ => None,
    });
    found.collect()
}

fn option_of_reference(ty: &Type) -> Option<&TypeReference> {
    match inside_option(ty)? {
        Type::Reference(reference) => Some(reference),
        _ => None,
    }
}

/// What a reference points to, made owned; and whether it had no size of its own.
fn behind(reference: &TypeReference, ctxt: &mut Ctxt) -> Option<(Type, bool)> {
    if let Some(mutability) = &reference.mutability {
        ctxt.error(
            mutability,
            "a parameter cannot be lent for changes; take it by value and declare it `mut`",
        );
        return None;
    }
    if let Some(lifetime) = &reference.lifetime
        && lifetime.ident == "static"
    {
        ctxt.error(lifetime, "arguments live as long as their call; leave the lifetime out");
        return None;
    }
    let target = bare(&reference.elem);
    let span = target.span();
    Some(match target {
        Type::Slice(slice) => {
            let item = &slice.elem;
            (parse_quote_spanned!(span=> ::std::vec::Vec<#item>), true)
        }
        Type::Path(path) if path.path.is_ident("str") => {
            (parse_quote_spanned!(span=> ::std::string::String), true)
        }
        other => (forever(other), false),
    })
}

/// The type with `'static` for `'_`, as in `Cow<'_, str>`: what is owned is good for any lifetime.
fn forever(ty: &Type) -> Type {
    fn replace(tokens: TokenStream) -> TokenStream {
        let mut after_quote = false;
        let replaced = tokens.into_iter().map(|token| match token {
            TokenTree::Group(group) => {
                let mut new = proc_macro2::Group::new(group.delimiter(), replace(group.stream()));
                new.set_span(group.span());
                TokenTree::Group(new)
            }
            TokenTree::Ident(ident) if after_quote && ident == "_" => {
                after_quote = false;
                TokenTree::Ident(proc_macro2::Ident::new("static", ident.span()))
            }
            other => {
                after_quote = matches!(&other, TokenTree::Punct(punct) if punct.as_char() == '\'');
                other
            }
        });
        replaced.collect()
    }
    syn::parse2(replace(ty.to_token_stream())).unwrap_or_else(|_| ty.clone())
}
