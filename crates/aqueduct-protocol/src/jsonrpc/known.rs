//! The members whose places a message's envelope remembers.

use crate::meta::{
    BAGGAGE, CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROGRESS_TOKEN, PROTOCOL_VERSION,
    SUBSCRIPTION_ID, TRACEPARENT, TRACESTATE,
};

/// What an open object is to the envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Root,
    Params,
    Meta,
    Elsewhere,
}

/// The number of a remembered member; [`Slot::NONE`] for every other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot(u8);

impl Slot {
    pub(super) const NONE: Self = Self(u8::MAX);
    pub(super) const VERSION: Self = Self(0);
    pub(super) const ID: Self = Self(1);
    pub(super) const METHOD: Self = Self(2);
    pub(super) const PARAMS: Self = Self(3);
    pub(super) const RESULT: Self = Self(4);
    pub(super) const ERROR: Self = Self(5);
    const ROOT: u8 = 6;
    pub(super) const COUNT: usize = 6 + Param::ALL.len() + MetaKey::ALL.len();

    pub(super) const fn param(param: Param) -> Self {
        Self(Self::ROOT + param as u8)
    }

    pub(super) const fn meta(key: MetaKey) -> Self {
        Self(Self::ROOT + Param::ALL.len() as u8 + key as u8)
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// What an object that stands in this slot is to the envelope.
    pub(super) fn place(self) -> Place {
        if self == Self::PARAMS {
            Place::Params
        } else if self == Self::param(Param::Meta) {
            Place::Meta
        } else {
            Place::Elsewhere
        }
    }

    /// The slot of a member, or `None` when its name is a known one in other letters' case.
    ///
    /// Some readers of JSON take `Method` for `method`; a message that reads differently to
    /// different readers is refused.
    pub(super) fn find(place: Place, name: &str) -> Option<Self> {
        let slot = match place {
            Place::Root => Self::root(name),
            Place::Params => Param::parse(name).map(Self::param),
            Place::Meta => MetaKey::parse(name).map(Self::meta),
            Place::Elsewhere => return Some(Self::NONE),
        };
        match slot {
            Some(slot) => Some(slot),
            None if is_near(place, name) => None,
            None => Some(Self::NONE),
        }
    }

    fn root(name: &str) -> Option<Self> {
        Some(match name {
            "jsonrpc" => Self::VERSION,
            "id" => Self::ID,
            "method" => Self::METHOD,
            "params" => Self::PARAMS,
            "result" => Self::RESULT,
            "error" => Self::ERROR,
            _ => return None,
        })
    }
}

fn is_near(place: Place, name: &str) -> bool {
    let known: &[&str] = match place {
        Place::Root => &["jsonrpc", "id", "method", "params", "result", "error"],
        // Those that a request is routed by, and those that hold what the peer declares.
        Place::Params => &["name", "uri", "taskId", "arguments", "_meta"],
        Place::Meta | Place::Elsewhere => &[],
    };
    known.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// A known set of member names: the enum, its list, and the way from and to the wire.
macro_rules! members {
    ($(#[$about:meta])* $type:ident { $($(#[$doc:meta])* $variant:ident = $name:tt,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $type {
            $($(#[$doc])* $variant,)+
        }

        impl $type {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The member's name on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// The member with this name; asked for each member of each request, hence a `match`.
            fn parse(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

members! {
    /// A member of `params` whose place the envelope remembers.
    Param {
        /// `name` of `tools/call` and `prompts/get`.
        Name = "name",
        /// `uri` of `resources/read`.
        Uri = "uri",
        /// `taskId` of the tasks extension.
        TaskId = "taskId",
        /// `cursor` of the list methods.
        Cursor = "cursor",
        /// `arguments` of `tools/call` and `prompts/get`.
        Arguments = "arguments",
        /// `_meta` of every request and notification.
        Meta = "_meta",
        /// `inputResponses` of a retried request.
        InputResponses = "inputResponses",
        /// `requestState` of a retried request.
        RequestState = "requestState",
        /// `notifications` of `subscriptions/listen`.
        Notifications = "notifications",
        /// `ref` of `completion/complete`.
        Ref = "ref",
        /// `argument` of `completion/complete`.
        Argument = "argument",
        /// `context` of `completion/complete`.
        Context = "context",
        /// `requestId` of `notifications/cancelled`.
        RequestId = "requestId",
        /// `level` of `logging/setLevel`, a method of the handshake revisions.
        Level = "level",
        /// `protocolVersion` of `initialize`, a method of the handshake revisions.
        ProtocolVersion = "protocolVersion",
        /// `capabilities` of `initialize`.
        Capabilities = "capabilities",
        /// `clientInfo` of `initialize`.
        ClientInfo = "clientInfo",
        /// `reason` of `notifications/cancelled`.
        Reason = "reason",
    }
}

members! {
    /// A member of `params._meta` whose place the envelope remembers.
    MetaKey {
        /// The revision that the request is written in.
        ProtocolVersion = PROTOCOL_VERSION,
        /// What the client can do, for this request.
        ClientCapabilities = CLIENT_CAPABILITIES,
        /// Who the client says it is.
        ClientInfo = CLIENT_INFO,
        /// The least severe log message that the client wants for this request.
        LogLevel = LOG_LEVEL,
        /// The token that progress notifications are to carry.
        ProgressToken = PROGRESS_TOKEN,
        /// The listen request that a notification belongs to.
        SubscriptionId = SUBSCRIPTION_ID,
        /// W3C trace context.
        Traceparent = TRACEPARENT,
        /// W3C trace context, the vendors' part.
        Tracestate = TRACESTATE,
        /// W3C baggage.
        Baggage = BAGGAGE,
    }
}

#[cfg(test)]
mod tests {
    use super::{MetaKey, Param, Slot};

    #[test]
    fn every_known_member_has_its_own_slot_and_is_found_by_its_name() {
        let mut slots: Vec<usize> = Vec::new();
        for param in Param::ALL {
            assert_eq!(Param::parse(param.as_str()), Some(*param));
            slots.push(Slot::param(*param).index());
        }
        for key in MetaKey::ALL {
            assert_eq!(MetaKey::parse(key.as_str()), Some(*key));
            slots.push(Slot::meta(*key).index());
        }
        assert_eq!(slots, (6..Slot::COUNT).collect::<Vec<_>>());
    }
}
