//! A signed access token held against all that it must be: RFC 9068, or as near as others come.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::Algorithm;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

use super::issuer::TokenProfile;
use super::key_set::{Key, MAX_KID};
use super::scope;
use super::verifier::{Refusal, Verified};
use crate::context::Principal;

/// How far clocks may differ.
pub(super) const LEEWAY: Duration = Duration::from_secs(30);
/// How long the name of a caller may be.
const MAX_SUBJECT: usize = 1024;

/// The head of a token; a member that is there twice is refused.
#[derive(Deserialize)]
struct Header {
    alg: String,
    typ: Option<String>,
    kid: Option<String>,
    #[serde(default, deserialize_with = "there")]
    crit: Option<IgnoredAny>,
    #[serde(default, deserialize_with = "there")]
    b64: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Issued {
    iss: String,
}

/// What a token says.
#[derive(Deserialize)]
struct Claims {
    sub: String,
    aud: Option<Many>,
    exp: f64,
    #[serde(default, deserialize_with = "there")]
    nbf: Option<f64>,
    #[serde(default, deserialize_with = "there")]
    iat: Option<f64>,
    scope: Option<String>,
    scp: Option<Many>,
    roles: Option<Many>,
    #[serde(default, deserialize_with = "there")]
    nonce: Option<IgnoredAny>,
    #[serde(default, deserialize_with = "there")]
    at_hash: Option<IgnoredAny>,
}

/// One text, or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum Many {
    One(String),
    All(Vec<String>),
}

impl Many {
    fn as_slice(&self) -> &[String] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::All(all) => all,
        }
    }
}

/// What is expected of a token beside a signature.
pub(super) struct Expected<'e> {
    pub(super) issuer: &'e str,
    pub(super) profile: TokenProfile,
    pub(super) max_lifetime: Duration,
    pub(super) is_for_us: &'e dyn Fn(&str) -> bool,
}

/// A token in three parts, before its signature is looked at: what it says is not to be believed.
pub(super) struct Unverified<'t> {
    token: &'t str,
    payload: &'t str,
    header: Header,
    algorithm: Algorithm,
    pub(super) issuer: String,
}

impl<'t> Unverified<'t> {
    /// Reads the head of a token and who says that he issued it.
    ///
    /// `None` for what is no JWT at all.
    pub(super) fn read(token: &'t str) -> Option<Result<Self, Refusal>> {
        let mut parts = token.split('.');
        let (header, payload) = (parts.next()?, parts.next()?);
        let _signature = parts.next()?;
        if parts.next().is_some() {
            return Some(Err(Refusal::invalid("it has more parts than three")));
        }
        Some(Self::decode(token, header, payload))
    }

    fn decode(token: &'t str, header: &str, payload: &'t str) -> Result<Self, Refusal> {
        let header: Header = part(header)?;
        if header.crit.is_some() || header.b64.is_some() {
            return Err(Refusal::invalid("its head asks for what nobody here knows"));
        }
        if header.kid.as_ref().is_some_and(|kid| kid.len() > MAX_KID) {
            return Err(Refusal::invalid("the name of its key is too long"));
        }
        let algorithm: Algorithm =
            header.alg.parse().map_err(|_| Refusal::invalid("its algorithm is none"))?;
        let issued: Issued = part(payload)?;
        Ok(Self { token, payload, header, algorithm, issuer: issued.iss })
    }

    pub(super) fn kid(&self) -> Option<&str> {
        self.header.kid.as_deref()
    }

    /// Makes sure of the signature and of all claims.
    pub(super) fn verify(&self, key: &Key, expected: &Expected<'_>) -> Result<Verified, Refusal> {
        expected.profile.check_type(self.header.typ.as_deref())?;
        if !key.fits(self.algorithm) {
            return Err(Refusal::invalid("its algorithm is not that of the key"));
        }
        let (message, signature) = self.token.rsplit_once('.').unwrap_or_default();
        let signature = URL_SAFE_NO_PAD.decode(signature);
        let signature = signature.map_err(|_| Refusal::invalid("its signature cannot be read"))?;
        if !key.verifies(self.algorithm, message, &signature) {
            return Err(Refusal::invalid("its signature is wrong"));
        }
        if self.issuer != expected.issuer {
            return Err(Refusal::invalid("its issuer is another"));
        }
        let claims: Claims = part(self.payload)?;
        claims.check(expected)
    }
}

impl Claims {
    fn check(self, expected: &Expected<'_>) -> Result<Verified, Refusal> {
        let mut audiences = self.aud.iter().flat_map(Many::as_slice);
        if !audiences.any(|audience| (expected.is_for_us)(audience)) {
            return Err(Refusal::wrong_audience());
        }
        let now = now();
        let latest = now + LEEWAY.as_secs_f64();
        if self.nbf.is_some_and(|nbf| nbf > latest) || self.iat.is_some_and(|iat| iat > latest) {
            return Err(Refusal::not_yet_valid());
        }
        if self.exp < now - LEEWAY.as_secs_f64() {
            return Err(Refusal::expired());
        }
        if self.exp > latest + expected.max_lifetime.as_secs_f64() {
            return Err(Refusal::invalid("it lasts longer than tokens may"));
        }
        if self.sub.is_empty() || self.sub.len() > MAX_SUBJECT {
            return Err(Refusal::invalid("its subject is empty or too long"));
        }
        let scopes = self.scopes(expected.profile)?;
        let exp = Duration::try_from_secs_f64(self.exp).ok();
        let expires = exp.and_then(|exp| UNIX_EPOCH.checked_add(exp));
        let expires = expires.ok_or_else(|| Refusal::invalid("its end is no time"))?;
        let principal = Principal::new(expected.issuer, self.sub).scopes(scopes);
        Ok(Verified::new(principal).expires(expires))
    }

    fn scopes(&self, profile: TokenProfile) -> Result<Vec<String>, Refusal> {
        let listed = self.scope.iter().chain(self.scp.iter().flat_map(Many::as_slice));
        let mut scopes: Vec<String> = listed.flat_map(|list| scope::split(list)).collect();
        if profile == TokenProfile::Generic {
            // An ID token is for the client, whoever signs it.
            if self.nonce.is_some() || self.at_hash.is_some() {
                return Err(Refusal::invalid("it is an ID token"));
            }
            if self.scope.is_none() && self.scp.is_none() && self.roles.is_none() {
                return Err(Refusal::invalid("it has no scope, scp or roles"));
            }
            let roles = self.roles.iter().flat_map(Many::as_slice);
            scopes.extend(roles.filter(|role| scope::is_scope(role)).cloned());
        }
        Ok(scopes)
    }
}

/// A member that is null is there, and is not what it must be.
fn there<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

pub(super) fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

/// One part of a token, which must be base64url without padding and a JSON object.
fn part<T: for<'de> Deserialize<'de>>(part: &str) -> Result<T, Refusal> {
    let broken = || Refusal::invalid("a part of it cannot be read");
    let bytes = URL_SAFE_NO_PAD.decode(part).map_err(|_| broken())?;
    // serde would take an array for a struct too.
    if bytes.first() != Some(&b'{') {
        return Err(broken());
    }
    serde_json::from_slice(&bytes).map_err(|_| broken())
}
