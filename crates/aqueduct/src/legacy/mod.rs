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
mod relay;
mod task;
mod upgrade;

#[cfg(feature = "http")]
mod http;
#[cfg(feature = "stdio")]
mod stdio;

use std::convert::Infallible;
use std::future::Future;

use aqueduct_protocol::jsonrpc::MetaKey;
use tower_service::Service;

use crate::call::{Call, Reply};
use crate::context::Request;

#[cfg(feature = "http")]
pub(crate) use self::http::{Legacy, Reader, SessionTerms, Told, is_of_a_session};
#[cfg(feature = "stdio")]
pub(crate) use self::outlet::Outlet;
#[cfg(feature = "stdio")]
pub(crate) use self::stdio::{Conversation, Heard};

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

/// Does the message lack the metadata that each request of the stateless revision has? The pass
/// that decoded it knows.
pub(crate) fn lacks_meta(message: &Request) -> bool {
    message.meta(MetaKey::ProtocolVersion).is_none()
}
