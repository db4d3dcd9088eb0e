//! A place in a message: where a member's value begins and how long it is.

/// A stretch of a message's text, remembered without borrowing it.
///
/// ```
/// use aqueduct_protocol::jsonrpc::Span;
///
/// assert!(Span::ABSENT.is_absent());
/// assert_eq!(Span::ABSENT.text("{}"), "");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    start: u32,
    len: u32,
}

impl Span {
    /// The span of a member that the message does not have; no JSON value has length 0.
    pub const ABSENT: Self = Self { start: 0, len: 0 };

    pub(super) const fn new(start: u32, len: u32) -> Self {
        Self { start, len }
    }

    /// The stretch of `text` that this span names; `""` when it is absent or not of this text.
    #[must_use]
    pub fn text(self, text: &str) -> &str {
        let start = self.start as usize;
        start.checked_add(self.len as usize).and_then(|end| text.get(start..end)).unwrap_or("")
    }

    /// Whether the message lacks the member.
    #[must_use]
    pub const fn is_absent(self) -> bool {
        self.len == 0
    }

    pub(super) fn get(self, text: &str) -> Option<&str> {
        if self.is_absent() { None } else { Some(self.text(text)) }
    }
}
