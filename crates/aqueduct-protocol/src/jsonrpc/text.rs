//! JSON strings: where they end, what they say, and how long a run needs no escape.

use std::borrow::Cow;

use memchr::memchr;

/// Why a string token is not one, and at which byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) what: &'static str,
    pub(super) at: usize,
}

/// A string token's inside: up to where it goes and whether it holds an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Inside {
    pub(super) end: usize,
    pub(super) escaped: bool,
}

/// Walks the string whose opening quote stands just before `start`.
pub(super) fn walk(bytes: &[u8], start: usize) -> Result<Inside, Fault> {
    let mut at = start;
    let mut escaped = false;
    loop {
        at += plain_run(bytes.get(at..).unwrap_or_default());
        match bytes.get(at) {
            Some(b'"') => return Ok(Inside { end: at, escaped }),
            Some(b'\\') => {
                escaped = true;
                let is_short = |letter: &u8| br#""\/bfnrt"#.contains(letter);
                at += if bytes.get(at + 1).is_some_and(is_short) {
                    2
                } else {
                    let rest = bytes.get(at..).unwrap_or_default();
                    escape(rest).map_err(|what| Fault { what, at })?.1
                };
            }
            Some(_) => return Err(Fault { what: "control character in a string", at }),
            None => return Err(Fault { what: "string without an end", at }),
        }
    }
}

/// What the escape at the head of `bytes` stands for, and its length.
fn escape(bytes: &[u8]) -> Result<(char, usize), &'static str> {
    let plain = match bytes.get(1) {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode(bytes),
        _ => return Err("unknown escape"),
    };
    Ok((plain, 2))
}

/// `\uXXXX`, or two of them where the first is the high half of a pair.
fn unicode(bytes: &[u8]) -> Result<(char, usize), &'static str> {
    const LONE: &str = "lone surrogate";
    let first = hex(bytes, 2)?;
    if let Some(plain) = char::from_u32(first) {
        return Ok((plain, 6));
    }
    if first >= 0xDC00 || bytes.get(6..8) != Some(b"\\u") {
        return Err(LONE);
    }
    let second = hex(bytes, 8)?;
    if !(0xDC00..0xE000).contains(&second) {
        return Err(LONE);
    }
    let code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
    char::from_u32(code).map(|pair| (pair, 12)).ok_or(LONE)
}

fn hex(bytes: &[u8], at: usize) -> Result<u32, &'static str> {
    let digits = bytes.get(at..at + 4).ok_or("short \\u escape")?;
    digits.iter().try_fold(0, |sum, byte| {
        char::from(*byte).to_digit(16).map(|digit| sum * 16 + digit).ok_or("bad \\u escape")
    })
}

/// What a raw JSON string token says; borrowed when it holds no escape.
///
/// `None` when `raw` is not one JSON string from its first to its last byte.
///
/// ```
/// use aqueduct_protocol::jsonrpc::string;
///
/// assert_eq!(string(r#""caf\u00e9""#).as_deref(), Some("café"));
/// assert_eq!(string("7"), None);
/// ```
#[must_use]
pub fn string(raw: &str) -> Option<Cow<'_, str>> {
    let bytes = raw.as_bytes();
    if bytes.first() != Some(&b'"') {
        return None;
    }
    let inside = walk(bytes, 1).ok()?;
    if inside.end + 1 != bytes.len() {
        return None;
    }
    let text = raw.get(1..inside.end)?;
    Some(if inside.escaped { Cow::Owned(unescape(text)) } else { Cow::Borrowed(text) })
}

/// The inside of a string that [`walk`] accepted, with its escapes resolved.
pub(super) fn unescape(inside: &str) -> String {
    let mut said = String::with_capacity(inside.len());
    let mut rest = inside;
    while let Some(at) = rest.find('\\') {
        let Some((plain, tail)) = rest.split_at_checked(at) else { break };
        said.push_str(plain);
        // An escape that `walk` accepted is ASCII and whole, hence neither arm below is met.
        let Ok((decoded, len)) = escape(tail.as_bytes()) else { break };
        said.push(decoded);
        rest = tail.get(len..).unwrap_or("");
    }
    said.push_str(rest);
    said
}

/// Whether no string in `bytes` can hold an escape, or a byte that no string may hold.
pub(super) fn is_plain(bytes: &[u8]) -> bool {
    let is_rare = |byte: &u8| *byte < 0x20 || *byte == b'\\';
    // A fold without a way out is what the compiler turns into vector compares.
    let has_rare = |block: &[u8]| block.iter().fold(false, |any, byte| any | is_rare(byte));
    let (blocks, rest) = bytes.as_chunks::<64>();
    let (small, rest) = rest.as_chunks::<16>();
    !blocks.iter().any(|block| has_rare(block))
        && !small.iter().any(|block| has_rare(block))
        && !rest.iter().any(is_rare)
}

/// Where the next quote stands, at `from` or behind it.
#[inline]
pub(super) fn quote(bytes: &[u8], from: usize) -> Option<usize> {
    const ONES: u64 = u64::MAX / 255;
    let mut at = from;
    // Nearly all names and most texts end within a few words; a call costs more than those.
    for _ in 0..FEW_WORDS {
        let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) else { break };
        let odd = u64::from_le_bytes(*word) ^ (ONES * u64::from(b'"'));
        // The lowest bit that is set lies in the first byte that is zero.
        let hits = odd.wrapping_sub(ONES) & !odd & (ONES * 0x80);
        if hits != 0 {
            return Some(at + (hits.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    memchr(b'"', bytes.get(at..)?).map(|len| at + len)
}

/// How far [`quote`] looks by itself.
const FEW_WORDS: usize = 6;

/// How many bytes at the head need no escape in a JSON string and do not end one.
pub(super) fn plain_run(bytes: &[u8]) -> usize {
    let Some((head, long)) = bytes.split_at_checked(SHORT) else { return words(bytes) };
    let run = words(head);
    if run < SHORT {
        return run;
    }
    let clean = blocks(long);
    SHORT + clean + words(long.get(clean..).unwrap_or_default())
}

/// Names and short texts end within this many bytes, so the wide loop is not worth entering.
const SHORT: usize = 32;

/// Whole blocks without a special byte; the compiler turns the fold into vector compares.
fn blocks(bytes: &[u8]) -> usize {
    const BLOCK: usize = 64;
    let mut rest = bytes;
    while let Some((block, tail)) = rest.split_first_chunk::<BLOCK>() {
        if block.iter().fold(false, |any, byte| any | is_special(*byte)) {
            break;
        }
        rest = tail;
    }
    bytes.len() - rest.len()
}

/// Eight bytes at a time up to the first special one.
fn words(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while let Some((word, tail)) = rest.split_first_chunk::<8>() {
        let hits = specials(u64::from_le_bytes(*word));
        if hits != 0 {
            return bytes.len() - rest.len() + (hits.trailing_zeros() / 8) as usize;
        }
        rest = tail;
    }
    bytes.len() - rest.len() + rest.iter().take_while(|byte| !is_special(**byte)).count()
}

const fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// A word whose lowest set bit lies in the first special byte of `word`.
///
/// A borrow can set bits in later bytes too, which does not matter: only the first is read.
const fn specials(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES * 0x80;
    let quote = word ^ (ONES * b'"' as u64);
    let slash = word ^ (ONES * b'\\' as u64);
    let low = word.wrapping_sub(ONES * 0x20) & !word;
    let quotes = quote.wrapping_sub(ONES) & !quote;
    let slashes = slash.wrapping_sub(ONES) & !slash;
    (low | quotes | slashes) & HIGH
}

#[cfg(test)]
mod tests {
    use super::{plain_run, string};

    #[test]
    fn every_byte_at_every_place_is_judged_as_one_by_one() {
        for byte in 0..=255_u8 {
            let special = byte < 0x20 || byte == b'"' || byte == b'\\';
            for at in 0..200 {
                let mut bytes = vec![b'x'; 200];
                bytes[at] = byte;
                let run = plain_run(&bytes);
                assert_eq!(run, if special { at } else { 200 }, "byte {byte} at {at}");
            }
        }
    }

    #[test]
    fn the_first_of_two_special_bytes_is_found() {
        for first in 0..20 {
            for second in first..40 {
                let mut bytes = vec![b'\x80'; 48];
                bytes[first] = b'"';
                bytes[second] = b'\\';
                let found = plain_run(&bytes);
                assert_eq!(found, first, "{first} {second}");
            }
        }
    }

    #[test]
    fn escapes_say_what_they_stand_for() {
        let check = |raw: &str, said: Option<&str>| assert_eq!(string(raw).as_deref(), said);
        check(r#""""#, Some(""));
        check(r#""a\"b\\c\/d\b\f\n\r\t""#, Some("a\"b\\c/d\u{8}\u{c}\n\r\t"));
        check(r#""\u00e9\ud83c\udf89\u0000x""#, Some("é🎉\0x"));
        check(r#""\uFFFF""#, Some("\u{ffff}"));
        for bad in [
            r#""\ud800""#,
            r#""\udc00""#,
            r#""\ud800\ud800""#,
            r#""\ud800x""#,
            r#""\u12""#,
            r#""\u12g4""#,
            r#""\x""#,
            r#""open"#,
            r#""two"" "#,
            "\"tab\t\"",
            "\"",
            "",
            "7",
            "null",
        ] {
            check(bad, None);
        }
    }
}
