//! Paths in code: tokens, and the names at the ends of a `use`.

/// A word, `::` or one mark, and its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    pub(crate) line: usize,
}

/// Splits blanked code into tokens.
pub(crate) fn tokens(code: &str) -> Vec<Token<'_>> {
    let is_word = |one: char| one.is_alphanumeric() || one == '_';
    let mut found = Vec::new();
    for (text, line) in code.lines().zip(1..) {
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = if is_word(first) {
                rest.find(|one| !is_word(one)).unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            let Some((text, after)) = rest.split_at_checked(length) else { break };
            found.push(Token { text, line });
            rest = after.trim_start();
        }
    }
    found
}

/// One name that a `use` brings in: `crate::tool::{Tool as T}` has the segments `crate tool Tool` and the name `T`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Leaf<'a> {
    pub(crate) segments: Vec<&'a str>,
    pub(crate) name: &'a str,
    pub(crate) line: usize,
}

/// The leaves of the path, or the tree of paths, that starts at the first token.
pub(crate) fn leaves<'a>(tokens: &[Token<'a>]) -> Vec<Leaf<'a>> {
    let mut found = Vec::new();
    tree(tokens, &[], &mut found);
    found
}

/// Reads one tree and returns how many tokens it took.
fn tree<'a>(tokens: &[Token<'a>], before: &[&'a str], found: &mut Vec<Leaf<'a>>) -> usize {
    let mut segments = before.to_vec();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        if token.text == "{" {
            return at + group(tokens.get(at..).unwrap_or_default(), &segments, found);
        }
        segments.push(token.text);
        match tokens.get(at).map(|next| next.text) {
            Some("::") => at += 1,
            Some("as") => {
                let name = tokens.get(at + 1).map_or("_", |token| token.text);
                found.push(Leaf { segments, name, line: token.line });
                return at + 2;
            }
            _ => {
                found.push(Leaf { segments, name: token.text, line: token.line });
                return at;
            }
        }
    }
    at
}

/// Reads the trees between braces, the opening one already taken.
fn group<'a>(tokens: &[Token<'a>], before: &[&'a str], found: &mut Vec<Leaf<'a>>) -> usize {
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token.text {
            "}" => return at + 1,
            "," => at += 1,
            _ => at += tree(tokens.get(at..).unwrap_or_default(), before, found).max(1),
        }
    }
    at
}

mod tests {
    use super::{leaves, tokens};

    fn check(code: &str) -> Vec<String> {
        let tokens = tokens(code);
        let shown = leaves(&tokens);
        shown.iter().map(|leaf| format!("{} = {}", leaf.segments.join("::"), leaf.name)).collect()
    }

    #[test]
    fn a_tree_is_taken_apart_to_its_leaves() {
        assert_eq!(check("crate::call::Call;"), ["crate::call::Call = Call"]);
        assert_eq!(
            check("crate::{call::{Call, Reply as R}, error::*, self};"),
            [
                "crate::call::Call = Call",
                "crate::call::Reply = R",
                "crate::error::* = *",
                "crate::self = self"
            ]
        );
    }

    #[test]
    fn a_path_in_an_expression_ends_where_it_ends() {
        assert_eq!(check("crate::page::first(1)"), ["crate::page::first = first"]);
    }
}
