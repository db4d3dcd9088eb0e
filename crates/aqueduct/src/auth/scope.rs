//! Scopes: their syntax, and which of them imply others.

use std::collections::{BTreeMap, BTreeSet};

/// How many scopes of a token are looked at.
const MAX_SCOPES: usize = 512;

/// May a scope be written so (RFC 6749, section 3.3)?
pub(super) fn is_scope(text: &str) -> bool {
    let fits = |byte: u8| matches!(byte, 0x21 | 0x23..=0x5b | 0x5d..=0x7e);
    !text.is_empty() && text.bytes().all(fits)
}

/// The scopes in a list that is separated by spaces.
pub(super) fn split(list: &str) -> impl Iterator<Item = String> {
    list.split(' ').filter(|scope| is_scope(scope)).take(MAX_SCOPES).map(ToOwned::to_owned)
}

/// Which scope implies which others.
#[derive(Clone, Debug, Default)]
pub(super) struct Hierarchy(BTreeMap<String, Vec<String>>);

impl Hierarchy {
    pub(super) fn imply(&mut self, scope: String, implied: impl IntoIterator<Item = String>) {
        self.0.entry(scope).or_default().extend(implied);
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.0.iter().flat_map(|(scope, implied)| std::iter::once(scope).chain(implied))
    }

    /// These scopes with all that they imply, each once.
    pub(super) fn closure(&self, held: Vec<String>) -> Vec<String> {
        if self.0.is_empty() {
            return held;
        }
        let mut all = BTreeSet::new();
        let mut open = held;
        while let Some(scope) = open.pop() {
            if let Some(implied) = self.0.get(&scope)
                && !all.contains(&scope)
            {
                open.extend(implied.iter().cloned());
            }
            all.insert(scope);
        }
        all.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_brings_all_that_it_implies_and_circles_end() {
        let mut hierarchy = Hierarchy::default();
        hierarchy.imply("admin".into(), ["write".into()]);
        hierarchy.imply("write".into(), ["read".into(), "admin".into()]);
        assert_eq!(hierarchy.closure(vec!["admin".into()]), ["admin", "read", "write"]);
        assert_eq!(hierarchy.closure(vec!["read".into()]), ["read"]);
    }

    #[test]
    fn what_is_no_scope_is_left_out() {
        assert_eq!(split("a  b\"c d\\ e:f").collect::<Vec<_>>(), ["a", "e:f"]);
        // One scope of an odd name, and not two.
        assert_eq!(split("read,write").collect::<Vec<_>>(), ["read,write"]);
    }
}
