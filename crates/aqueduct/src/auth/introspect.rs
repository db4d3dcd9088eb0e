//! Tokens that only their issuer can read: it is asked about each (RFC 7662).

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderValue;
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::Semaphore;

use super::fetch::{Address, Fetcher};
use super::jwt;
use super::scope;
use super::verifier::{Refusal, Verified};
use crate::context::Principal;

/// How many questions are asked at once.
const MAX_ASKING: usize = 32;
/// How long a question and its wait may take.
const TIME: Duration = Duration::from_secs(2);

/// How an issuer is asked.
pub(super) struct Introspection {
    issuer: String,
    url: Address,
    credentials: HeaderValue,
    audiences: Vec<String>,
    fetcher: Arc<Fetcher>,
    asking: Semaphore,
}

/// What it answers; all that is missing is a reason to refuse.
#[derive(Deserialize)]
struct Answer {
    active: Value,
    iss: Option<String>,
    sub: Option<String>,
    aud: Option<Value>,
    exp: Option<f64>,
    nbf: Option<f64>,
    scope: Option<String>,
}

impl Introspection {
    pub(super) fn new(
        issuer: String,
        url: Address,
        (client, secret): (&str, &str),
        audiences: Vec<String>,
        fetcher: Arc<Fetcher>,
    ) -> Option<Self> {
        let pair = format!("{}:{}", encoded(client), encoded(secret));
        let mut credentials =
            HeaderValue::try_from(format!("Basic {}", STANDARD.encode(pair))).ok()?;
        credentials.set_sensitive(true);
        let asking = Semaphore::new(MAX_ASKING);
        Some(Self { issuer, url, credentials, audiences, fetcher, asking })
    }

    pub(super) async fn verify(
        &self,
        token: &str,
        is_ours: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Verified, Refusal> {
        let body = tokio::time::timeout(TIME, self.ask(token)).await;
        let body = body.map_err(|_| Refusal::unknown("introspection took too long"))??;
        if body.first() != Some(&b'{') {
            return Err(Refusal::unknown("the answer to introspection cannot be read"));
        }
        let answer: Answer = serde_json::from_slice(&body)
            .map_err(|_| Refusal::unknown("the answer to introspection cannot be read"))?;
        self.check(answer, is_ours)
    }

    async fn ask(&self, token: &str) -> Result<bytes::Bytes, Refusal> {
        let _place = self.asking.acquire().await.map_err(|_| Refusal::unknown("no place"))?;
        let form = format!("token={}&token_type_hint=access_token", encoded(token));
        self.fetcher.post(&self.url, form, &self.credentials).await.map_err(|error| {
            tracing::warn!(target: "aqueduct::auth", issuer = ?self.issuer, %error,
                "an issuer cannot be asked");
            Refusal::unknown("introspection failed")
        })
    }

    fn check(
        &self,
        answer: Answer,
        is_ours: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Verified, Refusal> {
        // Literally: what is missing or a text is not true.
        if answer.active != Value::Bool(true) {
            return Err(Refusal::invalid("it is not active"));
        }
        if answer.iss.as_deref() != Some(self.issuer.as_str()) {
            return Err(Refusal::invalid("its issuer is another, or is not said"));
        }
        let is_for_us = |audience: &str| {
            is_ours(audience) || self.audiences.iter().any(|ours| ours == audience)
        };
        let fits = match &answer.aud {
            Some(Value::String(audience)) => is_for_us(audience),
            Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).any(is_for_us),
            _ => false,
        };
        if !fits {
            return Err(Refusal::wrong_audience());
        }
        let now = jwt::now();
        if answer.exp.is_some_and(|exp| exp < now - jwt::LEEWAY.as_secs_f64()) {
            return Err(Refusal::expired());
        }
        if answer.nbf.is_some_and(|nbf| nbf > now + jwt::LEEWAY.as_secs_f64()) {
            return Err(Refusal::not_yet_valid());
        }
        let subject = answer.sub.filter(|subject| !subject.is_empty());
        let subject = subject.ok_or_else(|| Refusal::invalid("its subject is not said"))?;
        let scopes = answer.scope.iter().flat_map(|list| scope::split(list));
        let mut verified = Verified::new(Principal::new(&self.issuer, subject).scopes(scopes));
        let exp = answer.exp.and_then(|exp| Duration::try_from_secs_f64(exp).ok());
        verified.expires = exp.and_then(|exp| UNIX_EPOCH.checked_add(exp));
        Ok(verified)
    }
}

/// As forms have it, every byte that could mean something written as its number.
fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            // A string takes everything.
            write!(out, "%{byte:02X}").ok();
        }
    }
    out
}
