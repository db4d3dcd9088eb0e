//! What clients are told: the metadata of the resource, and challenges byte for byte.
//!
//! [RFC 9728](https://www.rfc-editor.org/rfc/rfc9728), [RFC 6750](https://www.rfc-editor.org/rfc/rfc6750#section-3).

use std::collections::BTreeSet;

use bytes::Bytes;
use http::{HeaderValue, Method, Response, StatusCode, header};
use serde::Serialize;

use super::identifier::Identifier;
use super::verifier::{Kind, Refusal};
use crate::transport::http::Body;

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
const AN_HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");
const READ_ONLY: HeaderValue = HeaderValue::from_static("GET, HEAD");
/// How many seconds a client waits until the issuer may be there again.
const LATER: HeaderValue = HeaderValue::from_static("5");

/// What the metadata says.
pub(super) struct Described {
    pub(super) servers: Vec<String>,
    pub(super) scopes: Vec<String>,
    pub(super) name: Option<String>,
    pub(super) documentation: Option<String>,
    pub(super) at_root: bool,
}

#[derive(Serialize)]
struct Metadata<'m> {
    resource: &'m str,
    authorization_servers: &'m [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    scopes_supported: &'m [String],
    bearer_methods_supported: [&'static str; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_name: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_documentation: Option<&'m str>,
}

/// What a challenge says beside where the metadata is.
#[derive(Clone, Copy)]
pub(super) enum Challenge {
    /// Nobody has said who he is; no error, because nothing was wrong.
    Anonymous,
    /// The head says two things, or nothing that can be read.
    Malformed,
    Token(Kind),
}

/// All that is said, written once.
pub(super) struct Answers {
    paths: Vec<String>,
    document: Bytes,
    /// `resource_metadata="…"`; nothing when there is no authorization server to go to.
    metadata: Option<String>,
    baseline: Vec<String>,
}

impl Answers {
    pub(super) fn new(resource: &Identifier, all: &Described, baseline: Vec<String>) -> Self {
        if all.servers.is_empty() {
            let (paths, document) = (Vec::new(), Bytes::new());
            return Self { paths, document, metadata: None, baseline };
        }
        let document = serde_json::to_vec(&Metadata {
            resource: resource.as_str(),
            authorization_servers: &all.servers,
            scopes_supported: &all.scopes,
            bearer_methods_supported: ["header"],
            resource_name: all.name.as_deref(),
            resource_documentation: all.documentation.as_deref(),
        });
        let mut paths = vec![resource.metadata_path()];
        if all.at_root && !resource.path().is_empty() {
            paths.push(Identifier::root_metadata_path().to_owned());
        }
        let metadata = Some(format!("resource_metadata=\"{}\"", resource.metadata_url()));
        Self { paths, document: document.unwrap_or_default().into(), metadata, baseline }
    }

    pub(super) fn paths(&self) -> &[String] {
        &self.paths
    }

    pub(super) fn baseline(&self) -> &[String] {
        &self.baseline
    }

    /// The metadata, for anybody.
    pub(super) fn document(&self, method: &Method) -> Response<Body> {
        if *method != Method::GET && *method != Method::HEAD {
            let mut response = empty(StatusCode::METHOD_NOT_ALLOWED);
            response.headers_mut().insert(header::ALLOW, READ_ONLY);
            return response;
        }
        let body = match *method == Method::HEAD {
            true => Body::empty(),
            false => Body::one(self.document.clone()),
        };
        let mut response = Response::new(body);
        response.headers_mut().insert(header::CONTENT_TYPE, JSON);
        response.headers_mut().insert(header::CACHE_CONTROL, AN_HOUR);
        response
    }

    /// The answer to a request whose caller is not let in.
    pub(super) fn refuse(&self, challenge: Challenge) -> Response<Body> {
        let (status, error, said) = match challenge {
            Challenge::Token(Kind::Unknown) => {
                let mut response = empty(StatusCode::SERVICE_UNAVAILABLE);
                response.headers_mut().insert(header::RETRY_AFTER, LATER);
                return response;
            }
            Challenge::Anonymous => (StatusCode::UNAUTHORIZED, None, ""),
            Challenge::Malformed => (
                StatusCode::BAD_REQUEST,
                Some("invalid_request"),
                "The request must have one Authorization header with one bearer token",
            ),
            Challenge::Token(kind) => (StatusCode::UNAUTHORIZED, Some("invalid_token"), said(kind)),
        };
        let parts = [
            error.map(|error| format!("error=\"{error}\", error_description=\"{said}\"")),
            self.metadata.clone(),
            self.scope(&[]),
        ];
        let mut response = match error {
            None => empty(status),
            Some(error) => body(status, error),
        };
        put(&mut response, parts);
        response
    }

    /// Makes an answer one that names all scopes of an operation.
    pub(super) fn step_up(&self, scopes: &[String], response: &mut Response<Body>) {
        *response.status_mut() = StatusCode::FORBIDDEN;
        let headers = response.headers_mut();
        if headers.get(header::CONTENT_TYPE) != Some(&JSON) {
            headers.insert(header::CONTENT_TYPE, JSON);
            *response.body_mut() = Body::one(r#"{"error":"insufficient_scope"}"#);
        }
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, NO_STORE);
        let parts = [
            Some("error=\"insufficient_scope\"".to_owned()),
            self.scope(scopes),
            self.metadata.clone(),
            Some("error_description=\"The operation needs more scopes\"".to_owned()),
        ];
        put(response, parts);
    }

    /// Those that everything needs, and these.
    fn scope(&self, more: &[String]) -> Option<String> {
        let mut seen = BTreeSet::new();
        let all = self.baseline.iter().chain(more).filter(|scope| seen.insert(*scope));
        let all: Vec<&str> =
            all.filter(|scope| super::scope::is_scope(scope)).map(String::as_str).collect();
        (!all.is_empty()).then(|| format!("scope=\"{}\"", all.join(" ")))
    }
}

fn said(kind: Kind) -> &'static str {
    match kind {
        Kind::Expired => "The access token expired",
        Kind::Early => "The access token is not yet valid",
        Kind::Audience => "The access token is not intended for this resource",
        Kind::Invalid | Kind::Unknown => "The access token is invalid",
    }
}

fn put<const N: usize>(response: &mut Response<Body>, parts: [Option<String>; N]) {
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let value = match parts.is_empty() {
        // A scheme stands with at least one parameter.
        true => "Bearer realm=\"mcp\"".to_owned(),
        false => format!("Bearer {}", parts.join(", ")),
    };
    if let Ok(value) = HeaderValue::try_from(value) {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, value);
    }
}

fn empty(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CACHE_CONTROL, NO_STORE);
    response
}

fn body(status: StatusCode, error: &str) -> Response<Body> {
    let mut response = empty(status);
    *response.body_mut() = Body::one(format!("{{\"error\":\"{error}\"}}"));
    response.headers_mut().insert(header::CONTENT_TYPE, JSON);
    response
}

impl From<&Refusal> for Challenge {
    fn from(refusal: &Refusal) -> Self {
        Self::Token(refusal.kind)
    }
}
