//! Keys for machines: kept as hashes, compared in constant time.

use std::fmt;
use std::time::SystemTime;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use super::verifier::{Refusal, Verified};
use crate::context::Principal;

/// What all keys begin with, so that scanners for secrets find them.
const PREFIX: &str = "mk_";
/// How many random bytes a secret has.
const SECRET: usize = 32;
/// Who vouches for the holder of a key.
pub(super) const ISSUER: &str = "api-key";

/// A key as the server keeps it: who holds it, what he may do, and a hash of the secret.
///
/// ```
/// use aqueduct::auth::{ApiKey, ResourceServer};
///
/// let new = ApiKey::generate("backup")?;
/// println!("give this to the backup, once: {}", new.token);
/// println!("keep this: {}", new.key.hash());
/// let auth = ResourceServer::new("http://127.0.0.1:8000/mcp")
///     .api_key(new.key.scopes(["notes:read"]))
///     .build()?;
/// # let _ = auth;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[must_use]
pub struct ApiKey {
    pub(super) name: String,
    hash: String,
    scopes: Vec<String>,
    expires: Option<SystemTime>,
}

/// A key that was just made.
#[non_exhaustive]
pub struct NewApiKey {
    /// What its holder presents as a bearer token; it cannot be had a second time.
    pub token: String,
    /// What the server keeps.
    pub key: ApiKey,
}

impl fmt::Debug for NewApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewApiKey").field("key", &self.key).finish_non_exhaustive()
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApiKey").field("name", &self.name).finish_non_exhaustive()
    }
}

impl ApiKey {
    /// Makes a key of 256 random bits.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub fn generate(name: impl Into<String>) -> std::io::Result<NewApiKey> {
        let name = name.into();
        let mut secret = [0; SECRET];
        getrandom::fill(&mut secret).map_err(std::io::Error::other)?;
        let secret = URL_SAFE_NO_PAD.encode(secret);
        let token = format!("{PREFIX}{name}_{secret}");
        Ok(NewApiKey { token, key: Self::hashed(name, hash(&secret)) })
    }

    /// A key that was made before; `hash` is what [`hash`](Self::hash) said of it.
    pub fn hashed(name: impl Into<String>, hash: impl Into<String>) -> Self {
        Self { name: name.into(), hash: hash.into(), scopes: Vec::new(), expires: None }
    }

    /// What its holder may do.
    pub fn scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.scopes = scopes.into_iter().map(Into::into).collect();
        self
    }

    /// When it ends.
    pub fn expires(mut self, expires: SystemTime) -> Self {
        self.expires = Some(expires);
        self
    }

    /// The hash of its secret, in hexadecimal.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.hash
    }

    pub(super) fn problems(&self, problems: &mut Vec<String>) {
        problems.extend(problem_in_name("API key", &self.name));
        if self.name.contains('_') {
            problems.push(format!("the API key {:?} has an underscore; write -", self.name));
        }
        let is_hash = self.hash.len() == 64
            && self.hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if !is_hash {
            problems.push(format!(
                "the hash of the API key {:?} is none; put in what ApiKey::hash says, 64 digits of \
                 0-9 a-f, and never the key",
                self.name
            ));
        }
    }
}

/// What is wrong with a name that goes into a credential.
pub(super) fn problem_in_name(what: &str, name: &str) -> Option<String> {
    let fits =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b':' | b'/');
    let is_plain = !name.is_empty() && name.len() <= 256 && name.bytes().all(fits);
    (!is_plain).then(|| format!("the {what} {name:?} must be of letters, digits, - . _ : and /"))
}

fn hash(secret: &str) -> String {
    let digest = Sha256::digest(secret.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whose key it is; `None` for what is no key.
pub(super) fn verify(keys: &[ApiKey], token: &str) -> Option<Result<Verified, Refusal>> {
    let (name, secret) = token.strip_prefix(PREFIX)?.split_once('_')?;
    let presented = hash(secret);
    let found = keys.iter().find(|key| key.name == name);
    let held = found.map_or("", |key| key.hash.as_str());
    let equal = verify_slices_are_equal(presented.as_bytes(), held.as_bytes()).is_ok();
    let Some(key) = found.filter(|_| equal) else {
        return Some(Err(Refusal::invalid("no such API key")));
    };
    if key.expires.is_some_and(|expires| expires <= SystemTime::now()) {
        return Some(Err(Refusal::expired()));
    }
    let mut verified =
        Verified::new(Principal::new(ISSUER, &key.name).scopes(key.scopes.iter().cloned()));
    verified.expires = key.expires;
    Some(Ok(verified))
}
