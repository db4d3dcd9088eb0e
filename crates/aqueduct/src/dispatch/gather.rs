//! One page of a list, filled from several sources, one after the other.

use super::Core;
use crate::error::Error;
use crate::page::{Listing, Place};

/// The key of what providers have; that of what was registered by hand is empty, and a
/// repository's begins with `repo:`.
const PROVIDED: &str = "provided";

/// The key of a repository.
pub(super) fn source(prefix: &str) -> String {
    format!("repo:{prefix}")
}

fn offset(place: &Place) -> Result<usize, Error> {
    if place.inner.is_empty() {
        return Ok(0);
    }
    place.inner.parse().map_err(|_| stale())
}

fn stale() -> Error {
    Error::invalid_params("the cursor is not one of this list")
}

/// Where a source is asked to begin: at its start, or at a place that it named.
pub(super) struct Begin(pub(super) Option<String>);

/// Fills one page from several sources, one after the other.
///
/// A source that runs out lets the next one fill the rest, so no page is empty before the last.
pub(super) struct Gather<T> {
    items: Vec<T>,
    size: usize,
    /// Where the page begins; gone once that source has been reached.
    from: Option<Place>,
    /// Where the current source goes on, while it does.
    within: Option<String>,
    done: Vec<String>,
    next: Option<Place>,
}

impl<T> Gather<T> {
    pub(super) fn new(core: &Core, from: Place) -> Self {
        Self {
            items: Vec::new(),
            size: core.options.page_size,
            from: Some(from),
            within: None,
            done: Vec::new(),
            next: None,
        }
    }

    /// What was registered by hand comes first; `see` gives what this caller sees of it.
    ///
    /// Places count what he does not see too, so that a change of what he sees between two pages
    /// neither skips nor repeats anything else.
    pub(super) fn fixed<E>(
        &mut self,
        entries: &[E],
        see: impl Fn(&E) -> Option<T>,
    ) -> Result<(), Error> {
        let Some(from) = self.from.take_if(|from| from.source.is_empty()) else { return Ok(()) };
        let rest = entries.iter().enumerate().skip(offset(&from)?);
        for (nth, item) in rest.filter_map(|(nth, entry)| Some((nth, see(entry)?))) {
            if self.items.len() >= self.size {
                self.next = Some(Place { source: String::new(), inner: nth.to_string() });
                return Ok(());
            }
            self.items.push(item);
        }
        Ok(())
    }

    /// What providers have comes second, each item with its name.
    ///
    /// A page goes on after the last item of the one before it; when that is gone, where it was.
    pub(super) fn provided(&mut self, items: Vec<(String, T)>) -> Result<(), Error> {
        let skip = match self.from.take_if(|from| from.source == PROVIDED) {
            Some(from) => {
                let (nth, name) = from.inner.split_once(':').ok_or_else(stale)?;
                let after = items.iter().position(|(known, _)| known == name);
                after.map_or_else(|| nth.parse().map_err(|_| stale()), |nth| Ok(nth + 1))?
            }
            None if self.from.is_some() || self.next.is_some() => return Ok(()),
            None => 0,
        };
        let mut last = None;
        for (nth, (name, item)) in items.into_iter().enumerate().skip(skip) {
            if self.items.len() >= self.size {
                let before = last.unwrap_or_else(|| format!("{nth}:"));
                self.next = Some(Place { source: PROVIDED.to_owned(), inner: before });
                return Ok(());
            }
            last = Some(format!("{nth}:{name}"));
            self.items.push(item);
        }
        Ok(())
    }

    /// Should this source be asked, and from where?
    pub(super) fn wants(&mut self, source: &str) -> Option<Begin> {
        if self.next.is_some() || self.done.iter().any(|done| done == source) {
            return None;
        }
        if let Some(from) = &self.from {
            if from.source != source {
                return None;
            }
            let inner = self.from.take().map(|from| from.inner).filter(|inner| !inner.is_empty());
            return Some(Begin(inner));
        }
        if self.items.len() >= self.size {
            let inner = self.within.take().unwrap_or_default();
            self.next = Some(Place { source: source.to_owned(), inner });
            return None;
        }
        Some(Begin(self.within.take()))
    }

    /// Takes a repository's page, without what this caller does not see.
    pub(super) fn add(&mut self, source: &str, listing: Listing<T>, sees: impl Fn(&T) -> bool) {
        let empty = listing.items.is_empty();
        self.items.extend(listing.items.into_iter().filter(sees));
        match listing.next {
            // A repository that names a place after an empty page would be asked for ever.
            Some(next) if !empty => self.within = Some(next),
            _ => {
                self.within = None;
                self.done.push(source.to_owned());
            }
        }
    }

    pub(super) fn end(self) -> (Vec<T>, Option<Place>) {
        (self.items, self.next)
    }
}
