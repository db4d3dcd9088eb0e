//! Each duty of the specification has a test, and `docs/obligations.md` says which.
//!
//! The truth is in the tests themselves: `/// TOOL-14: …` above a test says that it holds that row.
//! `UPDATE=1` writes the page from there; without it the page is compared.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use duty::claim::{self, Claim};
use duty::row::{self, Row};
use duty::{page, spec};

mod duty {
    pub(crate) mod claim;
    pub(crate) mod page;
    pub(crate) mod parity;
    pub(crate) mod row;
    pub(crate) mod spec;
}

const PAGE: &str = "docs/obligations.md";
/// What the specification asks, and what was reported of other servers.
const DIGEST: &str = "spec/obligations.md";
const FAULTS: &str = "cases/reported-faults.md";
/// The kinds of faults that are about this revision: metadata, streams, questions.
const KINDS: &[&str] = &["D", "F", "J"];
/// Pages that name a test for each thing that they say.
const PAGES: &[&str] = &["docs/limits.md", "docs/advisories.md", "docs/owasp.md"];
/// What is known of holes in other servers.
const HOLES: &str = "security.md";
/// The rows in our own words.
const WORDS: &str = include_str!("duty/words.txt");

/// What no test holds yet, and why. It may only shrink: whatever gets a test is taken out.
const WITHOUT: &[(&str, &str)] =
    &[("AUTH-11", "about proxies of authorization servers, and there is none here")];

fn root() -> Result<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask has no parent")?;
    Ok(root.to_owned())
}

/// A file of the material that the workspace shares with others, where it is at hand.
fn at_hand(file: &str) -> Result<Option<String>> {
    let root = root()?;
    let told = std::env::var_os("AQUEDUCT_SHARED").map(PathBuf::from);
    let beside = ["../shared", "../../shared"].map(|way| root.join(way));
    let mut all = told.into_iter().chain(beside);
    Ok(all.find_map(|shared| std::fs::read_to_string(shared.join(file)).ok()))
}

/// The same; where `CI` is set its absence is a failure: a test that silently tests nothing is none.
fn shared(file: &str) -> Result<Option<String>> {
    let text = at_hand(file)?;
    if text.is_none() {
        ensure!(std::env::var_os("CI").is_none(), "{file} is not at hand");
        claim::skipped(&format!("{file} is not at hand; set AQUEDUCT_SHARED"));
    }
    Ok(text)
}

fn everything() -> Result<(Vec<Row>, Vec<Claim>)> {
    Ok((row::parse(WORDS)?, claim::collect(&root()?)?))
}

#[test]
fn the_rows_are_those_of_the_specification() -> Result<()> {
    let Some(digest) = shared(DIGEST)? else { return Ok(()) };
    let listed: BTreeSet<_> =
        row::parse(WORDS)?.into_iter().map(|row| (row.id, row.level)).collect();
    let wanted: BTreeSet<_> = spec::rows(&digest)?.into_iter().collect();
    let differ: Vec<_> = listed.symmetric_difference(&wanted).collect();
    ensure!(differ.is_empty(), "duty/words.txt and the digest differ in {differ:?}");
    Ok(())
}

#[test]
fn no_test_names_a_row_that_does_not_exist() -> Result<()> {
    let Some(digest) = shared(DIGEST)? else { return Ok(()) };
    let known: BTreeSet<_> = spec::rows(&digest)?.into_iter().map(|(id, _)| id).collect();
    let kinds: BTreeSet<_> = known.iter().filter_map(|id| id.split('-').next()).collect();
    let mut wrong = Vec::new();
    for claim in claim::collect(&root()?)? {
        for id in &claim.rows {
            let is_of_a_kind = id.split('-').next().is_some_and(|kind| kinds.contains(kind));
            if is_of_a_kind && !known.contains(id) {
                wrong.push(format!("{}: {} names {id}", claim.path, claim.name));
            }
        }
    }
    ensure!(wrong.is_empty(), "rows that do not exist:\n{}", wrong.join("\n"));
    Ok(())
}

#[test]
fn every_row_has_a_test_over_each_channel_that_it_is_about() -> Result<()> {
    let (rows, claims) = everything()?;
    let gaps: BTreeSet<_> = rows.iter().flat_map(|row| row.gaps(&claims)).collect();
    let pinned: BTreeSet<_> = WITHOUT.iter().map(|(gap, _)| (*gap).to_owned()).collect();
    let new: Vec<_> = gaps.difference(&pinned).collect();
    ensure!(new.is_empty(), "name the row above a test that holds it: {new:?}");
    let held: Vec<_> = pinned.difference(&gaps).collect();
    ensure!(held.is_empty(), "take out of WITHOUT what has a test now: {held:?}");
    Ok(())
}

#[test]
fn every_reported_fault_has_a_test_over_each_channel_that_it_is_about() -> Result<()> {
    let Some(faults) = shared(FAULTS)? else { return Ok(()) };
    let faults = spec::faults(&faults, KINDS);
    ensure!(faults.len() > 10, "the faults are not read: {faults:?}");
    let claims = claim::collect(&root()?)?;
    let mut lacking = Vec::new();
    for (id, channels) in faults {
        let name = format!("{}_", id.to_lowercase());
        let mut named = claims.iter().filter(|claim| claim.name.starts_with(&name));
        for channel in channels {
            if !named.clone().any(|claim| claim.channels.contains(&channel)) {
                lacking.push(format!("{id} over {}", channel.name()));
            }
        }
        if named.next().is_none() {
            lacking.push(id);
        }
    }
    ensure!(lacking.is_empty(), "begin the name of a test with the fault: {lacking:?}");
    Ok(())
}

#[test]
fn every_test_that_a_page_names_is_there() -> Result<()> {
    let claims = claim::collect(&root()?)?;
    let known: BTreeSet<_> = claims.iter().map(|claim| claim.name.as_str()).collect();
    for path in PAGES {
        let page = std::fs::read_to_string(root()?.join(path)).context(*path)?;
        let named: BTreeSet<_> = page::tests(&page).collect();
        ensure!(named.len() >= 20, "{path} names hardly any test: {named:?}");
        let lost: Vec<_> = named.difference(&known).collect();
        ensure!(lost.is_empty(), "{path} names tests that do not exist: {lost:?}");
        let bare: Vec<_> = page::without_tests(&page).collect();
        ensure!(bare.is_empty(), "{path} names no test, and no reason, in {bare:?}");
    }
    Ok(())
}

#[test]
fn every_known_hole_is_on_the_page() -> Result<()> {
    let Some(holes) = at_hand(HOLES)? else {
        claim::skipped("the catalogue of holes is not at hand; set AQUEDUCT_SHARED");
        return Ok(());
    };
    let page = std::fs::read_to_string(root()?.join("docs/advisories.md"))?;
    let holes = spec::holes(&holes);
    ensure!(holes.len() > 50, "the holes are not read: {holes:?}");
    let lacking: Vec<_> = holes.iter().filter(|hole| !page.contains(hole.as_str())).collect();
    ensure!(lacking.is_empty(), "docs/advisories.md does not say what of {lacking:?}");
    Ok(())
}

#[test]
fn the_page_is_what_the_tests_say() -> Result<()> {
    let (rows, claims) = everything()?;
    let path = root()?.join(PAGE);
    let page = page::write(&rows, &claims, WITHOUT);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &page)?;
    }
    let stands = std::fs::read_to_string(&path).context(PAGE)?;
    let lost = page::names(&stands)
        .filter(|name| !claims.iter().any(|claim| claim.name == *name))
        .collect::<Vec<_>>();
    ensure!(lost.is_empty(), "{PAGE} names tests that do not exist: {lost:?}");
    let line = stands.lines().zip(page.lines()).find(|(old, new)| old != new);
    ensure!(stands == page, "UPDATE=1 rewrites {PAGE}, which differs first in {line:?}");
    Ok(())
}
