//! Everything that a change must pass, one step after the other until one fails.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::TASKS;
use crate::say::{heading, say};

/// Runs every task that the table marks for it.
pub(crate) fn run(words: &[String]) -> Result<()> {
    if let Some(word) = words.first() {
        bail!("ci takes no argument, got \"{word}\"");
    }
    let steps: Vec<_> = TASKS.iter().filter(|task| task.in_ci).collect();
    let mut taken = Vec::new();
    let mut failure = None;
    for step in &steps {
        heading(&format!("{}: {}", step.name, step.help));
        let start = Instant::now();
        let result = (step.run)(&[]);
        let line = line(step.name, result.is_ok(), start.elapsed());
        say(&line);
        taken.push(line);
        if let Err(error) = result {
            failure = Some(error.context(step.name));
            break;
        }
    }
    heading("summary");
    for line in &taken {
        say(line);
    }
    if let Some(error) = &failure {
        say(&format!("{error:#}"));
    }
    let failed = usize::from(failure.is_some());
    let closing = closing(taken.len() - failed, failed, steps.len() - taken.len());
    if failed > 0 {
        bail!(closing);
    }
    say(&closing);
    Ok(())
}

fn line(name: &str, passed: bool, duration: Duration) -> String {
    let word = if passed { "passed" } else { "FAILED" };
    format!("{name:<12} {word} in {:.1} s", duration.as_secs_f64())
}

/// The last line, in the form that build servers read.
fn closing(passed: usize, failed: usize, left: usize) -> String {
    let left = if left > 0 { format!(", {left} skipped") } else { String::new() };
    format!("{passed} passed, {failed} failed{left}")
}

#[cfg(test)]
mod tests {
    use super::closing;

    #[test]
    fn the_last_line_counts_steps() {
        assert_eq!(closing(7, 0, 0), "7 passed, 0 failed");
        assert_eq!(closing(2, 1, 4), "2 passed, 1 failed, 4 skipped");
    }
}
