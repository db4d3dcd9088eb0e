//! Cuts what was read into lines, within a bound.

/// How much is read at once.
const READ: usize = 64 * 1024;

/// What the input holds next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A whole line without its end.
    Text(String),
    /// A line that is not UTF-8.
    NotUtf8,
    /// A line beyond the bound, told once when the bound is passed; the rest of it is skipped.
    TooLong,
}

/// Bytes that were read and not yet cut into lines.
#[derive(Debug)]
pub(super) struct Lines {
    bytes: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// Up to where there is no line end.
    searched: usize,
    skipping: bool,
    limit: usize,
}

impl Lines {
    pub(super) fn new(limit: usize) -> Self {
        Self { bytes: Vec::new(), start: 0, searched: 0, skipping: false, limit }
    }

    /// Where to read into; what was cut already is dropped first.
    pub(super) fn buffer(&mut self) -> &mut Vec<u8> {
        if self.start > 0 {
            self.bytes.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
        }
        self.bytes.reserve(READ);
        &mut self.bytes
    }

    /// The next whole line; lines of white space are passed over.
    pub(super) fn next(&mut self) -> Option<Line> {
        loop {
            let rest = self.bytes.get(self.searched..).unwrap_or_default();
            let Some(end) = rest.iter().position(|byte| *byte == b'\n') else {
                self.searched = self.bytes.len();
                return self.overlong();
            };
            let end = self.searched + end;
            let line = self.bytes.get(self.start..end).unwrap_or_default();
            let skipped = std::mem::take(&mut self.skipping);
            let too_long = line.len() > self.limit;
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let blank = line.iter().all(u8::is_ascii_whitespace);
            let text = (!skipped && !blank && !too_long).then(|| str::from_utf8(line));
            let text = text.map(|text| text.map(ToOwned::to_owned));
            self.start = end + 1;
            self.searched = self.start;
            match text {
                Some(Ok(text)) => return Some(Line::Text(text)),
                Some(Err(_)) => return Some(Line::NotUtf8),
                None if too_long && !skipped => return Some(Line::TooLong),
                None => {}
            }
        }
    }

    /// What is left at the end of the input: a last line without an end is a line.
    pub(super) fn last(&mut self) -> Option<Line> {
        if self.start == self.bytes.len() {
            return None;
        }
        self.bytes.push(b'\n');
        self.next()
    }

    /// A line that has no end yet and is too long already: its bytes are dropped.
    fn overlong(&mut self) -> Option<Line> {
        if self.skipping || self.bytes.len() - self.start > self.limit {
            self.bytes.clear();
            self.start = 0;
            self.searched = 0;
            return (!std::mem::replace(&mut self.skipping, true)).then_some(Line::TooLong);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(limit: usize, pieces: &[&[u8]]) -> Vec<Line> {
        let mut lines = Lines::new(limit);
        let mut found = Vec::new();
        for piece in pieces {
            lines.buffer().extend_from_slice(piece);
            found.extend(std::iter::from_fn(|| lines.next()));
        }
        found.extend(lines.last());
        found
    }

    fn text(text: &str) -> Line {
        Line::Text(text.to_owned())
    }

    #[test]
    fn lines_come_whole_however_they_were_cut() {
        let pieces: [&[u8]; 4] = [b"{\"a\"", b":1}\r\n\n  \n{", b"}\n", b"[]"];
        assert_eq!(cut(100, &pieces), [text("{\"a\":1}"), text("{}"), text("[]")]);
    }

    #[test]
    fn a_line_beyond_the_bound_is_told_once_and_skipped() {
        let pieces: [&[u8]; 4] = [b"0123456789", b"0123456789", b"9\nok\n", b"0123456789\nok\n"];
        let found = cut(8, &pieces);
        assert_eq!(found, [Line::TooLong, text("ok"), Line::TooLong, text("ok")]);
    }

    #[test]
    fn a_line_that_is_not_utf_8_ends_nothing() {
        assert_eq!(cut(100, &[b"\xff\nok\n"]), [Line::NotUtf8, text("ok")]);
    }
}
