//! The same by a file: every key is known, or it is an error.

use std::collections::BTreeMap;
use std::time::{Duration, UNIX_EPOCH};

use serde::Deserialize;

use super::address::NetworkError;
use super::api_key::ApiKey;
use super::issuer::{Issuer, TokenProfile};
use super::resource_server::{AuthError, ResourceServer};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    auth: Auth,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Auth {
    resource: String,
    name: Option<String>,
    documentation: Option<String>,
    #[serde(default)]
    root_metadata: bool,
    #[serde(default)]
    loopback_issuers: bool,
    #[serde(default)]
    networks: Vec<String>,
    #[serde(default)]
    issuer: Vec<OneIssuer>,
    #[serde(default)]
    key: Vec<OneKey>,
    #[serde(default)]
    scopes: Scopes,
    #[serde(default)]
    limits: Limits,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OneIssuer {
    issuer: String,
    jwks_uri: Option<String>,
    keys: Option<String>,
    introspection: Option<OneIntrospection>,
    #[serde(default)]
    profile: Profile,
    #[serde(default)]
    audiences: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OneIntrospection {
    url: String,
    client_id: String,
    /// The name of the variable that holds the secret; a secret in a file is soon in a backup.
    client_secret_env: String,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Profile {
    #[default]
    Rfc9068,
    Generic,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OneKey {
    name: String,
    sha256: String,
    #[serde(default)]
    scopes: Vec<String>,
    /// In seconds since 1970.
    expires: Option<u64>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Scopes {
    baseline: Vec<String>,
    supported: Vec<String>,
    implies: BTreeMap<String, Vec<String>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Limits {
    token_lifetime_hours: Option<u64>,
    key_cooldown_seconds: Option<u64>,
}

impl ResourceServer {
    /// Reads a description in TOML, whose table is `auth`.
    ///
    /// ```
    /// use aqueduct::auth::ResourceServer;
    ///
    /// let auth = ResourceServer::from_toml(r#"
    ///     [auth]
    ///     resource = "https://mcp.example.com/mcp"
    ///     [[auth.issuer]]
    ///     issuer = "https://idp.example.com/tenant"
    ///     jwks_uri = "https://idp.example.com/keys"
    ///     [auth.scopes]
    ///     baseline = ["notes:read"]
    ///     implies = { "notes:write" = ["notes:read"] }
    /// "#)?;
    /// assert!(ResourceServer::from_toml("[auth]\nresorce = \"x\"").is_err());
    /// # let _ = auth;
    /// # Ok::<(), aqueduct::auth::AuthError>(())
    /// ```
    ///
    /// # Errors
    /// When it is no TOML, has a key that nobody knows, or lacks one; what is unsafe is found by
    /// [`build`](Self::build).
    pub fn from_toml(text: &str) -> Result<Self, AuthError> {
        let file: File = toml::from_str(text).map_err(|error| one(error.message()))?;
        let Auth { resource, issuer: issuers, key: keys, scopes, limits, .. } = file.auth;
        let mut server = Self::new(resource);
        for issuer in issuers {
            server = server.issuer(issuer.read()?);
        }
        for OneKey { name, sha256, scopes, expires } in keys {
            let mut key = ApiKey::hashed(name, sha256).scopes(scopes);
            if let Some(at) =
                expires.map(Duration::from_secs).and_then(|at| UNIX_EPOCH.checked_add(at))
            {
                key = key.expires(at);
            }
            server = server.api_key(key);
        }
        server = server.baseline_scopes(scopes.baseline).supported_scopes(scopes.supported);
        for (scope, implied) in scopes.implies {
            server = server.scope_implies(scope, implied);
        }
        for network in &file.auth.networks {
            server = server.allow_network(
                network.parse().map_err(|error: NetworkError| one(error.to_string()))?,
            );
        }
        if let Some(hours) = limits.token_lifetime_hours {
            server = server.max_token_lifetime(Duration::from_secs(hours.saturating_mul(3600)));
        }
        if let Some(seconds) = limits.key_cooldown_seconds {
            server = server.key_cooldown(Duration::from_secs(seconds));
        }
        if let Some(name) = file.auth.name {
            server = server.name(name);
        }
        if let Some(url) = file.auth.documentation {
            server = server.documentation(url);
        }
        if file.auth.root_metadata {
            server = server.root_metadata();
        }
        if file.auth.loopback_issuers {
            server = server.loopback_issuers();
        }
        Ok(server)
    }
}

impl OneIssuer {
    fn read(self) -> Result<Issuer, AuthError> {
        let Self { issuer, jwks_uri, keys, introspection, profile, audiences } = self;
        let made = match (jwks_uri, keys, introspection) {
            (None, None, None) => Issuer::discover(issuer),
            (Some(url), None, None) => Issuer::jwks(issuer, url),
            (None, Some(keys), None) => Issuer::keys(issuer, keys),
            (None, None, Some(asked)) => {
                let OneIntrospection { url, client_id, client_secret_env: variable } = asked;
                let secret = std::env::var(&variable).map_err(|_| {
                    one(format!("the variable {variable} is to hold a secret and is not set"))
                })?;
                Issuer::introspect(issuer, url, client_id, secret)
            }
            _ => {
                return Err(one(format!(
                    "the issuer {issuer:?} has more than one of jwks_uri, keys and introspection; \
                     keep one"
                )));
            }
        };
        let profile = match profile {
            Profile::Rfc9068 => TokenProfile::Rfc9068,
            Profile::Generic => TokenProfile::Generic,
        };
        Ok(audiences.into_iter().fold(made.profile(profile), Issuer::audience))
    }
}

fn one(problem: impl Into<String>) -> AuthError {
    AuthError { problems: vec![problem.into()] }
}
