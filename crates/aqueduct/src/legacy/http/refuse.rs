//! What a client is told at once: refusals, and answers that are there already.

use aqueduct_protocol::code;
use aqueduct_protocol::jsonrpc;
use aqueduct_protocol::meta;
use aqueduct_protocol::version::ProtocolVersion;

use super::super::downgrade;
use super::Told;
use crate::context::Request;
use crate::error::Error;
use crate::store::StoreError;

/// A refusal in the words of the protocol; the status says what the client should do.
pub(super) fn refused(status: u16, id: Option<&str>, message: &str) -> Told {
    let mut body = Vec::with_capacity(128);
    jsonrpc::write_error(&mut body, id, code::INVALID_REQUEST, message, None);
    Told::Message { status, body, session: None }
}

/// The store does not say whether the session goes on; a client that asks again may learn it.
pub(super) fn unsure(error: &StoreError, id: Option<&str>) -> Told {
    tracing::error!("what a session is cannot be looked up: {error}");
    full(503, id, "the session cannot be looked up; try again soon")
}

/// There is no room now; a client that asks again may find some.
pub(super) fn full(status: u16, id: Option<&str>, message: &str) -> Told {
    let mut body = Vec::with_capacity(128);
    jsonrpc::write_error(&mut body, id, code::INTERNAL_ERROR, message, None);
    Told::Message { status, body, session: None }
}

pub(super) fn told(body: Vec<u8>) -> Told {
    Told::Message { status: 200, body, session: None }
}

/// `server/discover` is a method of the stateless revision, whose metadata it lacks.
pub(super) fn without_meta(request: &Request) -> Told {
    let message = format!(
        "params._meta[{:?}] is missing; this server speaks {}",
        meta::PROTOCOL_VERSION,
        ProtocolVersion::LATEST
    );
    let error = Error::invalid_params(message);
    let id = request.id().unwrap_or_default();
    let body = downgrade::error(id, &error, ProtocolVersion::LATEST);
    Told::Message { status: 400, body, session: None }
}
