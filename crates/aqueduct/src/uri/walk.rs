//! A URI along the steps of a template: two passes, each linear in the URI, no backtracking.
//!
//! The first pass goes backwards and notes for every byte which steps can be finished from there.
//! The second goes forwards and so never takes a turn that it must take back; where two turns
//! are open, the earlier variable gets the shorter value.

use super::compile::{Guard, MatchVariable, Matcher, Step, Stops};
use super::error::{UriError, UriFault};
use super::percent::{Decoded, Units};
use super::variables::{Entry, Value, Variables};

/// Longer URIs are refused: nothing that a client asks for by name needs them.
const MAX_URI_BYTES: usize = 512 * 1024;

pub(super) fn walk(matcher: &Matcher, uri: &str) -> Result<Option<Variables>, UriError> {
    if uri.len() > MAX_URI_BYTES {
        return Err(UriFault::TooLong { bytes: uri.len(), limit: MAX_URI_BYTES }.into());
    }
    let mut units = Units::new(uri);
    for wanted in matcher.prefix.units() {
        match units.next() {
            Some(Ok(unit)) if unit == wanted => {}
            _ => return Ok(None),
        }
    }
    let uri = Decoded::from_units(units)?;
    let walk = Walk { matcher, uri: &uri, reach: Reach::new(&matcher.steps, &uri) };
    Ok(walk.forwards())
}

/// For each byte the set of steps that can be begun (even bits) or gone on with (odd bits) there,
/// so that the rest of the URI fits the rest of the template.
struct Reach(Vec<u64>);

impl Reach {
    const fn begin(step: usize) -> u64 {
        1 << (step * 2)
    }

    const fn inside(step: usize) -> u64 {
        2 << (step * 2)
    }

    fn new(steps: &[Step], uri: &Decoded) -> Self {
        let mut rows = vec![0; uri.len()];
        rows.push(Self::begin(steps.len()));
        let mut reach = Self(rows);
        for (step, kind) in steps.iter().enumerate().rev() {
            match kind {
                Step::Literal(literal) => reach.literal(step, literal, uri),
                Step::Lead { byte, absent } => reach.lead(step, *byte, *absent, uri),
                Step::Capture { stops, repeat, .. } => reach.capture(step, *stops, *repeat, uri),
                Step::Members { lead, stops, .. } => reach.members(step, *lead, *stops, uri),
            }
        }
        reach
    }

    fn has(&self, at: usize, bit: u64) -> bool {
        self.0.get(at).is_some_and(|row| row & bit != 0)
    }

    fn literal(&mut self, step: usize, literal: &Decoded, uri: &Decoded) {
        for at in 0..self.0.len() {
            if self.has(at + literal.len(), Self::begin(step + 1)) && uri.has_at(at, literal) {
                self.mark(at, Self::begin(step));
            }
        }
    }

    fn mark(&mut self, at: usize, bit: u64) {
        if let Some(row) = self.0.get_mut(at) {
            *row |= bit;
        }
    }

    /// From the end of the URI to its start: each row with the byte there, which is none at the
    /// very end.
    fn backwards<'a>(
        &'a mut self,
        uri: &'a Decoded,
    ) -> impl Iterator<Item = (&'a mut u64, Option<u8>)> {
        let bytes = uri.bare().iter().copied().map(Some);
        self.0.iter_mut().rev().zip(std::iter::once(None).chain(bytes.rev()))
    }

    fn lead(&mut self, step: usize, lead: u8, absent: usize, uri: &Decoded) {
        let mut value_follows = false;
        for (row, byte) in self.backwards(uri) {
            if (byte == Some(lead) && value_follows) || *row & Self::begin(absent) != 0 {
                *row |= Self::begin(step);
            }
            value_follows = *row & Self::begin(step + 1) != 0;
        }
    }

    fn capture(&mut self, step: usize, stops: Stops, repeat: Option<u8>, uri: &Decoded) {
        let (mut begins_after, mut goes_on_after) = (false, false);
        for (row, byte) in self.backwards(uri) {
            let begins = goes_on_after && is_value(byte, stops);
            let repeats = begins_after && byte == repeat;
            let goes_on = begins || repeats || *row & Self::begin(step + 1) != 0;
            *row |= if begins { Self::begin(step) } else { 0 };
            *row |= if goes_on { Self::inside(step) } else { 0 };
            (begins_after, goes_on_after) = (begins, goes_on);
        }
    }

    fn members(&mut self, step: usize, lead: u8, stops: Stops, uri: &Decoded) {
        let mut goes_on_after = false;
        for (row, byte) in self.backwards(uri) {
            let leaves = *row & Self::begin(step + 1) != 0;
            let begins = leaves || (goes_on_after && byte == Some(lead));
            let goes_on = leaves || (goes_on_after && is_value(byte, stops));
            *row |= if begins { Self::begin(step) } else { 0 };
            *row |= if goes_on { Self::inside(step) } else { 0 };
            goes_on_after = goes_on;
        }
    }
}

fn is_value(byte: Option<u8>, stops: Stops) -> bool {
    byte.is_some_and(|byte| !stops.has(byte))
}

struct Walk<'a> {
    matcher: &'a Matcher,
    uri: &'a Decoded,
    reach: Reach,
}

impl Walk<'_> {
    fn forwards(&self) -> Option<Variables> {
        if !self.reach.has(0, Reach::begin(0)) {
            return None;
        }
        let mut values: Vec<Option<Entry>> = vec![None; self.matcher.variables.len()];
        let (mut at, mut step) = (0, 0);
        while let Some(kind) = self.matcher.steps.get(step) {
            let next = Reach::begin(step + 1);
            match kind {
                Step::Literal(literal) => at += literal.len(),
                Step::Lead { byte, absent } => {
                    if !self.uri.is_bare(at, *byte) || !self.reach.has(at + 1, next) {
                        step = *absent;
                        continue;
                    }
                    at += 1;
                }
                Step::Capture { variable, repeat, .. } => {
                    let items = self.capture(step, at, *repeat)?;
                    at = items.last()?.1;
                    self.assign(&mut values, *variable, &items)?;
                }
                Step::Members { lead, separator, stops, first, last } => {
                    if self.uri.is_bare(at, *lead) {
                        let end = self.end_of_members(at + 1, *stops);
                        let members = (at + 1, end);
                        self.members(&mut values, members, *separator, *first..*last)?;
                        at = end;
                    }
                }
            }
            step += 1;
        }
        Some(Variables::from_entries(values.into_iter().flatten().collect()))
    }

    /// The ranges of the values from `at` on: one, or as many as `repeat` separates.
    fn capture(&self, step: usize, at: usize, repeat: Option<u8>) -> Option<Vec<(usize, usize)>> {
        let mut items = Vec::with_capacity(1);
        let mut start = at;
        let mut end = at + 1;
        while end <= self.uri.len() {
            if self.reach.has(end, Reach::begin(step + 1)) {
                items.push((start, end));
                return Some(items);
            }
            if repeat.is_some_and(|byte| self.uri.is_bare(end, byte)) {
                items.push((start, end));
                start = end + 1;
                end = start;
            }
            end += 1;
        }
        None
    }

    fn end_of_members(&self, from: usize, stops: Stops) -> usize {
        let stop = |&byte: &u8| stops.has(byte);
        let rest = self.uri.bare().get(from..).unwrap_or_default();
        from + rest.iter().position(stop).unwrap_or(rest.len())
    }

    /// `name=value` members, in any order; an unknown name, or a second value for a variable that
    /// takes one, is not this template.
    fn members(
        &self,
        values: &mut [Option<Entry>],
        (from, to): (usize, usize),
        separator: u8,
        candidates: std::ops::Range<usize>,
    ) -> Option<()> {
        if from == to {
            return Some(());
        }
        // Most members of a long list have the name of the member before.
        let mut latest = candidates.start;
        for (start, end) in self.uri.split(from, to, separator) {
            let equals = self.uri.find(start, end, b'=');
            let name = self.uri.text(start, equals.unwrap_or(end))?;
            let is_named = |&index: &usize| {
                self.matcher.variables.get(index).is_some_and(|variable| variable.label == name)
            };
            latest = Some(latest).filter(is_named).or_else(|| candidates.clone().find(is_named))?;
            let value = equals.map_or(end, |equals| equals + 1);
            self.assign(values, latest, &[(value, end)])?;
        }
        Some(())
    }

    fn assign(
        &self,
        values: &mut [Option<Entry>],
        index: usize,
        items: &[(usize, usize)],
    ) -> Option<()> {
        let variable = self.matcher.variables.get(index)?;
        let slot = values.get_mut(index)?;
        if variable.exploded {
            let entry = slot.get_or_insert_with(|| Entry {
                name: variable.name.clone(),
                value: Value::List(Vec::with_capacity(items.len())),
                joined: None,
            });
            let Value::List(list) = &mut entry.value else { return None };
            for &range in items {
                list.push(self.value(variable.guard, range)?);
            }
            return Some(());
        }
        let (&[range], None) = (items, &slot) else { return None };
        *slot = Some(self.single(variable, range)?);
        Some(())
    }

    fn single(&self, variable: &MatchVariable, (from, to): (usize, usize)) -> Option<Entry> {
        let name = variable.name.clone();
        let text = self.value(variable.guard, (from, to))?;
        if !variable.commas || self.uri.find(from, to, b',').is_none() {
            return Some(Entry { name, value: Value::Text(text), joined: None });
        }
        let parts = self.uri.split(from, to, b',');
        let list = parts.map(|range| self.value(variable.guard, range)).collect::<Option<_>>()?;
        Some(Entry { name, value: Value::List(list), joined: Some(text) })
    }

    fn value(&self, guard: Guard, (from, to): (usize, usize)) -> Option<String> {
        let text = self.uri.text(from, to)?;
        is_harmless(guard, text).then(|| text.to_owned())
    }
}

/// Whether a decoded value may go to a handler, who will take it for part of a path
/// ([Resources, Security Considerations](https://modelcontextprotocol.io/specification/2026-07-28/server/resources#security-considerations)).
fn is_harmless(guard: Guard, value: &str) -> bool {
    let is_plain = !value.contains(['\0', '\\']);
    let is_step = |segment: &str| matches!(segment, "." | "..");
    match guard {
        Guard::Segment => is_plain && !value.contains('/') && !is_step(value),
        Guard::Path => is_plain && !value.starts_with('/') && !value.split('/').any(is_step),
        Guard::Text => !value.contains('\0'),
    }
}
