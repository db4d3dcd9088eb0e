//! Watches where messages begin and end in a stream of bytes, to refuse what could be read in two
//! ways.
//!
//! hyper takes two equal `Content-Length` headers, takes `Transfer-Encoding` beside
//! `Content-Length`, takes lines that end without CR, and hands none of this on.
//! Each is a way to make a proxy and the server behind it disagree on where a request ends.
//! This looks at the same bytes beside hyper and says nothing but "ambiguous"; it never decides
//! what a message is, so a mistake here refuses a request and lets none through.

use memchr::memchr;

/// How much of a line is kept; the only lines that are read are shorter.
const LINE: usize = 128;

/// Where in the stream the next byte lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Before a message; empty lines are skipped here (RFC 9112, section 2.2).
    Start,
    /// Among the header lines.
    Head,
    /// So many bytes before the end of a body.
    Body(u64),
    /// In the line that says how long a chunk is.
    Size,
    /// So many bytes before the end of a chunk, with the line end behind it.
    Chunk(u64),
    /// Behind the last chunk.
    Trailer,
    /// It is not known any more what the bytes are.
    Lost,
}

/// How the message says how long its body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    Unsaid,
    Known(u64),
    Chunked,
}

/// What is wrong with the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// They could be read in more than one way.
    Ambiguous,
    /// A head has more fields than it may have.
    TooManyFields,
}

/// The place in the stream, and what of an unfinished line came before.
#[derive(Debug)]
pub(super) struct Framing {
    place: Place,
    length: Length,
    line: Vec<u8>,
    fields: usize,
    most_fields: usize,
    ended: u32,
}

impl Framing {
    pub(super) fn new(most_fields: usize) -> Self {
        Self {
            place: Place::Start,
            length: Length::Unsaid,
            line: Vec::new(),
            fields: 0,
            most_fields,
            ended: 0,
        }
    }

    /// Has a head begun that is not over? Of a stream that is lost that must be assumed.
    pub(super) fn is_in_head(&self) -> bool {
        matches!(self.place, Place::Head | Place::Lost)
            || (self.place == Place::Start && !self.line.is_empty())
    }

    /// Does the stream stand between two messages?
    pub(super) fn is_between(&self) -> bool {
        self.place == Place::Start && self.line.is_empty()
    }

    /// How many messages have come whole.
    pub(super) fn ended(&self) -> u32 {
        self.ended
    }

    /// Takes the next bytes of the stream.
    pub(super) fn feed(&mut self, mut bytes: &[u8]) -> Result<(), Flaw> {
        while !bytes.is_empty() {
            match self.place {
                Place::Lost => return Ok(()),
                Place::Body(left) => {
                    let left = skip(&mut bytes, left);
                    self.place = Place::Body(left);
                    if left == 0 {
                        self.end();
                    }
                }
                Place::Chunk(left) => {
                    let left = skip(&mut bytes, left);
                    self.place = if left == 0 { Place::Size } else { Place::Chunk(left) };
                }
                Place::Start | Place::Head | Place::Size | Place::Trailer => {
                    let step = self.fields(&mut bytes).and_then(|()| self.next_line(&mut bytes));
                    if step.is_err() {
                        self.place = Place::Lost;
                        return step;
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes the fields of a head that are there whole, up to the line that ends it; that is nearly
    /// every byte that is looked at here.
    fn fields(&mut self, bytes: &mut &[u8]) -> Result<(), Flaw> {
        while self.place == Place::Head && self.line.is_empty() {
            let Some((line, rest)) =
                memchr(b'\n', bytes).and_then(|end| bytes.split_at_checked(end))
            else {
                break;
            };
            match line {
                b"\r" => break,
                [field @ .., b'\r'] => self.field(field)?,
                _ => return Err(Flaw::Ambiguous),
            }
            *bytes = rest.get(1..).unwrap_or_default();
        }
        Ok(())
    }

    /// Takes one line, or the piece of one that is there.
    fn next_line(&mut self, bytes: &mut &[u8]) -> Result<(), Flaw> {
        let Some((line, rest)) = memchr(b'\n', bytes).and_then(|end| bytes.split_at_checked(end))
        else {
            self.keep(std::mem::take(bytes));
            return Ok(());
        };
        *bytes = rest.get(1..).unwrap_or_default();
        if self.line.is_empty() {
            let line = line.strip_suffix(b"\r").ok_or(Flaw::Ambiguous)?;
            return self.line(line);
        }
        self.keep(line);
        match std::mem::take(&mut self.line).as_slice() {
            [line @ .., b'\r'] => self.line(line),
            _ => Err(Flaw::Ambiguous),
        }
    }

    /// Keeps a piece of a line; of one that is too long its beginning and its last byte.
    fn keep(&mut self, piece: &[u8]) {
        let room = LINE.saturating_sub(self.line.len());
        self.line.extend_from_slice(piece.get(..room).unwrap_or(piece));
        if piece.len() > room
            && let (Some(kept), Some(last)) = (self.line.last_mut(), piece.last())
        {
            *kept = *last;
        }
    }

    /// Takes a line without its end.
    #[inline]
    fn line(&mut self, line: &[u8]) -> Result<(), Flaw> {
        match self.place {
            Place::Head if !line.is_empty() => return self.field(line),
            Place::Head => match self.length {
                Length::Unsaid | Length::Known(0) => self.end(),
                Length::Known(length) => self.place = Place::Body(length),
                Length::Chunked => self.place = Place::Size,
            },
            Place::Start if line.is_empty() => {}
            Place::Start => {
                self.place = Place::Head;
                self.length = Length::Unsaid;
                self.fields = 0;
            }
            Place::Size => {
                self.place = match chunk_size(line).ok_or(Flaw::Ambiguous)? {
                    0 => Place::Trailer,
                    // The line end behind the chunk belongs to it.
                    size => Place::Chunk(size.checked_add(2).ok_or(Flaw::Ambiguous)?),
                }
            }
            Place::Trailer if line.is_empty() => self.end(),
            Place::Trailer | Place::Body(_) | Place::Chunk(_) | Place::Lost => {}
        }
        Ok(())
    }

    fn field(&mut self, line: &[u8]) -> Result<(), Flaw> {
        self.fields += 1;
        if self.fields > self.most_fields {
            return Err(Flaw::TooManyFields);
        }
        // The first letter tells nearly all fields apart from the two that count.
        if !matches!(line.first(), Some(b'c' | b'C' | b't' | b'T')) {
            return Ok(());
        }
        // hyper refuses a name with a space behind it, and a line that continues the last one.
        let length = if let Some(value) = value_of(line, b"content-length") {
            Length::Known(digits(value.trim_ascii(), 10).ok_or(Flaw::Ambiguous)?)
        } else if let Some(value) = value_of(line, b"transfer-encoding") {
            let chunked = value.trim_ascii().eq_ignore_ascii_case(b"chunked");
            chunked.then_some(Length::Chunked).ok_or(Flaw::Ambiguous)?
        } else {
            return Ok(());
        };
        if self.length != Length::Unsaid {
            return Err(Flaw::Ambiguous);
        }
        self.length = length;
        Ok(())
    }

    fn end(&mut self) {
        self.place = Place::Start;
        self.ended = self.ended.wrapping_add(1);
    }
}

/// The value of a field of this name.
fn value_of<'l>(line: &'l [u8], name: &[u8]) -> Option<&'l [u8]> {
    if line.get(name.len()) != Some(&b':') {
        return None;
    }
    let (found, value) = line.split_at_checked(name.len())?;
    if found.eq_ignore_ascii_case(name) { value.get(1..) } else { None }
}

/// Takes up to `left` bytes away and says how many are left after that.
fn skip(bytes: &mut &[u8], left: u64) -> u64 {
    let here = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
    *bytes = bytes.get(here..).unwrap_or_default();
    left.saturating_sub(u64::try_from(here).unwrap_or(u64::MAX))
}

/// The size in front of a chunk; what stands behind a semicolon means nothing to anybody.
fn chunk_size(line: &[u8]) -> Option<u64> {
    let size = line.split(|byte| *byte == b';').next()?;
    digits(size.trim_ascii_end(), 16)
}

/// A number of nothing but digits.
fn digits(text: &[u8], radix: u32) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0_u64, |number, byte| {
        let digit = char::from(*byte).to_digit(radix)?;
        number.checked_mul(radix.into())?.checked_add(digit.into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHUNKED: &str = "POST / HTTP/1.1\r\nhost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\n\r\n";
    const SIZED: &str = "POST / HTTP/1.1\r\nContent-Length: 5\r\nhost: a\r\n\r\nhe\nlo";
    const BARE: &str = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";

    /// Feeds the text in pieces of every size, which must not matter.
    fn check(text: &str) -> Result<u32, Flaw> {
        let mut results = (1..=text.len()).map(|size| {
            let mut framing = Framing::new(8);
            text.as_bytes().chunks(size).try_for_each(|piece| framing.feed(piece))?;
            assert!(framing.is_between(), "{size}: {framing:?}");
            Ok(framing.ended())
        });
        let first = results.next().unwrap();
        assert!(results.all(|result| result == first), "{text:?}");
        first
    }

    #[test]
    fn messages_are_told_apart_however_they_are_cut() {
        for (text, messages) in [
            (SIZED.to_owned(), 1),
            (CHUNKED.to_owned(), 1),
            (format!("{BARE}{BARE}"), 2),
            (format!("\r\n{SIZED}\r\n\r\n{CHUNKED}{SIZED}"), 3),
            (format!("GET /{} HTTP/1.1\r\nhost: a\r\n\r\n", "x".repeat(LINE * 2)), 1),
            (format!("GET / HTTP/1.1\r\nhost: {}\r\n\r\n", "x".repeat(LINE * 2)), 1),
        ] {
            assert_eq!(check(&text), Ok(messages), "{text:?}");
        }
    }

    #[test]
    fn what_can_be_read_in_two_ways_is_ambiguous() {
        for head in [
            "Content-Length: 5\r\nContent-Length: 5",
            "Content-Length: 5\r\ncontent-length: 6",
            "Content-Length: +5",
            "Content-Length: 5, 5",
            "Content-Length:",
            "Content-Length: 99999999999999999999",
            "Content-Length: 5\r\nTransfer-Encoding: chunked",
            "TRANSFER-ENCODING: chunked\r\nContent-Length: 5",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: gzip, chunked",
            "Transfer-Encoding: identity",
            "host: a\nx: y",
        ] {
            let text = format!("POST / HTTP/1.1\r\n{head}\r\n\r\n");
            let mut framing = Framing::new(8);
            assert_eq!(framing.feed(text.as_bytes()), Err(Flaw::Ambiguous), "{head:?}");
            let mut framing = Framing::new(8);
            let slowly = text.as_bytes().iter().try_for_each(|byte| framing.feed(&[*byte]));
            assert_eq!(slowly, Err(Flaw::Ambiguous), "{head:?}");
        }
    }

    #[test]
    fn a_chunk_whose_size_is_no_number_is_ambiguous() {
        for size in ["", "x", "-1", "fffffffffffffffff", "5\n"] {
            let text = format!("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n{size}\r\n");
            assert_eq!(Framing::new(8).feed(text.as_bytes()), Err(Flaw::Ambiguous), "{size:?}");
        }
    }

    #[test]
    fn a_head_has_so_many_fields_and_the_next_one_as_many() {
        let head = |fields| format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(fields));
        assert_eq!(check(&head(8).repeat(3)), Ok(3));
        let mut framing = Framing::new(8);
        assert_eq!(framing.feed(head(9).as_bytes()), Err(Flaw::TooManyFields));
    }

    #[test]
    fn a_head_that_has_begun_is_known() {
        let mut framing = Framing::new(8);
        assert!(framing.is_between());
        framing.feed(b"\r\n").unwrap();
        assert!(framing.is_between());
        framing.feed(b"P").unwrap();
        assert!(framing.is_in_head());
        framing.feed(b"OST / HTTP/1.1\r\nContent-Length: 1\r\n").unwrap();
        assert!(framing.is_in_head());
        framing.feed(b"\r\n").unwrap();
        assert!(!framing.is_in_head() && !framing.is_between());
        framing.feed(b"x").unwrap();
        assert!(framing.is_between());
    }
}
