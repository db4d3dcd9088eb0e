//! Items that are switched off and on while the server runs.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The switches of all registered items of one list.
#[derive(Debug, Default)]
pub(crate) struct Switches {
    by_name: Mutex<HashMap<String, Switch>>,
    /// How many are off; while it is none, lists that were written ahead are right.
    off: AtomicUsize,
}

/// Whether an item is there; a call reads it without a lock.
#[derive(Clone, Debug)]
pub(super) struct Switch(Arc<AtomicBool>);

impl Switch {
    pub(super) fn is_on(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Switches {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Switch>> {
        self.by_name.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The switch of an item, which is on at first.
    pub(super) fn switch(&self, name: &str) -> Switch {
        let switch = Switch(Arc::new(AtomicBool::new(true)));
        self.lock().insert(name.to_owned(), switch.clone());
        switch
    }

    /// Is every item there?
    pub(crate) fn are_all_on(&self) -> bool {
        self.off.load(Ordering::Relaxed) == 0
    }

    /// Turns an item on or off: whether that changed anything, or `None` when there is no such
    /// item.
    pub(crate) fn turn(&self, name: &str, on: bool) -> Option<bool> {
        let switches = self.lock();
        let before = switches.get(name)?.0.swap(on, Ordering::Relaxed);
        if before != on {
            // Under the lock, so that the count never runs ahead of the switches.
            let count = if on { usize::MAX } else { 1 };
            self.off.fetch_add(count, Ordering::Relaxed);
        }
        Some(before != on)
    }
}

#[cfg(test)]
mod tests {
    use super::Switches;

    #[test]
    fn what_is_off_is_counted_once() {
        let switches = Switches::default();
        let switch = switches.switch("a");
        assert_eq!(switches.turn("b", false), None);
        for (on, changed) in [(true, false), (false, true), (false, false), (true, true)] {
            assert_eq!(switches.turn("a", on), Some(changed));
            assert_eq!((switch.is_on(), switches.are_all_on()), (on, on));
        }
    }
}
