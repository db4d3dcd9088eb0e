//! The one table from a kind of error to its JSON-RPC code and its HTTP status.

use aqueduct_protocol::code;
use aqueduct_protocol::version::ProtocolVersion;

use super::Kind;

/// The JSON-RPC code of `kind` for a peer that speaks `version`.
pub(crate) fn code_of(kind: Kind, version: ProtocolVersion) -> i32 {
    match kind {
        Kind::Parse => code::PARSE_ERROR,
        Kind::InvalidRequest | Kind::InsufficientScope => code::INVALID_REQUEST,
        Kind::MethodNotFound => code::METHOD_NOT_FOUND,
        Kind::InvalidParams | Kind::NotFound => code::INVALID_PARAMS,
        // SEP-2164 moved it; 2026-07-28 forbids the old code, earlier revisions recommend it.
        Kind::ResourceNotFound if version.has_handshake() => code::RESOURCE_NOT_FOUND,
        Kind::ResourceNotFound => code::INVALID_PARAMS,
        Kind::HeaderMismatch => code::HEADER_MISMATCH,
        Kind::MissingCapability => code::MISSING_REQUIRED_CLIENT_CAPABILITY,
        Kind::UnsupportedVersion => code::UNSUPPORTED_PROTOCOL_VERSION,
        Kind::Internal | Kind::Failed | Kind::TimedOut | Kind::Busy | Kind::RateLimited => {
            code::INTERNAL_ERROR
        }
        Kind::Application(code) => code,
    }
}

/// The HTTP status that carries `kind` to a peer that speaks `version`.
///
/// Inside a handshake session every answer to a request is 200: there, 404 means that the
/// session is gone and 400 that its headers are wrong.
/// For 2026-07-28, 404 and 400 are the specification's where it names them; lookups and failures
/// inside a handler stay 200, because a client of both eras takes a 400 without a modern code for
/// a server of the old one.
pub(crate) fn status_of(kind: Kind, version: ProtocolVersion) -> u16 {
    if version.has_handshake() {
        return 200;
    }
    match kind {
        Kind::Parse
        | Kind::InvalidRequest
        | Kind::InvalidParams
        | Kind::HeaderMismatch
        | Kind::MissingCapability
        | Kind::UnsupportedVersion => 400,
        Kind::InsufficientScope => 403,
        Kind::MethodNotFound => 404,
        Kind::RateLimited => 429,
        Kind::Busy => 503,
        Kind::NotFound
        | Kind::ResourceNotFound
        | Kind::Internal
        | Kind::Failed
        | Kind::TimedOut
        | Kind::Application(_) => 200,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_resource_changed_its_code_with_the_stateless_revision() {
        let kind = Kind::ResourceNotFound;
        assert_eq!(code_of(kind, ProtocolVersion::V2026_07_28), -32602);
        assert_eq!(code_of(kind, ProtocolVersion::V2025_11_25), -32002);
    }

    #[test]
    fn the_statuses_that_the_specification_fixes() {
        let modern = ProtocolVersion::V2026_07_28;
        assert_eq!(status_of(Kind::MethodNotFound, modern), 404);
        for kind in [Kind::HeaderMismatch, Kind::MissingCapability, Kind::UnsupportedVersion] {
            assert_eq!(status_of(kind, modern), 400);
            assert_eq!(status_of(kind, ProtocolVersion::V2025_06_18), 200);
        }
    }
}
