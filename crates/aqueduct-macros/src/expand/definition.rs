//! A tool, a prompt or a resource, as the chain of calls that builds it.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};

use super::handler::at;
use crate::ctxt::Ctxt;
use crate::item::{Function, Kind, check_uri};
use crate::options::{self, CAPABILITIES, Common, Entries, Timeout, as_text};
use crate::text::Case;

/// What the attribute says.
pub(super) enum Definition {
    Tool(Box<options::Tool>),
    Prompt(Box<options::Prompt>),
    Resource(Box<options::Resource>),
}

impl Definition {
    pub(super) fn read(kind: Kind, tokens: TokenStream, ctxt: &mut Ctxt) -> Self {
        let entries = Entries::parse(tokens, kind == Kind::Resource, ctxt);
        match kind {
            Kind::Tool => Self::Tool(Box::new(options::Tool::read(&entries, ctxt))),
            Kind::Prompt => Self::Prompt(Box::new(options::Prompt::read(&entries, ctxt))),
            Kind::Resource => Self::Resource(Box::new(options::Resource::read(entries, ctxt))),
        }
    }

    fn common(&self) -> &Common {
        match self {
            Self::Tool(tool) => &tool.common,
            Self::Prompt(prompt) => &prompt.common,
            Self::Resource(resource) => &resource.common,
        }
    }

    /// How its arguments are spelled.
    pub(super) fn case(&self) -> Case {
        self.common().rename_all
    }

    /// Its name on the wire.
    pub(super) fn name(&self, function: &Function, prefix: &str) -> String {
        let own = self.common().name.as_ref().map(syn::LitStr::value);
        format!("{prefix}{}", own.unwrap_or_else(|| function.name()))
    }

    /// Its type in `__private`.
    pub(super) fn item(kind: Kind) -> TokenStream {
        match kind {
            Kind::Tool => quote!(::aqueduct::__private::Tool),
            Kind::Prompt => quote!(::aqueduct::__private::Prompt),
            Kind::Resource => quote!(::aqueduct::__private::AnyResource),
        }
    }

    /// The expression that makes it.
    pub(super) fn build(
        &self,
        function: &Function,
        name: &str,
        handler: &TokenStream,
    ) -> TokenStream {
        let common = common(self.common(), function);
        let span = at(function.span());
        let handler = quote_spanned!(span=> .handler(#handler));
        match self {
            Self::Tool(tool) => {
                let own = tool_calls(tool);
                quote! {
                    ::aqueduct::__private::Tool::new(#name) #common #own #handler
                }
            }
            Self::Prompt(_) => {
                let completers = completers(function);
                quote! {
                    ::aqueduct::__private::Prompt::new(#name) #common #completers #handler
                }
            }
            Self::Resource(resource) => {
                let (ty, uri) = resource_type(resource);
                let own = resource_calls(resource);
                let completers = completers(function);
                quote! {
                    ::core::convert::From::from(
                        ::aqueduct::__private::#ty::new(#uri, #name) #common #own #completers
                            #handler
                    )
                }
            }
        }
    }

    /// An expression of the right type, for when there were mistakes.
    pub(super) fn placeholder(kind: Kind, name: &str) -> TokenStream {
        match kind {
            Kind::Tool => quote!(::aqueduct::__private::Tool::new(#name)),
            Kind::Prompt => quote!(::aqueduct::__private::Prompt::new(#name)),
            Kind::Resource => quote! {
                ::core::convert::From::from(::aqueduct::__private::Resource::new("", #name))
            },
        }
    }
}

fn common(common: &Common, function: &Function) -> TokenStream {
    let mut calls = TokenStream::new();
    if let Some(title) = &common.title {
        calls.extend(quote!(.title(#title)));
    }
    let description = common.description.as_ref().map(ToTokens::to_token_stream);
    if let Some(description) = description.or_else(|| function.docs.expr()) {
        calls.extend(quote!(.description(#description)));
    }
    for icon in &common.icons {
        let icon = as_text(icon).map_or_else(
            || quote!(#icon),
            |address| quote!(::aqueduct::__private::Icon::new(#address)),
        );
        calls.extend(quote!(.icon(#icon)));
    }
    if let Some(meta) = &common.meta {
        calls.extend(quote!(.meta(#meta)));
    }
    for tag in &common.tags {
        calls.extend(quote!(.tag(#tag)));
    }
    if !common.scopes.is_empty() {
        let scopes = &common.scopes;
        calls.extend(quote!(.scopes([#(#scopes),*])));
    }
    if let Some(sees) = &common.visible_to {
        calls.extend(quote!(.visible_to(#sees)));
    }
    for layer in &common.layers {
        calls.extend(quote!(.layer(#layer)));
    }
    calls
}

fn tool_calls(tool: &options::Tool) -> TokenStream {
    let mut calls = TokenStream::new();
    if tool.read_only {
        calls.extend(quote!(.read_only()));
    }
    if let Some(destructive) = tool.destructive {
        calls.extend(quote!(.destructive(#destructive)));
    }
    if tool.lenient {
        calls.extend(quote!(.lenient()));
    }
    if tool.idempotent {
        calls.extend(quote!(.idempotent()));
    }
    if let Some(open) = tool.open_world {
        calls.extend(quote!(.open_world(#open)));
    }
    if let Some(timeout) = tool.timeout.as_ref().map(Timeout::expr) {
        calls.extend(quote!(.timeout(#timeout)));
    }
    calls.extend(tool.task.calls());
    if !tool.requires.is_empty() {
        let words = tool.requires.iter().filter_map(|word| {
            let (_, variant) = CAPABILITIES.iter().find(|(name, _)| word == name)?;
            Some(syn::Ident::new(variant, word.span()))
        });
        calls.extend(quote! {
            .requires(::aqueduct::__private::capabilities(
                &[#(::aqueduct::__private::Capability::#words),*]
            ))
        });
    }
    if let Some(schema) = &tool.input_schema {
        calls.extend(quote!(.input_schema(#schema)));
    }
    if let Some(schema) = &tool.output_schema {
        calls.extend(quote!(.output_schema(#schema)));
    }
    let options::Ui { uri, app_only, model_only } = &tool.ui;
    calls.extend(uri.as_ref().map(|uri| quote!(.ui(#uri))));
    calls.extend(app_only.then(|| quote!(.app_only())));
    calls.extend(model_only.then(|| quote!(.model_only())));
    calls
}

fn resource_type(resource: &options::Resource) -> (TokenStream, TokenStream) {
    let uri = resource.uri.as_ref().map(syn::LitStr::value).unwrap_or_default();
    let literal: &dyn ToTokens = match &resource.uri {
        Some(uri) => uri,
        None => &"",
    };
    let ty = if uri.contains('{') { quote!(ResourceTemplate) } else { quote!(Resource) };
    (ty, literal.to_token_stream())
}

fn resource_calls(resource: &options::Resource) -> TokenStream {
    let mut calls = TokenStream::new();
    if let Some(mime_type) = &resource.mime_type {
        calls.extend(quote!(.mime_type(#mime_type)));
    }
    if let Some(size) = &resource.size {
        calls.extend(quote!(.size(#size)));
    }
    if let Some(millis) = &resource.cache_ms {
        let scope = if resource.cache_public { quote!(public) } else { quote!(private) };
        calls.extend(quote!(.cache(::aqueduct::__private::CacheHint::#scope(#millis))));
    }
    calls
}

fn completers(function: &Function) -> TokenStream {
    let completers = function.arguments().filter_map(|argument| {
        let (_, path) = argument.options.complete.as_ref()?;
        let name = &argument.name;
        Some(quote!(.complete(#name, #path)))
    });
    completers.collect()
}

/// Refuses `size` and the like where they mean nothing.
pub(super) fn check(definition: &Definition, function: &Function, ctxt: &mut Ctxt) {
    let kind_takes = |header: bool| match definition {
        Definition::Tool(_) => header,
        Definition::Prompt(_) | Definition::Resource(_) => !header,
    };
    for argument in function.arguments() {
        let options = &argument.options;
        options.of_no_form(ctxt);
        if let Some((word, _)) = &options.header
            && !kind_takes(true)
        {
            ctxt.error(word, "only arguments of tools are mirrored in headers");
        }
        if let Some((word, _)) = &options.complete
            && !kind_takes(false)
        {
            ctxt.error(
                word,
                "only arguments of prompts and variables of resource templates are completed",
            );
        }
    }
    if let Definition::Resource(resource) = definition {
        check_uri(resource, function, ctxt);
    }
}
