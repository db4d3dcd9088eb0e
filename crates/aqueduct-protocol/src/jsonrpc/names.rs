//! Member names of the objects that are open, so that a second one of the same name is noticed.
//!
//! Two readers of a message with a duplicate name may see two different messages, which is how a
//! check is bypassed; hence refused at every level.

use std::borrow::Cow;
use std::collections::HashSet;

use super::stack::Stack;
use super::text::unescape;

/// Up to here names are compared one by one; above, they are hashed with a random key.
const FEW: usize = 16;

/// A name as it stands in the text, between its quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    start: u32,
    len: u32,
    escaped: bool,
}

impl Name {
    /// The name at this place of a text that 32 bits can count.
    pub(super) const fn new(start: usize, len: usize, escaped: bool) -> Self {
        Self { start: start as u32, len: len as u32, escaped }
    }

    fn raw(self, text: &str) -> &str {
        let start = self.start as usize;
        text.get(start..start + self.len as usize).unwrap_or("")
    }

    pub(super) fn said(self, text: &str) -> Cow<'_, str> {
        let raw = self.raw(text);
        if self.escaped { Cow::Owned(unescape(raw)) } else { Cow::Borrowed(raw) }
    }

    /// One bit of 64, the same for the same name; all of them for a name that has to be read to
    /// be known.
    fn bit(self, said: &str) -> u64 {
        if self.escaped {
            return u64::MAX;
        }
        let bytes = said.as_bytes();
        let at = |index: usize| bytes.get(index).copied().unwrap_or_default();
        let (first, middle, last) = (at(0), at(bytes.len() / 2), at(bytes.len().saturating_sub(1)));
        let mixed = u32::from(first) ^ (u32::from(middle) << 1) ^ (u32::from(last) << 3);
        1 << ((mixed ^ self.len) & 63)
    }
}

/// Where the names of one open object are kept.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    /// The bits of its names: a name whose bit is not among them is new.
    bits: u64,
    base: u32,
    hashed: bool,
}

/// The names of all open objects, innermost last.
#[derive(Debug)]
pub(super) struct Names<'t> {
    listed: Stack<Name, 32>,
    hashed: Vec<HashSet<Cow<'t, str>>>,
}

impl<'t> Names<'t> {
    pub(super) const fn new() -> Self {
        Self { listed: Stack::new(Name::new(0, 0, false)), hashed: Vec::new() }
    }

    pub(super) const fn open(&self) -> Mark {
        Mark { bits: 0, base: self.listed.len() as u32, hashed: false }
    }

    #[inline]
    pub(super) fn close(&mut self, mark: Mark) {
        if mark.bits == 0 {
            return;
        }
        self.listed.truncate(mark.base as usize);
        if mark.hashed {
            self.hashed.pop();
        }
    }

    /// Adds a name to the innermost object; `false` when the object has it already.
    #[inline]
    pub(super) fn add(&mut self, text: &'t str, mark: &mut Mark, name: Name, said: &str) -> bool {
        let bit = name.bit(said);
        if mark.hashed || mark.bits & bit != 0 {
            return self.add_slowly(text, mark, name, said);
        }
        mark.bits |= bit;
        self.list(text, mark, name);
        true
    }

    /// Another name has the same bit, or there are many.
    fn add_slowly(&mut self, text: &'t str, mark: &mut Mark, name: Name, said: &str) -> bool {
        if mark.hashed {
            return self.hashed.last_mut().is_none_or(|set| set.insert(name.said(text)));
        }
        let earlier = self.listed.above(mark.base as usize);
        if earlier.into_iter().flatten().any(|earlier| earlier.said(text) == said) {
            return false;
        }
        mark.bits |= name.bit(said);
        self.list(text, mark, name);
        true
    }

    fn list(&mut self, text: &'t str, mark: &mut Mark, name: Name) {
        self.listed.push(name);
        if self.listed.len() > mark.base as usize + FEW {
            self.hash(text, mark);
        }
    }

    /// The innermost object has many names: from here on they are hashed.
    #[cold]
    fn hash(&mut self, text: &'t str, mark: &mut Mark) {
        let listed = self.listed.above(mark.base as usize);
        self.hashed.push(listed.into_iter().flatten().map(|name| name.said(text)).collect());
        mark.hashed = true;
    }
}
