//! Whether a request may be served at all: its revision, its metadata, its mirrored headers.
//!
//! The order of the checks is the one in which the specification's duties agree with each other:
//! metadata that is missing, then the version header, then the version, then the other metadata,
//! then the method header. The rest of the mirrored headers follows once the method is known.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use aqueduct_protocol::capabilities::ClientCapabilities;
use aqueduct_protocol::jsonrpc::{self, MetaKey, Param, RawJson};
use aqueduct_protocol::logging::LoggingLevel;
use aqueduct_protocol::meta;
use aqueduct_protocol::method;
use aqueduct_protocol::version::ProtocolVersion;
use serde_json::json;

use super::{Core, mirror};
use crate::call::Call;
use crate::context::{Admitted, Context, Request, object};
use crate::error::{Error, Kind, shorten};

/// How long a progress token may be.
const MAX_TOKEN: usize = 256;

/// Makes the context of a request, or says why it is refused.
pub(super) fn admit(call: Call, core: &Core) -> Result<Context, Error> {
    let (request, outbound) = call.into_parts();
    let version = version(&request)?;
    let capabilities = capabilities(&request)?;
    // A server that does not declare log messages must not send any (Logging › Capabilities).
    let log_level = log_level(&request)?.filter(|_| core.options.logging);
    check_token(&request)?;
    mirror::method(&request)?;
    let state = Arc::clone(&core.state);
    Ok(Context::new(Admitted { request, version, capabilities, log_level, state, outbound }))
}

/// The revisions that a request may name in its metadata.
pub(super) fn supported() -> impl Iterator<Item = ProtocolVersion> {
    ProtocolVersion::ALL.iter().copied().filter(|version| version.is_stateless()).rev()
}

fn supported_names() -> Vec<&'static str> {
    supported().map(ProtocolVersion::as_str).collect()
}

fn version(request: &Request) -> Result<ProtocolVersion, Error> {
    let Some(raw) = request.meta(MetaKey::ProtocolVersion) else {
        return Err(without_version(request));
    };
    // The name of a revision has no letter that must be escaped.
    let plain = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let known = plain.filter(|name| ProtocolVersion::parse(name).is_some()).map(Cow::Borrowed);
    let Some(named) = known.or_else(|| jsonrpc::string(raw)) else {
        return Err(missing(meta::PROTOCOL_VERSION, "must be a string"));
    };
    mirror::version(request, &named)?;
    let known = ProtocolVersion::parse(&named).filter(|version| version.is_stateless());
    known.ok_or_else(|| unsupported(&named))
}

fn unsupported(requested: &str) -> Error {
    let supported = supported_names();
    Error::of(
        Kind::UnsupportedVersion,
        format!(
            "protocol version {:?} is not served here; use {}",
            shorten(requested),
            supported.join(", ")
        ),
    )
    .data(&json!({ "supported": supported, "requested": requested }))
}

/// A request that does not say which revision it speaks.
///
/// `initialize` is how the older revisions begin, and its sender reads the answer: it names what
/// is served. Over HTTP a client of those revisions is told by its missing headers, as the
/// compatibility matrix of the specification has it; whoever sends the header and no metadata
/// speaks this revision, wrongly.
fn without_version(request: &Request) -> Error {
    if request.method() == method::INITIALIZE {
        let requested = request.param(Param::ProtocolVersion).and_then(jsonrpc::string);
        return unsupported(&requested.unwrap_or(Cow::Borrowed("")));
    }
    if mirror::is_without_version(request) {
        return Error::of(
            Kind::HeaderMismatch,
            format!(
                "the MCP-Protocol-Version header and params._meta are missing; this server speaks \
                 {}",
                supported_names().join(", ")
            ),
        );
    }
    missing(
        meta::PROTOCOL_VERSION,
        &format!("is missing; this server speaks {}", supported_names().join(", ")),
    )
}

fn missing(key: &str, what: &str) -> Error {
    Error::invalid_params(format!("params._meta[{key:?}] {what}"))
}

/// What the client can do; `None` stands for the empty object, which nearly every call has.
fn capabilities(request: &Request) -> Result<Option<Box<ClientCapabilities>>, Error> {
    let key = meta::CLIENT_CAPABILITIES;
    match request.meta(MetaKey::ClientCapabilities) {
        None => Err(missing(key, "is missing; send {} if there are none")),
        Some("{}") => Ok(None),
        Some(raw) => {
            let members: BTreeMap<String, RawJson> =
                object(raw).map_err(|why| missing(key, &why))?;
            if let Some((name, _)) = members.iter().find(|(_, value)| !value.get().starts_with('{'))
            {
                let name = shorten(name);
                return Err(missing(key, &format!("names {name:?}, whose value is not an object")));
            }
            object(raw).map(|all| Some(Box::new(all))).map_err(|why| missing(key, &why))
        }
    }
}

fn log_level(request: &Request) -> Result<Option<LoggingLevel>, Error> {
    let Some(raw) = request.meta(MetaKey::LogLevel) else { return Ok(None) };
    let level = jsonrpc::string(raw).and_then(|name| LoggingLevel::parse(&name));
    match level {
        Some(level) => Ok(Some(level)),
        None => Err(missing(
            meta::LOG_LEVEL,
            "is not one of debug, info, notice, warning, error, critical, alert, emergency",
        )),
    }
}

fn check_token(request: &Request) -> Result<(), Error> {
    let Some(raw) = request.meta(MetaKey::ProgressToken) else { return Ok(()) };
    let text = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let is_integer = raw.parse::<i64>().is_ok();
    if !(text.is_some() || is_integer) || text.unwrap_or(raw).len() > MAX_TOKEN {
        return Err(missing(
            meta::PROGRESS_TOKEN,
            &format!("must be a string or an integer of at most {MAX_TOKEN} bytes"),
        ));
    }
    Ok(())
}
