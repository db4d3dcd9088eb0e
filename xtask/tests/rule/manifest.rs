//! Versions stand once, in the root manifest, and the protocol crate depends on serde alone.

use super::finding::Finding;
use super::tree::Document;

/// Dependencies of a member that do not come from the workspace.
pub(crate) fn versions(manifest: &Document) -> Vec<Finding> {
    const MEND: &str =
        "give the version in [workspace.dependencies] and write `workspace = true` here";
    let own = dependencies(&manifest.text).filter(|(_, text)| {
        let is_inherited = text.contains("workspace = true");
        // `name.features = […]` after `name.workspace = true` adds no version.
        let (key, _) = text.split_once('=').unwrap_or((text, ""));
        !is_inherited && !key.contains('.')
    });
    own.map(|(line, text)| {
        let name = text.split([' ', '=', '.']).next().unwrap_or_default();
        Finding::new(&manifest.path, line, format!("`{name}` brings its own version"), MEND)
    })
    .collect()
}

/// What the protocol crate depends on beyond serde.
pub(crate) fn serde_alone(manifest: &Document) -> Vec<Finding> {
    const MEND: &str = "the protocol crate is the wire: no runtime, no HTTP";
    let names = dependencies(&manifest.text).filter_map(|(line, text)| {
        let name = text.split([' ', '=', '.']).next()?;
        matches!(name, "tokio" | "http" | "hyper" | "tower-service").then_some((line, name))
    });
    names
        .map(|(line, name)| Finding::new(&manifest.path, line, format!("`{name}`"), MEND))
        .collect()
}

/// The lines of the tables of dependencies, for tests and builds and targets too.
fn dependencies(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_inside = false;
    (1..).zip(text.lines().map(str::trim)).filter(move |(_, line)| {
        if line.starts_with('[') {
            is_inside = line.ends_with("dependencies]");
            return false;
        }
        is_inside && !line.starts_with('#') && line.contains('=')
    })
}

mod tests {
    use super::{Document, Finding, serde_alone, versions};

    fn check(rule: fn(&Document) -> Vec<Finding>, text: &str) -> usize {
        rule(&Document { path: "Cargo.toml".to_owned(), text: text.to_owned() }).len()
    }

    #[test]
    fn a_version_of_its_own_is_refused() {
        assert_eq!(check(versions, "[dependencies]\nserde = \"1\"\n"), 1);
        assert_eq!(check(versions, "[dev-dependencies]\nserde = { version = \"1\" }\n"), 1);
        assert_eq!(
            check(versions, "[target.'cfg(unix)'.dependencies]\nrustix = { path = \"x\" }\n"),
            1
        );
        assert_eq!(
            check(versions, "[dependencies]\nserde.workspace = true\nserde.features = []\n"),
            0
        );
        assert_eq!(
            check(
                versions,
                "[package]\nversion = \"1\"\n[dependencies]\na = { workspace = true }\n"
            ),
            0
        );
    }

    #[test]
    fn the_protocol_crate_stays_free_of_a_runtime() {
        assert_eq!(check(serde_alone, "[dependencies]\ntokio = { workspace = true }\n"), 1);
        assert_eq!(check(serde_alone, "[dependencies]\nserde = { workspace = true }\n"), 0);
    }
}
