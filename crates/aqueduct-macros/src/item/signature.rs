//! What a signature must not have.

use syn::{FnArg, ReceiverKind, Signature, Type};

use super::function::Kind;
use super::types::last_segment;
use crate::ctxt::Ctxt;

/// How a method takes `self`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Receiver {
    /// Not at all.
    None,
    /// `&self`
    Borrowed,
    /// `self: Arc<Self>`
    Shared,
}

impl Receiver {
    pub(super) fn read(sig: &Signature, kind: Kind, ctxt: &mut Ctxt) -> Self {
        let Some(FnArg::Receiver(receiver)) = sig.inputs.first() else { return Self::None };
        match &receiver.kind {
            ReceiverKind::Reference(_, _, None) => return Self::Borrowed,
            ReceiverKind::Typed(_, ty) if is_shared(ty) => return Self::Shared,
            ReceiverKind::Typed(_, ty) => {
                if matches!(&**ty, Type::Reference(reference) if reference.mutability.is_none()) {
                    return Self::Borrowed;
                }
            }
            _ => {}
        }
        ctxt.error(
            receiver,
            format!(
                "calls run at the same time and share the value, so {} takes `&self`; keep what \
                 changes in a `Mutex` or an atomic",
                kind.with_article()
            ),
        );
        Self::Borrowed
    }
}

fn is_shared(ty: &Type) -> bool {
    last_segment(ty).is_some_and(|last| last.ident == "Arc")
}

/// Refuses what no caller could give: types, lifetimes, promises of safety.
pub(super) fn check(sig: &Signature, kind: Kind, ctxt: &mut Ctxt) {
    let what = kind.with_article();
    if !sig.generics.params.is_empty() {
        let params = &sig.generics.params;
        let mend = if sig.generics.type_params().next().is_some() {
            "write out the types"
        } else if sig.generics.lifetimes().next().is_some() {
            "leave the lifetimes out; `&str` is fine without"
        } else {
            "write out the values"
        };
        ctxt.error(params, format!("{what} is one function and cannot be generic; {mend}"));
    }
    if let Some(constness) = &sig.constness {
        ctxt.error(constness, format!("{what} runs when it is called; leave out `const`"));
    }
    if let syn::Safety::Unsafe(token) = &sig.safety {
        ctxt.error(
            token,
            format!("nobody can promise for a client's arguments; {what} cannot be `unsafe`"),
        );
    }
    if let Some(abi) = &sig.abi {
        ctxt.error(abi, format!("{what} is called from Rust; leave out `extern`"));
    }
    if let Some(variadic) = &sig.variadic {
        ctxt.error(variadic.dots, "arguments have names; take a `Vec<T>` for any number of values");
    }
}

/// Takes from the parameters what only the macros understand there.
pub(crate) fn strip(sig: &mut Signature) {
    for input in &mut sig.inputs {
        if let FnArg::Typed(param) = input {
            param.attrs.retain(|attr| {
                !["doc", "arg", "extract"].iter().any(|ours| attr.path().is_ident(ours))
            });
        }
    }
}
