//! Why a text is not a message.

use std::borrow::Cow;
use std::fmt;

use super::Span;
use crate::code;

/// A text that [`decode`](super::decode) refused, with what to answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    code: i32,
    message: Cow<'static, str>,
    id: Span,
}

impl Malformed {
    /// The text is not JSON; the id is then never known.
    pub(super) fn parse(message: impl Into<Cow<'static, str>>) -> Self {
        Self { code: code::PARSE_ERROR, message: message.into(), id: Span::ABSENT }
    }

    /// The text is JSON and no message.
    pub(super) fn invalid(message: impl Into<Cow<'static, str>>, id: Span) -> Self {
        Self { code: code::INVALID_REQUEST, message: message.into(), id }
    }

    /// The error code to answer with: [`code::PARSE_ERROR`] or [`code::INVALID_REQUEST`].
    #[must_use]
    pub const fn code(&self) -> i32 {
        self.code
    }

    /// What is wrong, for the peer.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The raw id of the refused message, when it could be read.
    ///
    /// An error that answers a message without a readable id carries no `id` member at all: the
    /// protocol's schema knows no `null` there.
    #[must_use]
    pub fn id<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.id.get(text)
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Malformed {}
