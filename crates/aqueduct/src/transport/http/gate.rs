//! Where callers are made sure of, between the checks of a request's head and its body.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;

use http::request::Parts;
use http::{Method, Response};

use super::body::Body;
use super::fields::Fields;
use super::service::Settings;
use super::{cors, respond};
use crate::context::{Admission, BoxFuture};

/// Whoever makes sure of the callers of an endpoint.
pub(crate) trait Gate: Send + Sync {
    /// Is something at this path that anybody may read?
    fn has_document(&self, path: &str) -> bool;

    /// What is at this path for anybody.
    fn document(&self, path: &str, method: &Method) -> Option<Response<Body>>;

    /// Lets a request in, without its credentials and with its caller beside it, or answers it.
    fn admit(&self, parts: Parts) -> BoxFuture<Result<Parts, Box<Response<Body>>>>;

    /// Makes an answer one that says which scopes the call needs.
    fn challenge(&self, scopes: &[String], response: &mut Response<Body>);
}

/// Serves a request once the gate has made sure of its caller.
///
/// Host and Origin come first, because they are cheaper and hold for what anybody may read too;
/// what the body is comes after, so that who is not let in learns nothing from it.
pub(super) async fn gated<B, F>(
    gate: Arc<dyn Gate>,
    settings: Arc<Settings>,
    parts: Parts,
    body: B,
    pass: impl FnOnce(Arc<Settings>, Parts, B) -> F,
) -> Result<Response<Body>, Infallible>
where
    B: http_body::Body,
    F: Future<Output = Result<Response<Body>, Infallible>>,
{
    let fields = Fields::read(&parts.headers);
    let origin = settings.guard.allowed_origin(&fields).cloned();
    let version = parts.version;
    let at_once = match settings.guard.check(&parts.uri, version, &fields) {
        Err(refusal) => Some(respond::forbidden(refusal)),
        Ok(()) => match parts.method == Method::OPTIONS {
            true => cors::preflight(&settings.guard, &fields, &parts.headers),
            false => gate.document(parts.uri.path(), &parts.method),
        },
    };
    let admitted = match at_once {
        Some(response) => Err(Box::new(response)),
        None => gate.admit(parts).await,
    };
    match admitted {
        Ok(parts) => {
            let admission = parts.extensions.get::<Admission>().cloned().unwrap_or_default();
            let mut response = pass(settings, parts, body).await?;
            if let Some(scopes) = admission.missing.get() {
                gate.challenge(scopes, &mut response);
            }
            Ok(response)
        }
        Err(mut response) => {
            // A body that is still to come ends the connection.
            if !body.is_end_stream() {
                respond::close(&mut response, version);
            }
            cors::grant(&settings.guard, origin, &mut response);
            Ok(*response)
        }
    }
}
