//! Starting other programs, and installing them where that is possible.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use anyhow::{Context, Result, bail};

use crate::say::say;

/// Where this program lies, noted before a build can put another in its place.
///
/// The system names the file that was started, and calls it deleted once a chore has rebuilt the workspace.
static OWN_PROGRAM: LazyLock<Option<PathBuf>> = LazyLock::new(|| std::env::current_exe().ok());

/// Notes where this program lies; the first thing that it does.
pub(crate) fn note_own_program() {
    LazyLock::force(&OWN_PROGRAM);
}

/// The path under which this program can be started again.
pub(crate) fn own_program() -> Result<PathBuf> {
    OWN_PROGRAM.clone().context("the path of this program is not known")
}

/// Runs a program to its end, its output shown; anything but success is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let shown = shown(command);
    let status = command.status().with_context(|| format!("{shown} did not start"))?;
    if !status.success() {
        bail!("{shown} ended with {status}");
    }
    Ok(())
}

/// Whether a program is there and answers `--version`.
pub(crate) fn is_there(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Makes sure of a program that Debian packages, installing it when we may.
///
/// A fresh machine has Rust and git only, and a build server usually runs as root, so this is what lets one command work there.
pub(crate) fn ensure(program: &str, probe: &[&str], packages: &[&str]) -> Result<()> {
    if is_there(program, probe) {
        return Ok(());
    }
    let wanted = packages.join(" ");
    if !is_root() || !is_there("apt-get", &["--version"]) {
        bail!("{program} is missing; install it first (on Debian: apt-get install {wanted})");
    }
    say(&format!("{program} is missing: installing {wanted} with apt-get"));
    let apt = |arguments: &[&str]| {
        run(Command::new("apt-get").env("DEBIAN_FRONTEND", "noninteractive").args(arguments))
    };
    apt(&["update", "-q"])?;
    let mut install = vec!["install", "-q", "-y", "--no-install-recommends"];
    install.extend(packages);
    apt(&install)?;
    if is_there(program, probe) {
        return Ok(());
    }
    bail!("{program} is still missing after installing {wanted}")
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn shown(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::{ensure, run};

    #[test]
    fn a_failing_program_is_an_error_that_names_it() {
        let error = run(Command::new("git").arg("no-such-command")).unwrap_err();
        assert!(error.to_string().contains("git no-such-command"), "{error}");
    }

    #[test]
    fn a_program_that_is_there_is_not_installed() {
        ensure("git", &["--version"], &["a-package-that-is-nowhere"]).unwrap();
    }
}
