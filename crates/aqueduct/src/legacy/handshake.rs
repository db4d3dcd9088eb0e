//! `initialize`: the choice of a revision, and what the server says of itself.

use std::future::poll_fn;

use aqueduct_protocol::capabilities::ClientCapabilities;
use aqueduct_protocol::discover::DiscoverResult;
use aqueduct_protocol::icons::Implementation;
use aqueduct_protocol::jsonrpc::{self, Param};
use aqueduct_protocol::legacy::{InitializeResult, choose};
use aqueduct_protocol::method::Method;
use aqueduct_protocol::tasks::EXTENSION;
use aqueduct_protocol::version::ProtocolVersion;

use super::peer::Peer;
use super::task::{self, TaskTools};
use super::upgrade::Upgraded;
use super::{Serves, downgrade};
use crate::call::{Call, Outcome, Reply};
use crate::context::{Head, Request};
use crate::error::Error;

/// Shakes hands.
///
/// # Errors
/// When the request does not have the shape of one.
pub(super) async fn shake<S: Serves>(
    service: &mut S,
    request: &Request,
    tasks: &TaskTools,
) -> Result<(Peer, InitializeResult), Error> {
    let peer = peer(request)?;
    let found = discover(service, &peer, request.head().clone()).await?;
    let mut info = found
        .meta
        .as_ref()
        .and_then(aqueduct_protocol::meta::Meta::server_info)
        .unwrap_or_else(|| Implementation::new(String::new(), String::new()));
    downgrade::implementation(&mut info, peer.version);
    let mut capabilities = found.capabilities;
    // A session has the tasks of its own revision instead.
    capabilities.extensions = capabilities.extensions.and_then(|mut extensions| {
        extensions.remove(EXTENSION);
        (!extensions.is_empty()).then_some(extensions)
    });
    task::declare(&mut capabilities, tasks, &peer);
    let mut result = InitializeResult::new(peer.version.as_str(), capabilities, info);
    result.instructions = found.instructions;
    Ok((peer, result))
}

/// What the client says of itself. Who it is may be left out: nothing is decided by it.
fn peer(request: &Request) -> Result<Peer, Error> {
    let missing = |param: Param, what: &str| {
        Error::invalid_params(format!("params.{} {what}", param.as_str()))
    };
    let raw = |param| request.param(param).ok_or_else(|| missing(param, "is missing"));
    let requested = jsonrpc::string(raw(Param::ProtocolVersion)?)
        .ok_or_else(|| missing(Param::ProtocolVersion, "must be a string"))?;
    let capabilities: ClientCapabilities = serde_json::from_str(raw(Param::Capabilities)?)
        .map_err(|error| missing(Param::Capabilities, &format!("are none: {error}")))?;
    let info: Option<Implementation> =
        request.param(Param::ClientInfo).and_then(|info| serde_json::from_str(info).ok());
    Peer::new(choose(&requested), capabilities, info)
}

/// What the server says of itself to a client of the stateless revision.
pub(super) async fn discover<S: Serves>(
    service: &mut S,
    peer: &Peer,
    head: Head,
) -> Result<DiscoverResult, Error> {
    let request = Upgraded::own(Method::ServerDiscover, [], peer, head).request()?;
    let Ok(()) = poll_fn(|cx| service.poll_ready(cx)).await;
    let Ok(reply) = service.call(Call::new(request, None)).await;
    match reply {
        Reply::Result(Outcome::Prebuilt(written)) => {
            serde_json::from_slice(written.json()).map_err(Error::internal)
        }
        Reply::Error(error) => Err(error),
        _ => Err(Error::internal("a layer changed what the server says of itself")),
    }
}

/// A batch is an array of messages; one revision had them.
pub(super) fn has_batches(version: ProtocolVersion) -> bool {
    version == ProtocolVersion::V2025_03_26
}
