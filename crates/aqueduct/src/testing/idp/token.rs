//! Access tokens to order, good or broken.

use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};

use super::Idp;

/// A token in the making: as RFC 9068 has it, until something of it is changed.
#[derive(Clone)]
#[must_use]
pub struct Token<'i> {
    idp: &'i Idp,
    key: Option<String>,
    head: Map<String, Value>,
    claims: Map<String, Value>,
}

impl std::fmt::Debug for Token<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Token").field("claims", &self.claims).finish_non_exhaustive()
    }
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

impl<'i> Token<'i> {
    pub(super) fn new(idp: &'i Idp, resource: &str) -> Self {
        let (alg, kid) = {
            let state = idp.shared.lock();
            let key = state.key(None);
            (key.map(|key| format!("{:?}", key.algorithm)), key.map(|key| key.name.clone()))
        };
        let head = object(json!({ "typ": "at+jwt", "alg": alg, "kid": kid }));
        let claims = object(json!({
            "iss": idp.issuer(),
            "sub": "alice",
            "aud": resource,
            "client_id": "test",
            "iat": now(),
            "exp": now() + 300,
            "jti": format!("{:x}", now()),
        }));
        Self { idp, key: None, head, claims }
    }

    /// Sets a claim.
    pub fn claim(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.claims.insert(name.to_owned(), value.into());
        self
    }

    /// Sets a claim that is a time, so many seconds from now.
    pub fn time(self, name: &str, seconds: i64) -> Self {
        let now = i64::try_from(now()).unwrap_or_default();
        self.claim(name, now.saturating_add(seconds))
    }

    /// Leaves out a claim.
    pub fn without(mut self, name: &str) -> Self {
        self.claims.remove(name);
        self
    }

    /// Sets a member of the head.
    pub fn header(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.head.insert(name.to_owned(), value.into());
        self
    }

    /// Leaves out a member of the head.
    pub fn without_header(mut self, name: &str) -> Self {
        self.head.remove(name);
        self
    }

    /// Signs with this key, whatever the head says.
    pub fn signed_by(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// The texts of head and claims.
    #[must_use]
    pub fn texts(&self) -> (String, String) {
        (json!(self.head).to_string(), json!(self.claims).to_string())
    }

    /// The token.
    ///
    /// # Errors
    /// When there is no such key.
    pub fn sign(self) -> io::Result<String> {
        let (head, claims) = self.texts();
        self.idp.sign(self.key.as_deref(), &head, &claims)
    }
}
