//! The function as something that can be called with a `Context`.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Ident, Type};

use super::arguments::arguments;
use crate::item::{Function, Kind, Receiver, Returns, Source};

/// What is printed of it.
pub(super) struct Handler {
    /// The types that the expression names.
    pub(super) items: TokenStream,
    /// An expression, the handler.
    pub(super) handler: TokenStream,
}

impl Handler {
    pub(super) fn of(function: &Function, kind: Kind) -> Self {
        let arguments = arguments(function);
        let taken = taken(function);
        let extractors = taken.iter().map(|(_, marker, ty)| {
            quote! {
                struct #marker;
                #[automatically_derived]
                impl ::aqueduct::__private::Takes for #marker {
                    type Value = #ty;
                }
            }
        });
        let returned = returned(&function.returns, kind);
        let items = quote! { #arguments #(#extractors)* #returned };
        Self { items, handler: closure(function, kind, arguments.is_some(), &taken) }
    }
}

/// The extractors: the variable, the type that names its type, and the type.
fn taken(function: &Function) -> Vec<(Ident, Ident, &Type)> {
    let mut taken = Vec::new();
    for (nth, param) in function.params.iter().enumerate() {
        match param.source {
            Source::Caller(_) => {}
            Source::Extractor | Source::WholeArguments => {
                taken.push((variable(nth, function), format_ident!("__X{nth}"), &param.ty));
            }
        }
    }
    taken
}

/// The variable of a parameter; its place is the function, where errors about it belong.
fn variable(nth: usize, function: &Function) -> Ident {
    Ident::new(&format!("__a{nth}"), at(function.span()))
}

/// A span at the user's place that still counts as the macro's, for lints.
pub(super) fn at(place: Span) -> Span {
    Span::call_site().located_at(place)
}

/// The types that name what the function returns.
fn returned(returns: &Returns, kind: Kind) -> TokenStream {
    let returns_trait = format_ident!("{}Returns", variant(kind));
    let value = |ty: &Type| {
        quote! {
            struct __Returned;
            #[automatically_derived]
            impl ::aqueduct::__private::#returns_trait for __Returned {
                type Value = #ty;
            }
        }
    };
    match returns {
        Returns::Unit | Returns::Opaque => TokenStream::new(),
        Returns::Named(ty) => value(ty),
        Returns::Result(ok, error) => {
            let value = value(ok);
            quote! {
                #value
                struct __Failed;
                #[automatically_derived]
                impl ::aqueduct::__private::Fails for __Failed {
                    type Error = #error;
                }
            }
        }
    }
}

const fn variant(kind: Kind) -> &'static str {
    match kind {
        Kind::Tool => "Tool",
        Kind::Prompt => "Prompt",
        Kind::Resource => "Resource",
    }
}

fn closure(
    function: &Function,
    kind: Kind,
    has_arguments: bool,
    taken: &[(Ident, Ident, &Type)],
) -> TokenStream {
    let span = at(function.span());
    let mut pattern = quote!(::aqueduct::__private::Nothing);
    let mut ty = quote!(::aqueduct::__private::Nothing);
    for (variable, marker, _) in taken.iter().rev() {
        pattern = quote! {
            ::aqueduct::__private::Both(::aqueduct::__private::Taken(#variable), #pattern)
        };
        ty = quote! {
            ::aqueduct::__private::Both<::aqueduct::__private::Taken<#marker>, #ty>
        };
    }
    if has_arguments {
        let params = function.params.iter().enumerate();
        let variables = params
            .filter(|(_, param)| matches!(param.source, Source::Caller(_)))
            .map(|(nth, _)| variable(nth, function));
        pattern = quote! {
            ::aqueduct::__private::Both(
                ::aqueduct::__private::Given((#(#variables,)*)),
                #pattern,
            )
        };
        ty = quote! {
            ::aqueduct::__private::Both<::aqueduct::__private::Given<__Arguments>, #ty>
        };
    }
    let answer = answer(function, kind);
    match function.receiver {
        Receiver::None => quote_spanned! {span=>
            ::aqueduct::__private::handled(|#pattern: #ty| async move { #answer })
        },
        Receiver::Borrowed | Receiver::Shared => quote_spanned! {span=>
            {
                let __this = ::std::sync::Arc::clone(self);
                ::aqueduct::__private::handled(move |#pattern: #ty| {
                    let __this = ::std::sync::Arc::clone(&__this);
                    async move { #answer }
                })
            }
        },
    }
}

/// The call, and its value as an answer.
fn answer(function: &Function, kind: Kind) -> TokenStream {
    let span = at(function.span());
    let name = &function.ident;
    let values = function
        .params
        .iter()
        .enumerate()
        .map(|(nth, param)| param.binding.apply(&variable(nth, function)));
    let values = quote_spanned!(span=> #(#values),*);
    let call = match function.receiver {
        Receiver::None if function.in_impl => quote_spanned!(span=> Self::#name(#values)),
        Receiver::None => quote_spanned!(span=> #name(#values)),
        Receiver::Borrowed => quote_spanned!(span=> Self::#name(&__this, #values)),
        Receiver::Shared => quote_spanned!(span=> Self::#name(__this, #values)),
    };
    let value = if function.is_async { quote_spanned!(span=> #call.await) } else { call };
    let answer = format_ident!("{}Answer", variant(kind), span = span);
    match &function.returns {
        Returns::Unit | Returns::Opaque => value,
        Returns::Named(_) => quote_spanned! {span=>
            ::aqueduct::__private::#answer::<__Returned>(#value)
        },
        Returns::Result(..) => quote_spanned! {span=>
            #value
                .map(::aqueduct::__private::#answer::<__Returned>)
                .map_err(::aqueduct::__private::failure::<__Failed>)
        },
    }
}
