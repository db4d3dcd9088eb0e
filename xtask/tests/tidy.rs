//! The rules of the house that no lint knows: who may name whom, how long things are, where words stand.
//!
//! Each rule lies in `rule/` with tests that show it refusing. Here is what it is applied to.

use anyhow::Result;

use rule::arrows::Arrow;
use rule::finding::{Finding, refuse};
use rule::source::Source;
use rule::tree::Tree;
use rule::{arrows, budget, manifest, prose, shape, word};

mod rule {
    pub(crate) mod arrows;
    pub(crate) mod budget;
    pub(crate) mod finding;
    pub(crate) mod manifest;
    pub(crate) mod path;
    pub(crate) mod prose;
    pub(crate) mod shape;
    pub(crate) mod source;
    pub(crate) mod tree;
    pub(crate) mod word;
}

const FRAMEWORK: &str = "crates/aqueduct/src/";
const PROTOCOL: &str = "crates/aqueduct-protocol/";

/// What an MCP server offers; no one of them names another.
const FEATURES: &[&str] =
    &["tool", "resource", "prompt", "subscription", "task", "input", "app", "skill"];
/// What every feature may build on.
const GROUND: &[&str] = &[
    "completion",
    "extract",
    "page",
    "schema",
    "item",
    "quota",
    "context",
    "uri",
    "seal",
    "store",
];
/// What the builder that the user meets puts together.
const HOUSE: &[&str] =
    &["call", "reply", "dispatch", "middleware", "legacy", "transport", "auth", "telemetry"];

/// Who may name whom in `crates/aqueduct/src`, from the door to the ground.
/// Everyone may name `error` and itself; `lib.rs` is free. A change here is a change in ARCHITECTURE.md.
const ARROWS: &[Arrow] = &[
    Arrow {
        from: "prelude",
        to: &[&["list", "macros", "server", "testing"], HOUSE, FEATURES, GROUND],
    },
    // What the macros expand to; a module of re-exports.
    Arrow { from: "__private", to: &[&["server"], HOUSE, FEATURES, GROUND] },
    // The macros with their pages, and the one that lists what they mark.
    Arrow { from: "macros", to: &[] },
    Arrow { from: "list", to: &[&["__private"]] },
    Arrow { from: "testing", to: &[&["server"], HOUSE, FEATURES, GROUND] },
    Arrow { from: "server", to: &[HOUSE, FEATURES, GROUND] },
    Arrow { from: "dispatch", to: &[&["call"], FEATURES, GROUND] },
    Arrow { from: "reply", to: &[&["tool", "resource", "prompt", "input"]] },
    Arrow { from: "tool", to: &[GROUND] },
    Arrow { from: "resource", to: &[GROUND] },
    Arrow { from: "prompt", to: &[GROUND] },
    Arrow { from: "subscription", to: &[GROUND] },
    Arrow { from: "task", to: &[GROUND] },
    Arrow { from: "input", to: &[GROUND] },
    // A page is a resource.
    Arrow { from: "app", to: &[&["resource"], GROUND] },
    // Files of skills are resources, read from a directory as those are.
    Arrow { from: "skill", to: &[&["resource"], GROUND] },
    // A prompt and a template carry their completers, so these lie below both.
    Arrow { from: "completion", to: &[&["extract", "context", "uri"]] },
    // What rules of visibility and layers see of a tool, a prompt or a resource.
    Arrow { from: "item", to: &[&["call", "context"]] },
    // What one caller has taken: in this process, or in a store that processes share.
    Arrow { from: "quota", to: &[&["context", "store"]] },
    Arrow { from: "extract", to: &[&["schema", "context", "uri", "seal", "store"]] },
    Arrow { from: "page", to: &[&["context", "seal", "store"]] },
    // A transport is generic over a service of calls: it knows no dispatch, no server, no feature.
    Arrow { from: "transport", to: &[&["legacy", "call", "context"]] },
    // Session ids are sealed, and a handler must be able to tell what was agreed on.
    Arrow { from: "legacy", to: &[&["call", "context", "seal", "store"]] },
    Arrow { from: "middleware", to: &[&["call", "context", "telemetry"]] },
    Arrow { from: "call", to: &[&["context"]] },
    // Callers are made sure of at the door of HTTP, and nowhere else.
    Arrow { from: "auth", to: &[&["transport", "context"]] },
    Arrow { from: "telemetry", to: &[] },
    Arrow { from: "context", to: &[&["uri"]] },
    Arrow { from: "uri", to: &[] },
    Arrow { from: "seal", to: &[] },
    Arrow { from: "store", to: &[&["seal"]] },
    Arrow { from: "schema", to: &[] },
    Arrow { from: "docs", to: &[] },
    Arrow { from: "error", to: &[] },
];

/// Applies a rule to every Rust file below a folder.
fn each(tree: &Tree, folder: &str, rule: fn(&Source) -> Vec<Finding>) -> Vec<Finding> {
    tree.sources_in(folder).flat_map(rule).collect()
}

#[test]
fn the_arrows_point_one_way() -> Result<()> {
    assert_eq!(arrows::faults(ARROWS), [""; 0], "the table of arrows");
    let tree = Tree::load()?;
    let root = tree.source(&format!("{FRAMEWORK}lib.rs"))?;
    refuse("an arrow", &arrows::check(ARROWS, root, tree.sources_in(FRAMEWORK)));
    Ok(())
}

/// Where the handshake revisions are called from: what goes with them when their clients are gone.
/// Each place stands in the decision record, with what is called there.
const DOORS: [&str; 6] = [
    "server/http.rs",
    "server/stdio.rs",
    "transport/http/service.rs",
    "transport/http/session.rs",
    "transport/stdio/mod.rs",
    "transport/stdio/serve.rs",
];

#[test]
fn the_handshake_revisions_are_called_where_the_record_says() -> Result<()> {
    let tree = Tree::load()?;
    let root = tree.source(&format!("{FRAMEWORK}lib.rs"))?;
    let callers = arrows::callers("legacy", root, tree.sources_in(FRAMEWORK));
    assert_eq!(callers, DOORS.map(|door| format!("{FRAMEWORK}{door}")));
    let record = tree.documents_with("0005-sessions-at-the-door.md").next();
    let record = record.map(|record| record.text.as_str()).unwrap_or_default();
    for door in DOORS {
        let (folder, file) = door.rsplit_once('/').unwrap_or_default();
        let is_there = record.contains(&format!("`{folder}/{file}`"));
        assert!(is_there, "the record does not say what {door} calls");
    }
    Ok(())
}

#[test]
fn the_budgets_hold() -> Result<()> {
    let tree = Tree::load()?;
    refuse("a budget", &each(&tree, "", budget::lengths));
    refuse("a budget", &budget::root(tree.source(&format!("{FRAMEWORK}lib.rs"))?));
    Ok(())
}

#[test]
fn every_file_opens_with_a_sentence() -> Result<()> {
    refuse("an opening", &each(&Tree::load()?, "", shape::opening));
    Ok(())
}

#[test]
fn no_lint_is_silenced_and_nothing_is_put_off() -> Result<()> {
    refuse("an escape", &each(&Tree::load()?, "", shape::escapes));
    Ok(())
}

#[test]
fn a_feature_gates_whole_modules() -> Result<()> {
    refuse("a gate", &each(&Tree::load()?, "crates/", shape::gates));
    Ok(())
}

#[test]
fn only_the_protocol_crate_spells_the_protocol() -> Result<()> {
    refuse("a word", &each(&Tree::load()?, FRAMEWORK, word::protocol));
    Ok(())
}

#[test]
fn only_the_door_speaks_http() -> Result<()> {
    refuse("a word", &each(&Tree::load()?, FRAMEWORK, word::status));
    Ok(())
}

#[test]
fn the_protocol_crate_is_the_wire_alone() -> Result<()> {
    let tree = Tree::load()?;
    refuse("a runtime", &each(&tree, PROTOCOL, word::runtime));
    let manifests = tree.documents_with("Cargo.toml").filter(|one| one.path.starts_with(PROTOCOL));
    refuse("a runtime", &manifests.flat_map(manifest::serde_alone).collect::<Vec<_>>());
    Ok(())
}

#[test]
fn a_version_stands_once() -> Result<()> {
    let tree = Tree::load()?;
    // A manifest with a workspace of its own is another project: a template, or what fuzzes us.
    let members = tree.documents_with("Cargo.toml").filter(|one| !one.text.contains("[workspace]"));
    refuse("a version", &members.flat_map(manifest::versions).collect::<Vec<_>>());
    Ok(())
}

#[test]
fn every_example_compiles_and_is_listed() -> Result<()> {
    let tree = Tree::load()?;
    let code = tree.sources.iter().flat_map(|one| prose::ignored(&one.path, prose::comments(one)));
    let pages = tree.documents_with(".md");
    let pages = pages.flat_map(|one| prose::ignored(&one.path, prose::lines(&one.text)));
    refuse("an example", &code.chain(pages).collect::<Vec<_>>());
    refuse("an example", &prose::unlisted(tree.documents.iter()));
    Ok(())
}

#[test]
fn a_note_to_self_has_an_issue() -> Result<()> {
    let tree = Tree::load()?;
    let code = tree.sources.iter().flat_map(|one| prose::notes(&one.path, prose::comments(one)));
    let pages = tree.documents_with(".md");
    let pages = pages.flat_map(|one| prose::notes(&one.path, prose::lines(&one.text)));
    refuse("a note", &code.chain(pages).collect::<Vec<_>>());
    Ok(())
}

#[test]
fn no_file_knows_a_machine() -> Result<()> {
    let found = Tree::load()?.documents.iter().flat_map(prose::machine_paths).collect::<Vec<_>>();
    refuse("a path", &found);
    Ok(())
}

#[test]
fn every_link_leads_somewhere() -> Result<()> {
    let tree = Tree::load()?;
    let pages = tree.documents_with(".md");
    let found = pages.flat_map(|page| prose::links(page, |path| tree.root.join(path).exists()));
    refuse("a link", &found.collect::<Vec<_>>());
    Ok(())
}
