//! The values of a template's variables, in order.

use std::fmt;

/// The value of one variable.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value {
    /// One string; the empty one is a value.
    Text(String),
    /// Several strings; no string at all is the same as no value.
    List(Vec<String>),
    /// Names with their strings, for expanding only: a URI does not tell them from a list.
    Pairs(Vec<(String, String)>),
}

impl Value {
    /// RFC 6570, section 2.3: lists and pairs without members are undefined.
    pub(super) const fn is_undefined(&self) -> bool {
        match self {
            Self::Text(_) => false,
            Self::List(items) => items.is_empty(),
            Self::Pairs(pairs) => pairs.is_empty(),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl<S: Into<String>> From<Vec<S>> for Value {
    fn from(items: Vec<S>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

/// The variables of a [`UriTemplate`](super::UriTemplate): read from a URI, or to be put into one.
///
/// Reading gives decoded values; a variable that the URI does not mention is absent.
#[derive(Clone, Default)]
pub struct Variables {
    entries: Vec<Entry>,
}

#[derive(Clone)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) value: Value,
    /// The whole text of a list that stood in the URI as `a,b`: whoever expects one string gets
    /// it as it was written.
    pub(super) joined: Option<String>,
}

impl Variables {
    /// No variables.
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: Vec::new() }
    }

    pub(super) const fn from_entries(entries: Vec<Entry>) -> Self {
        Self { entries }
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Gives `name` a value and returns the one it had.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<Value>) -> Option<Value> {
        let (name, value) = (name.into(), value.into());
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.name == name) {
            entry.joined = None;
            return Some(std::mem::replace(&mut entry.value, value));
        }
        self.entries.push(Entry { name, value, joined: None });
        None
    }

    /// The value of `name` as one string, if it is one.
    ///
    /// A value that stood in the URI as `a,b` is both one string and a list.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.entry(name)?.text()
    }

    /// The value of `name` as a list; one string is a list of one.
    #[must_use]
    pub fn list(&self, name: &str) -> Option<&[String]> {
        self.entry(name)?.list()
    }

    /// The value of `name` in whatever shape it has.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.entry(name).map(|entry| &entry.value)
    }

    /// Names and values, in the order of the template or of insertion.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value)> {
        self.entries.iter().map(|entry| (entry.name.as_str(), &entry.value))
    }

    /// How many variables have a value.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no variable has a value.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }
}

impl Entry {
    pub(super) fn text(&self) -> Option<&str> {
        match (&self.joined, &self.value) {
            (Some(text), _) | (None, Value::Text(text)) => Some(text),
            (None, Value::List(_) | Value::Pairs(_)) => None,
        }
    }

    pub(super) fn list(&self) -> Option<&[String]> {
        match &self.value {
            Value::Text(text) => Some(std::slice::from_ref(text)),
            Value::List(items) => Some(items),
            Value::Pairs(_) => None,
        }
    }
}

/// Equal when the same names have the same values; the order does not matter.
impl PartialEq for Variables {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self.iter().all(|(name, value)| other.value(name) == Some(value))
    }
}

impl Eq for Variables {}

impl fmt::Debug for Variables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<N: Into<String>, V: Into<Value>> FromIterator<(N, V)> for Variables {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        let mut variables = Self::new();
        for (name, value) in pairs {
            variables.insert(name, value);
        }
        variables
    }
}

impl<N: Into<String>, V: Into<Value>, const LEN: usize> From<[(N, V); LEN]> for Variables {
    fn from(pairs: [(N, V); LEN]) -> Self {
        pairs.into_iter().collect()
    }
}
