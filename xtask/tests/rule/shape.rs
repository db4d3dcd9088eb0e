//! What no Rust file may do: hide a lint, leave work undone, gate in the middle of code, open without a sentence.

use super::finding::Finding;
use super::source::Source;

/// What the macros print stands here.
const PRINTED: &str = "crates/aqueduct-macros/src/expand/";

/// The first line tells a newcomer why to open the file.
pub(crate) fn opening(source: &Source) -> Vec<Finding> {
    if source.text.starts_with("//! ") {
        return Vec::new();
    }
    let mend = "start it with one `//!` sentence: why would a newcomer open it?";
    vec![Finding::new(&source.path, 1, "the file does not say what it is for", mend)]
}

/// Lints that are switched off, and code that was put off.
///
/// What a macro prints must be silent in code whose lints are not ours, so the printing folder may
/// spell the attribute.
pub(crate) fn escapes(source: &Source) -> Vec<Finding> {
    const REFUSED: [(&str, &str); 3] = [
        ("[allow(", "write `#[expect(…, reason = \"…\")]`, or better, mend what the lint says"),
        ("todo!", "write it, or leave it out"),
        ("unimplemented!", "write it, or leave it out"),
    ];
    let mut found = Vec::new();
    for (line, text) in (1..).zip(source.code.lines()) {
        for (refused, mend) in REFUSED {
            let is_printed = refused == "[allow(" && source.path.starts_with(PRINTED);
            if text.contains(refused) && !is_printed {
                let fault = format!("`{}`", refused.trim_start_matches('['));
                found.push(Finding::new(&source.path, line, fault, mend));
            }
        }
    }
    found
}

/// Features decide about modules and re-exports, never about a line within code.
pub(crate) fn gates(source: &Source) -> Vec<Finding> {
    const MEND: &str =
        "put what the feature brings into a module, and the gate on its `mod` or `pub use` line";
    let lines: Vec<_> = source.code_lines().collect();
    let mut found = Vec::new();
    for (at, (line, text)) in lines.iter().enumerate() {
        if !text.contains("cfg") || !text.contains("feature =") {
            continue;
        }
        let mut below = lines.iter().skip(at + 1).map(|(_, text)| *text);
        let gated = below.find(|text| !text.starts_with("#[")).unwrap_or_default();
        let is_note = text.starts_with("#[cfg_attr(docsrs");
        let is_gate = text.starts_with("#[cfg(") && text.ends_with(")]") && is_module(gated);
        if !is_note && !is_gate {
            found.push(Finding::new(&source.path, *line, format!("a gate on `{gated}`"), MEND));
        }
    }
    found
}

/// Whether a line starts a module or a re-export.
fn is_module(line: &str) -> bool {
    let is_public = line.starts_with("pub");
    let item =
        ["pub(crate) ", "pub(super) ", "pub "].iter().find_map(|start| line.strip_prefix(start));
    let item = item.unwrap_or(line);
    item.starts_with("mod ") || is_public && item.starts_with("use ")
}

mod tests {
    use super::{Finding, Source, escapes, gates, opening};

    fn check(rule: fn(&Source) -> Vec<Finding>, code: &str) -> usize {
        rule(&Source::new("a.rs", code)).len()
    }

    #[test]
    fn a_file_without_a_first_sentence_is_refused() {
        assert_eq!(check(opening, "//! Why.\nuse a;\n"), 0);
        assert_eq!(check(opening, "use a;\n"), 1);
        assert_eq!(check(opening, "#![expect(a)]\n//! Why.\n"), 1);
    }

    #[test]
    fn an_escape_is_refused_in_code_alone() {
        assert_eq!(check(escapes, "#[allow(dead_code)]\nfn a() { todo!() }\n"), 2);
        assert_eq!(check(escapes, "#![allow(dead_code)]\nfn a() { unimplemented!() }\n"), 2);
        assert_eq!(check(escapes, "// no todo!\n#[expect(a)]\nfn a() { b(\"todo!\") }\n"), 0);
    }

    #[test]
    fn a_gate_stands_on_a_module_or_a_re_export() {
        for gated in [
            "mod a;",
            "pub mod a;",
            "pub(crate) mod a;",
            "pub use a::B;",
            "#[path = \"b.rs\"]\nmod a;",
        ] {
            assert_eq!(check(gates, &format!("#[cfg(feature = \"a\")]\n{gated}\n")), 0, "{gated}");
        }
        for gated in ["fn a() {}", "use a::B;", "impl A for B {}", "let a = b;"] {
            assert_eq!(check(gates, &format!("#[cfg(feature = \"a\")]\n{gated}\n")), 1, "{gated}");
        }
        assert_eq!(check(gates, "fn a() { if cfg!(feature = \"a\") {} }\n"), 1);
        assert_eq!(check(gates, "#[cfg_attr(feature = \"a\", derive(B))]\npub struct C;\n"), 1);
        assert_eq!(check(gates, "#![cfg_attr(docsrs, feature(doc_cfg))]\n"), 0);
        assert_eq!(
            check(gates, "#[cfg(test)]\nmod tests {\n#[cfg(feature = \"a\")]\nfn a() {}\n}\n"),
            0
        );
    }
}
