//! The files of the repository, as git knows them.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::source::Source;

/// A file that is text: its path from the root, and what it says.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Every file that is tracked or about to be.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) root: PathBuf,
    /// All that is UTF-8.
    pub(crate) documents: Vec<Document>,
    /// The Rust files that a person wrote.
    pub(crate) sources: Vec<Source>,
}

impl Tree {
    pub(crate) fn load() -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask has no parent")?;
        let output = Command::new("git")
            .args(["ls-files", "--cached", "--others", "--exclude-standard"])
            .current_dir(root)
            .output()
            .context("git did not start")?;
        ensure!(output.status.success(), "git: {}", String::from_utf8_lossy(&output.stderr));
        let mut paths: Vec<_> =
            String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect();
        paths.sort();
        let documents = paths.into_iter().filter_map(|path| {
            let text = std::fs::read_to_string(root.join(&path)).ok()?;
            Some(Document { path, text })
        });
        Ok(Self::new(root.to_owned(), documents.collect()))
    }

    fn new(root: PathBuf, documents: Vec<Document>) -> Self {
        // An expansion is checked in as the compiler prints it, and what a macro is tried on is
        // written as a user writes it.
        let is_data = |path: &str| {
            path.ends_with(".expanded.rs")
                || path.contains("/tests/expand/")
                || path.contains("/tests/ui/pass/")
                || path.contains("/tests/ui/fail/")
        };
        let is_ours = |path: &str| path.ends_with(".rs") && !is_data(path);
        let written = documents.iter().filter(|one| is_ours(&one.path));
        let mut sources: Vec<_> = written.map(|one| Source::new(&one.path, &one.text)).collect();
        let tests: Vec<_> = sources.iter().flat_map(test_files).collect();
        for source in &mut sources {
            if tests.contains(&source.path) || source.path.split('/').any(|part| part == "tests") {
                source.mark_as_test();
            }
        }
        Self { root, documents, sources }
    }

    /// The Rust files below a folder.
    pub(crate) fn sources_in(&self, folder: &str) -> impl Iterator<Item = &Source> {
        self.sources.iter().filter(move |source| source.path.starts_with(folder))
    }

    /// The files with an ending.
    pub(crate) fn documents_with(&self, ending: &str) -> impl Iterator<Item = &Document> {
        self.documents.iter().filter(move |document| document.path.ends_with(ending))
    }

    pub(crate) fn source(&self, path: &str) -> Result<&Source> {
        let found = self.sources.iter().find(|source| source.path == path);
        found.with_context(|| format!("no {path}"))
    }
}

/// The files of the modules that a file declares for tests only.
fn test_files(source: &Source) -> Vec<String> {
    let folder = match source.path.rsplit_once('/') {
        Some((folder, "mod.rs" | "lib.rs" | "main.rs")) => folder,
        _ => source.path.trim_end_matches(".rs"),
    };
    let names = source.outer_test_modules();
    let files = names.iter().flat_map(|name| [format!("{name}.rs"), format!("{name}/mod.rs")]);
    files.map(|file| format!("{folder}/{file}")).collect()
}

mod tests {
    use std::path::PathBuf;

    use super::{Document, Tree};

    #[test]
    fn a_module_for_tests_is_a_test_in_its_own_file_too() {
        let document = |path: &str, text: &str| Document { path: path.into(), text: text.into() };
        let tree = Tree::new(
            PathBuf::new(),
            vec![
                document("a/src/tool/mod.rs", "#[cfg(test)]\nmod proof;\nmod handler;\n"),
                document("a/src/tool/proof.rs", "fn a() {}\n"),
                document("a/src/tool/handler.rs", "fn b() {}\n"),
            ],
        );
        let shipping: Vec<_> = tree.sources.iter().map(|one| one.code_lines().count()).collect();
        assert_eq!(shipping, [1, 0, 1]);
    }
}
