//! How a source of items says that it has changed.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

type Tell = Arc<dyn Fn(Option<&str>) + Send + Sync>;

/// Tells those who listen that a source's items have changed.
///
/// A source gets one when its server is built, and keeps it; cheap to clone.
#[derive(Clone)]
pub struct Changes(Tell);

impl Changes {
    pub(crate) fn new(tell: impl Fn(Option<&str>) + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }

    /// Other items are there than before.
    pub fn list_changed(&self) {
        (self.0)(None);
    }

    /// What a resource holds has changed.
    pub fn resource_updated(&self, uri: impl AsRef<str>) {
        (self.0)(Some(uri.as_ref()));
    }
}

impl fmt::Debug for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Changes")
    }
}

/// All those who want to know of a source's changes: one source may stand in several servers.
#[derive(Debug, Default)]
pub(super) struct Watchers(Mutex<Vec<Changes>>);

impl Watchers {
    pub(super) fn add(&self, changes: Changes) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(changes);
    }

    pub(super) fn list_changed(&self) {
        // Told outside of the lock: what is told may come back here.
        let watchers = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for changes in &watchers {
            changes.list_changed();
        }
    }
}
