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
pub(super) struct Name<'t> {
    pub(super) raw: &'t str,
    pub(super) escaped: bool,
}

impl<'t> Name<'t> {
    pub(super) fn said(self) -> Cow<'t, str> {
        if self.escaped { Cow::Owned(unescape(self.raw)) } else { Cow::Borrowed(self.raw) }
    }

    fn says(self, other: &str) -> bool {
        if self.escaped { unescape(self.raw) == other } else { self.raw == other }
    }
}

/// Where the names of one open object are kept.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    base: u32,
    hashed: bool,
}

/// The names of all open objects, innermost last.
#[derive(Debug)]
pub(super) struct Names<'t> {
    listed: Stack<Name<'t>, 32>,
    hashed: Vec<HashSet<Cow<'t, str>>>,
}

impl<'t> Names<'t> {
    pub(super) const fn new() -> Self {
        Self { listed: Stack::new(Name { raw: "", escaped: false }), hashed: Vec::new() }
    }

    pub(super) const fn open(&self) -> Mark {
        Mark { base: self.listed.len() as u32, hashed: false }
    }

    pub(super) fn close(&mut self, mark: Mark) {
        self.listed.truncate(mark.base as usize);
        if mark.hashed {
            self.hashed.pop();
        }
    }

    /// Adds a name to the innermost object; `false` when the object has it already.
    pub(super) fn add(&mut self, mark: &mut Mark, name: Name<'t>, said: &str) -> bool {
        if mark.hashed {
            return self.hashed.last_mut().is_none_or(|set| set.insert(name.said()));
        }
        let [inline, spilled] = self.listed.above(mark.base as usize);
        let says = |earlier: &Name<'t>| earlier.says(said);
        if inline.iter().any(says) || spilled.iter().any(says) {
            return false;
        }
        let are_many = inline.len() + spilled.len() >= FEW;
        self.listed.push(name);
        if are_many {
            self.hash(mark);
        }
        true
    }

    /// The innermost object has many names: from here on they are hashed.
    #[cold]
    fn hash(&mut self, mark: &mut Mark) {
        let listed = self.listed.above(mark.base as usize);
        self.hashed.push(listed.into_iter().flatten().map(|name| name.said()).collect());
        mark.hashed = true;
    }
}
