//! What a rule says when it refuses something: where, what, and how to mend it.

use std::fmt;

/// One refusal.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) path: String,
    pub(crate) line: usize,
    pub(crate) fault: String,
    pub(crate) mend: &'static str,
}

impl Finding {
    pub(crate) fn new(
        path: &str,
        line: usize,
        fault: impl Into<String>,
        mend: &'static str,
    ) -> Self {
        Self { path: path.to_owned(), line, fault: fault.into(), mend }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}\n    {}", self.path, self.line, self.fault, self.mend)
    }
}

/// Fails a test that found something.
#[track_caller]
pub(crate) fn refuse(rule: &str, findings: &[Finding]) {
    let shown: Vec<_> = findings.iter().map(Finding::to_string).collect();
    assert!(findings.is_empty(), "\n{rule}:\n\n{}\n", shown.join("\n"));
}
