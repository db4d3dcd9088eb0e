//! Fuzzing on stable Rust: libFuzzer around the targets of `fuzz/`, with counters in all of the code.

mod corpus;
mod seeds;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};

use crate::chore::cargo_command;
use crate::flags::Flags;
use crate::process::run as run_command;
use crate::say::{heading, say};
use crate::workspace::Workspace;

/// How often each target runs unless it is said otherwise.
const RUNS: &str = "1000000";
/// The longest input that is tried, in bytes.
const LONGEST: usize = 4096;
/// More memory than this, in MiB, is a failure.
const MEMORY: u32 = 512;
/// More seconds than this for one input are a failure.
const SECONDS: u32 = 2;

/// What `cargo fuzz` passes to the compiler: counters at each edge, and compared values.
///
/// They are options of LLVM's and need no nightly compiler; the sanitizers would, and there is no
/// `unsafe` of ours for them to look at.
const COUNTERS: [&str; 6] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "--cfg=fuzzing",
];

/// Runs one target, or all of them one after the other.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let (name, rest) = match words.split_first() {
        Some((name, rest)) if !name.starts_with("--") => (Some(name.as_str()), rest),
        _ => (None, words),
    };
    let flags = Flags::parse(rest, &["--runs", "--keep"])?;
    let runs: u64 = flags.value("--runs").unwrap_or(RUNS).parse().context("--runs")?;
    let keep = flags.value("--keep").map(str::parse::<usize>).transpose().context("--keep")?;
    let fuzzer = Fuzzer::load()?;
    let mut targets = fuzzer.targets()?;
    if let Some(name) = name {
        if !targets.iter().any(|target| target == name) {
            bail!("no target \"{name}\"; there are {}", targets.join(", "));
        }
        targets = vec![name.to_owned()];
    }
    fuzzer.build()?;
    let mut lines = Vec::new();
    for target in &targets {
        heading(target);
        let start = Instant::now();
        let peak = fuzzer.drive(target, runs)?;
        let seconds = start.elapsed().as_secs_f64();
        if let Some(most) = keep {
            fuzzer.keep(target, most)?;
        }
        let inputs = fuzzer.kept(target)?.len();
        lines.push(format!("| {target} | {runs} | {seconds:.0} s | {peak} MiB | {inputs} |"));
    }
    say("\n| target | runs | took | peak memory | inputs kept |\n|---|---|---|---|---|");
    lines.iter().for_each(|line| say(line));
    Ok(())
}

/// The fuzzer, built, and where it works.
struct Fuzzer {
    program: PathBuf,
    scratch: PathBuf,
    folder: PathBuf,
    host: String,
}

impl Fuzzer {
    fn load() -> Result<Self> {
        let workspace = Workspace::load()?;
        let (host, scratch) = (host()?, workspace.scratch().join("fuzz"));
        let program = scratch.join("target").join(&host).join("release/guided");
        let folder = workspace.root.join("fuzz");
        Ok(Self { program, scratch, folder, host })
    }

    fn build(&self) -> Result<()> {
        let mut command = cargo_command(&["build", "--release", "--quiet"]);
        // With a target named, the flags are for what is fuzzed and not for build scripts.
        command
            .arg("--manifest-path")
            .arg(self.folder.join("guided/Cargo.toml"))
            .arg("--target-dir")
            .arg(self.scratch.join("target"))
            .args(["--target", &self.host])
            .env("RUSTFLAGS", COUNTERS.join(" "));
        run_command(&mut command)
    }

    /// The targets are those that have inputs; a test of `fuzz` sees to it that all have.
    fn targets(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(self.folder.join("corpus"))? {
            let path = entry?.path();
            names.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
        }
        names.sort();
        Ok(names)
    }

    /// The file that the repository has of a target's inputs.
    fn stored(&self, target: &str) -> PathBuf {
        self.folder.join("corpus").join(format!("{target}.txt"))
    }

    fn kept(&self, target: &str) -> Result<Vec<Vec<u8>>> {
        let path = self.stored(target);
        let kept = corpus::read(&std::fs::read_to_string(&path)?);
        kept.map_err(|line| anyhow!("{}:{line} is no input", path.display()))
    }

    /// Runs a target, beginning with what is kept, and gives the most memory that it had, in MiB.
    fn drive(&self, target: &str, runs: u64) -> Result<u64> {
        let folder = fresh(&self.scratch.join("corpus").join(target))?;
        let failures = self.scratch.join("failures").join(target);
        std::fs::create_dir_all(&failures)?;
        let kept = self.kept(target)?;
        for (nth, input) in kept.into_iter().chain(seeds::of(target)).enumerate() {
            std::fs::write(folder.join(format!("kept-{nth}")), input)?;
        }
        let mut command = self.command(target);
        command
            .arg(format!("-runs={runs}"))
            .arg(format!("-max_len={LONGEST}"))
            .arg(format!("-rss_limit_mb={MEMORY}"))
            .arg(format!("-timeout={SECONDS}"))
            .arg(format!("-artifact_prefix={}/", failures.display()))
            .args(["-print_final_stats=1", "-verbosity=0"])
            .arg(&folder);
        let output = command.stdin(Stdio::null()).output().context("the fuzzer did not start")?;
        let said = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            bail!("{target} does not hold; its input is in {}\n{said}", failures.display());
        }
        let stat = |name: &str| {
            let line = said.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|rest| rest.trim_start_matches(':').trim().parse::<u64>().ok())
        };
        let ran = stat("stat::number_of_executed_units").context("the fuzzer counted nothing")?;
        if ran < runs {
            bail!("{target} ran {ran} of {runs} times");
        }
        stat("stat::peak_rss_mb").context("the fuzzer did not say its memory")
    }

    /// Writes the inputs into the repository that together reach what all of them reach.
    fn keep(&self, target: &str, most: usize) -> Result<()> {
        let least = fresh(&self.scratch.join("least").join(target))?;
        let all = self.scratch.join("corpus").join(target);
        let mut command = self.command(target);
        command.args(["-merge=1", "-verbosity=0"]).arg(format!("-timeout={SECONDS}"));
        run_command(command.arg(&least).arg(all).stderr(Stdio::null()))?;
        let mut inputs = Vec::new();
        for entry in std::fs::read_dir(least)? {
            inputs.push(std::fs::read(entry?.path())?);
        }
        inputs.extend(seeds::of(target));
        inputs.sort_by_key(Vec::len);
        inputs.truncate(most);
        std::fs::write(self.stored(target), corpus::write(&inputs))?;
        Ok(())
    }

    fn command(&self, target: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.env("FUZZ_TARGET", target).current_dir(&self.scratch);
        command
    }
}

fn fresh(folder: &Path) -> Result<PathBuf> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder)?;
    Ok(folder.to_owned())
}

/// The machine that is compiled for, as the compiler names it.
fn host() -> Result<String> {
    let output = Command::new("rustc").arg("-vV").output().context("rustc did not start")?;
    let text = String::from_utf8(output.stdout)?;
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(line.context("rustc names no host")?.to_owned())
}
