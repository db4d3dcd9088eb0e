//! Percent-encoding, read once and written once: nothing else in the crate decodes an escape.

use std::fmt::Write as _;

use super::error::{UriError, UriFault};

/// What [`Decoded::bare`] says of a byte that delimits nothing: one beyond ASCII, or a reserved
/// character that stood as an escape.
const HIDDEN: u8 = 0x80;

/// A URI or a literal after its only decoding.
///
/// `bare` tells the delimiters from the characters that look like them, so that `%2F` is never
/// taken for the `/` between two segments, while `%7E` and `~`, `%c3` and `%C3`, a bare `é` and an
/// escaped one are the same
/// ([RFC 3986, 6.2.2](https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2)).
#[derive(Debug, Clone, Default)]
pub(super) struct Decoded {
    text: String,
    bare: Vec<u8>,
}

impl Decoded {
    pub(super) fn new(uri: &str) -> Result<Self, UriError> {
        Self::from_units(Units::new(uri))
    }

    /// Decodes what `units` has left.
    pub(super) fn from_units(units: Units<'_>) -> Result<Self, UriError> {
        let rest = units.bytes.len().saturating_sub(units.at);
        let (mut bytes, mut bare) = (Vec::with_capacity(rest), Vec::with_capacity(rest));
        for unit in units.clone() {
            let unit = unit?;
            bytes.push(unit.byte);
            bare.push(unit.bare);
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let mut again = units;
            for _ in 0..error.utf8_error().valid_up_to() {
                again.next();
            }
            UriFault::NotUtf8 { at: again.at }
        })?;
        Ok(Self { text, bare })
    }

    pub(super) fn len(&self) -> usize {
        self.bare.len()
    }

    pub(super) fn text(&self, from: usize, to: usize) -> Option<&str> {
        self.text.get(from..to)
    }

    pub(super) fn units(&self) -> impl Iterator<Item = Unit> + '_ {
        self.text.bytes().zip(&self.bare).map(|(byte, &bare)| Unit { byte, bare })
    }

    /// The bytes that may be delimiters, each in its place; the others are none of ASCII.
    pub(super) fn bare(&self) -> &[u8] {
        &self.bare
    }

    pub(super) fn is_bare(&self, at: usize, delimiter: u8) -> bool {
        self.bare.get(at) == Some(&delimiter)
    }

    pub(super) fn has_at(&self, at: usize, literal: &Self) -> bool {
        let end = at.saturating_add(literal.len());
        self.text.as_bytes().get(at..end) == Some(literal.text.as_bytes())
            && self.bare.get(at..end) == Some(literal.bare.as_slice())
    }

    /// Where the first `delimiter` of `from..to` stands.
    pub(super) fn find(&self, from: usize, to: usize, delimiter: u8) -> Option<usize> {
        let at = self.bare.get(from..to)?.iter().position(|&bare| bare == delimiter)?;
        Some(from + at)
    }

    /// The ranges of `from..to` between the `delimiter`s.
    pub(super) fn split(
        &self,
        from: usize,
        to: usize,
        delimiter: u8,
    ) -> impl Iterator<Item = (usize, usize)> + '_ {
        let mut rest = Some(from);
        std::iter::from_fn(move || {
            let start = rest?;
            let found = self.find(start, to, delimiter);
            rest = found.map(|at| at + 1);
            Some((start, found.unwrap_or(to)))
        })
    }
}

/// One byte of a URI after decoding, and what it delimits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit {
    byte: u8,
    bare: u8,
}

/// The units of a URI, decoded one at a time.
#[derive(Debug, Clone)]
pub(super) struct Units<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Units<'a> {
    pub(super) const fn new(uri: &'a str) -> Self {
        Self { bytes: uri.as_bytes(), at: 0 }
    }
}

impl Iterator for Units<'_> {
    type Item = Result<Unit, UriError>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.at;
        let byte = *self.bytes.get(at)?;
        let fault = match byte {
            b'%' => {
                let Some(byte) = self.bytes.get(at..).and_then(escaped_byte) else {
                    return Some(Err(UriFault::Escape { at }.into()));
                };
                self.at += 3;
                let hidden = !byte.is_ascii() || is_reserved(byte) || byte == b'%';
                return Some(Ok(Unit { byte, bare: if hidden { HIDDEN } else { byte } }));
            }
            b'{' | b'}' => UriFault::Brace { at },
            _ if byte.is_ascii_control() => UriFault::Control { at },
            _ => {
                self.at += 1;
                let bare = if byte.is_ascii() { byte } else { HIDDEN };
                return Some(Ok(Unit { byte, bare }));
            }
        };
        Some(Err(fault.into()))
    }
}

/// The byte that the escape at the head of `bytes` stands for, if there is one.
pub(super) fn escaped_byte(bytes: &[u8]) -> Option<u8> {
    hex_pair(bytes.strip_prefix(b"%")?.get(..2)?)
}

/// Whether an escape stands at the head of `bytes`.
pub(super) fn is_escape(bytes: &[u8]) -> bool {
    escaped_byte(bytes).is_some()
}

fn hex_pair(digits: &[u8]) -> Option<u8> {
    let &[high, low] = digits else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|d| u8::try_from(d).ok());
    Some(digit(high)? << 4 | digit(low)?)
}

const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// `gen-delims` and `sub-delims` of RFC 3986.
const fn is_reserved(byte: u8) -> bool {
    matches!(byte, b':' | b'/' | b'?' | b'#' | b'[' | b']' | b'@')
        || matches!(byte, b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',')
        || matches!(byte, b';' | b'=')
}

/// Appends `text` with everything but unreserved characters escaped.
pub(super) fn encode(out: &mut String, text: &str) {
    for byte in text.bytes() {
        push(out, byte, is_unreserved(byte));
    }
}

/// Appends `text` with reserved characters and whole escapes as they are.
pub(super) fn encode_reserved(out: &mut String, text: &str) {
    let bytes = text.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        let whole_escape = byte == b'%' && bytes.get(at..).is_some_and(is_escape);
        push(out, byte, is_unreserved(byte) || is_reserved(byte) || whole_escape);
    }
}

fn push(out: &mut String, byte: u8, as_is: bool) {
    if as_is {
        out.push(char::from(byte));
        return;
    }
    // Writing to a string cannot fail.
    let _ = write!(out, "%{byte:02X}");
}
