//! The header fields that a request is judged by, found in one pass over its head.
//!
//! Each look-up in a header map hashes a name, and a request is held against a dozen of them.

use aqueduct_protocol::header as mcp;
use http::{HeaderMap, HeaderValue};

use crate::context::Mirrors;

/// What the head says, as far as it decides whether the body is read.
#[derive(Debug, Default)]
pub(super) struct Fields<'h> {
    pub(super) host: Seen<'h>,
    pub(super) origin: Seen<'h>,
    pub(super) fetch_site: Seen<'h>,
    pub(super) content_type: Seen<'h>,
    /// Something that may be there once is there twice.
    pub(super) repeats: bool,
    /// The body is coded in another way than none.
    pub(super) is_coded: bool,
    pub(super) accept: Accept,
    pub(super) mirrors: Mirrors,
}

/// A field that has one value, or none.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Seen<'h> {
    #[default]
    Never,
    Once(&'h HeaderValue),
    /// Two values are two truths.
    Twice,
}

impl<'h> Seen<'h> {
    fn see(&mut self, value: &'h HeaderValue) {
        *self = match self {
            Self::Never => Self::Once(value),
            Self::Once(_) | Self::Twice => Self::Twice,
        };
    }

    fn is_twice(self) -> bool {
        matches!(self, Self::Twice)
    }
}

impl<'h> Fields<'h> {
    pub(super) fn read(headers: &'h HeaderMap) -> Self {
        let mut fields = Self::default();
        let [mut length, mut authorization, mut session] = [Seen::Never; 3];
        for (place, (name, value)) in headers.iter().enumerate() {
            match name.as_str() {
                "host" => fields.host.see(value),
                "origin" => fields.origin.see(value),
                "sec-fetch-site" => fields.fetch_site.see(value),
                "content-type" => fields.content_type.see(value),
                "content-length" => length.see(value),
                "authorization" => authorization.see(value),
                mcp::SESSION_ID => session.see(value),
                "content-encoding" => {
                    fields.is_coded |= !value.as_bytes().eq_ignore_ascii_case(b"identity");
                }
                "accept" => fields.accept.read(value.as_bytes()),
                other => fields.mirrors.see(other, place),
            }
        }
        let once = [fields.content_type, length, authorization, session];
        fields.repeats = once.into_iter().any(Seen::is_twice);
        fields
    }
}

/// Which forms of an answer the client takes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Accept {
    first: First,
    json: bool,
    events: bool,
}

/// What is named before anything else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum First {
    /// There is nothing.
    #[default]
    Unsaid,
    /// Events, and without a weight.
    Events,
    Other,
}

impl Accept {
    /// A client must be able to take both forms of an answer, since it cannot know which will
    /// come; one that says nothing takes all.
    pub(super) fn is_both(self) -> bool {
        self.first == First::Unsaid || (self.json && self.events)
    }

    /// Are events taken, whatever else is?
    pub(super) fn events(self) -> bool {
        self.first == First::Unsaid || self.events
    }

    /// Does the client want its answers as events also where one message is all of them?
    pub(super) fn prefers_events(self) -> bool {
        self.first == First::Events && self.json
    }

    fn read(&mut self, value: &[u8]) {
        let is_first = self.first == First::Unsaid;
        if is_first {
            self.first = First::Other;
        }
        if value == b"application/json, text/event-stream" {
            (self.json, self.events) = (true, true);
            return;
        }
        let first = value.split(|byte| *byte == b',').next().unwrap_or_default();
        if is_first && first.trim_ascii().eq_ignore_ascii_case(b"text/event-stream") {
            self.first = First::Events;
        }
        for range in value.split(|byte| *byte == b',') {
            let mut parts = range.split(|byte| *byte == b';');
            let name = parts.next().unwrap_or_default().trim_ascii();
            if parts.any(is_refusal) {
                continue;
            }
            let all = name == b"*/*";
            self.json |= all
                || name.eq_ignore_ascii_case(b"application/json")
                || name.eq_ignore_ascii_case(b"application/*");
            self.events |= all
                || name.eq_ignore_ascii_case(b"text/event-stream")
                || name.eq_ignore_ascii_case(b"text/*");
        }
    }
}

/// `q=0` says "anything but this".
fn is_refusal(parameter: &[u8]) -> bool {
    let parameter = parameter.trim_ascii();
    let Some(weight) = parameter.strip_prefix(b"q=").or_else(|| parameter.strip_prefix(b"Q="))
    else {
        return false;
    };
    !weight.is_empty() && weight.iter().all(|byte| matches!(byte, b'0' | b'.'))
}
