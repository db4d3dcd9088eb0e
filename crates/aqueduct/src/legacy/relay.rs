//! What a question needs so that its answer may arrive at another process than the one that asked.

use std::time::Duration;

use super::live::Answered;
use crate::store::{Pending, Subscription};

/// The way between the processes that serve one session.
pub(super) trait Relay: Send + Sync {
    /// Marks a question as open for this long, and hears of its answer from here on.
    fn open<'a>(&'a self, question: &'a str, time: Duration) -> Pending<'a, Subscription>;

    /// Hands on an answer to whoever waits for it. One to no open question, or to one that was
    /// answered already, is dropped, as it is where there is one process.
    fn pass<'a>(&'a self, question: &'a str, answer: Answered) -> Pending<'a, ()>;

    /// The answer, if there is one.
    fn answer<'a>(&'a self, question: &'a str) -> Pending<'a, Option<Answered>>;

    /// Closes a question: an answer that comes later is nobody's.
    fn close<'a>(&'a self, question: &'a str) -> Pending<'a, ()>;
}
