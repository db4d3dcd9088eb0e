//! Trying what a reader must not take our word for: each experiment is one file with its marks.
//!
//! To add one, write a file with a `pub(super) const`, and give it a line in [`EXPERIMENTS`].

mod chaos;
mod drain;
mod hostile_json;
mod idle_streams;
mod mark;
mod open_files;
mod overload;
mod peer;
mod probe;
mod slow_senders;
mod stalled_readers;
mod subject;

use std::time::Instant;

use anyhow::{Context, Result, bail};

use self::mark::{Figures, Mark};
use crate::flags::Flags;
use crate::say::{heading, say};

/// One experiment: what is done, and what its figures must be.
struct Experiment {
    name: &'static str,
    help: &'static str,
    /// The flags that make it smaller, to see that everything runs; such figures are not told.
    flags: &'static [&'static str],
    marks: &'static [Mark],
    run: fn(&Flags) -> Result<Figures>,
}

const EXPERIMENTS: &[Experiment] = &[
    idle_streams::IDLE_STREAMS,
    stalled_readers::STALLED_READERS,
    slow_senders::SLOW_SENDERS,
    hostile_json::HOSTILE_JSON,
    overload::OVERLOAD,
    drain::DRAIN,
    chaos::CHAOS,
];

/// Runs the experiment that is named, or all of them; a figure that misses its mark is an error.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let Some((name, rest)) = words.split_first() else {
        let mut missed = Vec::new();
        for experiment in EXPERIMENTS {
            if let Err(error) = experiment.run(&[]) {
                say(&format!("{error:#}"));
                missed.push(experiment.name);
            }
        }
        return match missed.as_slice() {
            [] => Ok(()),
            missed => bail!("missed: {}", missed.join(", ")),
        };
    };
    let found = EXPERIMENTS.iter().find(|experiment| experiment.name == name);
    found.with_context(|| format!("no experiment \"{name}\"; {}", known()))?.run(rest)
}

fn known() -> String {
    let line = |one: &Experiment| format!("\n  {:<16} {}", one.name, one.help);
    format!("there are{}", EXPERIMENTS.iter().map(line).collect::<String>())
}

impl Experiment {
    fn run(&self, words: &[String]) -> Result<()> {
        heading(self.name);
        let flags = Flags::parse(words, self.flags)?;
        let start = Instant::now();
        let figures = (self.run)(&flags)?;
        say(&format!("{} took {:.0} s", self.name, start.elapsed().as_secs_f64()));
        mark::judge(self.marks, &figures)
    }
}
