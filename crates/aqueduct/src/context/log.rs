//! Log messages to the client, as frames.

use aqueduct_protocol::jsonrpc;
use aqueduct_protocol::logging::LoggingLevel;
use aqueduct_protocol::method;

/// The notification as one line of JSON; a value that cannot be written says so in its place.
pub(super) fn frame(
    logger: Option<&str>,
    level: LoggingLevel,
    data: &impl serde::Serialize,
) -> Vec<u8> {
    let mut out = Vec::with_capacity(128);
    out.extend_from_slice(br#"{"jsonrpc":"2.0","method":""#);
    out.extend_from_slice(method::NOTIFICATIONS_MESSAGE.as_bytes());
    out.extend_from_slice(br#"","params":{"level":""#);
    out.extend_from_slice(level.as_str().as_bytes());
    out.push(b'"');
    if let Some(logger) = logger {
        out.extend_from_slice(br#","logger":"#);
        jsonrpc::write_string(&mut out, logger);
    }
    out.extend_from_slice(br#","data":"#);
    let start = out.len();
    if serde_json::to_writer(&mut out, data).is_err() {
        out.truncate(start);
        jsonrpc::write_string(&mut out, "(a value that cannot be written as JSON)");
    }
    out.extend_from_slice(b"}}");
    out
}
