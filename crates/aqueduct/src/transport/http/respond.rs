//! Responses: what each kind of ending looks like as HTTP.

use std::borrow::Cow;
use std::time::Duration;

use aqueduct_protocol::code;
use aqueduct_protocol::jsonrpc;
use http::{HeaderValue, Response, StatusCode, Version, header};

use super::body::Body;
use super::collect::Unread;
use super::framing::Flaw;
use super::guard::Refusal;
use crate::transport::Answer;

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const EVENTS: HeaderValue = HeaderValue::from_static("text/event-stream");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
const ONLY_POST: HeaderValue = HeaderValue::from_static("POST");
const ALL_THREE: HeaderValue = HeaderValue::from_static("GET, POST, DELETE");
const UNBUFFERED: HeaderValue = HeaderValue::from_static("no");
const CLOSE: HeaderValue = HeaderValue::from_static("close");
const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");
/// How many seconds a client should wait for a place.
const SOON: HeaderValue = HeaderValue::from_static("1");

/// An answer as one JSON body.
pub(super) fn json(answer: Answer) -> Response<Body> {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    let body = match answer.rest {
        Some(rest) => Body::two(answer.head.into(), rest),
        None => Body::one(answer.head),
    };
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, JSON);
    if let Some(wait) = answer.retry {
        headers.insert(header::RETRY_AFTER, seconds(wait));
    } else if status == StatusCode::SERVICE_UNAVAILABLE {
        headers.insert(header::RETRY_AFTER, SOON);
    }
    response
}

/// A wait in whole seconds, and never less than it is.
fn seconds(wait: Duration) -> HeaderValue {
    HeaderValue::from(wait.as_secs() + u64::from(wait.subsec_nanos() > 0))
}

/// One message as the whole body.
pub(super) fn message(status: u16, message: Vec<u8>) -> Response<Body> {
    json(Answer { status, head: message, rest: None, retry: None })
}

/// A stream of events, which proxies must neither hold back nor keep.
pub(super) fn events(body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, EVENTS);
    headers.insert(header::CACHE_CONTROL, NO_STORE);
    headers.insert("x-accel-buffering", UNBUFFERED);
    response
}

/// An accepted notification: exactly 202 and nothing in it.
pub(super) fn accepted() -> Response<Body> {
    status(StatusCode::ACCEPTED)
}

/// A session that has ended.
pub(super) fn ended() -> Response<Body> {
    status(StatusCode::NO_CONTENT)
}

fn status(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

/// A refusal before any message was read, as a JSON-RPC error without an id.
fn refused(status: StatusCode, code: i32, message: impl Into<Cow<'static, str>>) -> Response<Body> {
    let head = error(None, code, &message.into());
    json(Answer { status: status.as_u16(), head, rest: None, retry: None })
}

fn error(id: Option<&str>, code: i32, message: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(128);
    jsonrpc::write_error(&mut out, id, code, message, None);
    out
}

/// The end of the connection, said in its last response; later versions of HTTP have no such
/// header.
pub(super) fn close(response: &mut Response<Body>, version: Version) {
    if version < Version::HTTP_2 {
        response.headers_mut().insert(header::CONNECTION, CLOSE);
    }
}

/// Nothing is at the path that was asked for; this is no answer of the endpoint, so it is text.
pub(super) fn no_endpoint(path: &str) -> Response<Body> {
    let mut response = Response::new(Body::one(format!("nothing is here; try {path}\n")));
    *response.status_mut() = StatusCode::NOT_FOUND;
    response.headers_mut().insert(header::CONTENT_TYPE, TEXT);
    response
}

/// The bytes of the request are not what they may be.
pub(super) fn flawed(flaw: Flaw) -> Response<Body> {
    match flaw {
        Flaw::Ambiguous => bad_request(
            "the length of the body is said in more than one way, or a line end is no CR LF",
        ),
        Flaw::TooManyFields => refused(
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            code::INVALID_REQUEST,
            "the request has too many header fields",
        ),
    }
}

/// No place is left for another request.
pub(super) fn busy() -> Response<Body> {
    let message = "the server is busy; try again soon";
    refused(StatusCode::SERVICE_UNAVAILABLE, code::INTERNAL_ERROR, message)
}

/// The server goes before it could answer this request.
pub(super) fn ending(id: &str) -> Response<Body> {
    let status = StatusCode::SERVICE_UNAVAILABLE.as_u16();
    json(Answer { status, head: ending_error(id), rest: None, retry: None })
}

/// The same as a message.
pub(super) fn ending_error(id: &str) -> Vec<u8> {
    error(Some(id), code::INTERNAL_ERROR, "the server is shutting down; try again soon")
}

pub(super) fn method_not_allowed(is_head: bool) -> Response<Body> {
    not_allowed(is_head, "this endpoint takes POST only", ONLY_POST)
}

/// The same where a session's streams are opened by GET and its end is a DELETE.
pub(super) fn method_not_allowed_here(is_head: bool) -> Response<Body> {
    let message = "this endpoint takes POST, and in a session, named by the Mcp-Session-Id header, \
                   GET and DELETE";
    not_allowed(is_head, message, ALL_THREE)
}

fn not_allowed(is_head: bool, message: &'static str, allowed: HeaderValue) -> Response<Body> {
    let mut response = refused(StatusCode::METHOD_NOT_ALLOWED, code::INVALID_REQUEST, message);
    if is_head {
        *response.body_mut() = Body::empty();
    }
    response.headers_mut().insert(header::ALLOW, allowed);
    response
}

pub(super) fn forbidden(refusal: Refusal) -> Response<Body> {
    let (status, message) = match refusal {
        Refusal::Host => (
            StatusCode::FORBIDDEN,
            "the Host header names a host that is not served here: only the names of this machine \
             are, and those that the server allows with `HttpService::allow_host(…)`",
        ),
        Refusal::Origin => (
            StatusCode::FORBIDDEN,
            "the Origin header names an origin that is not allowed: the server allows pages of \
             other sites with `HttpService::allow_origin(…)`",
        ),
        Refusal::Ambiguous => (
            StatusCode::BAD_REQUEST,
            "the Host or the Origin header is missing or there more than once",
        ),
    };
    refused(status, code::INVALID_REQUEST, message)
}

pub(super) fn unsupported_media_type() -> Response<Body> {
    refused(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        code::INVALID_REQUEST,
        "Content-Type must be application/json, and the body not encoded",
    )
}

pub(super) fn not_acceptable() -> Response<Body> {
    refused(
        StatusCode::NOT_ACCEPTABLE,
        code::INVALID_REQUEST,
        "Accept must allow application/json and text/event-stream",
    )
}

pub(super) fn bad_request(message: &'static str) -> Response<Body> {
    refused(StatusCode::BAD_REQUEST, code::INVALID_REQUEST, message)
}

pub(super) fn unread(why: Unread, limit: usize, version: Version) -> Response<Body> {
    let mut response = match why {
        Unread::TooLarge => refused(
            StatusCode::PAYLOAD_TOO_LARGE,
            code::INVALID_REQUEST,
            format!("the body is longer than {limit} bytes"),
        ),
        Unread::TooSlow => refused(
            StatusCode::REQUEST_TIMEOUT,
            code::INVALID_REQUEST,
            "the body did not arrive in time",
        ),
        Unread::TooMany => busy(),
        Unread::NotUtf8 => {
            return refused(StatusCode::BAD_REQUEST, code::PARSE_ERROR, "the body is not UTF-8");
        }
        Unread::Broken => {
            refused(StatusCode::BAD_REQUEST, code::INVALID_REQUEST, "the body broke off")
        }
    };
    // What is left of the body would be taken for the next request.
    close(&mut response, version);
    response
}
