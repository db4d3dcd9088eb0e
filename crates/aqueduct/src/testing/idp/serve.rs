//! The provider over HTTP.

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use super::{Fault, Shared, flow, form};

const MAX_BODY: usize = 64 * 1024;

pub(super) type Answer = Response<Full<Bytes>>;

/// Serves until it is dropped.
pub(super) async fn serve(tcp: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = tcp.accept() => {
                let Ok((stream, _)) = accepted else { continue };
                let shared = Arc::clone(&shared);
                connections.spawn(async move {
                    let serve = service_fn(move |request| answer(Arc::clone(&shared), request));
                    let server = hyper::server::conn::http1::Builder::new();
                    // A client that goes away in the middle is none of ours.
                    server.serve_connection(TokioIo::new(stream), serve).await.ok();
                });
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn answer(shared: Arc<Shared>, request: Request<Incoming>) -> Result<Answer, Infallible> {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path().to_owned();
    let fault = {
        let mut state = shared.lock();
        *state.hits.entry(path.clone()).or_default() += 1;
        state.fault.clone()
    };
    if let Some(fault) = fault.filter(|_| is_of_servers(&path)) {
        match fault {
            Fault::Slow(time) => tokio::time::sleep(time).await,
            Fault::Status(status) => return Ok(plain(status, Bytes::new())),
            Fault::Redirect(to) => return Ok(redirect(&to)),
            Fault::Body(bytes) => return Ok(plain(200, bytes.into())),
        }
    }
    let body = Limited::new(body, MAX_BODY).collect().await;
    let body = body.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let text = String::from_utf8_lossy(&body);
    let query = form::parse(parts.uri.query().unwrap_or_default());
    Ok(match (&parts.method, path.as_str()) {
        (&Method::GET, "/.well-known/oauth-authorization-server") => metadata(&shared),
        (&Method::GET, "/.well-known/openid-configuration") => metadata(&shared),
        (&Method::GET, "/jwks") => keys(&shared),
        (&Method::GET, "/authorize") => flow::authorize(&shared, &query),
        (&Method::POST, "/token") => {
            flow::token(&shared, &form::parse(&text), parts.headers.get(header::AUTHORIZATION))
        }
        (&Method::POST, "/register") => flow::register(&shared, &text),
        (&Method::POST, "/introspect") => introspect(&shared, &parts.headers, &text),
        _ => plain(404, Bytes::new()),
    })
}

/// Is it what resource servers ask for?
fn is_of_servers(path: &str) -> bool {
    path.starts_with("/.well-known/") || matches!(path, "/jwks" | "/introspect")
}

fn metadata(shared: &Shared) -> Answer {
    let issuer = &shared.issuer;
    json_answer(
        200,
        &json!({
            "issuer": issuer,
            "authorization_endpoint": format!("{issuer}/authorize"),
            "token_endpoint": format!("{issuer}/token"),
            "registration_endpoint": format!("{issuer}/register"),
            "introspection_endpoint": format!("{issuer}/introspect"),
            "jwks_uri": format!("{issuer}/jwks"),
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code", "client_credentials"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported":
                ["none", "client_secret_post", "client_secret_basic"],
            "authorization_response_iss_parameter_supported": true,
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256"],
        }),
    )
}

fn keys(shared: &Shared) -> Answer {
    json_answer(200, &shared.lock().jwks())
}

fn introspect(shared: &Shared, headers: &http::HeaderMap, text: &str) -> Answer {
    let basic = headers.get(header::AUTHORIZATION);
    if !basic.is_some_and(|value| value.as_bytes().starts_with(b"Basic ")) {
        return json_answer(401, &json!({ "error": "invalid_client" }));
    }
    let fields = form::parse(text);
    let state = shared.lock();
    let known = fields.get("token").and_then(|token| state.opaque.get(token));
    json_answer(200, known.unwrap_or(&json!({ "active": false })))
}

pub(super) fn json_answer(status: u16, value: &Value) -> Answer {
    let mut answer = plain(status, value.to_string().into());
    let json = HeaderValue::from_static("application/json");
    answer.headers_mut().insert(header::CONTENT_TYPE, json);
    answer
}

pub(super) fn redirect(to: &str) -> Answer {
    let mut answer = plain(302, Bytes::new());
    if let Ok(to) = HeaderValue::from_str(to) {
        answer.headers_mut().insert(header::LOCATION, to);
    }
    answer
}

fn plain(status: u16, bytes: Bytes) -> Answer {
    let mut answer = Response::new(Full::new(bytes));
    *answer.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    answer
}
