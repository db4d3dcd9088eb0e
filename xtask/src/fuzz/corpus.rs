//! The inputs that are kept: one file a target, one input a line, with all but plain ASCII escaped.

use std::fmt::Write as _;

/// The inputs that the text of a file holds.
///
/// # Errors
/// The number of the first line that cannot be read.
pub(crate) fn read(text: &str) -> Result<Vec<Vec<u8>>, usize> {
    text.lines().enumerate().map(|(at, line)| input(line).ok_or(at + 1)).collect()
}

/// The text of a file that holds these inputs, in order and each once.
pub(crate) fn write(inputs: &[Vec<u8>]) -> String {
    let mut sorted: Vec<_> = inputs.iter().collect();
    sorted.sort();
    sorted.dedup();
    let mut text = String::new();
    for input in sorted {
        for byte in input {
            match byte {
                b'\\' => text.push_str("\\\\"),
                b' '..=b'~' => text.push(char::from(*byte)),
                // Writing to a string cannot fail.
                _ => drop(write!(text, "\\x{byte:02x}")),
            }
        }
        text.push('\n');
    }
    text
}

fn input(line: &str) -> Option<Vec<u8>> {
    let mut bytes = line.bytes();
    let mut input = Vec::with_capacity(line.len());
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            input.push(byte);
            continue;
        }
        match bytes.next()? {
            b'\\' => input.push(b'\\'),
            b'x' => {
                let digits = [bytes.next()?, bytes.next()?];
                let digits = str::from_utf8(&digits).ok()?;
                input.push(u8::from_str_radix(digits, 16).ok()?);
            }
            _ => return None,
        }
    }
    Some(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_kept_on_one_line() {
        let all: Vec<u8> = (0..=255).collect();
        let inputs = vec![b"a \\x61".to_vec(), all, Vec::new()];
        let text = write(&inputs);
        assert_eq!(text.lines().count(), 3);
        assert!(text.is_ascii());
        let mut sorted = inputs;
        sorted.sort();
        assert_eq!(read(&text), Ok(sorted));
        assert_eq!(read("fine\n\\q\n"), Err(2));
    }
}
