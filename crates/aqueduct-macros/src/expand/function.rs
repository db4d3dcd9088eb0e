//! `#[tool]`, `#[prompt]` and `#[resource]` on a free function.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::definition::{self, Definition};
use super::handler::Handler;
use super::lenient::{MANY_PARAMETERS, lenient};
use crate::ctxt::Ctxt;
use crate::item::{Function, Kind, Marked, Receiver, strip};

pub(super) fn expand(kind: Kind, options: TokenStream, item: &TokenStream) -> TokenStream {
    let mut ctxt = Ctxt::default();
    let attribute = kind.attribute();
    let Ok(mut marked) = syn::parse2::<Marked>(item.clone()) else {
        ctxt.error_at(
            proc_macro2::Span::call_site(),
            format!("`#[{attribute}]` stands on a function, or on a method inside of `#[tools]`"),
        );
        let errors = ctxt.compile_errors();
        return quote!(#item #errors);
    };
    let definition = Definition::read(kind, options, &mut ctxt);
    let case = definition.case();
    let function = Function::read(&marked.attrs, &marked.sig, kind, case, &mut ctxt);
    strip(&mut marked.sig);
    if function.receiver != Receiver::None {
        return orphan(&marked, kind);
    }
    definition::check(&definition, &function, &mut ctxt);
    let listed = listed(&marked, kind, &definition, &function, &ctxt);
    let errors = ctxt.compile_errors();
    let lenient = lenient(&[MANY_PARAMETERS]);
    quote!(#lenient #marked #errors #listed)
}

/// A method: nothing but the method and the error can stand where it stands.
fn orphan(marked: &Marked, kind: Kind) -> TokenStream {
    let mut ctxt = Ctxt::default();
    let attribute = kind.attribute();
    ctxt.error(
        marked.sig.inputs.first(),
        format!(
            "`#[{attribute}]` on a method works inside of an impl block that is marked with \
             `#[tools]`; mark the block, or make this a free function that takes `State<T>`"
        ),
    );
    let errors = ctxt.compile_errors();
    quote!(#marked #errors)
}

/// The type of the function's name, by which `list!` finds it.
fn listed(
    marked: &Marked,
    kind: Kind,
    definition: &Definition,
    function: &Function,
    ctxt: &Ctxt,
) -> TokenStream {
    let (vis, ident) = (&marked.vis, &function.ident);
    let name = definition.name(function, "");
    let item = Definition::item(kind);
    let (items, value) = if ctxt.is_clean() {
        let Handler { items, handler } = Handler::of(function, kind);
        (items, definition.build(function, &name, &handler))
    } else {
        (TokenStream::new(), Definition::placeholder(kind, &name))
    };
    let deprecated = marked.attrs.iter().any(|attr| attr.path().is_ident("deprecated"));
    let calls = deprecated.then(|| lenient(&["deprecated"]));
    // It is called as the function, has no value, and is there for its name alone.
    let lenient = lenient(&["non_camel_case_types", "dead_code", "missing_debug_implementations"]);
    quote! {
        #[doc(hidden)]
        #lenient
        #vis struct #ident {}
        #calls
        const _: () = {
            #items
            #[automatically_derived]
            impl ::aqueduct::__private::Listed for #ident {
                type Item = #item;
                fn item() -> #item {
                    #value
                }
            }
        };
    }
    .into_token_stream()
}
