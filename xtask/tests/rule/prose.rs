//! What comments and pages may not hold: an example that is not compiled, a note to self, a path of somebody's machine, a link to nowhere.

use std::path::Path;

use super::finding::Finding;
use super::source::Source;
use super::tree::Document;

/// Doc examples that are never compiled. `lines` are comments or the lines of a page.
pub(crate) fn ignored<'a>(
    path: &str,
    lines: impl Iterator<Item = (usize, &'a str)>,
) -> Vec<Finding> {
    const MEND: &str =
        "let the example compile (`no_run` where it must not run), or call it `text`";
    let fences = lines.filter(|(_, text)| {
        let text = text.trim_start_matches(['/', '!', ' ']);
        let words = text.strip_prefix("```").unwrap_or_default();
        words.split([',', ' ']).any(|word| word.starts_with("ignore"))
    });
    fences
        .map(|(line, _)| Finding::new(path, line, "an example that nobody compiles", MEND))
        .collect()
}

/// Notes to self without an issue.
pub(crate) fn notes<'a>(path: &str, lines: impl Iterator<Item = (usize, &'a str)>) -> Vec<Finding> {
    // Spelled so that this line is none.
    let marks = [concat!("TO", "DO"), concat!("FIX", "ME")];
    let noted = lines.filter(|(_, text)| {
        let after = marks.iter().find_map(|mark| text.split_once(mark)).map(|(_, after)| after);
        let has_issue = |after: &str| {
            let mut numbers = after.split('#').skip(1);
            numbers.any(|number| number.starts_with(|first: char| first.is_ascii_digit()))
        };
        after.is_some_and(|after| !has_issue(after))
    });
    let mend = "open an issue and write its #number on the same line";
    noted
        .map(|(line, _)| Finding::new(path, line, "a note to self without an issue", mend))
        .collect()
}

/// The comments of a source by line.
pub(crate) fn comments(source: &Source) -> impl Iterator<Item = (usize, &str)> {
    source.comments.iter().flat_map(|one| (one.line..).zip(one.text.lines()))
}

/// The lines of a page.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines())
}

/// Paths that exist on one machine only. A `file://` address is an example, not a path.
pub(crate) fn machine_paths(document: &Document) -> Vec<Finding> {
    let folders = ["home", "work", "root", "tmp"].map(|folder| format!("/{folder}/"));
    let starts = |before: &str| {
        before.ends_with([' ', '\t', '"', '\'', '`', '(', '=', ':', ',']) || before.is_empty()
    };
    let mut found = Vec::new();
    for (line, text) in lines(&document.text) {
        for folder in &folders {
            let mut hits = text.match_indices(folder.as_str());
            if hits
                .any(|(at, _)| text.split_at_checked(at).is_some_and(|(before, _)| starts(before)))
            {
                let fault = format!("a path below {folder}");
                let mend = "take a path relative to the workspace, or one that the test makes";
                found.push(Finding::new(&document.path, line, fault, mend));
            }
        }
    }
    found
}

/// Relative links of a page that lead nowhere. `exists` answers for a path from the root.
pub(crate) fn links(page: &Document, exists: impl Fn(&Path) -> bool) -> Vec<Finding> {
    let folder = Path::new(&page.path).parent().unwrap_or(Path::new(""));
    let mut found = Vec::new();
    let mut is_code = false;
    for (line, text) in lines(&page.text) {
        if text.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        for target in targets(text).into_iter().filter(|_| !is_code) {
            let path = target.split(['#', '?']).next().unwrap_or_default();
            if !path.is_empty() && !exists(&folder.join(path)) {
                let mend = "link to a file that is there, relative to the page";
                found.push(Finding::new(&page.path, line, format!("a link to {target}"), mend));
            }
        }
    }
    found
}

/// What a line links to, addresses and the paths of rustdoc left out.
fn targets(line: &str) -> Vec<&str> {
    // Every other part lies between backticks.
    let prose = line.split('`').step_by(2);
    let inline =
        prose.flat_map(|text| text.split("](").skip(1)).filter_map(|after| after.split(')').next());
    let reference =
        line.strip_prefix('[').and_then(|rest| rest.split_once("]: ")).map(|(_, target)| target);
    let is_file = |target: &&str| !target.contains("::") && !target.contains(':');
    let words = inline.chain(reference).filter_map(|target| target.split_whitespace().next());
    words.filter(is_file).collect()
}

/// Examples that no README names, so that nobody finds them.
pub(crate) fn unlisted<'a>(documents: impl Iterator<Item = &'a Document> + Clone) -> Vec<Finding> {
    let readmes = documents.clone().filter(|one| one.path.ends_with("README.md"));
    let listed: String = readmes.map(|one| one.text.as_str()).collect();
    let examples = documents.filter_map(|one| {
        let (folder, name) = one.path.rsplit_once('/')?;
        let is_example = folder.split('/').next_back() == Some("examples") && name.ends_with(".rs");
        (is_example && !listed.contains(name)).then_some(one)
    });
    let mend = "say in a README what it shows";
    examples
        .map(|one| Finding::new(&one.path, 1, "an example that no README names", mend))
        .collect()
}

mod tests {
    use std::path::Path;

    use super::{Document, comments, ignored, lines, links, machine_paths, notes, unlisted};
    use crate::rule::source::Source;

    fn page(path: &str, text: &str) -> Document {
        Document { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn an_ignored_example_is_refused() {
        let check = |code: &str| {
            let source = Source::new("a.rs", code);
            ignored("a.rs", comments(&source)).len()
        };
        assert_eq!(check("/// ```ignore\n/// a\n/// ```\n"), 1);
        assert_eq!(check("//! ```rust,ignore\n"), 1);
        assert_eq!(check("/// ```no_run\n/// ```\n// ignore this\n"), 0);
        assert_eq!(ignored("a.md", lines("text\n```ignore\n")).len(), 1);
    }

    #[test]
    fn a_note_to_self_needs_an_issue() {
        let mark = concat!("TO", "DO");
        let check = |text: &str| notes("a.md", lines(text)).len();
        assert_eq!(check(&format!("{mark}: later\n")), 1);
        assert_eq!(check(&format!("{mark} (#12): later\n")), 0);
        assert_eq!(check("nothing to do\n"), 0);
    }

    #[test]
    fn a_path_of_one_machine_is_refused() {
        let check = |text: &str| machine_paths(&page("a.toml", text)).len();
        for folder in ["home", "work", "root", "tmp"] {
            assert_eq!(check(&format!("path = \"/{folder}/me\"")), 1, "{folder}");
            assert_eq!(check(&format!("file:///{folder}/me")), 0, "{folder}");
            assert_eq!(check(&format!("docs/{folder}/me")), 0, "{folder}");
        }
    }

    #[test]
    fn a_link_leads_somewhere() {
        let exists =
            |path: &Path| path == Path::new("docs/a.md") || path == Path::new("docs/../b.md");
        let check = |text: &str| links(&page("docs/page.md", text), exists).len();
        assert_eq!(check("[a](a.md) [b](../b.md#part) [here](#part)\n"), 0);
        assert_eq!(check("[x](https://example.com/x) [T](crate::Tool) `[c](c.md)`\n"), 0);
        assert_eq!(check("```\n[c](c.md)\n```\n"), 0);
        assert_eq!(check("[c](c.md) and [d](d.md)\n"), 2);
        assert_eq!(check("[c]: c.md\n"), 1);
    }

    #[test]
    fn an_example_stands_in_a_readme() {
        let check = |readme: &str| {
            let documents = [page("examples/hello.rs", ""), page("README.md", readme)];
            unlisted(documents.iter()).len()
        };
        assert_eq!(check("| hello.rs | one tool |"), 0);
        assert_eq!(check("nothing"), 1);
    }
}
