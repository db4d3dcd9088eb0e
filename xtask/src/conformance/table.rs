//! The committed table: how many checks of each scenario succeed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::outcome::{Outcome, Outcomes};

/// One line of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Line {
    count: usize,
    /// Why checks may still fail here. A finished table has no note.
    note: Option<String>,
}

/// `scenario<TAB>count[<TAB>note]`, sorted; lines that start with `#` explain.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Table {
    head: String,
    lines: BTreeMap<String, Line>,
}

impl Table {
    /// The names of the tables in a folder, without their ending.
    pub(super) fn names(folder: &Path) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            names.extend(name.strip_suffix(".txt").map(str::to_owned));
        }
        names.sort();
        names.reverse(); // the newest revision first
        Ok(names)
    }

    /// Reads a table.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("{}; UPDATE=1 makes a new table", path.display()))?;
        Self::parse(&text).with_context(|| path.display().to_string())
    }

    fn parse(text: &str) -> Result<Self> {
        let mut table = Self::default();
        for line in text.lines().filter(|line| !line.is_empty()) {
            if line.starts_with('#') {
                table.head.push_str(line);
                table.head.push('\n');
                continue;
            }
            let mut fields = line.splitn(3, '\t');
            let (Some(scenario), Some(count)) = (fields.next(), fields.next()) else {
                bail!("not \"scenario<TAB>count\": {line}");
            };
            let count = count.parse().with_context(|| format!("not a count: {line}"))?;
            let note = fields.next().map(str::to_owned);
            if table.lines.insert(scenario.to_owned(), Line { count, note }).is_some() {
                bail!("{scenario} stands twice");
            }
        }
        Ok(table)
    }

    /// Writes the table back.
    pub(super) fn write(&self, path: &Path) -> Result<()> {
        std::fs::write(path, self.text()).with_context(|| path.display().to_string())
    }

    fn text(&self) -> String {
        let mut text = self.head.clone();
        for (scenario, line) in &self.lines {
            let note = line.note.as_ref().map(|note| format!("\t{note}")).unwrap_or_default();
            writeln!(text, "{scenario}\t{}{note}", line.count).ok();
        }
        text
    }

    /// The scenarios it lists.
    pub(super) fn scenarios(&self) -> impl Iterator<Item = &str> {
        self.lines.keys().map(String::as_str)
    }

    /// The part of the table that speaks of one scenario.
    pub(super) fn only(&self, scenario: &str) -> Self {
        let lines = self.lines.iter().filter(|(name, _)| *name == scenario);
        Self {
            head: String::new(),
            lines: lines.map(|(name, line)| (name.clone(), line.clone())).collect(),
        }
    }

    /// The table that a run would agree with: its counts, and no note where nothing fails any more.
    pub(super) fn updated(&self, outcomes: &Outcomes) -> Self {
        let lines = outcomes.iter().map(|(scenario, outcome)| {
            let before = self.lines.get(scenario);
            let note = before.and_then(|line| line.note.clone());
            let note = note.filter(|_| !outcome.problems.is_empty());
            (scenario.clone(), Line { count: outcome.successes, note })
        });
        Self { head: self.head.clone(), lines: lines.collect() }
    }

    /// Every way in which a run is not what the table says, a paragraph each.
    pub(super) fn differences(&self, outcomes: &Outcomes) -> Vec<String> {
        let mut found: Vec<_> = self
            .lines
            .iter()
            .filter_map(|(scenario, line)| match outcomes.get(scenario) {
                Some(outcome) => line.difference(scenario, outcome),
                None => {
                    Some(format!("{scenario}: expected {}, did not run or crashed", line.count))
                }
            })
            .collect();
        let known = |scenario: &String| self.lines.contains_key(scenario);
        found.extend(outcomes.iter().filter(|(scenario, _)| !known(scenario)).map(
            |(scenario, outcome)| {
                format!("{scenario}: not in the table, got {}; UPDATE=1 adds it", outcome.successes)
            },
        ));
        found
    }
}

impl Line {
    fn difference(&self, scenario: &str, outcome: &Outcome) -> Option<String> {
        let (expected, got) = (self.count, outcome.successes);
        let told = || -> String {
            outcome.problems.iter().map(|problem| format!("\n    {problem}")).collect()
        };
        if got < expected {
            return Some(format!("{scenario}: expected {expected}, got {got}{}", told()));
        }
        if self.note.is_none() && !outcome.problems.is_empty() {
            return Some(format!("{scenario}: {got} as expected, but not all is well{}", told()));
        }
        (got > expected).then(|| {
            format!("{scenario}: expected {expected}, got {got}: raise the table (UPDATE=1 does)")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Outcomes, Table};

    const TABLE: &str = "# why\nping\t2\nstateless\t1\tno streams yet\n";

    fn outcomes(found: &[(&str, usize, &[&str])]) -> Outcomes {
        let outcome = |(name, successes, problems): &(&str, usize, &[&str])| {
            let problems = problems.iter().map(|one| (*one).to_owned()).collect();
            ((*name).to_owned(), Outcome { successes: *successes, problems })
        };
        found.iter().map(outcome).collect()
    }

    fn check(found: &[(&str, usize, &[&str])]) -> Vec<String> {
        Table::parse(TABLE).unwrap().differences(&outcomes(found))
    }

    #[test]
    fn a_run_as_the_table_says_has_no_difference() {
        assert!(check(&[("ping", 2, &[]), ("stateless", 1, &["FAILURE x"])]).is_empty());
    }

    #[test]
    fn too_few_checks_tell_what_failed() {
        let found = check(&[("ping", 1, &["FAILURE pong: late"]), ("stateless", 1, &[])]);
        assert_eq!(found, ["ping: expected 2, got 1\n    FAILURE pong: late"]);
    }

    #[test]
    fn too_many_checks_ask_for_a_higher_table() {
        let found = check(&[("ping", 3, &[]), ("stateless", 1, &[])]);
        assert!(found.concat().contains("raise the table"), "{found:?}");
    }

    #[test]
    fn a_failure_without_a_note_is_a_difference_although_the_count_fits() {
        let found = check(&[("ping", 2, &["WARNING x: y"]), ("stateless", 1, &[])]);
        assert!(found.concat().contains("WARNING x: y"), "{found:?}");
    }

    #[test]
    fn a_missing_and_an_unknown_scenario_are_differences() {
        let found = check(&[("ping", 2, &[]), ("pong", 1, &[])]);
        assert!(found.concat().contains("stateless: expected 1, did not run"), "{found:?}");
        assert!(found.concat().contains("pong: not in the table"), "{found:?}");
    }

    #[test]
    fn an_update_keeps_the_head_and_the_notes_that_still_hold() {
        let table = Table::parse(TABLE).unwrap();
        let after = table.updated(&outcomes(&[("ping", 4, &[]), ("stateless", 3, &["FAILURE x"])]));
        assert_eq!(after.text(), "# why\nping\t4\nstateless\t3\tno streams yet\n");
        let done = after.updated(&outcomes(&[("ping", 4, &[]), ("stateless", 9, &[])]));
        assert_eq!(done.text(), "# why\nping\t4\nstateless\t9\n");
    }

    #[test]
    fn a_line_without_a_count_is_refused() {
        assert!(Table::parse("ping").is_err());
        assert!(Table::parse("ping\tmany").is_err());
        assert!(Table::parse("ping\t1\nping\t2").is_err());
    }
}
