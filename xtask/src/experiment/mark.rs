//! What a figure must be, and whether it is.

use anyhow::{Result, bail};

use crate::say::say;

/// What one figure must be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) figure: &'static str,
    pub(super) unit: &'static str,
    pub(super) pass: Pass,
}

/// How a figure passes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pass {
    AtMost(f64),
    AtLeast(f64),
    Exactly(f64),
    /// Told and not judged: it explains another.
    Told,
}

/// What was measured, each under the name of its mark.
#[derive(Debug, Default)]
pub(super) struct Figures(Vec<(&'static str, f64)>);

impl Figures {
    /// Notes a figure and says it at once, so that a run that breaks off has told something.
    pub(super) fn note(&mut self, figure: &'static str, value: f64) {
        say(&format!("{figure} {value:.3}"));
        self.0.push((figure, value));
    }

    fn value(&self, figure: &str) -> Option<f64> {
        self.0.iter().find(|(name, _)| *name == figure).map(|(_, value)| *value)
    }
}

/// Prints a table of all figures beside their marks.
pub(super) fn judge(marks: &[Mark], figures: &Figures) -> Result<()> {
    say("| figure | measured | mark | passed |\n|---|---|---|---|");
    let mut missed = Vec::new();
    for mark in marks {
        let value = figures.value(mark.figure);
        let (wanted, passed) = match mark.pass {
            Pass::AtMost(most) => (format!("≤ {most}"), value.is_some_and(|value| value <= most)),
            Pass::AtLeast(least) => {
                (format!("≥ {least}"), value.is_some_and(|value| value >= least))
            }
            Pass::Exactly(exact) => {
                let meets = |value: f64| (value - exact).abs() < f64::EPSILON;
                (format!("{exact}"), value.is_some_and(meets))
            }
            Pass::Told => (String::new(), value.is_some()),
        };
        let shown = value.map_or_else(|| "nothing".to_owned(), |value| format!("{value:.3}"));
        let verdict = if passed { "yes" } else { "no" };
        say(&format!("| {} | {shown} {} | {wanted} | {verdict} |", mark.figure, mark.unit));
        if !passed {
            missed.push(mark.figure);
        }
    }
    if missed.is_empty() {
        return Ok(());
    }
    bail!("missed: {}", missed.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKS: &[Mark] = &[
        Mark { figure: "memory", unit: "KiB", pass: Pass::AtMost(32.0) },
        Mark { figure: "told", unit: "", pass: Pass::Exactly(2.0) },
    ];

    fn check(figures: &[(&'static str, f64)]) -> Result<()> {
        judge(MARKS, &Figures(figures.to_vec()))
    }

    #[test]
    fn a_figure_that_misses_or_was_never_taken_fails_by_name() {
        assert!(check(&[("memory", 32.0), ("told", 2.0)]).is_ok());
        let error = check(&[("memory", 32.1), ("told", 2.0)]).unwrap_err();
        assert_eq!(error.to_string(), "missed: memory");
        assert_eq!(check(&[("memory", 1.0)]).unwrap_err().to_string(), "missed: told");
        assert!(check(&[("memory", f64::NAN), ("told", 2.0)]).is_err());
    }
}
