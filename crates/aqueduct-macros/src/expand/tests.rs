//! Golden expansions: `tests/expand/NAME.rs` is what a user writes, `NAME.expanded.rs` what the
//! compiler gets. `UPDATE=1` rewrites the latter.
//!
//! They stand here because a crate of macros exports nothing else that a test could call.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, File, Item, Meta};

type Expand = fn(TokenStream, &TokenStream) -> TokenStream;

const MACROS: [(&str, Expand); 6] = [
    ("tool", super::tool),
    ("tools", super::tools),
    ("prompt", super::prompt),
    ("resource", super::resource),
    ("args", super::args),
    ("output", super::output),
];

/// Expands every item that begins with one of our attributes.
fn expand(source: &str) -> String {
    let file = syn::parse_file(source).unwrap();
    let tokens: TokenStream = file.items.into_iter().map(expand_item).collect();
    let text = tokens.to_string();
    match syn::parse2::<File>(tokens) {
        Ok(file) => prettyplease::unparse(&file),
        Err(error) => panic!("{error}: {text}"),
    }
}

fn expand_item(mut item: Item) -> TokenStream {
    let taken = attributes(&mut item).and_then(|attrs| {
        let (place, expand) = attrs.iter().enumerate().find_map(|(place, attr)| {
            let (_, expand) = MACROS.iter().find(|(name, _)| attr.path().is_ident(name))?;
            Some((place, *expand))
        })?;
        Some((attrs.remove(place), expand))
    });
    let Some((attr, expand)) = taken else { return item.into_token_stream() };
    let options = match attr.meta {
        Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    };
    expand(options, &item.into_token_stream())
}

fn attributes(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    match item {
        Item::Fn(item) => Some(&mut item.attrs),
        Item::Impl(item) => Some(&mut item.attrs),
        Item::Struct(item) => Some(&mut item.attrs),
        Item::Enum(item) => Some(&mut item.attrs),
        _ => None,
    }
}

fn sources() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expand");
    let mut sources: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| !path.to_string_lossy().ends_with(".expanded.rs"))
        .collect();
    sources.sort();
    sources
}

#[test]
fn expansions_are_as_they_were() {
    let update = std::env::var_os("UPDATE").is_some();
    let sources = sources();
    assert!(sources.len() >= 6, "{sources:?}");
    let mut changed = Vec::new();
    for path in sources {
        let header = "// Written by `UPDATE=1 cargo test -p aqueduct-macros`.\n\n";
        let expanded = format!("{header}{}", expand(&fs::read_to_string(&path).unwrap()));
        let golden = path.with_extension("expanded.rs");
        if update {
            fs::write(&golden, &expanded).unwrap();
        }
        if fs::read_to_string(&golden).unwrap_or_default() != expanded {
            changed.push(format!("{}:\n{expanded}", golden.display()));
        }
    }
    assert!(changed.is_empty(), "run with UPDATE=1 and read the diff\n{}", changed.join("\n"));
}

#[test]
fn a_wrong_item_is_printed_all_the_same() {
    for (options, item) in [
        ("nonsense(", "async fn f() {}"),
        ("", "struct S { field: u8 }"),
        ("", "async fn f(self, (a, b): (u8, u8)) {}"),
        ("name = 5", "impl S { async fn f() {} }"),
    ] {
        let (Ok(options), Ok(item)) = (
            options.parse::<TokenStream>().or_else(|_| "x y".parse()),
            item.parse::<TokenStream>(),
        ) else {
            panic!("{options} {item}");
        };
        for (name, expand) in MACROS {
            let printed = expand(options.clone(), &item).to_string();
            let kept = ["f (", "field : u8"].iter().any(|word| printed.contains(word));
            assert!(kept, "{name}: {printed}");
        }
    }
}
