//! What is wrong with skills.

use std::fmt;

/// All that is wrong with skills, each with its path and how to mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillError {
    problems: Vec<String>,
}

impl SkillError {
    pub(super) fn new(problems: Vec<String>) -> Self {
        Self { problems }
    }

    /// What is wrong, one sentence each.
    #[must_use]
    pub fn problems(&self) -> &[String] {
        &self.problems
    }
}

impl From<String> for SkillError {
    fn from(problem: String) -> Self {
        Self::new(vec![problem])
    }
}

impl fmt::Display for SkillError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problems.as_slice() {
            [one] => write!(f, "the skills cannot be served: {one}"),
            many => {
                write!(f, "the skills cannot be served, for {} reasons:", many.len())?;
                many.iter().try_for_each(|problem| write!(f, "\n- {problem}"))
            }
        }
    }
}

impl std::error::Error for SkillError {}
