//! The handshake revisions, translated at the door: 2025-03-26, 2025-06-18 and 2025-11-25.
//!
//! A request of a session is made into one of the stateless revision, served as every other, and
//! its reply made into what the session's revision writes. Nothing else in the framework knows
//! that there are sessions: when the clients that shake hands are gone, this folder goes, with the
//! calls of it in `transport/`.

mod ask;
mod batch;
mod control;
mod downgrade;
mod drive;
mod form;
mod handshake;
mod live;
mod outlet;
mod peer;
mod push;
mod sessions;
mod stream;
mod upgrade;

#[cfg(feature = "http")]
mod http;
#[cfg(feature = "stdio")]
mod stdio;

use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

use aqueduct_protocol::jsonrpc::MetaKey;
use tower_service::Service;

use self::sessions::Sessions;
use crate::call::{Call, Reply};
use crate::context::Request;
use crate::seal::KeyRing;
use crate::store::{Memory, Store};

#[cfg(feature = "http")]
pub(crate) use self::http::{Told, is_of_a_session};
#[cfg(feature = "stdio")]
pub(crate) use self::outlet::Outlet;
#[cfg(feature = "stdio")]
pub(crate) use self::stdio::{Conversation, Heard};
#[cfg(feature = "http")]
pub(crate) use self::stream::Reader;

/// What serves the requests of sessions: the same that serves all others.
pub(crate) trait Serves:
    Service<
        Call,
        Response = Reply,
        Error = Infallible,
        Future: Future<Output = Result<Reply, Infallible>> + Unpin + Send + 'static,
    > + Clone
    + Send
    + 'static
{
}

impl<S> Serves for S where
    S: Service<
            Call,
            Response = Reply,
            Error = Infallible,
            Future: Future<Output = Result<Reply, Infallible>> + Unpin + Send + 'static,
        > + Clone
        + Send
        + 'static
{
}

/// The door for clients that shake hands.
pub(crate) struct Legacy {
    /// What seals session ids; nothing when there are to be none.
    keys: Option<Arc<KeyRing>>,
    sessions: Sessions,
}

impl Legacy {
    /// Gives each client a session, which lasts from request to request.
    pub(crate) fn with_sessions(keys: Arc<KeyRing>, store: Arc<dyn Store>) -> Arc<Self> {
        Arc::new(Self { keys: Some(keys), sessions: Sessions::new(store) })
    }

    /// Serves each request for itself, as far as that goes: a client cannot be asked, told or
    /// cancelled over HTTP, because no request of it belongs to another.
    pub(crate) fn without_sessions() -> Arc<Self> {
        Arc::new(Self { keys: None, sessions: Sessions::new(Arc::new(Memory::new())) })
    }
}

/// Does the message lack the metadata that each request of the stateless revision has? The pass
/// that decoded it knows.
pub(crate) fn lacks_meta(message: &Request) -> bool {
    message.meta(MetaKey::ProtocolVersion).is_none()
}

impl fmt::Debug for Legacy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Legacy").field("sessions", &self.keys.is_some()).finish_non_exhaustive()
    }
}
