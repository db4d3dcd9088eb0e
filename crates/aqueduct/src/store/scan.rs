//! Reading many entries in the order of their keys, page by page.

use super::entry::Entry;
use super::limit::{MAX_PAGE, MAX_PAGE_BYTES};

/// Which entries to read: those under a prefix, within bounds, in the order of their keys' bytes.
///
/// ```
/// use aqueduct::store::Scan;
///
/// let due = Scan::prefix("ready/").until("ready/1700000000").limit(10);
/// assert!(due.contains("ready/1600000000"));
/// assert!(!due.contains("ready/1700000000"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    prefix: String,
    start: String,
    until: Option<String>,
    limit: usize,
}

impl Scan {
    /// Every entry whose key starts with `prefix`, a page of at most [`MAX_PAGE`] entries.
    #[must_use]
    pub fn prefix(prefix: impl Into<String>) -> Self {
        let prefix = prefix.into();
        Self { start: prefix.clone(), prefix, until: None, limit: MAX_PAGE }
    }

    /// Only keys from `key` on.
    #[must_use]
    pub fn from(mut self, key: impl Into<String>) -> Self {
        self.start = self.start.max(key.into());
        self
    }

    /// Only keys behind `key`: where an earlier page ended.
    #[must_use]
    pub fn after(self, key: impl Into<String>) -> Self {
        // No string lies between a string and itself with a zero byte behind.
        let mut key = key.into();
        key.push('\0');
        self.from(key)
    }

    /// Only keys before `key`.
    #[must_use]
    pub fn until(mut self, key: impl Into<String>) -> Self {
        self.until = Some(key.into());
        self
    }

    /// At most this many entries a page; at least one, at most [`MAX_PAGE`].
    #[must_use]
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = limit.clamp(1, MAX_PAGE);
        self
    }

    /// What every key starts with.
    #[must_use]
    pub fn as_prefix(&self) -> &str {
        &self.prefix
    }

    /// The first key that may be there.
    #[must_use]
    pub fn start(&self) -> &str {
        &self.start
    }

    /// The first key behind the bounds, besides the prefix.
    #[must_use]
    pub fn end(&self) -> Option<&str> {
        self.until.as_deref()
    }

    /// How many entries a page has at most.
    #[must_use]
    pub const fn page(&self) -> usize {
        self.limit
    }

    /// Whether a key lies within.
    #[must_use]
    pub fn contains(&self, key: &str) -> bool {
        key.starts_with(&self.prefix)
            && key >= self.start.as_str()
            && self.until.as_deref().is_none_or(|until| key < until)
    }
}

/// A page of a scan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    /// Keys and entries, in the order of the keys' bytes.
    pub entries: Vec<(String, Entry)>,
    /// Where to go on, for [`Scan::after`]; `None` when nothing is left.
    pub next: Option<String>,
}

impl Page {
    /// A page of what a store reads in order, one entry beyond the page included if there is one.
    ///
    /// It ends at the limit of entries or bytes; a store that stops reading there too reads no more
    /// than one entry in vain.
    ///
    /// # Errors
    /// The first that reading meets.
    pub fn collect<E>(
        scan: &Scan,
        entries: impl IntoIterator<Item = Result<(String, Entry), E>>,
    ) -> Result<Self, E> {
        let mut page = Self::default();
        let mut bytes = 0_usize;
        for entry in entries {
            let (key, entry) = entry?;
            bytes = bytes.saturating_add(entry.value.len());
            let is_full = page.entries.len() >= scan.limit || bytes > MAX_PAGE_BYTES;
            if is_full && !page.entries.is_empty() {
                page.next = page.entries.last().map(|(key, _)| key.clone());
                break;
            }
            page.entries.push((key, entry));
        }
        Ok(page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_meet_between_two_keys() {
        let scan = Scan::prefix("a/").after("a/1");
        assert!(!scan.contains("a/1"));
        assert!(scan.contains("a/10"));
        assert!(!scan.contains("b"));
        assert!(!Scan::prefix("a/").until("a/1").contains("a/1"));
        assert!(Scan::prefix("a/").from("a/1").contains("a/1"));
        assert_eq!(Scan::prefix("a/").from("A").start(), "a/");
    }
}
