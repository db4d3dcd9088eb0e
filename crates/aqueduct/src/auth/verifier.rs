//! What says whether a token is good: the trait, its answer and its refusals.

use std::fmt;
use std::future::Future;
use std::time::SystemTime;

use crate::context::{BoxFuture, Principal};

/// Says who presents a token, for tokens that nobody but you can read.
///
/// It is asked for tokens that no issuer of the server's is known for. It must make sure that the
/// token was issued for this server, and must not pass: what it does not know, it refuses with
/// [`Refusal::unknown`] (Authorization › Token Handling).
///
/// ```
/// use aqueduct::Principal;
/// use aqueduct::auth::{Refusal, ResourceServer, Verified, Verifier};
///
/// struct Vault;
///
/// impl Verifier for Vault {
///     async fn verify(&self, token: &str) -> Result<Verified, Refusal> {
///         match token {
///             "opensesame" => Ok(Verified::new(Principal::new("vault", "ali").scopes(["cave"]))),
///             _ => Err(Refusal::invalid("no such word")),
///         }
///     }
/// }
///
/// let auth = ResourceServer::new("http://127.0.0.1:8000/mcp")
///     .verifier(Vault, ["https://idp.example.com"])
///     .build();
/// assert!(auth.is_ok());
/// ```
pub trait Verifier: Send + Sync + 'static {
    /// Who presents the token.
    ///
    /// # Errors
    /// Why nobody does, or that it cannot be known now.
    fn verify(&self, token: &str) -> impl Future<Output = Result<Verified, Refusal>> + Send;
}

pub(super) trait ErasedVerifier: Send + Sync {
    fn verify(self: std::sync::Arc<Self>, token: String) -> BoxFuture<Result<Verified, Refusal>>;
}

impl<V: Verifier> ErasedVerifier for V {
    fn verify(self: std::sync::Arc<Self>, token: String) -> BoxFuture<Result<Verified, Refusal>> {
        Box::pin(async move { Verifier::verify(&*self, &token).await })
    }
}

/// Whom a token stands for, and for how long.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verified {
    /// The caller, with the scopes that the token names.
    pub principal: Principal,
    /// When the token ends; `None` when that is not said.
    pub expires: Option<SystemTime>,
}

impl Verified {
    /// A caller whose token does not say when it ends.
    #[must_use]
    pub fn new(principal: Principal) -> Self {
        Self { principal, expires: None }
    }

    /// When the token ends.
    #[must_use]
    pub fn expires(mut self, expires: SystemTime) -> Self {
        self.expires = Some(expires);
        self
    }
}

/// Why a token is not taken: one of five things for the client, and a reason for the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub(super) kind: Kind,
    why: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Invalid,
    Expired,
    Early,
    Audience,
    Unknown,
}

impl Refusal {
    fn of(kind: Kind, why: impl Into<String>) -> Self {
        Self { kind, why: why.into() }
    }

    /// The token is none of ours, or broken. The reason goes to the log only; never put the token
    /// into it.
    #[must_use]
    pub fn invalid(why: impl Into<String>) -> Self {
        Self::of(Kind::Invalid, why)
    }

    /// The token was good once.
    #[must_use]
    pub fn expired() -> Self {
        Self::of(Kind::Expired, "expired")
    }

    /// The token will be good later.
    #[must_use]
    pub fn not_yet_valid() -> Self {
        Self::of(Kind::Early, "not yet valid")
    }

    /// The token was issued for somebody else.
    #[must_use]
    pub fn wrong_audience() -> Self {
        Self::of(Kind::Audience, "not issued for this resource")
    }

    /// It cannot be known now whether the token is good; the client is told to try again.
    #[must_use]
    pub fn unknown(why: impl Into<String>) -> Self {
        Self::of(Kind::Unknown, why)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Refusal {}
