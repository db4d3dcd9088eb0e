//! The pass: RFC 8259 from the first byte to the last, without recursion.

use std::borrow::Cow;

use super::known::{Place, Slot};
use super::names::{Mark, Name, Names};
use super::number::number;
use super::stack::Stack;
use super::text::{is_plain, quote, unescape, walk};
use super::{Limits, Span};

/// What the pass found out about a text that is JSON.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) slots: [Span; Slot::COUNT],
    /// The first thing that is JSON and yet refused.
    pub(super) refusal: Option<Cow<'static, str>>,
    /// Whether the message names its id twice, so that there is no telling which it is.
    pub(super) two_ids: bool,
}

impl Found {
    pub(super) fn span(&self, slot: Slot) -> Span {
        self.slots.get(slot.index()).copied().unwrap_or_default()
    }

    #[cold]
    fn refuse(&mut self, why: impl Into<Cow<'static, str>>) {
        self.refusal.get_or_insert_with(|| why.into());
    }

    #[cold]
    fn refuse_twice(&mut self, place: Place, said: &str) {
        self.two_ids |= place == Place::Root && said == "id";
        self.refuse(format!("duplicate member {:?}", clipped(said)));
    }

    #[cold]
    fn refuse_near(&mut self, said: &str) -> Slot {
        self.refuse(format!("member {:?} differs in case only", clipped(said)));
        Slot::NONE
    }
}

/// Why the pass ended before the text did.
#[derive(Debug)]
pub(super) enum Failure {
    /// What is wrong, at the byte where the pass stood.
    NotJson { what: &'static str, at: usize },
    /// Which limit.
    Limit(String),
}

/// The pass has ended; why is in [`Scanner::failure`], so that a step that goes well returns in
/// registers.
#[derive(Debug)]
struct Stop;

/// What the pass is inside of.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Outside,
    Array,
    Object(Place),
}

/// An object or array that is open.
#[derive(Clone, Copy, Debug)]
struct Open {
    start: usize,
    names: Mark,
    members: u32,
    slot: Slot,
    shape: Shape,
}

#[derive(Debug)]
pub(super) struct Scanner<'t> {
    text: &'t str,
    at: usize,
    limits: &'t Limits,
    /// No string of the text holds an escape or a byte that it may not hold.
    is_plain: bool,
    nodes: u32,
    inner: Open,
    outer: Stack<Open, 12>,
    names: Names<'t>,
    pub(super) failure: Option<Failure>,
    pub(super) found: Found,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str, limits: &'t Limits) -> Self {
        let inner = Open {
            start: 0,
            names: Mark::default(),
            members: 0,
            slot: Slot::NONE,
            shape: Shape::Outside,
        };
        let found = Found { slots: [Span::ABSENT; Slot::COUNT], refusal: None, two_ids: false };
        Self {
            text,
            at: 0,
            limits,
            is_plain: is_plain(text.as_bytes()),
            nodes: 0,
            inner,
            outer: Stack::new(inner),
            names: Names::new(),
            failure: None,
            found,
        }
    }

    /// Reads the whole text, or as far as it goes: then `failure` says why.
    pub(super) fn run(&mut self) {
        let ended = self.steps();
        debug_assert_eq!(ended.is_err(), self.failure.is_some(), "a stop without a reason");
    }

    fn steps(&mut self) -> Result<(), Stop> {
        if self.text.starts_with('\u{feff}') {
            return Err(self.syntax("byte order mark"));
        }
        let mut slot = Slot::NONE;
        loop {
            self.skip_space();
            let is_open = self.value(slot)?;
            if !is_open && self.follow()? {
                return Ok(());
            }
            slot = match self.inner.shape {
                Shape::Object(place) => {
                    self.skip_space();
                    self.name(place)?
                }
                Shape::Array | Shape::Outside => Slot::NONE,
            };
        }
    }

    /// Reads one value; of one that has something inside only the opening, and returns whether it
    /// did that.
    #[inline]
    fn value(&mut self, slot: Slot) -> Result<bool, Stop> {
        self.nodes += 1;
        if self.nodes > self.limits.nodes {
            return Err(self.limit("more than", self.limits.nodes, "values"));
        }
        let start = self.at;
        match self.peek() {
            Some(b'"') => {
                self.string()?;
            }
            Some(b'{') => return self.open(slot, true),
            Some(b'[') => return self.open(slot, false),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.literal(b"true")?,
            Some(b'f') => self.literal(b"false")?,
            Some(b'n') => self.literal(b"null")?,
            _ => return Err(self.syntax("expected a value")),
        }
        self.record(slot, start);
        Ok(false)
    }

    /// Reads what follows a value: closing brackets, and then a comma, or the end of the text;
    /// returns whether it was the end.
    #[inline]
    fn follow(&mut self) -> Result<bool, Stop> {
        loop {
            self.skip_space();
            match (self.peek(), self.inner.shape) {
                (Some(b','), Shape::Object(_) | Shape::Array) => {
                    self.at += 1;
                    return Ok(false);
                }
                (Some(b'}'), Shape::Object(_)) | (Some(b']'), Shape::Array) => self.close(),
                (None, Shape::Outside) => return Ok(true),
                (_, Shape::Outside) => return Err(self.syntax("text after the message")),
                (_, Shape::Object(_)) => return Err(self.syntax("expected `,` or `}`")),
                (_, Shape::Array) => return Err(self.syntax("expected `,` or `]`")),
            }
        }
    }

    /// Reads an opening bracket, and the closing one when nothing stands between.
    #[inline]
    fn open(&mut self, slot: Slot, is_object: bool) -> Result<bool, Stop> {
        // What lies outside of everything is on the stack too, and no level.
        if self.outer.len() >= usize::from(self.limits.depth) {
            return Err(self.limit("nested deeper than", self.limits.depth.into(), "levels"));
        }
        let place = if self.outer.len() == 0 { Place::Root } else { slot.place() };
        let shape = if is_object { Shape::Object(place) } else { Shape::Array };
        self.outer.push(self.inner);
        self.inner = Open { start: self.at, names: self.names.open(), members: 0, slot, shape };
        self.at += 1;
        self.skip_space();
        let is_empty = matches!((self.peek(), is_object), (Some(b'}'), true) | (Some(b']'), false));
        if is_empty {
            self.close();
        }
        Ok(!is_empty)
    }

    fn close(&mut self) {
        self.at += 1;
        let Open { start, names, slot, .. } = self.inner;
        self.names.close(names);
        self.record(slot, start);
        if let Some(outer) = self.outer.pop() {
            self.inner = outer;
        }
    }

    /// Reads a member's name and colon; returns the slot of its value.
    #[inline]
    fn name(&mut self, place: Place) -> Result<Slot, Stop> {
        let start = self.at + 1;
        if self.peek() != Some(b'"') {
            return Err(self.syntax("expected a member name"));
        }
        let escaped = self.string()?;
        let end = self.at - 1;
        self.skip_space();
        if self.peek() != Some(b':') {
            return Err(self.syntax("expected `:`"));
        }
        self.at += 1;
        self.inner.members += 1;
        if self.inner.members > self.limits.members {
            return Err(self.limit("an object of more than", self.limits.members, "members"));
        }
        let raw = self.text.get(start..end).unwrap_or("");
        if escaped {
            let said = unescape(raw);
            return Ok(self.member(place, Name::new(start, end - start, true), &said));
        }
        Ok(self.member(place, Name::new(start, end - start, false), raw))
    }

    /// The slot of a member, which is refused when its object has it already.
    #[inline]
    fn member(&mut self, place: Place, name: Name, said: &str) -> Slot {
        let slot = Slot::find(place, said);
        // A member with a slot is there already when the slot is taken; others are listed.
        let is_new = match slot {
            Some(slot) if slot != Slot::NONE => self.found.span(slot).is_absent(),
            _ => self.names.add(self.text, &mut self.inner.names, name, said),
        };
        if !is_new {
            self.found.refuse_twice(place, said);
        }
        slot.unwrap_or_else(|| self.found.refuse_near(said))
    }

    /// Reads a string; returns whether it holds an escape.
    #[inline]
    fn string(&mut self) -> Result<bool, Stop> {
        let start = self.at + 1;
        let bytes = self.text.as_bytes();
        if self.is_plain
            && let Some(end) = quote(bytes, start)
        {
            self.at = end + 1;
            return Ok(false);
        }
        self.walk(start)
    }

    fn walk(&mut self, start: usize) -> Result<bool, Stop> {
        match walk(self.text.as_bytes(), start) {
            Ok(inside) => {
                self.at = inside.end + 1;
                Ok(inside.escaped)
            }
            Err(fault) => {
                self.at = fault.at;
                Err(self.syntax(fault.what))
            }
        }
    }

    fn number(&mut self) -> Result<(), Stop> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let (len, has_exponent) = match number(rest) {
            Ok(good) => good,
            Err(good) => {
                self.at += good;
                return Err(self.syntax("bad number"));
            }
        };
        if len > usize::from(self.limits.number) {
            return Err(self.limit("a number longer than", self.limits.number.into(), "bytes"));
        }
        let start = self.at;
        self.at += len;
        // Without an exponent the limit on its length keeps a number finite, unless it was raised.
        if has_exponent || len > 300 {
            let value = self.text.get(start..self.at).and_then(|raw| raw.parse::<f64>().ok());
            if !value.is_some_and(f64::is_finite) {
                self.found.refuse("number out of range");
            }
        }
        Ok(())
    }

    fn literal(&mut self, word: &[u8]) -> Result<(), Stop> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        if !rest.starts_with(word) {
            return Err(self.syntax("expected a value"));
        }
        self.at += word.len();
        Ok(())
    }

    fn record(&mut self, slot: Slot, start: usize) {
        if let Some(place) = self.found.slots.get_mut(slot.index()) {
            // `decode` has refused texts that 32 bits cannot count.
            *place = Span::new(start as u32, (self.at - start) as u32);
        }
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    #[cold]
    fn syntax(&mut self, what: &'static str) -> Stop {
        self.failure = Some(Failure::NotJson { what, at: self.at });
        Stop
    }

    #[cold]
    fn limit(&mut self, what: &str, count: u32, unit: &str) -> Stop {
        self.failure = Some(Failure::Limit(format!("{what} {count} {unit}")));
        Stop
    }
}

/// Enough of a peer's name to find it again.
fn clipped(name: &str) -> &str {
    let end = name.char_indices().nth(64).map_or(name.len(), |(at, _)| at);
    name.get(..end).unwrap_or("")
}
