//! Who issues tokens, and how they are made sure of.

use super::api_key::problem_in_name;
use super::verifier::Refusal;

/// What the tokens of an issuer look like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenProfile {
    /// As RFC 9068 has it: the head says `at+jwt`.
    #[default]
    Rfc9068,
    /// For issuers that do not say so, such as Entra or `PingFederate`: every type but those of other
    /// tokens, with a `scope`, `scp` or `roles` and without what marks an ID token.
    Generic,
}

impl TokenProfile {
    pub(super) fn check_type(self, kind: Option<&str>) -> Result<(), Refusal> {
        let kind = kind.unwrap_or_default();
        let short = match kind.split_at_checked("application/".len()) {
            Some((head, rest)) if head.eq_ignore_ascii_case("application/") => rest,
            _ => kind,
        };
        let is = |one: &str| short.eq_ignore_ascii_case(one);
        let fits = match self {
            Self::Rfc9068 => is("at+jwt"),
            Self::Generic => is("") || is("jwt") || is("at+jwt"),
        };
        match fits {
            true => Ok(()),
            false => Err(Refusal::invalid("its type is not that of an access token")),
        }
    }
}

/// An authorization server whose tokens are taken.
///
/// ```
/// use aqueduct::auth::{Issuer, TokenProfile};
///
/// let entra = Issuer::jwks("https://login.example.com/tenant/v2.0", "https://login.example.com/keys")
///     .profile(TokenProfile::Generic)
///     .audience("api://5a8c");
/// # let _ = entra;
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Issuer {
    pub(super) issuer: String,
    pub(super) way: Way,
    pub(super) profile: TokenProfile,
    pub(super) audiences: Vec<String>,
}

#[derive(Clone)]
pub(super) enum Way {
    Discover,
    Jwks(String),
    Keys(String),
    Introspect { url: String, client: String, secret: String },
}

impl std::fmt::Debug for Way {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Discover => f.write_str("Discover"),
            Self::Jwks(url) => write!(f, "Jwks({url:?})"),
            Self::Keys(_) => f.write_str("Keys"),
            Self::Introspect { url, .. } => write!(f, "Introspect({url:?})"),
        }
    }
}

impl Issuer {
    fn of(issuer: impl Into<String>, way: Way) -> Self {
        let (profile, audiences) = (TokenProfile::default(), Vec::new());
        Self { issuer: issuer.into(), way, profile, audiences }
    }

    /// An issuer whose metadata says where its keys are (RFC 8414, or `OpenID` Connect Discovery).
    pub fn discover(issuer: impl Into<String>) -> Self {
        Self::of(issuer, Way::Discover)
    }

    /// An issuer whose keys are at this address.
    pub fn jwks(issuer: impl Into<String>, url: impl Into<String>) -> Self {
        Self::of(issuer, Way::Jwks(url.into()))
    }

    /// An issuer whose keys are these, as a JWK Set in JSON; they are never fetched.
    pub fn keys(issuer: impl Into<String>, jwks: impl Into<String>) -> Self {
        Self::of(issuer, Way::Keys(jwks.into()))
    }

    /// An issuer that is asked about each token (RFC 7662), with the name and the secret of this
    /// server.
    pub fn introspect(
        issuer: impl Into<String>,
        url: impl Into<String>,
        client: impl Into<String>,
        secret: impl Into<String>,
    ) -> Self {
        let (url, client, secret) = (url.into(), client.into(), secret.into());
        Self::of(issuer, Way::Introspect { url, client, secret })
    }

    /// What its tokens look like.
    pub fn profile(mut self, profile: TokenProfile) -> Self {
        self.profile = profile;
        self
    }

    /// Another name of the resource that its tokens are issued for, where it cannot be made to
    /// write the resource's own. It must be a name of this server alone.
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audiences.push(audience.into());
        self
    }

    pub(super) fn problems(&self, problems: &mut Vec<String>) {
        let Self { issuer, audiences, .. } = self;
        if issuer.is_empty() || issuer.contains(['"', '\\', '#', '?', ' ']) {
            problems.push(format!(
                "the issuer {issuer:?} is no URL; write it as its tokens have it in iss"
            ));
        }
        for audience in audiences {
            let is_generic = !audience.contains([':', '/', '.', '-']) && audience.len() < 16;
            if is_generic {
                problems.push(format!(
                    "the audience {audience:?} of {issuer:?} may be another server's too; use a \
                     name of this server alone, such as its URL"
                ));
            }
        }
        if let Way::Introspect { client, secret, .. } = &self.way {
            if secret.is_empty() {
                problems.push(format!("the introspection secret of {issuer:?} is empty"));
            }
            problems.extend(problem_in_name("introspection client", client));
        }
    }
}
