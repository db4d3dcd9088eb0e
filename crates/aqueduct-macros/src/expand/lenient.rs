//! The lints that printed code cannot meet, silenced in the user's crate.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// The parameters are the tool's arguments, and how many it needs is no question of style.
pub(super) const MANY_PARAMETERS: &str = "clippy::too_many_arguments";

/// An attribute that silences these lints.
///
/// An expectation would not do: whether a lint fires depends on what the user has turned on.
pub(super) fn lenient(lints: &[&str]) -> TokenStream {
    let level = Ident::new("allow", Span::call_site());
    let lints = lints.iter().filter_map(|lint| lint.parse::<TokenStream>().ok());
    quote!(#[#level(#(#lints),*)])
}
