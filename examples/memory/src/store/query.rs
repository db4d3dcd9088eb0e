//! From what somebody typed to what the index understands: no text is ever an error.

/// Words beyond these no longer change the ranking and only cost time.
const MAX_WORDS: usize = 32;
/// How long a word must be to stand for those that begin with it.
const GROWING_CHARS: usize = 3;
/// The seam between two characters of a script that does not put spaces between words. It is no
/// letter to the index, is invisible if it ever shows, and hardly occurs in such text.
const SEAM: char = '\u{200b}';

/// The parts of a search: words, and phrases that stood in double quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Query {
    parts: Vec<String>,
    open_end: bool,
}

impl Query {
    /// Takes any text apart; nothing in it is an operator but the double quotes of a phrase.
    pub(super) fn new(text: &str) -> Self {
        let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let mut parts: Vec<String> = Vec::new();
        let mut open_end = false;
        for (place, piece) in text.split('"').enumerate() {
            let quoted = place % 2 == 1;
            let phrase = quoted.then(|| piece.trim()).into_iter();
            let words = (!quoted).then(|| piece.split_whitespace()).into_iter().flatten();
            for part in phrase.chain(words).filter(|part| !part.is_empty()) {
                open_end = !quoted;
                if !parts.iter().any(|known| known == part) && parts.len() < MAX_WORDS {
                    parts.push(part.to_owned());
                }
            }
        }
        Self { parts, open_end }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The parts as they were typed.
    pub(super) fn parts(&self) -> &[String] {
        &self.parts
    }

    /// The match expression for notes that have every word.
    pub(super) fn every_word(&self) -> Option<String> {
        joined(&self.words(), " AND ")
    }

    /// The match expressions of the single words, if there are several.
    pub(super) fn single_words(&self) -> Vec<String> {
        let words = self.words();
        if words.len() > 1 { words } else { Vec::new() }
    }

    /// The last word may still be growing, so its beginning counts too, but the whole word more.
    /// A shorter beginning stands for too many words; it is found as a part of the text.
    fn words(&self) -> Vec<String> {
        let words = self.parts.iter().filter(|part| has_word(part));
        let typed: Vec<_> = words.collect();
        let growing = typed.last().is_some_and(|last| last.chars().count() >= GROWING_CHARS);
        let quote = |word: &String| format!("\"{}\"", seamed(word));
        let mut words: Vec<_> = typed.into_iter().map(quote).collect();
        if let Some(last) = words.last_mut().filter(|_| self.open_end && growing) {
            *last = format!("({last} OR {last}*)");
        }
        words
    }
}

/// Joins match expressions, of which there must be one, by an operator of the index.
pub(super) fn joined(words: &[String], operator: &str) -> Option<String> {
    (!words.is_empty()).then(|| words.join(operator))
}

/// Text as the index takes it: characters of unspaced scripts become words of their own, so that
/// a run of them is found as a phrase wherever it stands.
pub(super) fn seamed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut after = false;
    for character in text.chars() {
        let now = is_unspaced(character);
        if (now || after) && !out.is_empty() {
            out.push(SEAM);
        }
        out.push(character);
        after = now;
    }
    out
}

/// Undoes [`seamed`] in an excerpt.
pub(super) fn unseamed(text: &str) -> String {
    text.replace(SEAM, "")
}

/// Whether the index can find this at all; signs alone are looked for as plain text.
fn has_word(part: &str) -> bool {
    part.chars().any(char::is_alphanumeric)
}

/// Han, kana, Hangul, Thai, Lao, Myanmar and Khmer. Hangul has spaces, but its particles cling to
/// the word as they do in Japanese.
fn is_unspaced(character: char) -> bool {
    matches!(u32::from(character),
        0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x3005..=0x3007 | 0x3040..=0x30ff
        | 0x31f0..=0x31ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xa960..=0xa97f
        | 0xac00..=0xd7ff | 0xf900..=0xfaff | 0xff66..=0xff9f | 0x2_0000..=0x3_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_literal_and_the_last_one_may_grow() {
        let check = |text: &str, expression: &str| {
            assert_eq!(Query::new(text).every_word().unwrap_or_default(), expression, "{text}");
        };
        check("", "");
        check("  ", "");
        check("tea", r#"("tea" OR "tea"*)"#);
        check("green tea", r#""green" AND ("tea" OR "tea"*)"#);
        check("tea tea", r#"("tea" OR "tea"*)"#);
        check(r#"drinks "green tea""#, r#""drinks" AND "green tea""#);
        check(r#""green tea"#, r#""green tea""#);
        check("te", r#""te""#);
        check("NOT a* -b NEAR(c)", r#""NOT" AND "a*" AND "-b" AND ("NEAR(c)" OR "NEAR(c)"*)"#);
        check("🚀 ***", "");
        check("go 🚀", r#""go""#);
        check("東京", "\"東\u{200b}京\"");
        check("a\0b\nc", r#""a" AND "b" AND "c""#);
    }

    #[test]
    fn one_word_has_no_weaker_form() {
        assert!(Query::new("tea 🚀").single_words().is_empty());
        assert_eq!(Query::new("a b").single_words(), [r#""a""#, r#""b""#]);
    }

    #[test]
    fn a_book_as_a_query_stays_bounded() {
        let book: String = (0..10_000).map(|n| format!("w{n} ")).collect();
        assert_eq!(Query::new(&book).parts().len(), MAX_WORDS);
    }

    #[test]
    fn seams_come_off_again() {
        for text in ["東京とTokyo 2026", "กินข้าว", "plain", "", "서울에서 만나요"]
        {
            assert_eq!(unseamed(&seamed(text)), text);
        }
        assert_eq!(seamed("ab"), "ab");
        assert_eq!(seamed("a東b"), "a\u{200b}東\u{200b}b");
    }
}
