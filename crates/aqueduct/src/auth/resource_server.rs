//! How authorization is described, and what is refused of it before anything is served.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::address::{Egress, Network};
use super::answer::Answers;
use super::api_key::{self, ApiKey};
use super::cache::{Cache, Flights};
use super::fetch::{Address, Fetcher};
use super::identifier::Identifier;
use super::introspect::Introspection;
use super::issuer::{Issuer, Way};
use super::key_set::KeySet;
use super::keys::{Keys, Source, metadata_places};
use super::scope::{Hierarchy, is_scope};
use super::sources::{Opaque, Signer, Sources};
use super::verifier::{ErasedVerifier, Verifier};

/// How long tokens may last.
const MAX_LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);
/// How long an issuer is left alone after it was asked for its keys.
const COOLDOWN: Duration = Duration::from_secs(30);

/// The protected server in the making: its name, whose tokens it takes, what they must say.
///
/// Nothing is on that is not safe: tokens are taken when they were issued for this resource, by an
/// issuer of the list, with a signature that its own key has made, and while they last.
#[derive(Clone)]
#[must_use]
pub struct ResourceServer {
    resource: String,
    pub(super) issuers: Vec<Issuer>,
    verifier: Option<(Arc<dyn ErasedVerifier>, Vec<String>)>,
    api_keys: Vec<ApiKey>,
    hierarchy: Hierarchy,
    baseline: Vec<String>,
    supported: Vec<String>,
    egress: Egress,
    name: Option<String>,
    documentation: Option<String>,
    root_metadata: bool,
    max_lifetime: Duration,
    cooldown: Duration,
    problems: Vec<String>,
}

impl fmt::Debug for ResourceServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResourceServer")
            .field("resource", &self.resource)
            .field("issuers", &self.issuers)
            .finish_non_exhaustive()
    }
}

impl ResourceServer {
    /// The server that clients know by this URL: the exact address of the endpoint, which its
    /// tokens are issued for. It is never taken from a request.
    pub fn new(resource: impl Into<String>) -> Self {
        Self {
            resource: resource.into(),
            issuers: Vec::new(),
            verifier: None,
            api_keys: Vec::new(),
            hierarchy: Hierarchy::default(),
            baseline: Vec::new(),
            supported: Vec::new(),
            egress: Egress::default(),
            name: None,
            documentation: None,
            root_metadata: false,
            max_lifetime: MAX_LIFETIME,
            cooldown: COOLDOWN,
            problems: Vec::new(),
        }
    }

    /// Takes the tokens of this issuer.
    pub fn issuer(mut self, issuer: Issuer) -> Self {
        self.issuers.push(issuer);
        self
    }

    /// Asks `verifier` about tokens that no issuer is known for; clients get them from these
    /// authorization servers.
    pub fn verifier<S: Into<String>>(
        mut self,
        verifier: impl Verifier,
        servers: impl IntoIterator<Item = S>,
    ) -> Self {
        let servers = servers.into_iter().map(Into::into).collect();
        if self.verifier.replace((Arc::new(verifier), servers)).is_some() {
            self.problems.push("a verifier is given twice; make one that asks both".to_owned());
        }
        self
    }

    /// Takes this API key as a bearer token.
    pub fn api_key(mut self, key: ApiKey) -> Self {
        self.api_keys.push(key);
        self
    }

    /// What every request needs, whatever it asks for; clients ask for it at first.
    pub fn baseline_scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.baseline.extend(scopes.into_iter().map(Into::into));
        self
    }

    /// More scopes that the metadata names, beside those that every request needs; clients that
    /// are told no scope ask for all of them.
    pub fn supported_scopes<S: Into<String>>(
        mut self,
        scopes: impl IntoIterator<Item = S>,
    ) -> Self {
        self.supported.extend(scopes.into_iter().map(Into::into));
        self
    }

    /// Whoever holds `scope` holds these, too.
    pub fn scope_implies<S: Into<String>>(
        mut self,
        scope: impl Into<String>,
        implied: impl IntoIterator<Item = S>,
    ) -> Self {
        self.hierarchy.imply(scope.into(), implied.into_iter().map(Into::into));
        self
    }

    /// Lets the server ask issuers in this network, which is not of the whole world.
    pub fn allow_network(mut self, network: Network) -> Self {
        self.egress.networks.push(network);
        self
    }

    /// For tests: issuers on this machine are asked, without TLS. Never use it where others can
    /// say what an issuer is.
    pub fn loopback_issuers(mut self) -> Self {
        self.egress.loopback = true;
        self
    }

    /// The server's name for people who are asked whether a client may reach it.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Where people read how to use the server.
    pub fn documentation(mut self, url: impl Into<String>) -> Self {
        self.documentation = Some(url.into());
        self
    }

    /// Serves the metadata at the root of the host, too, for clients that look nowhere else.
    ///
    /// Only one resource of a host can have it.
    pub fn root_metadata(mut self) -> Self {
        self.root_metadata = true;
        self
    }

    /// How long a token may last from now on; a day otherwise.
    pub fn max_token_lifetime(mut self, lifetime: Duration) -> Self {
        self.max_lifetime = lifetime;
        self
    }

    /// How long an issuer is left alone after it was asked for its keys; 30 seconds otherwise.
    pub fn key_cooldown(mut self, cooldown: Duration) -> Self {
        self.cooldown = cooldown;
        self
    }

    /// Checks all of it.
    ///
    /// # Errors
    /// Everything that is wrong or unsafe, at once, each with how to mend it.
    pub fn build(mut self) -> Result<Auth, AuthError> {
        let mut problems = std::mem::take(&mut self.problems);
        let resource = Identifier::parse(&self.resource);
        let resource = resource.map_err(|problem| problems.push(problem)).ok();
        self.check(&mut problems);
        if jsonwebtoken::crypto::CryptoProvider::try_get_default().is_none() {
            // The program has chosen no backend or two; whoever was faster is as good.
            jsonwebtoken::crypto::aws_lc::DEFAULT_PROVIDER.install_default().ok();
        }
        let secure = self.issuers.iter().any(|issuer| match &issuer.way {
            Way::Keys(_) => false,
            Way::Discover => issuer.issuer.starts_with("https:"),
            Way::Jwks(url) | Way::Introspect { url, .. } => url.starts_with("https:"),
        });
        let fetcher = Fetcher::new(self.egress.clone(), secure);
        let fetcher = fetcher.map_err(|problem| problems.push(problem)).ok().map(Arc::new);
        let (Some(resource), Some(fetcher)) = (resource, fetcher) else {
            return Err(AuthError { problems });
        };
        let cache = Arc::new(Cache::default());
        let (signers, opaque) = self.sources(&fetcher, &cache, &mut problems);
        if !problems.is_empty() {
            return Err(AuthError { problems });
        }
        let answers = Answers::new(&resource, &self.described(), self.baseline.clone());
        let sources = Sources {
            resource,
            signers,
            opaque,
            api_keys: self.api_keys,
            hierarchy: self.hierarchy,
            max_lifetime: self.max_lifetime,
            cache,
            flights: Flights::default(),
        };
        Ok(Auth { sources: Arc::new(sources), answers: Arc::new(answers) })
    }

    fn described(&self) -> super::answer::Described {
        let issuers = self.issuers.iter().map(|issuer| issuer.issuer.clone());
        let others = self.verifier.iter().flat_map(|(_, servers)| servers.iter().cloned());
        let scopes: BTreeSet<String> =
            self.baseline.iter().chain(&self.supported).cloned().collect();
        super::answer::Described {
            servers: issuers.chain(others).collect(),
            scopes: scopes.into_iter().collect(),
            name: self.name.clone(),
            documentation: self.documentation.clone(),
            at_root: self.root_metadata,
        }
    }

    fn check(&self, problems: &mut Vec<String>) {
        if self.issuers.is_empty() && self.verifier.is_none() && self.api_keys.is_empty() {
            problems
                .push("nobody's tokens are taken; add an issuer, a verifier or an API key".into());
        }
        if self.verifier.as_ref().is_some_and(|(_, servers)| servers.is_empty()) {
            problems.push(
                "the verifier names no authorization server; say where clients get its tokens"
                    .into(),
            );
        }
        let opaque = self.issuers.iter().filter(|one| matches!(one.way, Way::Introspect { .. }));
        if opaque.count() + usize::from(self.verifier.is_some()) > 1 {
            problems.push(
                "two are asked about tokens that nobody can read, and a token must not be shown to \
                 both; keep one issuer with introspection, or a verifier"
                    .into(),
            );
        }
        for (at, issuer) in self.issuers.iter().enumerate() {
            issuer.problems(problems);
            if self.issuers.iter().take(at).any(|other| other.issuer == issuer.issuer) {
                problems.push(format!("the issuer {:?} is there twice; keep one", issuer.issuer));
            }
        }
        for (at, key) in self.api_keys.iter().enumerate() {
            key.problems(problems);
            if self.api_keys.iter().take(at).any(|other| other.name == key.name) {
                problems.push(format!("the API key {:?} is there twice; keep one", key.name));
            }
        }
        if self.issuers.iter().any(|issuer| issuer.issuer == api_key::ISSUER) {
            problems.push("an issuer is called as API keys are; call it by its URL".into());
        }
        let scopes = self.baseline.iter().chain(&self.supported).chain(self.hierarchy.names());
        for scope in scopes {
            if !is_scope(scope) {
                problems.push(format!("{scope:?} is no scope; write it without space, \" and \\"));
            }
            if scope == "offline_access" {
                problems.push(
                    "offline_access is between the client and its issuer; leave it out".into(),
                );
            }
        }
        if self.max_lifetime.is_zero() {
            problems.push("tokens may last no time at all; allow them an hour or so".into());
        }
    }

    /// Those who say whether a token is good.
    fn sources(
        &mut self,
        fetcher: &Arc<Fetcher>,
        cache: &Arc<Cache>,
        problems: &mut Vec<String>,
    ) -> (Vec<Signer>, Option<Opaque>) {
        let mut signers = Vec::new();
        let mut opaque = self.verifier.as_ref().map(|(one, _)| Opaque::Verifier(Arc::clone(one)));
        for Issuer { issuer, way, profile, audiences } in self.issuers.clone() {
            let read = match way {
                Way::Introspect { url, client, secret } => {
                    let url = Address::parse(&url, &self.egress);
                    let made = url.map(|url| {
                        let fetcher = Arc::clone(fetcher);
                        Introspection::new(issuer, url, (&client, &secret), audiences, fetcher)
                    });
                    made.map(|made| opaque = made.map(Box::new).map(Opaque::Introspection))
                }
                way => self.source(&issuer, &way).map(|(source, fixed)| {
                    let (forgetful, fetcher) = (Arc::clone(cache), Arc::clone(fetcher));
                    let changed = Box::new(move || forgetful.clear());
                    let keys =
                        Keys::new(issuer.clone(), source, fixed, fetcher, self.cooldown, changed);
                    signers.push(Signer { issuer, keys: Arc::new(keys), profile, audiences });
                }),
            };
            problems.extend(read.err());
        }
        (signers, opaque)
    }

    /// Where the keys of an issuer are.
    fn source(&self, issuer: &str, way: &Way) -> Result<(Source, Option<KeySet>), String> {
        let parse = |url: &str| {
            Address::parse(url, &self.egress).map_err(|problem| {
                format!("the keys of issuer {issuer:?} cannot be asked for: {problem}")
            })
        };
        match way {
            Way::Keys(json) => {
                let keys = KeySet::read(json.as_bytes());
                let keys = keys.map_err(|problem| {
                    format!("the keys of {issuer:?}: {problem}; give a JWK Set with a public key")
                })?;
                Ok((Source::Fixed, Some(keys)))
            }
            Way::Jwks(url) => Ok((Source::At(parse(url)?), None)),
            Way::Discover | Way::Introspect { .. } => {
                let places = metadata_places(issuer);
                let places: Result<_, _> = places.iter().map(|url| parse(url)).collect();
                Ok((Source::Metadata(places?), None))
            }
        }
    }
}

/// Authorization that is in order: give it to [`HttpService::auth`].
///
/// [`HttpService::auth`]: crate::transport::http::HttpService::auth
#[derive(Clone)]
pub struct Auth {
    pub(super) sources: Arc<Sources>,
    pub(super) answers: Arc<Answers>,
}

impl Auth {
    /// The paths at which the metadata is served, for routers that must be told of each.
    #[must_use]
    pub fn metadata_paths(&self) -> Vec<String> {
        self.answers.paths().to_vec()
    }
}

impl fmt::Debug for Auth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Auth")
            .field("resource", &self.sources.resource.as_str())
            .finish_non_exhaustive()
    }
}

/// All that is wrong with a [`ResourceServer`], each with how to mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthError {
    pub(super) problems: Vec<String>,
}

impl AuthError {
    /// What is wrong, one sentence each.
    #[must_use]
    pub fn problems(&self) -> &[String] {
        &self.problems
    }
}

impl fmt::Display for AuthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "authorization cannot be set up: {}", self.problems.join("; "))
    }
}

impl std::error::Error for AuthError {}
