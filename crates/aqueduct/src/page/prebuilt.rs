//! A list that does not change, written page by page when the server is built.

use aqueduct_protocol::method::Method;

use super::cursor::{CursorError, Cursors, Place};

/// The pages of a list as result objects, ready for the wire.
#[derive(Clone, Debug)]
pub(crate) struct Pages<P> {
    list: Method,
    pages: Vec<P>,
}

impl<P: Clone> Pages<P> {
    /// Cuts `items` into pages and has each written once; `write` gets a page's items and the
    /// cursor of the next page.
    pub(crate) fn build<T: Clone>(
        list: Method,
        items: &[T],
        page_size: usize,
        cursors: &Cursors,
        mut write: impl FnMut(Vec<T>, Option<String>) -> Option<P>,
    ) -> Option<Self> {
        let size = page_size.max(1);
        let count = items.len().div_ceil(size).max(1);
        let mut pages = Vec::with_capacity(count);
        for nth in 0..count {
            let page: Vec<T> = items.iter().skip(nth * size).take(size).cloned().collect();
            let next = if nth + 1 < count {
                let place = Place { source: String::new(), inner: (nth + 1).to_string() };
                Some(cursors.seal(list, &place).ok()?)
            } else {
                None
            };
            pages.push(write(page, next)?);
        }
        Some(Self { list, pages })
    }

    /// The page that a cursor stands for.
    pub(crate) fn page(&self, cursors: &Cursors, cursor: Option<&str>) -> Result<P, CursorError> {
        let place = cursors.open(self.list, cursor)?;
        let nth = if cursor.is_none() { Ok(0) } else { place.inner.parse::<usize>() };
        nth.ok().and_then(|nth| self.pages.get(nth)).cloned().ok_or(CursorError)
    }
}
