//! What is wrong with a value, one sentence a problem, in words that a model can act on.

use std::fmt;

use super::got;

/// One thing that is wrong with a value.
///
/// `Display` writes it on one line, `/limit: expected an integer between 1 and 100, got 250`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The JSON pointer of the place in the value; empty for the value itself.
    pub path: String,
    /// What was expected there and what was found.
    pub message: String,
    /// The keyword of the schema that was not met.
    pub keyword: &'static str,
    /// How many problems this stands for: more than one only in the closing "and 12 more".
    pub(super) stands_for: usize,
}

impl Problem {
    /// A problem at `path`, a JSON pointer, empty for the whole value.
    #[must_use]
    pub fn new(path: impl Into<String>, keyword: &'static str, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into(), keyword, stands_for: 1 }
    }

    /// The line that closes a list which was cut.
    pub(super) fn more(count: usize) -> Self {
        Self { stands_for: count, ..Self::new("", "", format!("and {count} more")) }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            return f.write_str(&self.message);
        }
        write!(f, "{}: {}", got::escape(&self.path), self.message)
    }
}

/// The text that a model gets about a refused call: the tool, how many problems, one line each.
#[must_use]
pub fn summary(tool: &str, problems: &[Problem]) -> String {
    let count: usize = problems.iter().map(|problem| problem.stands_for).sum();
    let mut text = format!(
        "{}: {}",
        got::escape(&got::cut(tool, 128)),
        got::count(count as u64, "problem", "problems")
    );
    for problem in problems {
        got::push(&mut text, format_args!("\n- {problem}"));
    }
    text
}
