//! Patterns: ECMA-262 regular expressions on an engine whose time is linear in the text.
//!
//! What needs backtracking (look-around, back-references) is refused when the schema is compiled.
//! The rest is translated, because the two notations spell some things alike and mean them
//! differently: `\d` is ASCII in ECMA-262, `[` needs no escape inside a class, `\/` is a slash.

use std::iter::Peekable;
use std::str::Chars;

use regex::{Regex, RegexBuilder};

use super::got;
use super::limit::MAX_PATTERN_BYTES;

/// A compiled pattern and its source, which messages show.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    source: String,
    regex: Regex,
}

impl Pattern {
    /// Compiles a pattern, or says why it cannot be used.
    pub(super) fn new(source: &str) -> Result<Self, String> {
        let refuse = |why: &str| format!("pattern {} {why}", got::quote_long(source));
        let translated = Translator::new(source).run().map_err(|why| refuse(&why))?;
        let built = RegexBuilder::new(&translated).size_limit(MAX_PATTERN_BYTES).build();
        match built {
            Ok(regex) => Ok(Self { source: source.to_owned(), regex }),
            Err(regex::Error::CompiledTooBig(_)) => Err(refuse("is too large when compiled")),
            Err(error) => {
                // The last line of the engine's report is the reason; the others draw the place.
                let text = error.to_string();
                let reason = text.lines().last().unwrap_or("unreadable").trim();
                let reason = reason.strip_prefix("error: ").unwrap_or(reason);
                Err(refuse(&format!("is not a regular expression: {reason}")))
            }
        }
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    pub(super) fn source(&self) -> &str {
        &self.source
    }
}

const DIGITS: &str = "0-9";
const WORD: &str = "A-Za-z0-9_";
const SPACE: &str = r"\t\n\x0B\x0C\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}";

struct Translator<'p> {
    rest: Peekable<Chars<'p>>,
    out: String,
}

impl<'p> Translator<'p> {
    fn new(source: &'p str) -> Self {
        Self { rest: source.chars().peekable(), out: String::with_capacity(source.len() + 8) }
    }

    fn run(mut self) -> Result<String, String> {
        while let Some(character) = self.rest.next() {
            match character {
                '\\' => self.escape_outside()?,
                '[' => self.class()?,
                '.' => self.out.push_str(r"[^\n\r\x{2028}\x{2029}]"),
                '(' => self.group()?,
                '{' => self.brace(),
                other => self.out.push(other),
            }
        }
        Ok(self.out)
    }

    /// A group, whose opening may be a look-around.
    fn group(&mut self) -> Result<(), String> {
        let mut ahead = self.rest.clone();
        let opening = (ahead.next(), ahead.next(), ahead.next());
        match opening {
            (Some('?'), Some('=' | '!'), _) => {
                Err("uses look-ahead, which the linear engine cannot do".to_owned())
            }
            (Some('?'), Some('<'), Some('=' | '!')) => {
                Err("uses look-behind, which the linear engine cannot do".to_owned())
            }
            _ => {
                self.out.push('(');
                Ok(())
            }
        }
    }

    /// A brace that does not spell a repetition is itself.
    fn brace(&mut self) {
        let inside: String = self.rest.clone().take_while(|c| *c != '}').take(24).collect();
        let (least, most) = inside.split_once(',').unwrap_or((&inside, ""));
        let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let repeats = number(least) && (most.is_empty() || number(most));
        self.out.push_str(if repeats { "{" } else { r"\{" });
    }

    fn escape_outside(&mut self) -> Result<(), String> {
        match self.rest.next() {
            None => Err("ends in a backslash".to_owned()),
            Some('b') => {
                self.out.push_str(r"(?-u:\b)");
                Ok(())
            }
            Some('B') => {
                // The complement of an ASCII word boundary, spelled out by the engine as its half.
                self.out.push_str(r"(?:(?-u:\B))");
                Ok(())
            }
            Some('1'..='9' | 'k') => {
                Err("uses a back-reference, which the linear engine cannot do".to_owned())
            }
            Some('d') => self.set(DIGITS, ""),
            Some('D') => self.set(DIGITS, "^"),
            Some('w') => self.set(WORD, ""),
            Some('W') => self.set(WORD, "^"),
            Some('s') => self.set(SPACE, ""),
            Some('S') => self.set(SPACE, "^"),
            Some(other) => self.escape(other),
        }
    }

    fn set(&mut self, members: &str, not: &str) -> Result<(), String> {
        for part in ["[", not, members, "]"] {
            self.out.push_str(part);
        }
        Ok(())
    }

    /// A class, up to its closing bracket.
    fn class(&mut self) -> Result<(), String> {
        let negated = self.rest.next_if_eq(&'^').is_some();
        if self.rest.next_if_eq(&']').is_some() {
            self.out.push_str(if negated { r"[\x00-\x{10FFFF}]" } else { r"[a&&b]" });
            return Ok(());
        }
        self.out.push_str(if negated { "[^" } else { "[" });
        // Whether a hyphen that comes now can be the middle of a range.
        let mut range = false;
        loop {
            let Some(character) = self.rest.next() else {
                return Err("has a class without an end".to_owned());
            };
            match character {
                ']' => {
                    self.out.push(']');
                    return Ok(());
                }
                '-' => {
                    let set_follows = self.set_follows();
                    let middle = range && self.rest.peek() != Some(&']') && !set_follows;
                    self.out.push_str(if middle { "-" } else { r"\-" });
                    range = false;
                    if middle {
                        self.class_member()?;
                    }
                }
                other => range = self.class_escape_or(other)?,
            }
        }
    }

    /// The upper end of a range.
    fn class_member(&mut self) -> Result<(), String> {
        match self.rest.next() {
            None => Err("has a class without an end".to_owned()),
            Some(character) => self.class_escape_or(character).map(|_| ()),
        }
    }

    fn set_follows(&self) -> bool {
        let mut ahead = self.rest.clone();
        ahead.next() == Some('\\')
            && matches!(ahead.next(), Some('d' | 'D' | 'w' | 'W' | 's' | 'S' | 'p' | 'P'))
    }

    /// One member of a class; true when it is a single character, which may start a range.
    fn class_escape_or(&mut self, character: char) -> Result<bool, String> {
        if character != '\\' {
            if matches!(character, '[' | '&' | '~' | '^') {
                self.out.push('\\');
            }
            self.out.push(character);
            return Ok(true);
        }
        let Some(escaped) = self.rest.next() else {
            return Err("ends in a backslash".to_owned());
        };
        match escaped {
            'd' => self.out.push_str(DIGITS),
            'w' => self.out.push_str(WORD),
            's' => self.out.push_str(SPACE),
            'D' => return self.set(DIGITS, "^").map(|()| false),
            'W' => return self.set(WORD, "^").map(|()| false),
            'S' => return self.set(SPACE, "^").map(|()| false),
            'p' | 'P' => return self.escape(escaped).map(|()| false),
            'b' => {
                self.out.push_str(r"\x08");
                return Ok(true);
            }
            other => return self.escape(other).map(|()| true),
        }
        Ok(false)
    }

    /// An escape that means the same inside and outside a class.
    fn escape(&mut self, character: char) -> Result<(), String> {
        match character {
            't' | 'n' | 'r' | 'f' | 'v' => {
                self.out.push('\\');
                self.out.push(character);
                Ok(())
            }
            '0' => self.code(0),
            'c' => match self.rest.next() {
                Some(letter) if letter.is_ascii_alphabetic() => self.code(u32::from(letter) % 32),
                _ => Err(r"has \c without a letter".to_owned()),
            },
            'x' => {
                let code = self.hex(2).ok_or_else(|| r"has \x without two digits".to_owned())?;
                self.code(code)
            }
            'u' => {
                let code = self.unicode()?;
                self.code(code)
            }
            'p' | 'P' => self.property(character),
            other if other.is_ascii_alphanumeric() => {
                Err(format!("has the escape \\{other}, which ECMA-262 does not know"))
            }
            // Only ASCII punctuation may be escaped, and \< and \> mean something else.
            other => {
                if other.is_ascii_punctuation() && !matches!(other, '<' | '>') {
                    self.out.push('\\');
                }
                self.out.push(other);
                Ok(())
            }
        }
    }

    fn property(&mut self, letter: char) -> Result<(), String> {
        if self.rest.next_if_eq(&'{').is_none() {
            return Err(format!("has \\{letter} without a property in braces"));
        }
        let name: String = self.rest.by_ref().take_while(|c| *c != '}').collect();
        for part in ["\\", letter.encode_utf8(&mut [0; 4]), "{", &name, "}"] {
            self.out.push_str(part);
        }
        Ok(())
    }

    fn unicode(&mut self) -> Result<u32, String> {
        let broken = || r"has \u without four digits or braces".to_owned();
        if self.rest.next_if_eq(&'{').is_some() {
            let digits: String = self.rest.by_ref().take_while(|c| *c != '}').collect();
            return u32::from_str_radix(&digits, 16).map_err(|_| broken());
        }
        let high = self.hex(4).ok_or_else(broken)?;
        if !(0xD800..0xDC00).contains(&high) {
            return Ok(high);
        }
        let escaped = self.rest.next() == Some('\\') && self.rest.next() == Some('u');
        match self.hex(4) {
            Some(low) if escaped && (0xDC00..0xE000).contains(&low) => {
                Ok(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00))
            }
            _ => Err("has half of a surrogate pair".to_owned()),
        }
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        (0..digits).try_fold(0, |code, _| Some(code * 16 + self.rest.next()?.to_digit(16)?))
    }

    fn code(&mut self, code: u32) -> Result<(), String> {
        if char::from_u32(code).is_none() {
            return Err("names a character that does not exist".to_owned());
        }
        got::push(&mut self.out, format_args!("\\x{{{code:X}}}"));
        Ok(())
    }
}
