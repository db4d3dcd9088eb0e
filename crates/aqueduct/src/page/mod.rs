//! Lists in pages: cursors that only this server can make, and pages written ahead of time.

mod cursor;
mod prebuilt;

pub(crate) use self::cursor::{Cursors, Place};
pub(crate) use self::prebuilt::Pages;

/// A page of a repository's list, and where the next one begins.
///
/// ```
/// use aqueduct::page::Listing;
///
/// let last: Listing<&str> = Listing::new(["a", "b"]);
/// assert!(last.next.is_none());
/// let more = Listing::new(["a", "b"]).next("after-b");
/// assert_eq!(more.next.as_deref(), Some("after-b"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Listing<T> {
    /// The items of this page.
    pub items: Vec<T>,
    /// Where the next page begins, in the repository's own words; `None` at the end.
    ///
    /// Clients never see it: what they get is sealed.
    pub next: Option<String>,
}

impl<T> Listing<T> {
    /// A page with nothing after it.
    #[must_use]
    pub fn new(items: impl IntoIterator<Item = T>) -> Self {
        Self { items: items.into_iter().collect(), next: None }
    }

    /// Where the next page begins.
    #[must_use]
    pub fn next(mut self, next: impl Into<String>) -> Self {
        self.next = Some(next.into());
        self
    }
}

impl<T> Default for Listing<T> {
    fn default() -> Self {
        Self { items: Vec::new(), next: None }
    }
}
