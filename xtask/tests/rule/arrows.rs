//! Which folder of the framework may name which other.

use std::collections::BTreeMap;

use super::finding::Finding;
use super::path::{Leaf, Token, leaves, tokens};
use super::source::Source;

/// The folder whose arrows are listed.
const SRC: &str = "crates/aqueduct/src/";
const MEND: &str = "move what is shared to where both may reach it; if the arrow itself is wrong, change it in xtask/tests/tidy.rs and in ARCHITECTURE.md in the same commit";
const NEW: &str =
    "give the folder an entry in the table of xtask/tests/tidy.rs: say what it may name";

/// One folder, or file beside `lib.rs`, and what it may name besides itself and `error`.
#[derive(Debug)]
pub(crate) struct Arrow {
    pub(crate) from: &'static str,
    pub(crate) to: &'static [&'static [&'static str]],
}

impl Arrow {
    fn allows(&self, folder: &str) -> bool {
        folder == "error"
            || folder == self.from
            || self.to.iter().any(|some| some.contains(&folder))
    }
}

/// Every name that the table does not permit.
pub(crate) fn check<'a>(
    table: &[Arrow],
    root: &Source,
    sources: impl Iterator<Item = &'a Source>,
) -> Vec<Finding> {
    let root = Root::new(root);
    let mut found = Vec::new();
    for source in sources.filter(|source| source.path != format!("{SRC}lib.rs")) {
        let modules = modules(&source.path);
        let Some(folder) = modules.first() else { continue };
        let Some(arrow) = table.iter().find(|arrow| arrow.from == *folder) else {
            found.push(Finding::new(&source.path, 1, format!("the folder `{folder}` is new"), NEW));
            continue;
        };
        for (name, line) in named(source, modules.len()) {
            let target = root.folder(name);
            let fault = match target {
                Target::Own => continue,
                Target::Folder(other) if arrow.allows(other) => continue,
                Target::Folder(other) => format!("`{folder}` names `{other}`"),
            };
            let is_known = table.iter().any(|arrow| target == Target::Folder(arrow.from));
            found.push(Finding::new(&source.path, line, fault, if is_known { MEND } else { NEW }));
        }
    }
    found
}

/// Who names a folder from outside of it, file for file.
pub(crate) fn callers<'a>(
    folder: &str,
    root: &Source,
    sources: impl Iterator<Item = &'a Source>,
) -> Vec<String> {
    let root = Root::new(root);
    let names_it = |source: &&Source| {
        let modules = modules(&source.path);
        let is_inside = modules.first() == Some(&folder) || source.path == format!("{SRC}lib.rs");
        let mut named = named(source, modules.len()).into_iter();
        !is_inside && named.any(|(name, _)| root.folder(name) == Target::Folder(folder))
    };
    let mut found: Vec<_> = sources.filter(names_it).map(|one| one.path.clone()).collect();
    found.sort();
    found
}

/// What is wrong with the table itself: an arrow to nowhere, or a circle.
pub(crate) fn faults(table: &[Arrow]) -> Vec<String> {
    let find = |name: &str| table.iter().find(|arrow| arrow.from == name);
    let mut found = Vec::new();
    for arrow in table {
        let mut reached: Vec<&str> = Vec::new();
        let mut open: Vec<&str> = arrow.to.concat();
        while let Some(name) = open.pop() {
            let Some(next) = find(name) else {
                found.push(format!("`{name}` has no entry"));
                continue;
            };
            if !reached.contains(&name) {
                reached.push(name);
                open.extend(next.to.concat());
            }
        }
        if reached.contains(&arrow.from) {
            found.push(format!("`{}` names itself through others", arrow.from));
        }
    }
    found
}

/// The modules that a file's path spells: `tool/registry.rs` is `tool registry`, `tool/mod.rs` is `tool`.
fn modules(path: &str) -> Vec<&str> {
    let inner = path.strip_prefix(SRC).unwrap_or(path).trim_end_matches(".rs");
    inner.split('/').filter(|part| *part != "mod").collect()
}

/// Every name at the root of the crate that shipping code spells, with its line.
fn named(source: &Source, depth: usize) -> Vec<(&str, usize)> {
    let tokens = tokens(&source.code);
    let mut found = Vec::new();
    let mut modules = Modules::default();
    for (at, token) in tokens.iter().enumerate() {
        let rest = tokens.get(at..).unwrap_or_default();
        modules.see(rest);
        let follows_path =
            at.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|one| one.text == "::");
        if follows_path || source.is_test(token.line) {
            continue;
        }
        let ups = ups(rest);
        let is_root = match token.text {
            "crate" => rest.get(1).is_some_and(|next| next.text == "::"),
            "super" => ups == depth + modules.open(),
            _ => false,
        };
        if is_root {
            let skipped = if token.text == "crate" { 2 } else { ups * 2 };
            let after = rest.get(skipped..).unwrap_or_default();
            found.extend(leaves(after).iter().filter_map(|leaf| head(leaf, after)));
        }
    }
    found
}

/// How many `super::` stand in a row.
fn ups(tokens: &[Token<'_>]) -> usize {
    let pairs = tokens.chunks(2);
    pairs.take_while(|pair| matches!(pair, [a, b] if a.text == "super" && b.text == "::")).count()
}

/// The first name of a path from the root, unless it is a macro's.
fn head<'a>(leaf: &Leaf<'a>, after: &[Token<'a>]) -> Option<(&'a str, usize)> {
    let first = *leaf.segments.first()?;
    let is_macro = leaf.segments.len() == 1 && after.get(1).is_some_and(|next| next.text == "!");
    (!is_macro && first != "self").then_some((first, leaf.line))
}

/// The inline modules around a token, which `super` has to climb too.
#[derive(Debug, Default)]
struct Modules {
    depth: usize,
    starts: Vec<usize>,
}

impl Modules {
    fn see(&mut self, rest: &[Token<'_>]) {
        match rest {
            [one, _, brace, ..] if one.text == "mod" && brace.text == "{" => {
                self.starts.push(self.depth + 1);
            }
            [one, ..] if one.text == "{" => self.depth += 1,
            [one, ..] if one.text == "}" => {
                self.starts.retain(|start| *start != self.depth);
                self.depth = self.depth.saturating_sub(1);
            }
            _ => {}
        }
    }

    fn open(&self) -> usize {
        self.starts.iter().filter(|start| **start <= self.depth).count()
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Target<'a> {
    /// Something that `lib.rs` defines itself.
    Own,
    Folder(&'a str),
}

/// What `lib.rs` re-exports from where, for `crate::Error` names the folder `error`.
struct Root<'a> {
    tokens: Vec<Token<'a>>,
    exports: BTreeMap<&'a str, &'a str>,
}

impl<'a> Root<'a> {
    fn new(root: &'a Source) -> Self {
        let tokens = tokens(&root.code);
        let mut exports = BTreeMap::new();
        for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.text == "use") {
            if root.is_test(token.line) {
                continue;
            }
            for leaf in leaves(tokens.get(at + 1..).unwrap_or_default()) {
                let mut folders =
                    leaf.segments.iter().filter(|one| !matches!(**one, "crate" | "self"));
                exports.extend(folders.next().map(|folder| (leaf.name, *folder)));
            }
        }
        Self { tokens, exports }
    }

    fn folder<'b>(&'b self, name: &'b str) -> Target<'b> {
        const ITEMS: [&str; 7] = ["const", "enum", "fn", "static", "struct", "trait", "type"];
        if let Some(folder) = self.exports.get(name) {
            // Something from another crate is nobody's folder.
            let is_module = self.has("mod", folder);
            return if is_module { Target::Folder(folder) } else { Target::Own };
        }
        if ITEMS.iter().any(|item| self.has(item, name)) {
            return Target::Own;
        }
        Target::Folder(name)
    }

    fn has(&self, item: &str, name: &str) -> bool {
        self.tokens.windows(2).any(
            |pair| matches!(pair, [first, second] if first.text == item && second.text == name),
        )
    }
}

mod tests {
    use super::{Arrow, SRC, check, faults};
    use crate::rule::source::Source;

    const TABLE: &[Arrow] = &[
        Arrow { from: "error", to: &[] },
        Arrow { from: "call", to: &[] },
        Arrow { from: "tool", to: &[] },
        Arrow { from: "dispatch", to: &[&["call", "tool"]] },
    ];

    fn found(path: &str, code: &str) -> Vec<String> {
        let root = Source::new(
            &format!("{SRC}lib.rs"),
            "mod call;\nmod error;\nmod tool;\npub use call::Call;\npub use error::{Error, Result};\npub use http;\npub struct Server;\n",
        );
        let source = Source::new(&format!("{SRC}{path}"), code);
        let found = check(TABLE, &root, std::iter::once(&source));
        found.iter().map(|one| format!("{}: {}", one.line, one.fault)).collect()
    }

    #[test]
    fn an_arrow_of_the_table_and_the_error_are_free() {
        let code = "use crate::call::Call;\nuse crate::{Error, error, tool::Tool, Call};\nuse super::route;\npub(crate) fn a() {}\n";
        assert!(found("dispatch/admit.rs", code).is_empty());
        assert!(found("tool/mod.rs", "use crate::{Error, Server, http};\n").is_empty());
    }

    #[test]
    fn a_wrong_arrow_is_refused_however_it_is_spelled() {
        for code in [
            "use crate::dispatch::route;",
            "use crate::{error::Error, dispatch};",
            "use crate::dispatch as other;",
            "fn a() { crate::dispatch::route() }",
            "use super::super::dispatch::route;",
            "fn a() { super::super::dispatch::route() }",
            "mod inner { use super::super::super::dispatch; }",
        ] {
            assert_eq!(found("tool/registry.rs", code), ["1: `tool` names `dispatch`"], "{code}");
        }
        assert_eq!(found("tool/mod.rs", "use super::dispatch;"), ["1: `tool` names `dispatch`"]);
        assert_eq!(found("tool.rs", "use super::dispatch;"), ["1: `tool` names `dispatch`"]);
    }

    #[test]
    fn a_re_export_of_the_root_counts_as_its_folder() {
        assert_eq!(found("tool/mod.rs", "\nuse crate::Call;"), ["2: `tool` names `call`"]);
    }

    #[test]
    fn super_within_the_folder_is_free() {
        let code = "use super::super::registry;\nmod inner { use super::super::super::handler; }";
        assert!(found("tool/deep/leaf.rs", code).is_empty());
    }

    #[test]
    fn tests_comments_and_literals_are_free() {
        let code = "//! See [`crate::dispatch`].\nconst A: &str = \"crate::dispatch\";\n#[cfg(test)]\nmod tests {\n    use crate::dispatch::route;\n}\n";
        assert!(found("tool/mod.rs", code).is_empty());
    }

    #[test]
    fn an_unknown_folder_asks_for_an_entry() {
        assert_eq!(found("novel/mod.rs", ""), ["1: the folder `novel` is new"]);
        assert_eq!(found("tool/mod.rs", "use crate::novel::A;"), ["1: `tool` names `novel`"]);
    }

    #[test]
    fn the_table_itself_is_checked() {
        assert!(faults(TABLE).is_empty());
        let circle = [Arrow { from: "a", to: &[&["b"]] }, Arrow { from: "b", to: &[&["a"]] }];
        assert_eq!(faults(&circle).len(), 2);
        assert_eq!(faults(&[Arrow { from: "a", to: &[&["nowhere"]] }]), ["`nowhere` has no entry"]);
    }
}
