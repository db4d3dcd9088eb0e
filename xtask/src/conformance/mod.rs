//! The official conformance suite against our fixture server, counted check by check.
//!
//! The suite's own exit code is not enough: a skipped check and a scenario that crashed both look green.
//! So each scenario's successful checks are counted and held against a committed table.

mod outcome;
mod table;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use self::outcome::Outcomes;
use self::table::Table;
use crate::chore::{EVERYTHING, cargo_command};
use crate::flags::Flags;
use crate::node::Node;
use crate::process::run as run_command;
use crate::say::say;
use crate::server::Server;
use crate::workspace::Workspace;

/// The table whose scenarios belong to no revision and are run one at a time.
const EXTENSIONS: &str = "extensions";
/// Ends the name of a table whose scenarios run against a server that streams every answer.
const STREAMING: &str = "-streaming";
const SUITE: &str = "@modelcontextprotocol/conformance/dist/index.js";

/// Runs every table in `conformance/expected`, or the one of `--spec-version`.
///
/// `--scenario S` runs one scenario, `--url URL` drives a server that is already up, `UPDATE=1` rewrites the tables.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let flags = Flags::parse(words, &["--spec-version", "--scenario", "--url"])?;
    let workspace = Workspace::load()?;
    let home = workspace.root.join("conformance");
    let legs = match flags.value("--spec-version") {
        Some(version) => vec![version.to_owned()],
        None => legs(&home.join("expected"), flags.value("--scenario"))?,
    };
    let node = Node::install(&workspace, &home.join("suite"), "conformance")?;
    let output = workspace.scratch().join("conformance");
    std::fs::create_dir_all(&output)?;
    let given = flags.value("--url");
    // A server that is up already does not stream every answer.
    let legs = legs.into_iter().filter(|leg| given.is_none() || !leg.ends_with(STREAMING));
    let mut failed = Vec::new();
    for version in legs {
        let server = match given {
            Some(_) => None,
            None => Some(start(&workspace, &output, version.ends_with(STREAMING))?),
        };
        let url = given.or(server.as_ref().map(Server::url)).unwrap_or_default();
        let leg = Leg {
            suite: &node,
            home: &home,
            output: output.join(&version),
            url,
            version,
            scenario: flags.value("--scenario"),
        };
        if !leg.run()? {
            failed.push(leg.version);
        }
    }
    if failed.is_empty() {
        return Ok(());
    }
    bail!("not as the tables say: {}; all output lies in {}", failed.join(", "), output.display())
}

/// The tables there are; where one scenario is wanted, those that list it.
fn legs(tables: &Path, scenario: Option<&str>) -> Result<Vec<String>> {
    let mut names = Table::names(tables)?;
    if let Some(scenario) = scenario {
        let lists = |name: &String| {
            let table = Table::read(&tables.join(format!("{name}.txt")));
            table.is_ok_and(|table| table.scenarios().any(|one| one == scenario))
        };
        names.retain(lists);
        if names.is_empty() {
            bail!("no table in {} lists \"{scenario}\"", tables.display());
        }
    }
    Ok(names)
}

/// Builds the fixture server and starts it on a free port.
fn start(workspace: &Workspace, output: &Path, streaming: bool) -> Result<Server> {
    // The same packages and features as the tests, so that nothing is built twice.
    run_command(
        cargo_command(&["build"]).args(["--quiet", "--bin", "conformance"]).args(EVERYTHING),
    )?;
    let program = workspace.target.join("debug/conformance");
    let mut command = Command::new(&program);
    command.args(["--http", "127.0.0.1:0"]);
    if streaming {
        command.arg("--stream-all");
    }
    Server::start(command, &output.join("server.log"))
}

/// One revision's run.
struct Leg<'a> {
    suite: &'a Node,
    home: &'a Path,
    output: PathBuf,
    url: &'a str,
    version: String,
    scenario: Option<&'a str>,
}

impl Leg<'_> {
    /// Whether everything is as the table says.
    fn run(&self) -> Result<bool> {
        let path = self.home.join(format!("expected/{}.txt", self.version));
        let update = std::env::var_os("UPDATE").is_some();
        let table = if update && !path.exists() { Table::default() } else { Table::read(&path)? };
        if self.output.exists() {
            std::fs::remove_dir_all(&self.output)?;
        }
        std::fs::create_dir_all(&self.output)?;
        for choice in self.choices(&table) {
            self.drive(&choice)?;
        }
        let outcomes = Outcomes::read(&self.output)?;
        if outcomes.totals() == (0, 0) {
            bail!("the suite ran no scenario; see {}", self.output.join("suite.log").display());
        }
        let expected = match self.scenario {
            Some(scenario) => table.only(scenario),
            None if update => {
                let updated = table.updated(&outcomes);
                updated.write(&path)?;
                say(&format!("wrote {}", path.display()));
                updated
            }
            None => table,
        };
        let differences = expected.differences(&outcomes);
        for difference in &differences {
            say(difference);
        }
        let (scenarios, checks) = outcomes.totals();
        say(&format!(
            "{}: {checks} successful checks in {scenarios} scenarios, {} differences from the table",
            self.version,
            differences.len()
        ));
        Ok(differences.is_empty())
    }

    /// The arguments of each start of the suite: one for a revision, one a scenario for the extensions.
    fn choices(&self, table: &Table) -> Vec<Vec<String>> {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let revision = self.version.trim_end_matches(STREAMING);
        let one = |scenario| words(&["--scenario", scenario, "--spec-version", revision]);
        match self.scenario {
            None if self.version == EXTENSIONS => {
                table.scenarios().map(|scenario| words(&["--scenario", scenario])).collect()
            }
            Some(scenario) if self.version == EXTENSIONS => vec![words(&["--scenario", scenario])],
            Some(scenario) => vec![one(scenario)],
            None if self.version.ends_with(STREAMING) => table.scenarios().map(one).collect(),
            None => vec![words(&["--suite", "all", "--spec-version", revision])],
        }
    }

    /// Starts the suite. Its exit code is not asked: the counts say more, and a crash leaves none.
    fn drive(&self, choice: &[String]) -> Result<()> {
        let log = self.output.join("suite.log");
        let log = std::fs::File::options().create(true).append(true).open(log)?;
        let mut suite = self.suite.script(SUITE);
        suite.args(["server", "--url", self.url]).args(choice).arg("-o").arg(&self.output);
        suite.arg("--expected-failures").arg(self.home.join("baseline.yml"));
        suite.stdout(log.try_clone()?).stderr(log);
        suite.status().context("the suite did not start")?;
        Ok(())
    }
}
