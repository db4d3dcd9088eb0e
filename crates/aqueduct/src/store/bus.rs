//! Telling every node: a bus may lose messages, and says when it may have.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tokio::sync::Notify;

use super::Pending;

/// Carries messages to whoever listens at the time, on every node.
///
/// It keeps nothing. A subscriber that is too slow, or whose connection broke, gets
/// [`Signal::Resync`] in the place of what it missed, and reads the store again.
pub trait Bus: fmt::Debug + Send + Sync + 'static {
    /// Sends a message to every subscriber of a topic, those of this process included.
    ///
    /// Success means that the message is on its way, not that anybody has it.
    fn publish<'a>(&'a self, topic: &'a str, message: Bytes) -> Pending<'a, ()>;

    /// Listens to a topic, from the moment that this returns.
    fn subscribe<'a>(&'a self, topic: &'a str) -> Pending<'a, Subscription>;
}

/// How many messages wait for a subscriber before the bus stops keeping them.
const MAX_WAITING: usize = 256;

/// What a subscriber gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signal {
    /// A message that was published.
    Message(Bytes),
    /// Messages may have been lost here: read again what they would have told about.
    Resync,
}

/// The messages of a topic, until it is dropped.
pub struct Subscription {
    queue: Arc<Queue>,
    maps: Vec<Map>,
}

/// What a wrapper makes of each signal.
type Map = Box<dyn Fn(Signal) -> Signal + Send + Sync>;

/// The other end of a [`Subscription`], for those who write a [`Bus`].
pub struct Feed {
    queue: Arc<Queue>,
}

#[derive(Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    wake: Notify,
}

#[derive(Default)]
struct Waiting {
    signals: VecDeque<Signal>,
    is_closed: bool,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Subscription {
    /// A subscription and what feeds it.
    ///
    /// When more messages wait than a subscriber is granted, all of them make room for one
    /// [`Signal::Resync`].
    #[must_use]
    pub fn pair() -> (Feed, Self) {
        let queue = Arc::new(Queue::default());
        (Feed { queue: Arc::clone(&queue) }, Self { queue, maps: Vec::new() })
    }

    /// The same subscription, each signal changed by `map`; for those who wrap a [`Bus`].
    #[must_use]
    pub fn map(mut self, map: impl Fn(Signal) -> Signal + Send + Sync + 'static) -> Self {
        self.maps.push(Box::new(map));
        self
    }

    /// The next signal; `None` when the bus is gone.
    ///
    /// # Cancel safety
    /// Dropping the future loses nothing.
    pub async fn next(&mut self) -> Option<Signal> {
        loop {
            // Made before the look, so that what comes in between wakes it.
            let woken = self.queue.wake.notified();
            {
                let mut waiting = self.queue.lock();
                if let Some(signal) = waiting.signals.pop_front() {
                    return Some(self.maps.iter().fold(signal, |signal, map| map(signal)));
                }
                if waiting.is_closed {
                    return None;
                }
            }
            woken.await;
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let mut waiting = self.queue.lock();
        waiting.is_closed = true;
        waiting.signals.clear();
    }
}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription").finish_non_exhaustive()
    }
}

impl Feed {
    /// Hands a message to the subscriber; `false` when it is gone.
    pub fn message(&self, message: Bytes) -> bool {
        self.signal(Signal::Message(message))
    }

    /// Tells the subscriber that messages may have been lost; `false` when it is gone.
    pub fn resync(&self) -> bool {
        self.signal(Signal::Resync)
    }

    /// Whether the subscriber is gone.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.queue.lock().is_closed
    }

    fn signal(&self, signal: Signal) -> bool {
        let mut waiting = self.queue.lock();
        if waiting.is_closed {
            return false;
        }
        if signal == Signal::Resync || waiting.signals.len() >= MAX_WAITING {
            // Whoever reads everything again needs nothing that came before.
            waiting.signals.clear();
            waiting.signals.push_back(Signal::Resync);
        } else {
            waiting.signals.push_back(signal);
        }
        drop(waiting);
        self.queue.wake.notify_one();
        true
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        self.queue.lock().is_closed = true;
        self.queue.wake.notify_one();
    }
}

impl fmt::Debug for Feed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Feed").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_slow_subscriber_is_told_to_read_again() {
        let (feed, mut subscription) = Subscription::pair();
        for _ in 0..=MAX_WAITING {
            assert!(feed.message(Bytes::from_static(b"x")));
        }
        feed.message(Bytes::from_static(b"last"));
        assert_eq!(subscription.next().await, Some(Signal::Resync));
        assert_eq!(subscription.next().await, Some(Signal::Message(Bytes::from_static(b"last"))));
        drop(feed);
        assert_eq!(subscription.next().await, None);
    }

    #[test]
    fn a_subscriber_that_is_gone_is_known() {
        let (feed, subscription) = Subscription::pair();
        drop(subscription);
        assert!(!feed.resync());
        assert!(feed.is_closed());
    }
}
