//! What a marked function returns.

use syn::{ReturnType, Type};

use super::function::Kind;
use super::types::{arguments, bare, last_segment, lent};
use crate::ctxt::Ctxt;

/// Its return type, as far as the words tell.
pub(crate) enum Returns {
    /// Nothing.
    Unit,
    /// `Result<T, E>`, both of them written out.
    Result(Box<Type>, Box<Type>),
    /// Any other type that has a name.
    Named(Box<Type>),
    /// `impl Trait`.
    Opaque,
}

impl Returns {
    pub(crate) fn read(
        output: &ReturnType,
        kind: Kind,
        name: &syn::Ident,
        ctxt: &mut Ctxt,
    ) -> Self {
        let ReturnType::Type(_, ty) = output else {
            if kind != Kind::Tool {
                ctxt.error(
                    name,
                    format!("{} must return something: `-> String`", kind.with_article()),
                );
            }
            return Self::Unit;
        };
        if let Type::ImplTrait(_) = bare(ty) {
            return Self::Opaque;
        }
        if let Some(place) = lent(ty) {
            ctxt.error_at(
                place,
                "what is returned outlives the call and cannot borrow from it; return `String` \
                 for `&str`, or say `&'static str`",
            );
            return Self::Unit;
        }
        if let Some(segment) = last_segment(ty)
            && let [ok, error] = arguments(segment).as_slice()
            && segment.ident == "Result"
        {
            return Self::Result(Box::new((*ok).clone()), Box::new((*error).clone()));
        }
        Self::Named(ty.clone())
    }
}
