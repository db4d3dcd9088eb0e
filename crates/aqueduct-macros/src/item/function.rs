//! A marked function.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, TokenStreamExt};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, FnArg, Ident, Signature, Visibility};

use super::{Argument, Docs, Param, Receiver, Returns, Source, signature};
use crate::ctxt::Ctxt;
use crate::text::Case;

/// What a function is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Tool,
    Prompt,
    Resource,
}

impl Kind {
    pub(crate) const fn attribute(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Prompt => "prompt",
            Self::Resource => "resource",
        }
    }

    pub(crate) const fn with_article(self) -> &'static str {
        match self {
            Self::Tool => "a tool",
            Self::Prompt => "a prompt",
            Self::Resource => "a resource",
        }
    }
}

/// A function as it was written; its body is not looked into.
pub(crate) struct Marked {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    body: TokenStream,
}

impl Parse for Marked {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self {
            attrs: input.call(Attribute::parse_outer)?,
            vis: input.parse()?,
            sig: input.parse()?,
            body: input.parse()?,
        })
    }
}

impl ToTokens for Marked {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.append_all(&self.attrs);
        self.vis.to_tokens(tokens);
        self.sig.to_tokens(tokens);
        self.body.to_tokens(tokens);
    }
}

/// A function, read.
pub(crate) struct Function {
    pub(crate) ident: Ident,
    pub(crate) is_async: bool,
    /// Whether it stands in an `impl` block.
    pub(crate) in_impl: bool,
    pub(crate) receiver: Receiver,
    pub(crate) docs: Docs,
    pub(crate) params: Vec<Param>,
    pub(crate) returns: Returns,
}

impl Function {
    pub(crate) fn read(
        attrs: &[Attribute],
        sig: &Signature,
        kind: Kind,
        case: Case,
        ctxt: &mut Ctxt,
    ) -> Self {
        signature::check(sig, kind, ctxt);
        let receiver = Receiver::read(sig, kind, ctxt);
        let returns = Returns::read(&sig.output, kind, &sig.ident, ctxt);
        let typed = sig.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(param) => Some(param),
            FnArg::Receiver(_) => None,
        });
        let params: Vec<Param> =
            typed.filter_map(|param| Param::read(param, kind, case, ctxt)).collect();
        let function = Self {
            ident: sig.ident.clone(),
            is_async: sig.asyncness.is_some(),
            in_impl: false,
            receiver,
            docs: Docs::read(attrs),
            params,
            returns,
        };
        function.check(ctxt);
        function
    }

    /// The function's name, without what makes a keyword a name.
    pub(crate) fn name(&self) -> String {
        self.ident.unraw().to_string()
    }

    pub(crate) fn span(&self) -> Span {
        self.ident.span()
    }

    /// The parameters that the caller fills in one by one.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = &Argument> {
        self.params.iter().filter_map(|param| match &param.source {
            Source::Caller(argument) => Some(&**argument),
            Source::Extractor | Source::WholeArguments => None,
        })
    }

    fn check(&self, ctxt: &mut Ctxt) {
        let mut seen: Vec<&str> = Vec::new();
        for argument in self.arguments() {
            if seen.contains(&argument.name.as_str()) {
                let message = format!("two arguments are called {:?}", argument.name);
                ctxt.error(&argument.ident, message);
            }
            seen.push(&argument.name);
        }
        let mut whole = self.params.iter().filter(|param| is_whole(param));
        let first = whole.next();
        for second in whole {
            ctxt.error(&second.ty, "`Args` takes all arguments, so there can be only one");
        }
        if let Some(first) = first
            && let Some(argument) = self.arguments().next()
        {
            ctxt.error(
                &first.ty,
                format!(
                    "`Args` takes all arguments, so none is left for `{}`; make it a field of the \
                     type in `Args`",
                    argument.ident
                ),
            );
        }
    }
}

fn is_whole(param: &Param) -> bool {
    matches!(param.source, Source::WholeArguments)
}
