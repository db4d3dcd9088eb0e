//! The chores that are one call of cargo: format, lint, features, tests, documentation.

use std::process::Command;

use anyhow::Result;

use crate::process::{ensure, is_there, run};
use crate::say::{heading, say};
use crate::workspace::{Workspace, cargo};

/// The whole workspace with every feature: one choice for every step, so that they share what they build.
pub(crate) const EVERYTHING: [&str; 2] = ["--workspace", "--all-features"];

/// A cargo command; on a build server it refuses a lock file that is out of date.
pub(crate) fn cargo_command(subcommand: &[&str]) -> Command {
    let mut command = Command::new(cargo());
    command.args(subcommand);
    if std::env::var_os("CI").is_some() && subcommand.first() != Some(&"fmt") {
        command.arg("--locked");
    }
    command
}

/// Refuses what rustfmt would change.
pub(crate) fn fmt(_: &[String]) -> Result<()> {
    run(cargo_command(&["fmt"]).args(["--all", "--check"]))
}

/// Clippy over everything, warnings refused.
pub(crate) fn lint(_: &[String]) -> Result<()> {
    let mut clippy = cargo_command(&["clippy"]);
    run(clippy.args(EVERYTHING).args(["--all-targets", "--", "-D", "warnings"]))
}

/// The rules of `tests/tidy.rs` alone.
pub(crate) fn tidy(words: &[String]) -> Result<()> {
    run(cargo_command(&["test"])
        .args(["--quiet", "-p", "xtask", "--test", "tidy", "--"])
        .args(words))
}

/// Checks the framework with no feature, each alone, the default ones and all.
///
/// Clippy rather than `cargo check`: it shares what check builds, and takes `-D warnings` without new `RUSTFLAGS`, which would build every dependency again.
pub(crate) fn features(_: &[String]) -> Result<()> {
    const PACKAGE: &str = "aqueduct";
    let alone = Workspace::load()?.features(PACKAGE)?;
    let mut choices = vec![vec!["--no-default-features"]];
    choices.extend(alone.iter().map(|one| vec!["--no-default-features", "--features", one]));
    choices.push(Vec::new());
    choices.push(vec!["--all-features"]);
    for choice in choices {
        let shown =
            if choice.is_empty() { "the default features".to_owned() } else { choice.join(" ") };
        say(&format!("{PACKAGE} with {shown}"));
        let mut clippy = cargo_command(&["clippy"]);
        run(clippy
            .args(["--quiet", "-p", PACKAGE, "--lib"])
            .args(choice)
            .args(["--", "-D", "warnings"]))?;
    }
    Ok(())
}

/// Every test, then the doc tests, which nextest does not run.
///
/// The tests of the store that nodes share start servers of their own.
pub(crate) fn test(words: &[String]) -> Result<()> {
    ensure("redis-server", &["--version"], &["redis-server"])?;
    let mut tests = if is_there(&cargo(), &["nextest", "--version"]) {
        let mut nextest = cargo_command(&["nextest", "run"]);
        nextest.arg("--no-fail-fast");
        nextest
    } else {
        say("cargo-nextest is not installed: running cargo test instead, which is slower");
        let mut plain = cargo_command(&["test"]);
        plain.args(["--lib", "--bins", "--tests", "--examples", "--no-fail-fast"]);
        plain
    };
    run(tests.args(EVERYTHING).args(words))?;
    heading("doc tests");
    run(cargo_command(&["test"]).args(["--doc"]).args(EVERYTHING).args(words))
}

/// The documentation, warnings refused.
pub(crate) fn docs(_: &[String]) -> Result<()> {
    let mut doc = cargo_command(&["doc"]);
    run(doc.args(EVERYTHING).arg("--no-deps").env("RUSTDOCFLAGS", "-D warnings"))
}
