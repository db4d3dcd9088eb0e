//! The end of a call, as its handler's own tasks may wait for it.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Fires once, when the call is over for whatever reason.
pub(super) struct Cancel {
    fired: AtomicBool,
    notify: Notify,
}

impl Cancel {
    pub(super) const fn new() -> Self {
        Self { fired: AtomicBool::new(false), notify: Notify::const_new() }
    }

    pub(super) fn fire(&self) {
        if !self.fired.swap(true, Ordering::AcqRel) {
            self.notify.notify_waiters();
        }
    }

    pub(super) fn is_fired(&self) -> bool {
        self.fired.load(Ordering::Acquire)
    }

    pub(super) async fn wait(&self) {
        loop {
            // Registered before the check, so that a firing in between is not missed.
            let notified = self.notify.notified();
            if self.is_fired() {
                return;
            }
            notified.await;
        }
    }
}
