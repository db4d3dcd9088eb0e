//! What the macros print.

mod arguments;
mod container;
mod definition;
mod form;
mod function;
mod group;
mod handler;
mod lenient;
mod rules;

#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;

use crate::item::Kind;

pub(crate) fn tool(options: TokenStream, item: &TokenStream) -> TokenStream {
    function::expand(Kind::Tool, options, item)
}

pub(crate) fn prompt(options: TokenStream, item: &TokenStream) -> TokenStream {
    function::expand(Kind::Prompt, options, item)
}

pub(crate) fn resource(options: TokenStream, item: &TokenStream) -> TokenStream {
    function::expand(Kind::Resource, options, item)
}

pub(crate) fn tools(options: TokenStream, item: &TokenStream) -> TokenStream {
    group::expand(options, item)
}

pub(crate) fn args(options: TokenStream, item: &TokenStream) -> TokenStream {
    container::expand(container::Use::Args, options, item)
}

pub(crate) fn output(options: TokenStream, item: &TokenStream) -> TokenStream {
    container::expand(container::Use::Output, options, item)
}

pub(crate) fn form(options: TokenStream, item: &TokenStream) -> TokenStream {
    form::expand(options, item)
}
