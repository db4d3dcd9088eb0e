//! What the headers of a POST must say before its body is read.

use http::{HeaderMap, HeaderValue, Response};

use super::body::Body;
use super::fields::{Fields, Seen};
use super::respond;

const JSON: &str = "application/json";

/// The answer to a request whose headers say that its body, or every answer, is of no use.
pub(super) fn check(fields: &Fields<'_>) -> Option<Response<Body>> {
    if fields.repeats {
        return Some(respond::bad_request("a header that may be there once is there twice"));
    }
    let is_json = matches!(fields.content_type, Seen::Once(kind) if is_json(kind));
    if fields.is_coded || !is_json {
        return Some(respond::unsupported_media_type());
    }
    if !fields.accept.is_both() {
        return Some(respond::not_acceptable());
    }
    None
}

/// `application/json`, in any case and with any parameters (RFC 9110, section 8.3.1).
fn is_json(value: &HeaderValue) -> bool {
    if value == JSON {
        return true;
    }
    let essence = value.as_bytes().split(|byte| *byte == b';').next().unwrap_or_default();
    essence.trim_ascii().eq_ignore_ascii_case(JSON.as_bytes())
}

/// A client that opens a stream must be able to take it.
pub(super) fn accepts_events(headers: &HeaderMap) -> bool {
    Fields::read(headers).accept.events()
}
