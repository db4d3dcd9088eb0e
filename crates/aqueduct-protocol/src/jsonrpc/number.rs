//! The grammar of a JSON number.

/// The length of the number that `bytes` begins with and whether it has an exponent, or how far
/// it went well.
pub(super) fn number(bytes: &[u8]) -> Result<(usize, bool), usize> {
    let mut at = usize::from(bytes.first() == Some(&b'-'));
    at += match bytes.get(at) {
        Some(b'0') => 1,
        Some(b'1'..=b'9') => digits(bytes, at),
        _ => return Err(at),
    };
    if bytes.get(at) == Some(&b'.') {
        at = some_digits(bytes, at + 1)?;
    }
    let exponent = matches!(bytes.get(at), Some(b'e' | b'E'));
    if exponent {
        at += 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        at = some_digits(bytes, at)?;
    }
    Ok((at, exponent))
}

fn some_digits(bytes: &[u8], at: usize) -> Result<usize, usize> {
    match digits(bytes, at) {
        0 => Err(at),
        count => Ok(at + count),
    }
}

fn digits(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count()
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn the_grammar_of_rfc_8259_is_kept() {
        for good in ["0", "-0", "1", "-12", "0.5", "1.25e3", "9E-2", "10e+10", "0e0"] {
            assert_eq!(number(good.as_bytes()).map(|n| n.0), Ok(good.len()), "{good}");
        }
        for bad in ["", "-", "+1", ".5", "1.", "1.e1", "1e", "1e+", "-a", "Infinity"] {
            assert!(number(bad.as_bytes()).is_err(), "{bad}");
        }
        // The scanner then trips over the second digit.
        assert_eq!(number(b"01"), Ok((1, false)));
    }
}
