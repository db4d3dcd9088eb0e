//! Authorization at its place: after Host and Origin, before the body and all that follows.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use http::request::Parts;
use http::{HeaderMap, Method, Response, header};

use super::answer::Challenge;
use super::jwt::LEEWAY;
use super::resource_server::Auth;
use super::verifier::Verified;
use crate::context::{Admission, BoxFuture, Principal};
use crate::transport::http::{Body, Gate, HttpService};

/// How long a token may be.
const MAX_TOKEN: usize = 16 * 1024;

impl<S> HttpService<S> {
    /// Lets in callers that prove who they are, and nobody else.
    ///
    /// It holds for every path, every method and every revision of the protocol, and comes after the
    /// checks of Host and Origin and before the body is read. The host of the resource is allowed
    /// with it. The metadata of the resource is served to anybody: the
    /// [`Listener`](crate::transport::http::Listener) routes it by itself, another router must be
    /// told of [`Auth::metadata_paths`].
    ///
    /// Handlers find the caller as a [`Principal`]; the credential is gone from the request.
    #[must_use]
    pub fn auth(self, auth: Auth) -> Self {
        let host = auth.sources.resource.authority().parse();
        self.change(|settings| {
            settings.guard.hosts.extend(host);
            settings.gate = Some(Arc::new(auth));
        })
    }
}

/// What a head presents as a credential.
enum Presented {
    Nothing,
    Malformed,
    Token(String),
}

impl Presented {
    /// Takes the credentials off a head, whatever they are.
    fn take(headers: &mut HeaderMap) -> Self {
        let mut values = headers.get_all(header::AUTHORIZATION).iter();
        let (first, second) = (values.next(), values.next());
        let presented = match (first, second) {
            (None, _) => Self::Nothing,
            (Some(_), Some(_)) => Self::Malformed,
            (Some(value), None) => match value.to_str() {
                Ok(value) => Self::read(value),
                Err(_) => Self::Malformed,
            },
        };
        headers.remove(header::AUTHORIZATION);
        presented
    }

    fn read(value: &str) -> Self {
        let (scheme, rest) = value.split_once(' ').unwrap_or((value, ""));
        if !scheme.eq_ignore_ascii_case("bearer") {
            return Self::Nothing;
        }
        let token = rest.trim_matches(' ');
        // Of a token's own letters (RFC 6750, section 2.1).
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
        match token.bytes().all(fits) {
            true => Self::Token(token.to_owned()),
            false => Self::Malformed,
        }
    }
}

impl Auth {
    async fn check(&self, presented: Presented) -> Result<Arc<Verified>, Response<Body>> {
        let token = match presented {
            Presented::Nothing => {
                tracing::debug!(target: "aqueduct::auth", outcome = "anonymous");
                return Err(self.answers.refuse(Challenge::Anonymous));
            }
            Presented::Malformed => {
                tracing::info!(target: "aqueduct::auth", outcome = "malformed");
                return Err(self.answers.refuse(Challenge::Malformed));
            }
            Presented::Token(token) if token.is_empty() || token.len() > MAX_TOKEN => {
                tracing::info!(target: "aqueduct::auth", outcome = "refused", why = "its length");
                return Err(self.answers.refuse(Challenge::Token(super::verifier::Kind::Invalid)));
            }
            Presented::Token(token) => token,
        };
        match self.sources.verify(&token).await {
            Ok(verified) => {
                let Principal { issuer, subject, .. } = &verified.principal;
                tracing::debug!(target: "aqueduct::auth", outcome = "let in", ?issuer, ?subject);
                Ok(verified)
            }
            Err(refusal) => {
                let why = refusal.to_string();
                tracing::info!(target: "aqueduct::auth", outcome = "refused", ?why);
                Err(self.answers.refuse(Challenge::from(&refusal)))
            }
        }
    }
}

/// Is there a token in the address?
fn in_query(query: Option<&str>) -> bool {
    query.is_some_and(|query| {
        query.split('&').any(|pair| pair.split('=').next() == Some("access_token"))
    })
}

/// Until when what a caller has open may stay open.
fn until(verified: &Verified) -> Option<Instant> {
    let end = verified.expires?.checked_add(LEEWAY)?;
    let left = end.duration_since(SystemTime::now()).unwrap_or(Duration::ZERO);
    Instant::now().checked_add(left)
}

impl Gate for Auth {
    fn has_document(&self, path: &str) -> bool {
        self.answers.paths().iter().any(|held| held == path)
    }

    fn document(&self, path: &str, method: &Method) -> Option<Response<Body>> {
        self.has_document(path).then(|| self.answers.document(method))
    }

    fn admit(&self, mut parts: Parts) -> BoxFuture<Result<Parts, Box<Response<Body>>>> {
        let presented = match Presented::take(&mut parts.headers) {
            // One in the address is none (Authorization › Token Requirements), and two are one
            // too many.
            Presented::Token(_) if in_query(parts.uri.query()) => Presented::Malformed,
            presented => presented,
        };
        let auth = self.clone();
        Box::pin(async move {
            let verified = auth.check(presented).await.map_err(Box::new)?;
            let principal = verified.principal.clone();
            let needed = auth.answers.baseline();
            if !needed.iter().all(|scope| principal.has_scope(scope)) {
                let mut response = Response::new(Body::empty());
                auth.challenge(&[], &mut response);
                return Err(Box::new(response));
            }
            parts.extensions.insert(principal);
            parts.extensions.insert(Admission { until: until(&verified), missing: Arc::default() });
            Ok(parts)
        })
    }

    fn challenge(&self, scopes: &[String], response: &mut Response<Body>) {
        tracing::info!(target: "aqueduct::auth", outcome = "lacks scopes", ?scopes);
        self.answers.step_up(scopes, response);
    }
}
