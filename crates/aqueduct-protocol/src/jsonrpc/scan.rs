//! The pass: RFC 8259 from the first byte to the last, without recursion.

use std::borrow::Cow;

use super::known::{Place, Slot};
use super::names::{Mark, Name, Names};
use super::number::number;
use super::stack::Stack;
use super::text::walk;
use super::{Limits, Malformed, Span};

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

    fn refuse(&mut self, why: impl Into<Cow<'static, str>>) {
        self.refusal.get_or_insert_with(|| why.into());
    }
}

/// Why the pass ended before the text did.
#[derive(Debug)]
pub(super) enum Stop {
    NotJson(Malformed),
    Limit(String),
}

/// An object or array that is open.
#[derive(Clone, Copy, Debug)]
struct Open {
    start: usize,
    slot: Slot,
    members: u32,
    /// `None` for an array.
    object: Option<(Place, Mark)>,
}

#[derive(Debug)]
pub(super) struct Scanner<'t> {
    text: &'t str,
    at: usize,
    limits: &'t Limits,
    nodes: u32,
    open: Stack<Open, 12>,
    names: Names<'t>,
    pub(super) found: Found,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str, limits: &'t Limits) -> Self {
        let none = Open { start: 0, slot: Slot::NONE, members: 0, object: None };
        let found = Found { slots: [Span::ABSENT; Slot::COUNT], refusal: None, two_ids: false };
        let names = Names::new();
        Self { text, at: 0, limits, nodes: 0, open: Stack::new(none), names, found }
    }

    /// Reads the whole text.
    pub(super) fn run(&mut self) -> Result<(), Stop> {
        if self.text.starts_with('\u{feff}') {
            return Err(self.syntax("byte order mark"));
        }
        let mut slot = Slot::NONE;
        loop {
            self.skip_space();
            if let Some(first) = self.value(slot)? {
                slot = first;
                continue;
            }
            match self.after_value()? {
                Some(next) => slot = next,
                None => return Ok(()),
            }
        }
    }

    /// Reads one value, or the opening of one that has something inside: then the slot of its
    /// first inner value is returned.
    fn value(&mut self, slot: Slot) -> Result<Option<Slot>, Stop> {
        self.nodes += 1;
        if self.nodes > self.limits.nodes {
            return Err(limit("more than", self.limits.nodes, "values"));
        }
        let start = self.at;
        match self.peek() {
            Some(b'"') => drop(self.string()?),
            Some(b'{') => return self.open(slot, true),
            Some(b'[') => return self.open(slot, false),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.literal("true")?,
            Some(b'f') => self.literal("false")?,
            Some(b'n') => self.literal("null")?,
            _ => return Err(self.syntax("expected a value")),
        }
        self.record(slot, start);
        Ok(None)
    }

    /// Reads what follows a value: a comma and the way to the next value, whose slot is returned,
    /// or closing brackets up to the end of the text.
    fn after_value(&mut self) -> Result<Option<Slot>, Stop> {
        loop {
            self.skip_space();
            let byte = self.peek();
            let Some(inner) = self.open.last_mut() else {
                return match byte {
                    None => Ok(None),
                    Some(_) => Err(self.syntax("text after the message")),
                };
            };
            match (byte, inner.object.is_some()) {
                (Some(b','), true) => {
                    self.at += 1;
                    return self.name().map(Some);
                }
                (Some(b','), false) => {
                    self.at += 1;
                    return Ok(Some(Slot::NONE));
                }
                (Some(b'}'), true) | (Some(b']'), false) => self.close(),
                (_, true) => return Err(self.syntax("expected `,` or `}`")),
                (_, false) => return Err(self.syntax("expected `,` or `]`")),
            }
        }
    }

    fn open(&mut self, slot: Slot, is_object: bool) -> Result<Option<Slot>, Stop> {
        if self.open.len() >= usize::from(self.limits.depth) {
            return Err(limit("nested deeper than", self.limits.depth, "levels"));
        }
        let place = if self.open.len() == 0 { Place::Root } else { slot.place() };
        let object = is_object.then(|| (place, self.names.open()));
        self.open.push(Open { start: self.at, slot, members: 0, object });
        self.at += 1;
        self.skip_space();
        match (self.peek(), is_object) {
            (Some(b'}'), true) | (Some(b']'), false) => {
                self.close();
                Ok(None)
            }
            (_, true) => self.name().map(Some),
            (_, false) => Ok(Some(Slot::NONE)),
        }
    }

    fn close(&mut self) {
        self.at += 1;
        if let Some(closed) = self.open.pop() {
            if let Some((_, mark)) = closed.object {
                self.names.close(mark);
            }
            self.record(closed.slot, closed.start);
        }
    }

    /// Reads a member's name and colon; returns the slot of its value.
    fn name(&mut self) -> Result<Slot, Stop> {
        self.skip_space();
        if self.peek() != Some(b'"') {
            return Err(self.syntax("expected a member name"));
        }
        let name = self.string()?;
        self.skip_space();
        if self.peek() != Some(b':') {
            return Err(self.syntax("expected `:`"));
        }
        self.at += 1;
        let Some(Open { members, object: Some((place, mark)), .. }) = self.open.last_mut() else {
            return Ok(Slot::NONE);
        };
        *members += 1;
        if *members > self.limits.members {
            return Err(limit("an object of more than", self.limits.members, "members"));
        }
        let said = name.said();
        let slot = Slot::find(*place, &said);
        if !self.names.add(mark, name, &said) {
            self.found.two_ids |= *place == Place::Root && said == "id";
            self.found.refuse(format!("duplicate member {:?}", clipped(&said)));
        }
        if slot.is_none() {
            self.found.refuse(format!("member {:?} differs in case only", clipped(&said)));
        }
        Ok(slot.unwrap_or(Slot::NONE))
    }

    fn string(&mut self) -> Result<Name<'t>, Stop> {
        let start = self.at + 1;
        match walk(self.text.as_bytes(), start) {
            Ok(inside) => {
                self.at = inside.end + 1;
                let raw = self.text.get(start..inside.end).unwrap_or("");
                Ok(Name { raw, escaped: inside.escaped })
            }
            Err(fault) => {
                self.at = fault.at;
                Err(self.syntax(fault.what))
            }
        }
    }

    fn number(&mut self) -> Result<(), Stop> {
        let rest = self.text.get(self.at..).unwrap_or("");
        let (len, exponent) = number(rest.as_bytes()).map_err(|good| {
            self.at += good;
            self.syntax("bad number")
        })?;
        if len > usize::from(self.limits.number) {
            return Err(limit("a number longer than", self.limits.number, "bytes"));
        }
        // Without an exponent the limit on its length keeps a number finite, unless it was raised.
        if exponent || len > 300 {
            let value = rest.get(..len).and_then(|raw| raw.parse::<f64>().ok());
            if !value.is_some_and(f64::is_finite) {
                self.found.refuse("number out of range");
            }
        }
        self.at += len;
        Ok(())
    }

    fn literal(&mut self, word: &'static str) -> Result<(), Stop> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        if !rest.starts_with(word.as_bytes()) {
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

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn syntax(&self, what: &str) -> Stop {
        Stop::NotJson(Malformed::parse(format!("not JSON: {what} at byte {}", self.at)))
    }
}

#[cold]
fn limit(what: &str, count: impl Into<u32>, unit: &str) -> Stop {
    Stop::Limit(format!("{what} {} {unit}", count.into()))
}

/// Enough of a peer's name to find it again.
fn clipped(name: &str) -> &str {
    let end = name.char_indices().nth(64).map_or(name.len(), |(at, _)| at);
    name.get(..end).unwrap_or("")
}
