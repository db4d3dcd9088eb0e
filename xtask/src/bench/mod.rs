//! What our requests cost, held against a bare server: one line a figure on standard output.
//!
//! Counts (instructions, allocations) are the same on every run and any machine of one kind, so
//! they are what a change is judged by. Times are taken in interleaved rounds and only their
//! medians are told, because a machine that does something else lies about each of them.

mod callgrind;
mod load;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use self::callgrind::Cost;
use crate::chore::cargo_command;
use crate::flags::Flags;
use crate::process::run as run_command;
use crate::say::say;
use crate::server::Server;
use crate::workspace::Workspace;

const KINDS: [&str; 3] = ["call", "list", "read"];
/// How many tools a server has unless the figure is about their number.
const TOOLS: usize = 100;

/// Prints every figure; see `docs/performance.md` for what they are held to.
///
/// `--quick` makes each round short, to see that everything runs; its figures are not to be told.
/// `--ours PROGRAM` measures another program with the same command line in place of ours.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let (quick, words): (Vec<_>, Vec<_>) =
        words.iter().cloned().partition(|word| word == "--quick");
    let flags = Flags::parse(&words, &["--ours"])?;
    let scale = if quick.is_empty() { FULL } else { QUICK };
    let bench = Bench::prepare(flags.value("--ours"), scale)?;
    bench.counts()?;
    bench.growth()?;
    bench.load()?;
    bench.start()?;
    bench.stdio()
}

/// How much is measured.
struct Scale {
    /// Requests between two readings of the instruction counter.
    counted: usize,
    /// Requests in a round under load.
    loaded: usize,
    /// Rounds under load.
    rounds: usize,
    /// Starts of each server.
    starts: usize,
    /// Calls through the pipe.
    piped: usize,
}

/// Many short rounds and not few long ones: what disturbs the machine for a second then falls into
/// few pairs, and the median passes them by.
const FULL: Scale = Scale { counted: 1_000, loaded: 10_000, rounds: 21, starts: 41, piped: 20_000 };
const QUICK: Scale = Scale { counted: 100, loaded: 1_000, rounds: 3, starts: 5, piped: 2_000 };

/// The programs, built the way the figures are told for.
struct Bench {
    scale: Scale,
    drive: PathBuf,
    pipe: PathBuf,
    bare: PathBuf,
    ours: PathBuf,
    output: PathBuf,
}

impl Bench {
    fn prepare(ours: Option<&str>, scale: Scale) -> Result<Self> {
        callgrind::ensure()?;
        let workspace = Workspace::load()?;
        progress("building with the bench profile");
        run_command(cargo_command(&["build"]).args([
            "--quiet",
            "--profile",
            "bench",
            "-p",
            "benches",
        ]))?;
        // Cargo puts what the bench profile builds where a release goes.
        let built = workspace.target.join("release");
        let output = workspace.scratch().join("bench");
        std::fs::create_dir_all(&output)?;
        let bench = Self {
            scale,
            drive: built.join("drive"),
            pipe: built.join("pipe"),
            bare: built.join("bare"),
            ours: ours.map_or_else(|| built.join("ours"), PathBuf::from),
            output,
        };
        if !bench.ours.exists() {
            bail!("{} is not there; --ours names another program", bench.ours.display());
        }
        Ok(bench)
    }

    /// Both servers, by the names under which their figures are told.
    fn servers(&self) -> [(&'static str, &PathBuf); 2] {
        [("bare", &self.bare), ("ours", &self.ours)]
    }

    /// Instructions and allocations of each request.
    fn counts(&self) -> Result<()> {
        for kind in KINDS {
            let bare = self.cost(&self.bare, kind, TOOLS)?;
            let ours = self.cost(&self.ours, kind, TOOLS)?;
            figure(&format!("{kind}.instructions.ratio"), ours.instructions / bare.instructions, 3);
            figure(&format!("{kind}.instructions"), ours.instructions, 0);
            figure(&format!("{kind}.instructions.bare"), bare.instructions, 0);
            figure(&format!("{kind}.allocations"), ours.allocations, 1);
            figure(&format!("{kind}.allocations.bare"), bare.allocations, 1);
        }
        Ok(())
    }

    /// How much dearer a call is among a thousand tools than alone.
    fn growth(&self) -> Result<()> {
        let alone = self.cost(&self.ours, "call", 1)?;
        let crowded = self.cost(&self.ours, "call", 1_000)?;
        figure("call.growth.ratio", crowded.instructions / alone.instructions, 4);
        Ok(())
    }

    /// The cost of one request: what twice as many take more, so that starting up falls out.
    fn cost(&self, program: &PathBuf, kind: &str, tools: usize) -> Result<Cost> {
        let name = program.file_name().unwrap_or_default().display();
        progress(&format!("counting the instructions of {kind}, {name}, {tools} tools"));
        let requests = self.scale.counted;
        let report = self.output.join("callgrind.out");
        let total = |requests: usize| -> Result<Cost> {
            let mut command = callgrind::command(&report);
            command.arg(program).args(["--http", "127.0.0.1:0", "--tools", &tools.to_string()]);
            let server = Server::start(command, &self.output.join("callgrind.log"))?;
            load::drive(&self.drive, server.url(), kind, 1, requests, tools)?;
            server.end()?;
            callgrind::read(&report)
        };
        let (once, twice) = (total(requests)?, total(2 * requests)?);
        let count = f64::from(u32::try_from(requests)?);
        Ok(Cost {
            instructions: (twice.instructions - once.instructions) / count,
            allocations: (twice.allocations - once.allocations) / count,
        })
    }

    /// Processor time of each request, and memory, with 64 connections at work.
    fn load(&self) -> Result<()> {
        let mut running = Vec::new();
        for (name, program) in self.servers() {
            let mut command = load::pinned(program, load::SERVER);
            command.args(["--http", "127.0.0.1:0", "--tools", &TOOLS.to_string()]);
            running.push(Server::start(command, &self.output.join(format!("{name}.log")))?);
        }
        let [bare, ours] = running.as_slice() else { bail!("two servers are measured") };
        for kind in KINDS {
            let (mut ratios, mut micros) = (Vec::new(), Vec::new());
            for round in 0..self.scale.rounds {
                progress(&format!(
                    "{kind} under load, round {} of {}",
                    round + 1,
                    self.scale.rounds
                ));
                let cost = |server: &Server| self.processor(server, kind);
                // The order turns each round, so that neither always has the warmer machine.
                let (bare, ours) = if round.is_multiple_of(2) {
                    let bare = cost(bare)?;
                    (bare, cost(ours)?)
                } else {
                    let ours = cost(ours)?;
                    (cost(bare)?, ours)
                };
                ratios.push(ours / bare);
                micros.push(ours);
            }
            figure(&format!("{kind}.cpu.ratio"), median(ratios)?, 3);
            figure(&format!("{kind}.cpu.us"), median(micros)?, 2);
        }
        figure("memory.mb", load::peak_mb(ours.id())?, 1);
        figure("memory.mb.bare", load::peak_mb(bare.id())?, 1);
        Ok(())
    }

    /// Microseconds on a processor for one request.
    fn processor(&self, server: &Server, kind: &str) -> Result<f64> {
        let requests = self.scale.loaded;
        let before = load::processor_ns(server.id())?;
        load::drive(&self.drive, server.url(), kind, load::CONNECTIONS, requests, TOOLS)?;
        let spent = load::processor_ns(server.id())? - before;
        Ok(spent / 1_000.0 / f64::from(u32::try_from(requests)?))
    }

    /// From the start of the program to its first answer.
    fn start(&self) -> Result<()> {
        progress("starting the servers again and again");
        let (mut ratios, mut millis) = (Vec::new(), Vec::new());
        for _ in 0..self.scale.starts {
            let once = |program: &PathBuf| -> Result<f64> {
                let mut command = Command::new(&self.drive);
                command.arg("start").arg(program).args(["--http", "127.0.0.1:0"]);
                load::number(&mut command)
            };
            let (bare, ours) = (once(&self.bare)?, once(&self.ours)?);
            ratios.push(ours / bare);
            millis.push(ours);
        }
        figure("start.ratio", median(ratios)?, 3);
        figure("start.ms", median(millis)?, 2);
        Ok(())
    }

    /// Calls piped over stdio without waiting.
    fn stdio(&self) -> Result<()> {
        progress("piping calls over stdio");
        let (mut micros, mut rates, mut peaks) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..self.scale.rounds {
            let mut command = Command::new(&self.pipe);
            command.arg(self.scale.piped.to_string());
            command.args(load::pin(load::SERVER)).arg(&self.ours).arg("--stdio");
            let told = load::text(&mut command)?;
            let numbers: Vec<f64> =
                told.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
            let [micro, rate, peak] = numbers.as_slice() else { bail!("pipe said {told}") };
            micros.push(*micro);
            rates.push(*rate);
            peaks.push(*peak);
        }
        figure("stdio.cpu.us", median(micros)?, 2);
        figure("stdio.calls_per_second", median(rates)?, 0);
        figure("stdio.memory.mb", median(peaks)?, 1);
        Ok(())
    }
}

/// One line of the result.
fn figure(name: &str, value: f64, digits: usize) {
    say(&format!("{name} {value:.digits$}"));
}

/// What goes on meanwhile; standard output holds figures only.
fn progress(line: &str) {
    // Nobody listening is no reason to stop.
    writeln!(std::io::stderr(), "{line}").ok();
}

fn median(mut values: Vec<f64>) -> Result<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().context("nothing was measured")
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_does_not_heed_one_that_strays() {
        assert_eq!(median(vec![1.1, 50.0, 1.0]).unwrap(), 1.1);
        assert!(median(Vec::new()).is_err());
    }
}
