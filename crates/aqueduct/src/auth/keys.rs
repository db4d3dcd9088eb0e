//! Where the keys of an issuer come from: fetched once for all who wait, kept, and fetched again
//! when a token names another.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Deserialize;
use tokio::sync::OwnedMutexGuard;

use super::fetch::{Address, Fetcher};
use super::key_set::{Key, KeySet};
use super::verifier::Refusal;

/// After how long keys are fetched anew.
const FRESH: Duration = Duration::from_secs(10 * 60);
/// For how long keys that cannot be fetched anew are still good.
const STALE: Duration = Duration::from_secs(60 * 60);

/// Where keys are.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Fixed,
    At(Address),
    /// What the issuer's metadata says, at the first of these places.
    Metadata(Vec<Address>),
}

/// The keys of one issuer.
pub(super) struct Keys {
    issuer: String,
    source: Source,
    fetcher: Arc<Fetcher>,
    /// How long the issuer is left alone after it was asked.
    cooldown: Duration,
    held: Mutex<Option<Held>>,
    /// Held by the one who asks; when the others get it, the answer is there.
    asking: Arc<tokio::sync::Mutex<Option<Asked>>>,
    changed: Box<dyn Fn() + Send + Sync>,
}

#[derive(Clone)]
struct Held {
    keys: Arc<KeySet>,
    since: Instant,
}

#[derive(Clone, Copy)]
struct Asked {
    at: Instant,
    failed: bool,
}

#[derive(Deserialize)]
struct Metadata {
    issuer: String,
    jwks_uri: String,
}

impl Keys {
    pub(super) fn new(
        issuer: String,
        source: Source,
        fixed: Option<KeySet>,
        fetcher: Arc<Fetcher>,
        cooldown: Duration,
        changed: Box<dyn Fn() + Send + Sync>,
    ) -> Self {
        let held = fixed.map(|keys| Held { keys: Arc::new(keys), since: Instant::now() });
        let (held, asking) = (Mutex::new(held), Arc::default());
        Self { issuer, source, fetcher, cooldown, held, asking, changed }
    }

    fn held(&self) -> Option<Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The key of this name.
    pub(super) async fn find(self: &Arc<Self>, kid: Option<&str>) -> Result<Key, Refusal> {
        let none = || Refusal::invalid("the token names no key of its issuer");
        if let Some(held) = self.held() {
            let is_fresh = matches!(self.source, Source::Fixed) || held.since.elapsed() < FRESH;
            match held.keys.find(kid) {
                Some(key) if is_fresh => return Ok(key.clone()),
                None if matches!(self.source, Source::Fixed) => return Err(none()),
                _ => {}
            }
        }
        let began = Instant::now();
        let failed = self.refresh(began).await;
        match self.held() {
            Some(held) if !failed || held.since.elapsed() < STALE => {
                match held.keys.find(kid) {
                    Some(key) => Ok(key.clone()),
                    // It may be a new one, which cannot be known now.
                    None if failed => Err(Refusal::unknown("the issuer's keys cannot be fetched")),
                    None => Err(none()),
                }
            }
            _ => Err(Refusal::unknown("the issuer's keys cannot be fetched")),
        }
    }

    /// Asks the issuer, unless it was asked since `began` or a moment ago; did the last question
    /// fail?
    async fn refresh(self: &Arc<Self>, began: Instant) -> bool {
        let mut asking = Arc::clone(&self.asking).lock_owned().await;
        if let Some(asked) = *asking
            && (asked.at >= began || asked.at.elapsed() < self.cooldown)
        {
            return asked.failed;
        }
        *asking = Some(Asked { at: Instant::now(), failed: true });
        // A task of its own, which the times of its questions end: a caller who goes away in the
        // middle would keep the keys from everybody else until the issuer may be asked again.
        let keys = Arc::clone(self);
        tokio::spawn(async move { keys.ask(asking).await }).await.unwrap_or(true)
    }

    async fn ask(&self, mut asking: OwnedMutexGuard<Option<Asked>>) -> bool {
        let fetched = self.fetch().await;
        let failed = fetched.is_err();
        *asking = Some(Asked { at: Instant::now(), failed });
        match fetched {
            Ok(keys) => self.replace(keys),
            Err(error) => {
                tracing::warn!(target: "aqueduct::auth", issuer = ?self.issuer, %error,
                    "the keys of an issuer cannot be fetched");
            }
        }
        failed
    }

    fn replace(&self, keys: KeySet) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = held.as_ref().is_none_or(|held| !held.keys.is(&keys));
        *held = Some(Held { keys: Arc::new(keys), since: Instant::now() });
        drop(held);
        if is_new {
            tracing::info!(target: "aqueduct::auth", issuer = ?self.issuer, "keys are new");
            // What a withdrawn key has signed is not good any more.
            (self.changed)();
        }
    }

    async fn fetch(&self) -> Result<KeySet, String> {
        let address = match &self.source {
            Source::Fixed => return Err("the keys are fixed".to_owned()),
            Source::At(address) => address.clone(),
            Source::Metadata(places) => self.discover(places).await?,
        };
        let body = self.fetcher.get(&address).await.map_err(|error| error.to_string())?;
        KeySet::read(&body)
    }

    /// Where the issuer says that its keys are, in the order of Authorization Server Discovery.
    async fn discover(&self, places: &[Address]) -> Result<Address, String> {
        let mut last = "no place for its metadata".to_owned();
        for place in places {
            let body = match self.fetcher.get(place).await {
                Ok(body) => body,
                Err(error) => {
                    last = error.to_string();
                    continue;
                }
            };
            let metadata: Metadata = serde_json::from_slice(&body)
                .map_err(|error| format!("its metadata cannot be read: {error}"))?;
            // Byte for byte (RFC 8414, section 3.3).
            if metadata.issuer != self.issuer {
                return Err(format!("its metadata is of another, {:?}", metadata.issuer));
            }
            return Address::parse(&metadata.jwks_uri, self.fetcher.egress());
        }
        Err(last)
    }
}

/// Where the metadata of an issuer may be: RFC 8414 first, then `OpenID` Connect Discovery.
pub(super) fn metadata_places(issuer: &str) -> Vec<String> {
    let bare = issuer.strip_suffix('/').unwrap_or(issuer);
    let after = bare.find("://").map_or(0, |at| at + 3);
    let end = bare.get(after..).and_then(|rest| rest.find('/')).map_or(bare.len(), |at| after + at);
    let (host, path) = bare.split_at_checked(end).unwrap_or((bare, ""));
    let mut places = vec![
        format!("{host}/.well-known/oauth-authorization-server{path}"),
        format!("{host}/.well-known/openid-configuration{path}"),
    ];
    if !path.is_empty() {
        places.push(format!("{host}{path}/.well-known/openid-configuration"));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_is_looked_for_in_the_order_of_the_specification() {
        assert_eq!(
            metadata_places("https://h:1/tenant"),
            [
                "https://h:1/.well-known/oauth-authorization-server/tenant",
                "https://h:1/.well-known/openid-configuration/tenant",
                "https://h:1/tenant/.well-known/openid-configuration",
            ]
        );
        assert_eq!(
            metadata_places("https://h"),
            [
                "https://h/.well-known/oauth-authorization-server",
                "https://h/.well-known/openid-configuration",
            ]
        );
    }
}
