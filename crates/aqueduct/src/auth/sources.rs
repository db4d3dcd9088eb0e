//! All who may say whether a token is good, and which of them is asked.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::api_key::{self, ApiKey};
use super::cache::{self, Cache, Flights};
use super::identifier::Identifier;
use super::introspect::Introspection;
use super::issuer::TokenProfile;
use super::jwt::{Expected, Unverified};
use super::keys::Keys;
use super::scope::Hierarchy;
use super::verifier::{ErasedVerifier, Refusal, Verified};

/// For how long a token that was good is taken again without a look at it.
const CACHED: Duration = Duration::from_secs(60);
/// The same for tokens that their issuer was asked about, who may withdraw them.
const CACHED_ASKED: Duration = Duration::from_secs(30);

/// An issuer whose signatures can be made sure of here.
pub(super) struct Signer {
    pub(super) issuer: String,
    pub(super) keys: Arc<Keys>,
    pub(super) profile: TokenProfile,
    pub(super) audiences: Vec<String>,
}

/// Who is asked about a token that no signer is known for.
pub(super) enum Opaque {
    Introspection(Box<Introspection>),
    Verifier(Arc<dyn ErasedVerifier>),
}

/// All that tokens are held against.
pub(super) struct Sources {
    pub(super) resource: Identifier,
    pub(super) signers: Vec<Signer>,
    pub(super) opaque: Option<Opaque>,
    pub(super) api_keys: Vec<ApiKey>,
    pub(super) hierarchy: Hierarchy,
    pub(super) max_lifetime: Duration,
    pub(super) cache: Arc<Cache>,
    pub(super) flights: Flights,
}

impl Sources {
    /// Whom the token stands for.
    pub(super) async fn verify(&self, token: &str) -> Result<Arc<Verified>, Refusal> {
        let hash = cache::hash(token);
        if let Some(verified) = self.cache.get(&hash) {
            return Ok(verified);
        }
        // Who comes with the same token meanwhile waits for one answer.
        let flight = self.flights.join(hash);
        flight.get_or_init(|| self.settle(hash, token)).await.clone()
    }

    async fn settle(&self, hash: cache::Hash, token: &str) -> Result<Arc<Verified>, Refusal> {
        let epoch = self.cache.epoch();
        let (mut verified, time) = self.find(token).await?;
        let left = match verified.expires {
            None => time,
            Some(expires) => {
                expires.duration_since(SystemTime::now()).unwrap_or_default().min(time)
            }
        };
        let scopes = std::mem::take(&mut verified.principal.scopes);
        verified.principal.scopes = self.hierarchy.closure(scopes);
        let verified = Arc::new(verified);
        if !left.is_zero() {
            self.cache.put(hash, &verified, left, epoch);
        }
        Ok(verified)
    }

    async fn find(&self, token: &str) -> Result<(Verified, Duration), Refusal> {
        if !self.api_keys.is_empty()
            && let Some(verified) = api_key::verify(&self.api_keys, token)
        {
            return Ok((verified?, CACHED));
        }
        if !self.signers.is_empty()
            && let Some(read) = Unverified::read(token)
        {
            match read {
                Ok(unverified) => {
                    let is_its = |signer: &&Signer| signer.issuer == unverified.issuer;
                    if let Some(signer) = self.signers.iter().find(is_its) {
                        return Ok((self.check(signer, &unverified).await?, CACHED));
                    }
                }
                Err(refusal) if self.opaque.is_none() => return Err(refusal),
                Err(_) => {}
            }
        }
        match &self.opaque {
            None => Err(Refusal::invalid("no issuer of this server's has issued it")),
            Some(Opaque::Introspection(introspection)) => {
                let is_ours = |audience: &str| self.resource.is(audience);
                Ok((introspection.verify(token, &is_ours).await?, CACHED_ASKED))
            }
            Some(Opaque::Verifier(verifier)) => {
                let verified = Arc::clone(verifier).verify(token.to_owned()).await?;
                match verified.expires.is_some_and(|expires| expires <= SystemTime::now()) {
                    true => Err(Refusal::expired()),
                    false => Ok((verified, CACHED_ASKED)),
                }
            }
        }
    }

    async fn check(
        &self,
        signer: &Signer,
        unverified: &Unverified<'_>,
    ) -> Result<Verified, Refusal> {
        let key = signer.keys.find(unverified.kid()).await?;
        let is_for_us = |audience: &str| {
            self.resource.is(audience) || signer.audiences.iter().any(|ours| ours == audience)
        };
        unverified.verify(
            &key,
            &Expected {
                issuer: &signer.issuer,
                profile: signer.profile,
                max_lifetime: self.max_lifetime,
                is_for_us: &is_for_us,
            },
        )
    }
}
