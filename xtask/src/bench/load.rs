//! The server at work: the driver, the cores they are pinned to, and what `/proc` tells.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::available_parallelism;

use anyhow::{Context, Result, bail};

use crate::process::is_there;

/// Connections that are at work at once.
pub(super) const CONNECTIONS: usize = 64;
/// The core of the server and that of the driver, so that neither takes the other's time.
pub(super) const SERVER: &str = "0";
const DRIVER: &str = "1";

/// The words that pin what follows them to a core, where there are two and a way to do it.
pub(super) fn pin(core: &str) -> Vec<String> {
    let many = available_parallelism().is_ok_and(|cores| cores.get() > 1);
    if many && is_there("taskset", &["--version"]) {
        return ["taskset", "-c", core].map(str::to_owned).to_vec();
    }
    Vec::new()
}

/// A program on a core.
pub(super) fn pinned(program: &Path, core: &str) -> Command {
    let pin = pin(core);
    let Some((first, rest)) = pin.split_first() else { return Command::new(program) };
    let mut command = Command::new(first);
    command.args(rest).arg(program);
    command
}

/// Sends requests and gives the seconds that they took; a wrong answer is an error.
pub(super) fn drive(
    drive: &Path,
    url: &str,
    kind: &str,
    connections: usize,
    requests: usize,
    tools: usize,
) -> Result<f64> {
    let mut command = pinned(drive, DRIVER);
    command.args(["load", url, kind]);
    command.args([connections, requests, tools].map(|number| number.to_string()));
    number(&mut command)
}

/// Runs a program that prints one number.
pub(super) fn number(command: &mut Command) -> Result<f64> {
    let told = text(command)?;
    told.trim().parse().with_context(|| format!("not a number: {told}"))
}

/// Runs a program and gives what it prints.
pub(super) fn text(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("{command:?} ended with {}", output.status);
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// The time on a processor of every thread of a process, finer than the ticks of `stat`.
pub(super) fn processor_ns(process: u32) -> Result<f64> {
    let mut total = 0.0;
    for task in std::fs::read_dir(format!("/proc/{process}/task"))? {
        let text = std::fs::read_to_string(task?.path().join("schedstat"))?;
        total += text.split(' ').next().unwrap_or_default().parse::<f64>()?;
    }
    Ok(total)
}

/// The most memory that a process has had resident, in MB.
pub(super) fn peak_mb(process: u32) -> Result<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()).context("no VmHWM")?;
    Ok(kilobytes.parse::<f64>()? / 1024.0)
}
