//! The forms of an answer that a client takes.

use super::Head;

impl Head {
    /// Does the client name events first among the forms that it takes? Then it gets its answers
    /// so, also where one message is all of them.
    pub(crate) fn prefers_events(&self) -> bool {
        const EVENTS: &[u8] = b"text/event-stream";
        let accepted = self.headers.get(http::header::ACCEPT);
        let named = accepted.and_then(|value| value.as_bytes().split_at_checked(EVENTS.len()));
        named.is_some_and(|(first, rest)| {
            // A weight would say that the order is not what counts.
            first.eq_ignore_ascii_case(EVENTS) && rest.trim_ascii_start().starts_with(b",")
        })
    }
}
