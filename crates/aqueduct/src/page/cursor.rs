//! Cursors: where a list goes on, sealed so that a client can only hand them back.

use std::sync::Arc;

use aqueduct_protocol::method::Method;

use crate::error::Error;
use crate::seal::{Binding, KeyRing, Purpose};

/// How long a cursor may be.
const MAX_CURSOR: usize = 2 * 1024;

/// Where a list goes on: in which of its sources, and where in there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// The source's key; empty for what was registered by hand.
    pub(crate) source: String,
    /// The place within the source.
    pub(crate) inner: String,
}

/// Seals and opens the cursors of a server's lists.
#[derive(Clone, Debug)]
pub(crate) struct Cursors {
    keys: Arc<KeyRing>,
    /// Tells one catalogue from another, so that a cursor does not outlive the list it was made
    /// for.
    epoch: u64,
}

/// A cursor that this server did not make for this list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CursorError;

impl From<CursorError> for Error {
    fn from(_: CursorError) -> Self {
        Self::not_found("the cursor is not one of this list, or is too old; begin again without it")
    }
}

impl Cursors {
    pub(crate) fn new(keys: Arc<KeyRing>, epoch: u64) -> Self {
        Self { keys, epoch }
    }

    fn binding(&self, list: Method) -> Binding {
        Binding::new().field(self.epoch.to_be_bytes()).field(list.as_str())
    }

    pub(crate) fn seal(&self, list: Method, place: &Place) -> Result<String, Error> {
        let mut plain = Vec::with_capacity(4 + place.source.len() + place.inner.len());
        let length = u32::try_from(place.source.len()).unwrap_or(u32::MAX);
        plain.extend_from_slice(&length.to_be_bytes());
        plain.extend_from_slice(place.source.as_bytes());
        plain.extend_from_slice(place.inner.as_bytes());
        self.keys.seal(Purpose::CURSOR, &self.binding(list), &plain).map_err(Error::internal)
    }

    /// Opens the cursor of a request; no cursor is the beginning.
    pub(crate) fn open(&self, list: Method, cursor: Option<&str>) -> Result<Place, CursorError> {
        let Some(cursor) = cursor else { return Ok(Place::default()) };
        if cursor.len() > MAX_CURSOR {
            return Err(CursorError);
        }
        let binding = self.binding(list);
        let plain = self.keys.open(Purpose::CURSOR, &binding, cursor).map_err(|_| CursorError)?;
        let (length, rest) = plain.split_first_chunk::<4>().ok_or(CursorError)?;
        let length = usize::try_from(u32::from_be_bytes(*length)).map_err(|_| CursorError)?;
        let (source, inner) = rest.split_at_checked(length).ok_or(CursorError)?;
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).map_err(|_| CursorError);
        Ok(Place { source: text(source)?, inner: text(inner)? })
    }
}
