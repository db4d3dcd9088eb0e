//! What the compiler told, and what it was expected to tell.

use serde_json::Value;

/// One error or warning.
pub(crate) struct Told {
    /// The line on which it begins.
    line: u64,
    /// Whether it comes from a macro of ours rather than from the compiler.
    ours: bool,
    text: String,
}

impl Told {
    /// Reads a line of the compiler's; `None` when it only counts errors.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let json: Value = serde_json::from_str(line).ok()?;
        let spans = json["spans"].as_array()?;
        let mut primary = spans.iter().find(|span| span["is_primary"] == true)?;
        // An error in a macro of the library belongs where the case uses it.
        while primary["file_name"].as_str().is_some_and(|file| !file.contains("tests/ui")) {
            primary = &primary["expansion"]["span"];
        }
        let text = json["rendered"].as_str()?.to_owned();
        // What the compiler finds by itself has a code, except for a few of its oldest errors.
        let ours = json["code"].is_null() && !text.contains("future cannot be");
        Some(Self { line: primary["line_start"].as_u64()?, ours, text })
    }

    pub(crate) const fn is_ours(&self) -> bool {
        self.ours
    }

    pub(crate) fn all(told: &[Self]) -> String {
        let mut texts: Vec<(u64, &str)> = told.iter().map(|t| (t.line, t.text.as_str())).collect();
        texts.sort_by_key(|(line, _)| *line);
        texts.into_iter().map(|(_, text)| text).collect()
    }
}

/// The marks of a case: on which lines errors begin, and words of each.
pub(crate) struct Expected(Vec<(u64, String)>);

impl Expected {
    pub(crate) fn read(source: &str) -> Self {
        let mut marks = Vec::new();
        for (number, line) in (1..).zip(source.lines()) {
            let words = line.split("//~").skip(1).map(|words| words.trim().to_owned());
            marks.extend(words.map(|words| (number, words)));
        }
        Self(marks)
    }

    /// Finds a mark for each error, and an error for each mark.
    pub(crate) fn check(mut self, told: &[Told]) -> Result<(), String> {
        assert!(!self.0.is_empty(), "a case without a mark");
        let mut unexpected = Vec::new();
        for error in told {
            let fits =
                |(line, words): &(u64, String)| *line == error.line && error.text.contains(words);
            match self.0.iter().position(fits) {
                Some(place) => drop(self.0.remove(place)),
                None => unexpected.push(error.text.as_str()),
            }
        }
        if unexpected.is_empty() && self.0.is_empty() {
            return Ok(());
        }
        let missing: String = self
            .0
            .iter()
            .map(|(line, words)| format!("line {line} does not say: {words}\n"))
            .collect();
        Err(format!("{missing}{}", unexpected.concat()))
    }
}
