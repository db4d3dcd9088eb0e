//! How a Rust name is spelled on the wire, for `rename_all`.

use syn::LitStr;

use crate::ctxt::Ctxt;

/// A way to spell names.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Case {
    /// As in Rust.
    #[default]
    Snake,
    Camel,
    Pascal,
    Kebab,
}

const CASES: [(&str, Case); 4] = [
    ("camelCase", Case::Camel),
    ("snake_case", Case::Snake),
    ("PascalCase", Case::Pascal),
    ("kebab-case", Case::Kebab),
];

impl Case {
    pub(crate) fn read(word: &LitStr, ctxt: &mut Ctxt) -> Self {
        let value = word.value();
        if let Some((_, case)) = CASES.iter().find(|(name, _)| *name == value) {
            return *case;
        }
        let known = CASES.map(|(name, _)| format!("{name:?}")).join(", ");
        ctxt.error(word, format!("no way to spell names is called {value:?}; there are {known}"));
        Self::default()
    }

    /// Spells a name that is in snake case.
    pub(crate) fn spell(self, name: &str) -> String {
        let words = || name.split('_').filter(|word| !word.is_empty());
        match self {
            Self::Snake => name.to_owned(),
            Self::Kebab => words().collect::<Vec<_>>().join("-"),
            Self::Pascal => words().map(capital).collect(),
            Self::Camel => words()
                .enumerate()
                .map(|(nth, word)| if nth == 0 { word.to_owned() } else { capital(word) })
                .collect(),
        }
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_spelled_in_each_case() {
        assert_eq!(Case::Camel.spell("page_size_max"), "pageSizeMax");
        assert_eq!(Case::Pascal.spell("page_size"), "PageSize");
        assert_eq!(Case::Kebab.spell("page_size"), "page-size");
        assert_eq!(Case::Snake.spell("page_size"), "page_size");
        assert_eq!(Case::Camel.spell("_page"), "page");
    }
}
