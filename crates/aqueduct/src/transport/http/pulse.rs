//! What a connection is doing, told by its parts to its clock.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::framing::Flaw;

/// What a connection waits for, and so which clock runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// The first head, from the moment of the connection on.
    First,
    /// The rest of a head.
    Head,
    /// The next head.
    Idle,
    /// The handler, or a body that has its own clock.
    Nothing,
    /// That the peer takes bytes.
    Taking,
    /// That the peer, which has its answer, stops sending.
    Silence,
}

/// Written by the wire and by the service of one connection, read by its clock.
///
/// All three live in one task; the atomics are there because a task may change its thread.
#[derive(Debug, Default)]
pub(super) struct Pulse {
    beat: AtomicU32,
    taken: AtomicU32,
    running: AtomicBool,
    in_head: AtomicBool,
    stalled: AtomicBool,
    lingering: AtomicBool,
    flaw: OnceLock<Flaw>,
}

impl Pulse {
    /// Counts the moments at which a clock starts anew.
    pub(super) fn beat(&self) -> u32 {
        self.beat.load(Ordering::Relaxed)
    }

    fn tick(&self) {
        self.beat.store(self.beat().wrapping_add(1), Ordering::Relaxed);
    }

    /// Sets a flag; the clock starts anew when that changes it. Does it?
    fn put(&self, flag: &AtomicBool, value: bool) -> bool {
        let changes = flag.load(Ordering::Relaxed) != value;
        if changes {
            flag.store(value, Ordering::Relaxed);
            self.tick();
        }
        changes
    }

    /// A request's head is there, and it is taken up.
    pub(super) fn begin(&self) {
        self.taken.store(self.taken().wrapping_add(1), Ordering::Relaxed);
        self.put(&self.running, true);
    }

    /// The request is answered, or has been dropped.
    pub(super) fn end(&self) {
        self.put(&self.running, false);
    }

    pub(super) fn is_running(&self) -> bool {
        self.running.load(Ordering::Relaxed)
    }

    /// How many requests were taken up.
    pub(super) fn taken(&self) -> u32 {
        self.taken.load(Ordering::Relaxed)
    }

    /// A head has begun and is not over, or is.
    pub(super) fn in_head(&self, value: bool) {
        self.put(&self.in_head, value);
    }

    /// The peer takes no bytes now.
    pub(super) fn stall(&self) {
        self.put(&self.stalled, true);
    }

    /// The peer has taken bytes; had it taken none before?
    pub(super) fn flow(&self) -> bool {
        self.put(&self.stalled, false)
    }

    pub(super) fn is_stalled(&self) -> bool {
        self.stalled.load(Ordering::Relaxed)
    }

    /// The answer is out, and the peer still sends.
    pub(super) fn linger(&self) {
        self.put(&self.lingering, true);
    }

    /// Something is wrong with the bytes that came; that never heals.
    pub(super) fn doubt(&self, flaw: Flaw) {
        self.flaw.get_or_init(|| flaw);
    }

    pub(super) fn flaw(&self) -> Option<Flaw> {
        self.flaw.get().copied()
    }

    /// What the connection waits for now.
    pub(super) fn wait(&self) -> Wait {
        let is = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        if is(&self.lingering) {
            Wait::Silence
        } else if is(&self.stalled) {
            Wait::Taking
        } else if is(&self.running) {
            Wait::Nothing
        } else if self.taken() == 0 {
            Wait::First
        } else if is(&self.in_head) {
            Wait::Head
        } else {
            Wait::Idle
        }
    }
}
