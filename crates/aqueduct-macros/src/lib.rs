//! The attributes of Aqueduct.

use proc_macro::TokenStream;

/// To be written.
#[proc_macro_attribute]
pub fn tool(_: TokenStream, item: TokenStream) -> TokenStream {
    item
}
/// To be written.
#[proc_macro_attribute]
pub fn tools(_: TokenStream, item: TokenStream) -> TokenStream {
    item
}
/// To be written.
#[proc_macro_attribute]
pub fn prompt(_: TokenStream, item: TokenStream) -> TokenStream {
    item
}
/// To be written.
#[proc_macro_attribute]
pub fn resource(_: TokenStream, item: TokenStream) -> TokenStream {
    item
}
/// To be written.
#[proc_macro_attribute]
pub fn args(_: TokenStream, item: TokenStream) -> TokenStream {
    item
}
/// To be written.
#[proc_macro_attribute]
pub fn output(_: TokenStream, item: TokenStream) -> TokenStream {
    item
}
