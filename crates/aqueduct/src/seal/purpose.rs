//! What a sealed string is for; strings for one purpose do not open for another.

use std::fmt;

/// A name from which each key derives a key of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Purpose {
    owner: Owner,
    name: &'static str,
}

/// Whose purpose it is, so that no application can take a name that the framework will want.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Owner {
    Framework,
    Application,
}

impl Purpose {
    /// The position in a list
    /// ([Pagination](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination)).
    pub const CURSOR: Self = Self::framework("cursor");
    /// The state of a call that asked the client a question
    /// ([Multi Round-Trip Requests](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr)).
    pub const REQUEST_STATE: Self = Self::framework("request-state");
    /// The session id of a client that still shakes hands.
    pub const SESSION: Self = Self::framework("session");
    /// The secret in the id of a task.
    pub const TASK: Self = Self::framework("task");
    /// A value in a store.
    pub const STORED: Self = Self::framework("stored");
    /// A message between nodes.
    pub const MESSAGE: Self = Self::framework("message");

    /// What a tool hands out to be named in later calls
    /// ([SEP-2567](https://modelcontextprotocol.io/seps/2567-sessionless-mcp)).
    pub const HANDLE: Self = Self::framework("handle");

    const fn framework(name: &'static str) -> Self {
        Self { owner: Owner::Framework, name }
    }

    /// A purpose of the application.
    #[must_use]
    pub const fn app(name: &'static str) -> Self {
        Self { owner: Owner::Application, name }
    }

    /// The `info` of HKDF, in parts; the name is last, so that its end needs no mark.
    pub(super) const fn info(&self) -> [&[u8]; 2] {
        let owner: &[u8] = match self.owner {
            Owner::Framework => b"aqueduct seal v1 framework ",
            Owner::Application => b"aqueduct seal v1 application ",
        };
        [owner, self.name.as_bytes()]
    }
}

impl fmt::Debug for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let owner = match self.owner {
            Owner::Framework => "framework",
            Owner::Application => "application",
        };
        write!(f, "Purpose({owner} {:?})", self.name)
    }
}
