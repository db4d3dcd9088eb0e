//! How much an endpoint does at once, counted over all its connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is going on now.
#[derive(Debug, Default)]
pub(super) struct Load {
    calls: AtomicUsize,
    of_sessions: AtomicUsize,
    listens: AtomicUsize,
    bytes: AtomicUsize,
}

/// What is counted, each under its own bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A request that runs until its handler ends.
    Call,
    /// One of these that is a session's: it may outlive its connection.
    OfSession,
    /// A `subscriptions/listen`, which runs until its client goes.
    Listen,
}

impl Load {
    fn counter(&self, kind: Kind) -> &AtomicUsize {
        match kind {
            Kind::Call => &self.calls,
            Kind::OfSession => &self.of_sessions,
            Kind::Listen => &self.listens,
        }
    }

    /// Admits one more, unless there are `most` already.
    pub(super) fn admit(self: &Arc<Self>, kind: Kind, most: usize) -> Option<Ticket> {
        let before = self.counter(kind).fetch_add(1, Ordering::Relaxed);
        let ticket = Ticket { load: Arc::clone(self), kind };
        (before < most).then_some(ticket)
    }

    /// A body that is about to be read.
    pub(super) fn reading(&self) -> Reading<'_> {
        Reading { load: self, bytes: 0 }
    }
}

/// The place of one request among those that run; dropping it frees the place.
#[derive(Debug)]
pub(super) struct Ticket {
    load: Arc<Load>,
    kind: Kind,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.load.counter(self.kind).fetch_sub(1, Ordering::Relaxed);
    }
}

/// The bytes of one body, until it is parsed.
#[derive(Debug)]
pub(super) struct Reading<'l> {
    load: &'l Load,
    bytes: usize,
}

impl Reading<'_> {
    /// Counts bytes that have come; are there more than `most` of all bodies now?
    pub(super) fn add(&mut self, bytes: usize, most: usize) -> bool {
        self.bytes += bytes;
        let before = self.load.bytes.fetch_add(bytes, Ordering::Relaxed);
        before.saturating_add(bytes) > most
    }
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        self.load.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_run_at_once_and_refusals_take_no_place() {
        let load = Arc::new(Load::default());
        let first = load.admit(Kind::Call, 1).unwrap();
        for _ in 0..3 {
            assert!(load.admit(Kind::Call, 1).is_none());
        }
        assert!(load.admit(Kind::Listen, 1).is_some());
        drop(first);
        assert!(load.admit(Kind::Call, 1).is_some());
    }

    #[test]
    fn bytes_are_given_back() {
        let load = Load::default();
        let mut one = load.reading();
        assert!(!one.add(6, 10));
        let mut two = load.reading();
        assert!(two.add(5, 10));
        drop((one, two));
        assert!(!load.reading().add(10, 10));
    }
}
