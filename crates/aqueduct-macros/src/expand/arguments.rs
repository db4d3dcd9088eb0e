//! The parameters that the caller fills in, as a type that is decoded and has a schema.
//!
//! The two derives would do the same. Written out it is a third of the code for the compiler, and
//! a type that is no argument is named in one error instead of four.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{Ident, Index, Type};

use super::lenient::lenient;
use super::rules::rules;
use crate::item::{Argument, Function, Source};
use crate::options::{Default, as_text};

/// What is needed of one argument.
struct Slot<'f> {
    argument: &'f Argument,
    ty: &'f Type,
    /// Its type in the output.
    parameter: Ident,
    /// Its field.
    field: Ident,
    /// The function that makes its default, if it has one.
    default: Option<Ident>,
}

/// The items; `None` when the caller fills in nothing.
pub(super) fn arguments(function: &Function) -> Option<TokenStream> {
    let slots = slots(function);
    if slots.is_empty() {
        return None;
    }
    let parameters = slots.iter().map(Slot::parameter);
    let fields = slots.iter().map(
        |Slot { field, parameter, .. }| quote!(#field: ::aqueduct::__private::Slot<#parameter>),
    );
    let methods = methods(function, &slots);
    Some(quote! {
        #(#parameters)*
        struct __Arguments { #(#fields),* }
        #[automatically_derived]
        impl ::aqueduct::__private::Arguments for __Arguments { #methods }
    })
}

fn slots(function: &Function) -> Vec<Slot<'_>> {
    let arguments = function.params.iter().filter_map(|param| match &param.source {
        Source::Caller(argument) => Some((&**argument, &param.ty)),
        Source::Extractor | Source::WholeArguments => None,
    });
    let slots = arguments.enumerate().map(|(nth, (argument, ty))| Slot {
        argument,
        ty,
        parameter: format_ident!("__P{nth}"),
        field: format_ident!("p{nth}"),
        default: argument.options.default.as_ref().map(|_| format_ident!("__default{nth}")),
    });
    slots.collect()
}

fn methods(function: &Function, slots: &[Slot<'_>]) -> TokenStream {
    let name = function.name();
    let names: Vec<&str> = slots.iter().map(|slot| slot.argument.name.as_str()).collect();
    let types = slots.iter().map(|slot| slot.ty);
    let places: Vec<usize> = (0..slots.len()).collect();
    let fields: Vec<&Ident> = slots.iter().map(|slot| &slot.field).collect();
    let finished = slots.iter().map(Slot::finish);
    let described = slots.iter().map(Slot::describe);
    let checked = checked(slots);
    quote! {
        type Values = (#(#types,)*);
        const NAME: &'static str = #name;
        const NAMES: &'static [&'static str] = &[#(#names),*];
        fn place(name: &str) -> ::core::option::Option<::aqueduct::__private::Place> {
            match name {
                #(#names => ::core::option::Option::Some(#places),)*
                _ => ::core::option::Option::None,
            }
        }
        fn empty() -> Self {
            Self { #(#fields: ::aqueduct::__private::Slot::empty()),* }
        }
        fn read<'de, A: ::aqueduct::__private::MapAccess<'de>>(
            &mut self,
            place: ::aqueduct::__private::Place,
            map: &mut A,
        ) -> ::core::result::Result<(), A::Error> {
            match place {
                #(#places => self.#fields.read(#names, map),)*
                _ => ::core::result::Result::Ok(()),
            }
        }
        fn finish<E: ::aqueduct::__private::DecodeError>(
            self,
        ) -> ::core::result::Result<Self::Values, E> {
            let values = (#(#finished,)*);
            #checked
            ::core::result::Result::Ok(values)
        }
        fn describe(fields: &mut ::aqueduct::__private::Fields<'_>) {
            #(#described)*
        }
    }
}

/// The statements that hold the values against the checks of their author, all of them.
fn checked(slots: &[Slot<'_>]) -> TokenStream {
    let checks: Vec<TokenStream> = slots
        .iter()
        .enumerate()
        .filter_map(|(nth, slot)| {
            let (word, path) = slot.argument.options.check.as_ref()?;
            let (name, nth) = (&slot.argument.name, Index::from(nth));
            Some(quote_spanned!(word.span()=> checks.add(#name, #path(&values.#nth));))
        })
        .collect();
    if checks.is_empty() {
        return TokenStream::new();
    }
    quote! {
        let mut checks = ::aqueduct::__private::Checks::default();
        #(#checks)*
        checks.end()?;
    }
}

impl Slot<'_> {
    /// The type that names the argument's type, and the function that makes its default.
    fn parameter(&self) -> TokenStream {
        let Self { ty, parameter, .. } = self;
        let default = self.default.as_ref().zip(self.argument.options.default.as_ref());
        let default = default.map(|(name, default)| {
            let value = default_value(default);
            quote!(fn #name() -> #ty { #value })
        });
        quote! {
            struct #parameter;
            #[automatically_derived]
            impl ::aqueduct::__private::Parameter for #parameter {
                type Value = #ty;
            }
            #default
        }
    }

    fn finish(&self) -> TokenStream {
        let (field, name) = (&self.field, &self.argument.name);
        let Some(default) = &self.default else {
            return quote!(self.#field.required(#name)?);
        };
        quote!(self.#field.or_else(#default))
    }

    fn describe(&self) -> TokenStream {
        let (parameter, name) = (&self.parameter, &self.argument.name);
        let rules = rules(&self.argument.docs, &self.argument.options);
        let rules = if rules.is_empty() { quote!(|_| {}) } else { quote!(|field| { #rules }) };
        let Some(default) = &self.default else {
            return quote!(fields.add::<#parameter>(#name, #rules););
        };
        // Not needed, and then not used, where the default serialises.
        let lenient = lenient(&["unused_imports"]);
        quote! {
            fields.add_with_default::<#parameter>(
                #name,
                {
                    #lenient
                    use ::aqueduct::__private::{MirroredDefault as _, Unpublished as _};
                    ::aqueduct::__private::Published(#default()).value()
                },
                #rules,
            );
        }
    }
}

/// The expression that makes a default.
pub(super) fn default_value(default: &Default) -> TokenStream {
    match default {
        Default::OfType(word) => {
            let span = word.span();
            quote_spanned!(span=> ::core::default::Default::default())
        }
        // A text in quotes is borrowed, and arguments are owned.
        Default::Expr(expr) if as_text(expr).is_some() => {
            quote!(::core::convert::From::from(#expr))
        }
        Default::Expr(expr) => quote!(#expr),
    }
}
