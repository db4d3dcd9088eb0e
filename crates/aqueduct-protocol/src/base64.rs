//! Base64 as the protocol uses it: the standard alphabet, padded, one spelling for each value.

use std::fmt;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// What stands for no digit in [`DIGITS`]; its high bits survive being combined with others.
const NONE: u8 = 0xFF;

const DIGITS: [u8; 256] = {
    let mut digits = [NONE; 256];
    let mut rest: &[u8] = ALPHABET;
    let mut value = 0;
    while let Some((byte, tail)) = rest.split_first() {
        let (_, from) = digits.split_at_mut(*byte as usize);
        if let Some(place) = from.first_mut() {
            *place = value;
        }
        value += 1;
        rest = tail;
    }
    digits
};

/// A text that is not strict Base64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidBase64(());

impl fmt::Display for InvalidBase64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not standard Base64 with padding")
    }
}

impl std::error::Error for InvalidBase64 {}

/// Encodes bytes.
///
/// ```
/// assert_eq!(aqueduct_protocol::base64::encode(b"echo"), "ZWNobw==");
/// ```
#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    let mut text = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    let (groups, rest) = bytes.as_chunks::<3>();
    for group in groups {
        text.extend_from_slice(&digits_of(*group));
    }
    match *rest {
        [a] => {
            let [a, b, ..] = digits_of([a, 0, 0]);
            text.extend_from_slice(&[a, b, b'=', b'=']);
        }
        [a, b] => {
            let [a, b, c, _] = digits_of([a, b, 0]);
            text.extend_from_slice(&[a, b, c, b'=']);
        }
        _ => {}
    }
    // The alphabet is ASCII, so there is nothing that the check could find.
    String::from_utf8(text).unwrap_or_default()
}

fn digits_of([a, b, c]: [u8; 3]) -> [u8; 4] {
    [a >> 2, (a << 4) | (b >> 4), (b << 2) | (c >> 6), c]
        .map(|bits| ALPHABET.get(usize::from(bits & 63)).copied().unwrap_or(b'='))
}

/// Decodes a text strictly: no other alphabet, no missing or extra padding, no whitespace, and no
/// set bits after the last byte.
///
/// # Errors
///
/// When the text is anything else.
///
/// ```
/// use aqueduct_protocol::base64::decode;
///
/// assert_eq!(decode("ZWNobw==")?, b"echo");
/// assert!(decode("ZWNobw").is_err() && decode("ZWNobx==").is_err());
/// # Ok::<(), aqueduct_protocol::base64::InvalidBase64>(())
/// ```
pub fn decode(text: &str) -> Result<Vec<u8>, InvalidBase64> {
    let Some(last) = text.len().checked_sub(4) else {
        return if text.is_empty() { Ok(Vec::new()) } else { Err(InvalidBase64(())) };
    };
    let (whole, tail) = text.as_bytes().split_at_checked(last).ok_or(InvalidBase64(()))?;
    let (quads, rest) = whole.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(InvalidBase64(()));
    }
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let mut seen = 0;
    for quad in quads {
        let digits = quad.map(digit);
        seen |= digits.iter().fold(0, |all, digit| all | digit);
        bytes.extend_from_slice(&joined(digits));
    }
    // A digit is below 64 and `NONE` is not, so one look at the end covers every digit.
    if seen >= 64 {
        return Err(InvalidBase64(()));
    }
    let (digits, count) = match *tail {
        [a, b, b'=', b'='] => ([digit(a), digit(b), 0, 0], 1),
        [a, b, c, b'='] => ([digit(a), digit(b), digit(c), 0], 2),
        [a, b, c, d] => ([digit(a), digit(b), digit(c), digit(d)], 3),
        _ => return Err(InvalidBase64(())),
    };
    let last = joined(digits);
    let (kept, spare) = last.split_at_checked(count).ok_or(InvalidBase64(()))?;
    if digits.iter().any(|digit| *digit >= 64) || spare.iter().any(|byte| *byte != 0) {
        return Err(InvalidBase64(()));
    }
    bytes.extend_from_slice(kept);
    Ok(bytes)
}

fn digit(byte: u8) -> u8 {
    DIGITS.get(usize::from(byte)).copied().unwrap_or(NONE)
}

fn joined([a, b, c, d]: [u8; 4]) -> [u8; 3] {
    [(a << 2) | (b >> 4), (b << 4) | (c >> 2), (c << 6) | d]
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn the_vectors_of_rfc_4648_go_both_ways() {
        for (plain, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(plain.as_bytes()), text);
            assert_eq!(decode(text).unwrap(), plain.as_bytes());
        }
    }

    #[test]
    fn every_byte_survives() {
        let bytes: Vec<u8> = (0..=255).chain((0..=255).rev()).collect();
        for len in 0..bytes.len() {
            assert_eq!(decode(&encode(&bytes[..len])).unwrap(), &bytes[..len]);
        }
    }

    #[test]
    fn anything_but_the_one_spelling_is_refused() {
        for text in [
            "Z",
            "Zg",
            "Zg=",
            "Zg===",
            "Zh==",
            "Zm9=",
            "====",
            "=",
            "Zg==Zg==",
            "Zg==\n",
            " Zg==",
            "SGVs!!!bG8=",
            "SGVsbG8",
            "Zm-_",
            "Zm9v=",
            "é===",
            "Zéz=",
        ] {
            assert!(decode(text).is_err(), "{text}");
        }
    }
}
