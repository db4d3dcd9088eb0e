//! What a browser's page of an allowed origin needs to be told.

use aqueduct_protocol::header as mcp;
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};

use super::body::Body;
use super::fields::Fields;
use super::guard::Guard;

/// How long a browser may remember the answer to a preflight.
const MAX_AGE: HeaderValue = HeaderValue::from_static("600");
const METHODS: HeaderValue = HeaderValue::from_static("POST, GET, DELETE");
const WHICH_ORIGIN: HeaderValue = HeaderValue::from_static("Origin");

/// Answers a preflight of an allowed origin; `None` for every other OPTIONS request.
///
/// It comes before authentication, because browsers send no credentials with it.
pub(super) fn preflight(
    guard: &Guard,
    fields: &Fields<'_>,
    headers: &HeaderMap,
) -> Option<Response<Body>> {
    guard.allowed_origin(fields)?;
    headers.get(header::ACCESS_CONTROL_REQUEST_METHOD)?;
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let out = response.headers_mut();
    out.insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    out.insert(header::ACCESS_CONTROL_MAX_AGE, MAX_AGE);
    // The `Mcp-Param-*` names are the tools' own, so what is asked for is what is granted.
    if let Some(asked) = headers.get(header::ACCESS_CONTROL_REQUEST_HEADERS)
        && is_list_of_names(asked)
    {
        out.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, asked.clone());
    }
    Some(response)
}

fn is_list_of_names(value: &HeaderValue) -> bool {
    let Ok(text) = value.to_str() else { return false };
    text.split(',').all(|name| HeaderName::try_from(name.trim()).is_ok())
}

/// Lets the page of an allowed origin read a response.
pub(super) fn grant(guard: &Guard, origin: Option<HeaderValue>, response: &mut Response<Body>) {
    if guard.origins.is_empty() {
        return;
    }
    let out = response.headers_mut();
    out.append(header::VARY, WHICH_ORIGIN);
    if let Some(origin) = origin {
        out.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        let exposed = format!("{}, {}", mcp::SESSION_ID, header::WWW_AUTHENTICATE);
        if let Ok(exposed) = HeaderValue::try_from(exposed) {
            out.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
        }
    }
}
