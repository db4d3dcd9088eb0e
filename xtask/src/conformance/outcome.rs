//! What the suite wrote: a folder a scenario, in it the list of checks.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

/// What one scenario came to.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    /// How many checks succeeded.
    pub(super) successes: usize,
    /// Every check that did not: status, id and message.
    pub(super) problems: Vec<String>,
}

impl Outcome {
    fn parse(checks: &str) -> Result<Self> {
        let checks: Vec<Value> = serde_json::from_str(checks)?;
        let mut outcome = Self::default();
        for check in &checks {
            let text = |key| check.get(key).and_then(Value::as_str).unwrap_or_default();
            match text("status") {
                "SUCCESS" => outcome.successes += 1,
                // Neither says anything about the server; a count that falls short does.
                "INFO" | "SKIPPED" => {}
                other => outcome.problems.push(format!(
                    "{other} {}: {}",
                    text("id"),
                    message(check, text("description"))
                )),
            }
        }
        Ok(outcome)
    }
}

/// The message of a check that failed; where the suite gives none, what should have been true.
fn message(check: &Value, description: &str) -> String {
    let message = check.get("errorMessage").and_then(Value::as_str).unwrap_or(description);
    // The check of every message against the schema tells its findings apart.
    match check.pointer("/details/violations").and_then(Value::as_array) {
        Some(found) if !found.is_empty() => {
            let found: Vec<_> = found.iter().map(Value::to_string).collect();
            format!("{message} {}", found.join(" "))
        }
        _ => message.to_owned(),
    }
}

/// What each scenario of a run came to.
#[derive(Debug, Default)]
pub(super) struct Outcomes(BTreeMap<String, Outcome>);

impl Outcomes {
    /// Reads the output folder of a run.
    pub(super) fn read(output: &Path) -> Result<Self> {
        let mut outcomes = BTreeMap::new();
        for entry in std::fs::read_dir(output)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let Some(scenario) = scenario(&name) else { continue };
            let checks = entry.path().join("checks.json");
            // A scenario that crashed leaves none and is then missing.
            let Ok(text) = std::fs::read_to_string(&checks) else { continue };
            let outcome = Outcome::parse(&text).with_context(|| checks.display().to_string())?;
            outcomes.insert(scenario.to_owned(), outcome);
        }
        Ok(Self(outcomes))
    }

    pub(super) fn get(&self, scenario: &str) -> Option<&Outcome> {
        self.0.get(scenario)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&String, &Outcome)> {
        self.0.iter()
    }

    /// How many scenarios ran and how many checks succeeded in all.
    pub(super) fn totals(&self) -> (usize, usize) {
        (self.0.len(), self.0.values().map(|outcome| outcome.successes).sum())
    }
}

#[cfg(test)]
impl FromIterator<(String, Outcome)> for Outcomes {
    fn from_iter<I: IntoIterator<Item = (String, Outcome)>>(outcomes: I) -> Self {
        Self(outcomes.into_iter().collect())
    }
}

/// `server-SCENARIO-TIME` without the ends. The time is cut by its length, for a scenario may end in a date itself.
fn scenario(folder: &str) -> Option<&str> {
    const TIME: usize = "-2026-07-28T00-00-00-000Z".len();
    let rest = folder.strip_prefix("server-")?;
    let (scenario, time) = rest.split_at_checked(rest.len().checked_sub(TIME)?)?;
    (time.starts_with('-') && time.ends_with('Z')).then_some(scenario)
}

#[cfg(test)]
mod tests {
    use super::{Outcome, scenario};

    #[test]
    fn a_folder_names_its_scenario() {
        let check = |folder| scenario(folder).map(str::to_owned);
        assert_eq!(check("server-ping-2026-11-30T17-01-00-531Z").as_deref(), Some("ping"));
        assert_eq!(
            check("server-json-schema-2020-12-2026-11-30T17-01-00-370Z").as_deref(),
            Some("json-schema-2020-12")
        );
        assert_eq!(
            check("server-server-stateless-2026-11-30T17-00-59-509Z").as_deref(),
            Some("server-stateless")
        );
        assert_eq!(check("suite.log"), None);
        assert_eq!(check("server-x"), None);
    }

    #[test]
    fn successes_are_counted_and_the_rest_is_told() {
        let checks = r#"[
            {"id": "a", "status": "SUCCESS"},
            {"id": "b", "status": "SKIPPED"},
            {"id": "c", "status": "INFO"},
            {"id": "d", "status": "FAILURE", "errorMessage": "no tool"},
            {"id": "e", "status": "WARNING", "description": "should echo"},
            {"id": "f", "status": "FAILURE", "description": "valid", "details": {"violations": ["x"]}}
        ]"#;
        let outcome = Outcome::parse(checks).unwrap();
        assert_eq!(outcome.successes, 1);
        assert_eq!(
            outcome.problems,
            ["FAILURE d: no tool", "WARNING e: should echo", "FAILURE f: valid \"x\""]
        );
    }
}
