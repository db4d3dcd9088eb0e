//! Instructions and allocations, counted by valgrind's callgrind.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::progress;
use crate::process::is_there;

/// The C functions behind Rust's allocator; a reallocation may move, so it counts.
const ALLOCATORS: [&str; 5] = ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"];

/// What something costs, in counts that do not depend on the machine's mood.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cost {
    pub(super) instructions: f64,
    pub(super) allocations: f64,
}

/// Makes sure of valgrind, installing it where we may; what apt-get says goes to standard error.
pub(super) fn ensure() -> Result<()> {
    if is_there("valgrind", &["--version"]) {
        return Ok(());
    }
    let id = Command::new("id").arg("-u").output();
    let is_root = id.is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    if !is_root || !is_there("apt-get", &["--version"]) {
        bail!("valgrind is missing; install it first (on Debian: apt-get install valgrind)");
    }
    progress("valgrind is missing: installing it with apt-get");
    for words in [&["update", "-q"][..], &["install", "-q", "-y", "valgrind"]] {
        let mut apt = Command::new("apt-get");
        apt.args(words).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null());
        let status = apt.stdout(std::io::stderr()).status()?;
        if !status.success() {
            bail!("apt-get {} ended with {status}", words.join(" "));
        }
    }
    Ok(())
}

/// Valgrind, ready for a program and its arguments.
pub(super) fn command(report: &Path) -> Command {
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--tool=callgrind"]);
    command.arg(format!("--callgrind-out-file={}", report.display()));
    command
}

/// Reads a report and removes it, so that the next cannot be mistaken for it.
pub(super) fn read(report: &Path) -> Result<Cost> {
    let text = std::fs::read_to_string(report)
        .with_context(|| format!("callgrind left no {}", report.display()))?;
    std::fs::remove_file(report)?;
    parse(&text)
}

fn parse(report: &str) -> Result<Cost> {
    let mut names: HashMap<&str, &str> = HashMap::new();
    let mut callee = "";
    let mut cost = Cost { instructions: 0.0, allocations: 0.0 };
    for line in report.lines() {
        if let Some(total) = line.strip_prefix("totals: ") {
            cost.instructions = total.trim().parse()?;
        } else if let Some(function) = line.strip_prefix("fn=") {
            name(&mut names, function);
        } else if let Some(function) = line.strip_prefix("cfn=") {
            callee = name(&mut names, function);
        } else if let Some(calls) = line.strip_prefix("calls=")
            && ALLOCATORS.contains(&callee)
        {
            let count = calls.split(' ').next().unwrap_or_default();
            cost.allocations += count.parse::<f64>()?;
        }
    }
    if cost.instructions == 0.0 || cost.allocations == 0.0 {
        bail!("the report of callgrind has no totals or no allocations: {cost:?}");
    }
    Ok(cost)
}

/// The name behind `(12) malloc`, which later is only `(12)`.
fn name<'a>(names: &mut HashMap<&'a str, &'a str>, function: &'a str) -> &'a str {
    match function.split_once(' ') {
        Some((id, name)) => {
            names.insert(id, name);
            name
        }
        None => names.get(function).copied().unwrap_or(function),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_to_the_allocators_are_added_up_through_short_names() {
        let report = "\
fn=(1) main
12 40
cfn=(2) malloc
calls=3 0
12 300
fn=(3) grow
cfn=(4) realloc
calls=2 0
13 100
cfn=(2)
calls=1 0
14 100
cfn=(5) free
calls=9 0
totals: 1234
";
        let cost = Cost { instructions: 1234.0, allocations: 6.0 };
        assert_eq!(parse(report).unwrap(), cost);
        assert!(
            parse("totals: 5\n").is_err(),
            "a stripped report must not pass for no allocations"
        );
    }
}
