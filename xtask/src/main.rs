//! The chores of this repository, one table of them: start here to add one.

mod apps;
mod bench;
mod chore;
mod ci;
mod conformance;
mod experiment;
mod flags;
mod fuzz;
mod interop;
mod node;
mod process;
mod python;
mod say;
mod server;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;

use crate::say::say;

/// One chore: what is typed after `cargo xtask`, and what it does with the words that follow.
struct Task {
    name: &'static str,
    help: &'static str,
    run: fn(&[String]) -> Result<()>,
    /// Whether `cargo xtask ci` runs it, in the order of the table.
    in_ci: bool,
}

/// Every chore. The order is the order of `ci`: what fails fastest stands first.
const TASKS: &[Task] = &[
    Task { name: "fmt", help: "refuse what rustfmt would change", run: chore::fmt, in_ci: true },
    Task {
        name: "lint",
        help: "clippy over all targets and features, warnings refused",
        run: chore::lint,
        in_ci: true,
    },
    Task {
        name: "tidy",
        help: "the arrows between folders, the budgets, the words and the links",
        run: chore::tidy,
        in_ci: false, // `test` runs it
    },
    Task {
        name: "features",
        help: "check the framework with no feature, with each alone, with the default ones and with all",
        run: chore::features,
        in_ci: true,
    },
    Task {
        name: "test",
        help: "every test, with nextest where it is installed, then the doc tests; [FILTER]",
        run: chore::test,
        in_ci: true,
    },
    Task {
        name: "docs",
        help: "the documentation, warnings refused",
        run: chore::docs,
        in_ci: true,
    },
    Task {
        name: "conformance",
        help: "the official suite against our fixture server; [--spec-version V] [--scenario S] [--url URL]",
        run: conformance::run,
        in_ci: true,
    },
    Task {
        name: "interop",
        help: "clients that others wrote against the memory server; [--client C] [--transport T] [--server PROGRAM]",
        run: interop::run,
        in_ci: true,
    },
    Task {
        name: "apps",
        help: "the memory's board in a headless browser, inside of a host on the official bridge; [--server PROGRAM]",
        run: apps::run,
        in_ci: true,
    },
    Task {
        name: "bench",
        help: "what our requests cost beside a bare server, a figure a line; [--quick] [--ours PROGRAM]",
        run: bench::run,
        in_ci: false, // minutes of a machine that does nothing else
    },
    Task {
        name: "experiment",
        help: "what docs/reliability.md tells, tried on a release server; [NAME]",
        run: experiment::run,
        in_ci: false, // minutes, and thousands of open files
    },
    Task {
        name: "fuzz",
        help: "the targets of fuzz/, a million runs each; [TARGET] [--runs N] [--keep INPUTS]",
        run: fuzz::run,
        in_ci: false, // minutes; what was found is replayed by `test`
    },
    Task { name: "ci", help: "everything that a change must pass", run: ci::run, in_ci: false },
];

fn main() -> ExitCode {
    process::note_own_program();
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = words.split_first() else {
        return usage();
    };
    let Some(task) = TASKS.iter().find(|task| task.name == name) else {
        say(&format!("no task \"{name}\""));
        return usage();
    };
    match (task.run)(rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("\n{name}: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    say("cargo xtask <task>\n");
    for task in TASKS {
        say(&format!("  {:<12} {}", task.name, task.help));
    }
    ExitCode::FAILURE
}
