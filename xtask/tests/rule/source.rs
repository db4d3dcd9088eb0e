//! A Rust file taken apart: code, literals and comments each by themselves, and which lines are tests.

use std::ops::Range;

const WHOLE_FILE: Range<usize> = 0..usize::MAX;

/// A stretch of text and the line where it starts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) line: usize,
    pub(crate) text: String,
}

/// One file. Lines count from one.
#[derive(Debug)]
pub(crate) struct Source {
    /// From the root of the workspace, with forward slashes.
    pub(crate) path: String,
    /// As it stands.
    pub(crate) text: String,
    /// With comments and the insides of literals blanked, line for line.
    pub(crate) code: String,
    pub(crate) literals: Vec<Piece>,
    pub(crate) comments: Vec<Piece>,
    tests: Vec<Range<usize>>,
}

impl Source {
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let mut lexer =
            Lexer { rest: text, line: 1, code: String::new(), literals: vec![], comments: vec![] };
        lexer.run();
        let Lexer { code, literals, comments, .. } = lexer;
        let tests = test_items(&code);
        Self { path: path.to_owned(), text: text.to_owned(), code, literals, comments, tests }
    }

    /// Declares the whole file a test, as `#[cfg(test)] mod name;` elsewhere does.
    pub(crate) fn mark_as_test(&mut self) {
        self.tests = vec![WHOLE_FILE];
    }

    /// The modules that `#[cfg(test)] mod name;` declares.
    pub(crate) fn outer_test_modules(&self) -> Vec<String> {
        let lines = self.code.lines().zip(1..).filter(|(_, line)| self.is_test(*line));
        let names =
            lines.filter_map(|(text, _)| text.trim().strip_suffix(';')?.strip_prefix("mod "));
        names.map(str::to_owned).collect()
    }

    /// Whether a line belongs to an item under `#[cfg(test)]`.
    pub(crate) fn is_test(&self, line: usize) -> bool {
        self.tests.iter().any(|range| range.contains(&line))
    }

    /// The lines that hold code which ships: no comment, no blank, no test.
    pub(crate) fn code_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = (1..).zip(self.code.lines().map(str::trim));
        lines.filter(|(line, text)| !text.is_empty() && !self.is_test(*line))
    }
}

/// The lines of every item under `#[cfg(test)]`, the attribute included.
fn test_items(code: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if code.contains("#![cfg(test)]") {
        return vec![WHOLE_FILE];
    }
    for mark in ["#[cfg(test)]", "#[cfg(all(test,"] {
        for (start, _) in code.match_indices(mark) {
            found.push(line_at(code, start)..line_at(code, item_end(code, start)) + 1);
        }
    }
    found
}

/// Where the item that starts at `start`, attributes included, ends: after its body or at its semicolon.
pub(crate) fn item_end(code: &str, start: usize) -> usize {
    let mut depth = 0_usize;
    let mut in_body = false;
    for (offset, character) in code.char_indices().skip_while(|(offset, _)| *offset < start) {
        match character {
            '{' if depth == 0 => {
                in_body = true;
                depth += 1;
            }
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth = depth.saturating_sub(1),
            ';' if depth == 0 => return offset,
            _ => {}
        }
        if in_body && depth == 0 {
            return offset;
        }
    }
    code.len()
}

/// The line of a byte offset.
pub(crate) fn line_at(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

/// Walks a text once. It knows as much of Rust's lexical grammar as telling code from text needs.
struct Lexer<'a> {
    rest: &'a str,
    line: usize,
    code: String,
    literals: Vec<Piece>,
    comments: Vec<Piece>,
}

impl<'a> Lexer<'a> {
    fn run(&mut self) {
        while let Some(character) = self.rest.chars().next() {
            if self.rest.starts_with("//") {
                let length = self.rest.find('\n').unwrap_or(self.rest.len());
                let piece = self.blank(length);
                self.comments.push(piece);
            } else if self.rest.starts_with("/*") {
                let piece = self.blank(block_comment(self.rest));
                self.comments.push(piece);
            } else if let Some((open, text, close)) = self.literal() {
                self.keep(open);
                let piece = self.blank(text);
                self.literals.push(piece);
                self.keep(close);
            } else {
                self.keep(character.len_utf8());
            }
        }
    }

    /// Takes so many bytes over into the code.
    fn keep(&mut self, length: usize) {
        let text = self.take(length);
        self.code.push_str(text);
    }

    /// Takes so many bytes, leaving blanks in the code.
    fn blank(&mut self, length: usize) -> Piece {
        let line = self.line;
        let text = self.take(length);
        self.code.extend(text.chars().map(|one| if one == '\n' { '\n' } else { ' ' }));
        Piece { line, text: text.to_owned() }
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.rest = rest;
        self.line += taken.matches('\n').count();
        taken
    }

    /// The lengths of a literal's opening, inside and close, if one starts here.
    fn literal(&self) -> Option<(usize, usize, usize)> {
        if let Some(inside) = self.rest.strip_prefix('"') {
            return Some((1, until_quote(inside, '"'), 1));
        }
        if let Some(inside) = self.rest.strip_prefix('\'') {
            return character(inside);
        }
        let in_word = self.code.ends_with(|last: char| last.is_alphanumeric() || last == '_');
        let raw =
            self.rest.strip_prefix('r').filter(|_| !in_word || self.code.ends_with(['b', 'c']))?;
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let inside = raw.trim_start_matches('#').strip_prefix('"')?;
        let close = format!("\"{}", "#".repeat(hashes));
        let length = inside.find(&close).unwrap_or(inside.len());
        Some((hashes + 2, length, close.len()))
    }
}

/// A character literal after its opening quote; a lifetime is none.
fn character(inside: &str) -> Option<(usize, usize, usize)> {
    let first = inside.chars().next()?;
    let length = if first == '\\' { until_quote(inside, '\'') } else { first.len_utf8() };
    inside.split_at_checked(length)?.1.starts_with('\'').then_some((1, length, 1))
}

/// The length up to a quote that no backslash precedes.
fn until_quote(inside: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (offset, character) in inside.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            other if other == quote => return offset,
            _ => {}
        }
    }
    inside.len()
}

/// The length of a block comment, which may hold others.
fn block_comment(text: &str) -> usize {
    let mut depth = 0_usize;
    for (offset, _) in text.match_indices(['/', '*']) {
        let here = text.split_at_checked(offset).map_or("", |(_, here)| here);
        if here.starts_with("/*") {
            depth += 1;
        } else if here.starts_with("*/") {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return offset + 2;
            }
        }
    }
    text.len()
}

mod tests {
    use super::Source;

    #[test]
    fn comments_and_literals_leave_the_code() {
        let source = Source::new(
            "a.rs",
            "let a = \"todo!() \\\" {\"; // allow(\nlet b = r#\"x \" y\"#; /* /* deep */ still */ let c = '\"'; let d: &'a str;\n",
        );
        assert!(!source.code.contains("todo"), "{}", source.code);
        assert!(!source.code.contains("allow"), "{}", source.code);
        assert!(!source.code.contains("still"), "{}", source.code);
        assert!(source.code.contains("let c = ' '; let d: &'a str;"), "{}", source.code);
        let literals: Vec<_> = source.literals.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(literals, ["todo!() \\\" {", "x \" y", "\""]);
        assert_eq!(source.comments.len(), 2);
        assert_eq!(source.comments.last().map(|one| one.line), Some(2));
    }

    #[test]
    fn a_test_module_is_known_by_its_lines() {
        let source = Source::new(
            "a.rs",
            "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() { { } }\n}\nfn c() {}\n",
        );
        let lines: Vec<_> = source.code_lines().map(|(line, _)| line).collect();
        assert_eq!(lines, [1, 6]);
    }

    #[test]
    fn a_test_module_in_a_file_of_its_own_is_named() {
        let source = Source::new("a.rs", "#[cfg(test)]\nmod tests;\nmod real;\n");
        assert_eq!(source.outer_test_modules(), ["tests"]);
        assert!(!source.is_test(3));
    }
}
