//! Strings: length in code points, patterns, and formats where they are asked for.

use super::SchemaError;
use super::compile::Compiler;
use super::format::Format;
use super::keyword::Keywords;
use super::pattern::Pattern;

/// The keywords that constrain a string.
#[derive(Debug)]
pub(super) struct TextRule {
    /// `minLength`.
    pub(super) shortest: Option<u64>,
    /// `maxLength`.
    pub(super) longest: Option<u64>,
    /// `pattern`.
    pub(super) pattern: Option<Pattern>,
    /// `format`, when it is one that can be asserted.
    pub(super) format: Option<Format>,
}

impl TextRule {
    pub(super) fn compile(
        keywords: Keywords<'_, '_>,
        compiler: &mut Compiler<'_>,
    ) -> Result<Option<Self>, SchemaError> {
        let pattern = match keywords.text("pattern")? {
            Some(source) => Some(compiler.pattern(keywords.pointer(), source)?),
            None => None,
        };
        let rule = Self {
            shortest: keywords.count("minLength")?,
            longest: keywords.count("maxLength")?,
            pattern,
            format: keywords.text("format")?.and_then(Format::named),
        };
        let constrains = rule.shortest.is_some()
            || rule.longest.is_some()
            || rule.pattern.is_some()
            || rule.format.is_some();
        Ok(constrains.then_some(rule))
    }

    pub(super) fn accepts(&self, text: &str, formats: Formats) -> bool {
        self.failed(text, formats).is_none()
    }

    /// The first keyword that `text` does not meet.
    pub(super) fn failed(&self, text: &str, formats: Formats) -> Option<&'static str> {
        if self.shortest.is_some() || self.longest.is_some() {
            let length = length(text);
            if self.shortest.is_some_and(|shortest| length < shortest) {
                return Some("minLength");
            }
            if self.longest.is_some_and(|longest| length > longest) {
                return Some("maxLength");
            }
        }
        if self.pattern.as_ref().is_some_and(|pattern| !pattern.is_match(text)) {
            return Some("pattern");
        }
        if formats == Formats::Asserted && self.format.is_some_and(|format| !format.accepts(text)) {
            return Some("format");
        }
        None
    }
}

/// Whether `format` refuses values or only describes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Formats {
    Described,
    Asserted,
}

/// The length of a string as JSON Schema counts it, in code points.
pub(super) fn length(text: &str) -> u64 {
    text.chars().count() as u64
}
