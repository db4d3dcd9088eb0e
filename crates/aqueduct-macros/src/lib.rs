//! The attributes of Aqueduct; their documentation stands where `aqueduct` re-exports them.
//!
//! A macro is a small compiler, and its parts have their folders: `options` reads what stands in
//! an attribute, `item` reads what it stands on and checks it, `expand` prints. All mistakes of
//! one item are collected by `ctxt` and told together, and the item itself is always printed.

mod ctxt;
mod expand;
mod item;
mod options;
mod text;

use proc_macro::TokenStream;

/// Makes a function a tool.
#[proc_macro_attribute]
pub fn tool(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::tool(options.into(), &item.into()).into()
}

/// Makes the marked methods of an `impl` block tools, prompts and resources that share `self`.
#[proc_macro_attribute]
pub fn tools(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::tools(options.into(), &item.into()).into()
}

/// Makes a function a prompt.
#[proc_macro_attribute]
pub fn prompt(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::prompt(options.into(), &item.into()).into()
}

/// Makes a function a resource, or a resource template.
#[proc_macro_attribute]
pub fn resource(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::resource(options.into(), &item.into()).into()
}

/// Makes a type one that arguments are decoded into.
#[proc_macro_attribute]
pub fn args(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::args(options.into(), &item.into()).into()
}

/// Makes a type one that structured results are made of.
#[proc_macro_attribute]
pub fn output(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::output(options.into(), &item.into()).into()
}

/// Makes a struct a form that a user can fill in, or an enum a choice in one.
#[proc_macro_attribute]
pub fn form(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::form(options.into(), &item.into()).into()
}
