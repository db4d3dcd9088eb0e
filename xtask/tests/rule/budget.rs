//! How long a file and a function may be, and how many names the root of the crate may have.

use super::finding::Finding;
use super::path::{leaves, tokens};
use super::source::{Source, item_end, line_at};

const FILE: usize = 400;
const FUNCTION: usize = 60;
const ROOT: usize = 31;

/// Files and functions that are too long. Tests, comments and blank lines are free.
pub(crate) fn lengths(source: &Source) -> Vec<Finding> {
    let mut found = Vec::new();
    let lines = source.code_lines().count();
    if lines > FILE {
        let fault = format!("{lines} lines of code, {FILE} are the limit");
        found.push(Finding::new(
            &source.path,
            1,
            fault,
            "split the file by idea: each part needs a sentence of its own",
        ));
    }
    found.extend(functions(source));
    found
}

fn functions(source: &Source) -> Vec<Finding> {
    let code = &source.code;
    let starts = code.match_indices("fn ").filter(|(start, _)| {
        let before = code.split_at_checked(*start).map_or("", |(before, _)| before);
        !before.ends_with(|last: char| last.is_alphanumeric() || last == '_')
    });
    let mut found = Vec::new();
    for (start, _) in starts {
        let first = line_at(code, start);
        if source.is_test(first) {
            continue;
        }
        let last = line_at(code, item_end(code, start));
        let inside = source.code_lines().filter(|(line, _)| *line > first && *line < last);
        let count = inside.count();
        if count > FUNCTION {
            let fault = format!("a function of {count} lines, {FUNCTION} are the limit");
            found.push(Finding::new(&source.path, first, fault, "give a part of it a name"));
        }
    }
    found
}

/// The names at the root of the crate: too many, or brought in by a star.
pub(crate) fn root(source: &Source) -> Vec<Finding> {
    let names = root_names(source);
    let mut found = Vec::new();
    for (name, line) in &names {
        if name == "*" {
            let mend = "name each item, so that the root can be read";
            found.push(Finding::new(&source.path, *line, "a star at the root", mend));
        }
    }
    if names.len() > ROOT {
        let fault = format!("{} names at the root, {ROOT} are the limit", names.len());
        found.push(Finding::new(&source.path, 1, fault, "let users reach it through its folder"));
    }
    found
}

/// What `pub mod` and `pub use` name, hidden items left out.
fn root_names(source: &Source) -> Vec<(String, usize)> {
    let tokens = tokens(&source.code);
    let mut found = Vec::new();
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        let rest = tokens.get(at..).unwrap_or_default();
        match rest {
            [one, ..] if one.text == "{" => depth += 1,
            [one, ..] if one.text == "}" => depth = depth.saturating_sub(1),
            _ if depth > 0 || source.is_test(token.line) || is_hidden(source, token.line) => {}
            [one, two, name, ..] if one.text == "pub" && two.text == "mod" => {
                found.push((name.text.to_owned(), name.line));
            }
            [one, two, tree @ ..] if one.text == "pub" && two.text == "use" => {
                let leaves = leaves(tree).into_iter();
                found.extend(leaves.map(|leaf| (leaf.name.to_owned(), leaf.line)));
            }
            _ => {}
        }
    }
    found
}

/// Whether an attribute right above a line hides it from the documentation.
fn is_hidden(source: &Source, line: usize) -> bool {
    let above: Vec<_> = source.code.lines().take(line.saturating_sub(1)).map(str::trim).collect();
    let attributes =
        above.iter().rev().take_while(|text| text.starts_with("#[") || text.is_empty());
    attributes.into_iter().any(|text| text.contains("doc(hidden)"))
}

mod tests {
    use super::{Source, lengths, root, root_names};

    fn check(code: &str) -> Vec<String> {
        let found = lengths(&Source::new("a.rs", code));
        found.iter().map(|one| format!("{}: {}", one.line, one.fault)).collect()
    }

    #[test]
    fn a_long_file_is_refused_and_its_tests_are_free() {
        assert!(check(&"use a;\n\n// why\n".repeat(400)).is_empty());
        assert_eq!(check(&"use a;\n".repeat(401)), ["1: 401 lines of code, 400 are the limit"]);
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "use a;\n".repeat(500));
        assert!(check(&tests).is_empty());
    }

    #[test]
    fn a_long_function_is_refused() {
        let function = |lines| format!("\nfn a(b: [u8; 4]) {{\n{}}}\n", "    b();\n".repeat(lines));
        assert!(check(&function(60)).is_empty());
        assert_eq!(check(&function(61)), ["2: a function of 61 lines, 60 are the limit"]);
    }

    #[test]
    fn the_names_at_the_root_are_counted() {
        let source = Source::new(
            "lib.rs",
            "pub mod tool;\nmod call;\npub use call::{Call, Reply as R};\n#[doc(hidden)]\npub mod private;\npub mod prelude {\n    pub use crate::tool::Tool;\n}\n",
        );
        let names: Vec<_> = root_names(&source).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["tool", "Call", "R", "prelude"]);
        assert!(root(&source).is_empty());
    }

    #[test]
    fn too_many_names_and_a_star_are_refused() {
        let many: String = (0..32).map(|one| format!("pub mod m{one};\n")).collect();
        assert_eq!(root(&Source::new("lib.rs", &many)).len(), 1);
        assert_eq!(root(&Source::new("lib.rs", "pub use tool::*;\n")).len(), 1);
    }
}
