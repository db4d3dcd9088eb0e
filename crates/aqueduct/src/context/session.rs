//! What the door for clients that shake hands needs of a message and of what a call says.

use aqueduct_protocol::version::ProtocolVersion;

use super::{Head, Outbound, Request};

impl Head {
    /// A head of a session that has agreed on a revision, whose headers mirror nothing.
    pub(crate) fn negotiated(mut self, version: ProtocolVersion) -> Self {
        (self.mirrors, self.negotiated) = (None, Some(version));
        self
    }
}

impl Request {
    pub(crate) fn into_head(self) -> Head {
        self.head
    }

    /// The result of a response as raw JSON.
    pub(crate) fn result(&self) -> Option<&str> {
        self.envelope.result(&self.text)
    }

    /// The error of a response as raw JSON.
    pub(crate) fn error(&self) -> Option<&str> {
        self.envelope.error(&self.text)
    }
}

impl Outbound {
    /// A queue for a transport that can end the connection without the call.
    pub(crate) fn resumable() -> Self {
        let outbound = Self::new();
        outbound.lock().resumable = true;
        outbound
    }

    /// Was that asked for since the last time?
    pub(crate) fn take_hang_up(&self) -> bool {
        let mut queue = self.lock();
        queue.frames.is_empty() && std::mem::take(&mut queue.hung_up)
    }
}
