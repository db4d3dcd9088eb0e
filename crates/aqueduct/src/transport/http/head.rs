//! What the headers of a POST must say before its body is read.

use aqueduct_protocol::header as mcp;
use http::{HeaderMap, HeaderValue, Response, header};

use super::body::Body;
use super::respond;

/// What may be there once only, because two values are two truths.
const SINGLE: [header::HeaderName; 4] = [
    header::CONTENT_TYPE,
    header::CONTENT_LENGTH,
    header::AUTHORIZATION,
    header::HeaderName::from_static(mcp::SESSION_ID),
];

/// The answer to a request whose headers say that its body, or every answer, is of no use.
pub(super) fn check(headers: &HeaderMap) -> Option<Response<Body>> {
    if SINGLE.iter().any(|name| headers.get_all(name).iter().nth(1).is_some()) {
        return Some(respond::bad_request("a header that may be there once is there twice"));
    }
    let mut codings = headers.get_all(header::CONTENT_ENCODING).iter();
    let is_plain = codings.all(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity"));
    if !is_plain || !headers.get(header::CONTENT_TYPE).is_some_and(is_json) {
        return Some(respond::unsupported_media_type());
    }
    if !accepts(headers) {
        return Some(respond::not_acceptable());
    }
    None
}

/// `application/json`, in any case and with any parameters (RFC 9110, section 8.3.1).
fn is_json(value: &HeaderValue) -> bool {
    let essence = value.as_bytes().split(|byte| *byte == b';').next().unwrap_or_default();
    essence.trim_ascii().eq_ignore_ascii_case(b"application/json")
}

/// A client must be able to take both forms of an answer, since it cannot know which will come.
fn accepts(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(header::ACCEPT).iter().peekable();
    if values.peek().is_none() {
        return true;
    }
    let (mut json, mut events) = (false, false);
    for value in values {
        for range in value.as_bytes().split(|byte| *byte == b',') {
            let mut parts = range.split(|byte| *byte == b';');
            let name = parts.next().unwrap_or_default().trim_ascii();
            if parts.any(is_refusal) {
                continue;
            }
            let all = name == b"*/*";
            json |= all
                || name.eq_ignore_ascii_case(b"application/json")
                || name.eq_ignore_ascii_case(b"application/*");
            events |= all
                || name.eq_ignore_ascii_case(b"text/event-stream")
                || name.eq_ignore_ascii_case(b"text/*");
        }
    }
    json && events
}

/// `q=0` says "anything but this".
fn is_refusal(parameter: &[u8]) -> bool {
    let parameter = parameter.trim_ascii();
    let Some(weight) = parameter.strip_prefix(b"q=").or_else(|| parameter.strip_prefix(b"Q="))
    else {
        return false;
    };
    !weight.is_empty() && weight.iter().all(|byte| matches!(byte, b'0' | b'.'))
}
