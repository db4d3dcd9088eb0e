//! The parameters of a marked function: which come from the caller, and which do not.

use syn::ext::IdentExt;
use syn::{Attribute, Ident, Pat, PatType, Type};

use super::function::Kind;
use super::types::{Binding, arguments, inside_option, last_segment, owned};
use super::{Docs, types};
use crate::ctxt::{Ctxt, list};
use crate::options::Arg;
use crate::text::Case;

/// One parameter.
pub(crate) struct Param {
    /// Its type, made owned.
    pub(crate) ty: Type,
    /// How the function gets it.
    pub(crate) binding: Binding,
    pub(crate) source: Source,
}

/// Where its value comes from.
pub(crate) enum Source {
    /// The caller.
    Caller(Box<Argument>),
    /// The server, the request, the connection.
    Extractor,
    /// The caller too, by way of `Args<T>`, which is an extractor.
    WholeArguments,
}

/// A parameter that the caller fills in.
pub(crate) struct Argument {
    pub(crate) ident: Ident,
    /// Its name on the wire.
    pub(crate) name: String,
    pub(crate) docs: Docs,
    pub(crate) options: Arg,
}

/// The extractors of the library by the names of their types.
const EXTRACTORS: [&str; 9] = [
    "State",
    "Context",
    "Headers",
    "Extension",
    "Principal",
    "Handles",
    "Args",
    "Prefix",
    "Settled",
];

impl Param {
    pub(crate) fn read(param: &PatType, kind: Kind, case: Case, ctxt: &mut Ctxt) -> Option<Self> {
        let attrs = Attributes::read(param, ctxt);
        if let Some(place) = no_value(&param.ty) {
            ctxt.error(
                place,
                "no argument can be decoded into this; write out a type, such as `String`",
            );
            return None;
        }
        let (ty, binding) = owned(&param.ty, ctxt)?;
        let called = extractor(&ty);
        if attrs.extract.is_none() && (called.is_none() || !attrs.arg.is_empty()) {
            let argument = argument(param, &attrs, case, ctxt)?;
            return Some(Self { ty, binding, source: Source::Caller(Box::new(argument)) });
        }
        attrs.refuse_arg(ctxt);
        check_pattern(&param.pat, ctxt);
        let source = match called.as_deref() {
            Some("Args") => Source::WholeArguments,
            Some(name @ ("Prefix" | "Settled")) => {
                ctxt.error(
                    &param.ty,
                    format!(
                        "`{name}` is what was typed so far, for the completers that \
                         `#[arg(complete = …)]` names; {} has none of it",
                        kind.with_article()
                    ),
                );
                return None;
            }
            _ => Source::Extractor,
        };
        Some(Self { ty, binding, source })
    }
}

/// The attributes of a parameter that are ours, sorted.
#[derive(Default)]
struct Attributes {
    arg: Vec<Attribute>,
    extract: Option<Attribute>,
}

impl Attributes {
    fn read(param: &PatType, ctxt: &mut Ctxt) -> Self {
        let mut sorted = Self::default();
        for attr in &param.attrs {
            if attr.path().is_ident("arg") {
                sorted.arg.push(attr.clone());
            } else if attr.path().is_ident("extract") {
                if attr.meta.require_path_only().is_err() {
                    ctxt.error(attr, "`#[extract]` takes no options");
                }
                sorted.extract = Some(attr.clone());
            } else if attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr") {
                ctxt.error(attr, "a parameter cannot come and go; write two functions");
            }
        }
        sorted
    }

    fn refuse_arg(&self, ctxt: &mut Ctxt) {
        for attr in &self.arg {
            ctxt.error(attr, "an extractor is no argument; keep `#[arg]` or `#[extract]`");
        }
    }
}

fn argument(param: &PatType, attrs: &Attributes, case: Case, ctxt: &mut Ctxt) -> Option<Argument> {
    let options = Arg::read(&attrs.arg, ctxt);
    let Pat::Ident(pat) = &*param.pat else {
        ctxt.error(
            &param.pat,
            "an argument needs a name; take it apart inside of the function (patterns such as \
             `State(db): State<Db>` are for extractors)",
        );
        return None;
    };
    if let Some((at, _)) = &pat.subpat {
        ctxt.error(at, "an argument needs a plain name; take it apart inside of the function");
    }
    let name = match &options.rename {
        Some(name) => name.value(),
        None => case.spell(&wire_name(&pat.ident)),
    };
    Some(Argument { ident: pat.ident.clone(), name, docs: Docs::read(&param.attrs), options })
}

/// The name without `r#`, and without the underscore that marks a variable as unused: what the
/// compiler wants to hear is no reason to call the argument otherwise.
fn wire_name(ident: &Ident) -> String {
    let name = ident.unraw().to_string();
    match name.trim_start_matches('_') {
        "" => name,
        used => used.to_owned(),
    }
}

/// The name of the extractor that the type is, alone or in an `Option`.
fn extractor(ty: &Type) -> Option<String> {
    let ty = inside_option(ty).unwrap_or(ty);
    let name = last_segment(ty)?.ident.to_string();
    EXTRACTORS.contains(&name.as_str()).then_some(name)
}

fn check_pattern(pat: &Pat, ctxt: &mut Ctxt) {
    match pat {
        Pat::Ident(pat) if pat.subpat.is_none() => {}
        Pat::Wild(_) | Pat::TupleStruct(_) | Pat::Struct(_) => {}
        other => ctxt.error(
            other,
            format!("an extractor is taken by a name, or apart as in {}", list(&["State(db)"])),
        ),
    }
}

/// A place in the type that names no type.
fn no_value(ty: &Type) -> Option<&Type> {
    let ty = types::bare(ty);
    match ty {
        Type::ImplTrait(_) | Type::Infer(_) | Type::TraitObject(_) | Type::Never(_) => Some(ty),
        Type::Ptr(_) | Type::FnPtr(_) => Some(ty),
        Type::Reference(reference) => no_value(&reference.elem),
        Type::Slice(slice) => no_value(&slice.elem),
        Type::Path(_) => last_segment(ty).map(arguments)?.into_iter().find_map(no_value),
        _ => None,
    }
}
