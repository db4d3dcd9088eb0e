//! A set of items that changes while the server runs, and says so by itself.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use super::Changes;
use super::changes::Watchers;

/// Something that requests name.
pub trait Named: Clone + Send + Sync + 'static {
    /// The name that a request asks for it by; unique within a [`Set`].
    fn name(&self) -> &str;
}

/// A set of tools, of prompts or of resources that changes while the server runs.
///
/// Cheap to clone: give one clone to the server as a provider and keep the other. Every change is
/// told to those who listen. Each caller sees the set as it is at that moment.
///
/// ```
/// use aqueduct::item::Set;
/// use aqueduct::prelude::*;
///
/// let plugins = Set::new();
/// let service = Server::new("host", "1.0.0").tool_provider(plugins.clone()).build()?;
/// plugins.insert(Tool::new("spell").handler(|| async { "no mistakes" }));
/// plugins.remove("spell");
/// # let _ = service;
/// # Ok::<(), aqueduct::server::BuildError>(())
/// ```
pub struct Set<T>(Arc<Inner<T>>);

struct Inner<T> {
    items: RwLock<Arc<Vec<T>>>,
    watchers: Watchers,
}

impl<T: Named> Set<T> {
    /// An empty set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts an item in at the end, or in the place of the one of its name, which it gives back.
    pub fn insert(&self, item: T) -> Option<T> {
        self.change(|items| {
            if let Some(other) = items.iter_mut().find(|other| other.name() == item.name()) {
                return Some(std::mem::replace(other, item));
            }
            items.push(item);
            None
        })
    }

    /// Takes the item of this name out; nothing is told when there is none.
    pub fn remove(&self, name: impl AsRef<str>) -> Option<T> {
        let name = name.as_ref();
        self.get(name)?;
        self.change(|items| {
            let place = items.iter().position(|item| item.name() == name)?;
            Some(items.remove(place))
        })
    }

    /// Puts these items in the place of all others; told once.
    pub fn replace(&self, items: impl IntoIterator<Item = T>) {
        let mut new: Vec<T> = Vec::new();
        for item in items {
            match new.iter_mut().find(|other| other.name() == item.name()) {
                Some(other) => *other = item,
                None => new.push(item),
            }
        }
        self.change(|items| *items = new);
    }

    /// The item of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<T> {
        self.items().iter().find(|item| item.name() == name).cloned()
    }

    /// All items, as they are now.
    #[must_use]
    pub fn items(&self) -> Arc<Vec<T>> {
        Arc::clone(&self.0.items.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn watch(&self, changes: Changes) {
        self.0.watchers.add(changes);
    }

    fn change<R>(&self, change: impl FnOnce(&mut Vec<T>) -> R) -> R {
        let mut items = self.0.items.write().unwrap_or_else(PoisonError::into_inner);
        let answer = change(Arc::make_mut(&mut items));
        drop(items);
        self.0.watchers.list_changed();
        answer
    }
}

impl<T> Clone for Set<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Default for Set<T> {
    fn default() -> Self {
        Self(Arc::new(Inner { items: RwLock::default(), watchers: Watchers::default() }))
    }
}

impl<T: Named> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let set = Self::new();
        set.replace(items);
        set
    }
}

impl<T: Named> fmt::Debug for Set<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items = self.items();
        f.debug_set().entries(items.iter().map(Named::name)).finish()
    }
}
