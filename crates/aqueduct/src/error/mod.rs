//! What can go wrong: [`Error`] for the protocol, [`ToolError`] for the model that called.

mod table;
mod tool_error;

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use aqueduct_protocol::capabilities::ClientCapabilities;
use aqueduct_protocol::code;
use aqueduct_protocol::jsonrpc::RawJson;
use aqueduct_protocol::meta::{Meta, check_extension, check_key};
use aqueduct_protocol::version::ProtocolVersion;

pub(crate) use self::table::{code_of, status_of};
pub(crate) use self::tool_error::Repr;
pub use self::tool_error::{IntoToolError, ToolError};

/// An error of any type, as handlers and stores return it.
pub type BoxError = Box<dyn std::error::Error + Send + Sync + 'static>;

/// How many characters of a message the peer reads.
pub(crate) const MAX_MESSAGE: usize = 1_000;

/// A JSON-RPC error: the request could not be served at all.
///
/// What the peer reads is the message and the data; the source goes to the log only.
/// A message is cut at 1,000 characters: it may hold what the peer sent, and is no echo of it.
/// For a tool that ran and failed, use [`ToolError`], which the model gets to read.
///
/// ```
/// use aqueduct::Error;
///
/// let error = Error::invalid_params("the page size is 0; give at least 1");
/// assert!(error.is_invalid_params());
/// assert_eq!(error.to_string(), "the page size is 0; give at least 1");
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    kind: Kind,
    message: Cow<'static, str>,
    data: Option<RawJson>,
    source: Option<BoxError>,
}

/// Why a request was refused; `table.rs` gives each its code and its HTTP status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Parse,
    InvalidRequest,
    MethodNotFound,
    /// `params` does not have the shape that the method asks for.
    InvalidParams,
    /// `params` is well formed and names something that is not there.
    NotFound,
    /// A resource that is not there; a kind of its own because the revisions differ on its code.
    ResourceNotFound,
    HeaderMismatch,
    MissingCapability,
    UnsupportedVersion,
    Internal,
    /// Something broke, and the handler says in its own words what.
    Failed,
    /// The handler ran out of time.
    TimedOut,
    /// Too much is going on at once.
    Busy,
    /// The caller may not do this without scopes that it lacks.
    InsufficientScope,
    /// The caller has asked too often, or has too much open.
    RateLimited,
    Application(i32),
}

impl Error {
    pub(crate) fn of(kind: Kind, message: impl Into<Cow<'static, str>>) -> Self {
        let message = message.into();
        let message = cut(&message, MAX_MESSAGE).map(Cow::Owned).unwrap_or(message);
        Self(Box::new(Inner { kind, message, data: None, source: None }))
    }

    /// `params` does not have the shape that the method asks for (-32602).
    #[must_use]
    pub fn invalid_params(message: impl Into<Cow<'static, str>>) -> Self {
        Self::of(Kind::InvalidParams, message)
    }

    /// What the request names is not there, or not for this caller (-32602).
    #[must_use]
    pub fn not_found(message: impl Into<Cow<'static, str>>) -> Self {
        Self::of(Kind::NotFound, message)
    }

    /// There is no resource at `uri`: -32602 with `data.uri` (SEP-2164).
    #[must_use]
    pub fn resource_not_found(uri: &str) -> Self {
        let data = serde_json::json!({ "uri": uri });
        Self::of(Kind::ResourceNotFound, "resource not found").data(&data)
    }

    /// As [`resource_not_found`](Self::resource_not_found), with the URI that was probably meant.
    pub(crate) fn resource_not_found_near(uri: &str, near: &str) -> Self {
        let mut error = Self::resource_not_found(uri);
        error.0.message = format!("resource not found; did you mean {near:?}?").into();
        error
    }

    /// Something broke on our side: the peer reads "internal error", the log reads `source`.
    #[must_use]
    pub fn internal(source: impl Into<BoxError>) -> Self {
        let mut error = Self::of(Kind::Internal, "internal error");
        error.0.source = Some(source.into());
        error
    }

    /// Something broke on our side, and the peer reads what (-32603).
    ///
    /// The message is told to whoever called; what only the log may read belongs into
    /// [`internal`](Self::internal) or [`source`](Self::source).
    #[must_use]
    pub fn failed(message: impl Into<Cow<'static, str>>) -> Self {
        Self::of(Kind::Failed, message)
    }

    /// The request cannot be served without client capabilities that it did not declare (-32021).
    #[must_use]
    pub fn missing_capability(required: &ClientCapabilities) -> Self {
        let data = serde_json::json!({ "requiredCapabilities": required });
        Self::of(
            Kind::MissingCapability,
            "this request needs client capabilities that it does not declare",
        )
        .data(&data)
    }

    /// The caller lacks scopes; these are all that the operation needs, held ones included.
    ///
    /// Over HTTP, behind a server that authenticates, it becomes a 403 that names them, so that
    /// the client can come back with a better token (Authorization › Runtime Insufficient Scope
    /// Errors).
    #[must_use]
    pub fn insufficient_scope<S: Into<String>>(scopes: impl IntoIterator<Item = S>) -> Self {
        let scopes: Vec<String> = scopes.into_iter().map(Into::into).collect();
        let message = "the caller lacks scopes that this needs";
        let data = serde_json::json!({ "requiredScopes": scopes });
        Self::of(Kind::InsufficientScope, message).data(&data).source(MissingScopes(scopes))
    }

    /// All scopes that the operation needs, when it is about them.
    #[must_use]
    pub fn required_scopes(&self) -> Option<&[String]> {
        let cause = self.0.source.as_deref()?;
        cause.downcast_ref::<MissingScopes>().map(|missing| missing.0.as_slice())
    }

    /// The caller has asked too often and may come back after `wait` (-32603 with
    /// `data.reason` and `data.retryAfterMs`).
    ///
    /// Over HTTP it becomes a 429 with a `Retry-After` of whole seconds (RFC 9110 › Retry-After).
    #[must_use]
    pub fn rate_limited(message: impl Into<Cow<'static, str>>, wait: Duration) -> Self {
        let milliseconds = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX).max(1);
        let data = serde_json::json!({ "reason": "rate_limited", "retryAfterMs": milliseconds });
        Self::of(Kind::RateLimited, message).data(&data).source(RetryAfter(wait))
    }

    /// When the caller may come back, if it asked too often.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        let cause = self.0.source.as_deref()?;
        cause.downcast_ref::<RetryAfter>().map(|wait| wait.0)
    }

    /// An error of the application's own, with a code outside the range that JSON-RPC and MCP
    /// reserve (-32768 to -32000).
    ///
    /// # Errors
    /// Returns an error that names the code when it lies in the reserved range.
    pub fn application(
        code: i32,
        message: impl Into<Cow<'static, str>>,
    ) -> Result<Self, ReservedCode> {
        if code::RESERVED.contains(&code) {
            return Err(ReservedCode(code));
        }
        Ok(Self::of(Kind::Application(code), message))
    }

    /// Adds the `data` member; a value that cannot be written as JSON is left out.
    #[must_use]
    pub fn data(mut self, data: &impl serde::Serialize) -> Self {
        self.0.data = RawJson::new(data).ok();
        self
    }

    /// Adds the cause, for the log; the peer never reads it.
    #[must_use]
    pub fn source(mut self, source: impl Into<BoxError>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// Is it about what the request asked with (-32602)?
    #[must_use]
    pub fn is_invalid_params(&self) -> bool {
        matches!(self.0.kind, Kind::InvalidParams | Kind::NotFound | Kind::ResourceNotFound)
    }

    /// Is it about something that is not there?
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(self.0.kind, Kind::NotFound | Kind::ResourceNotFound | Kind::MethodNotFound)
    }

    /// Did something break on our side?
    #[must_use]
    pub fn is_internal(&self) -> bool {
        matches!(self.0.kind, Kind::Internal | Kind::Failed | Kind::TimedOut)
    }

    /// What the peer reads.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The JSON-RPC code that goes out under the newest revision.
    #[must_use]
    pub fn code(&self) -> i32 {
        code_of(self.0.kind, ProtocolVersion::LATEST)
    }

    pub(crate) fn kind(&self) -> Kind {
        self.0.kind
    }

    pub(crate) fn data_json(&self) -> Option<&RawJson> {
        self.0.data.as_ref()
    }

    /// The cause, when it is a `T`.
    pub(crate) fn downcast<T: std::error::Error + 'static>(mut self) -> Result<T, Self> {
        match self.0.source.take().map(<dyn std::error::Error + Send + Sync>::downcast) {
            Some(Ok(cause)) => Ok(*cause),
            Some(Err(cause)) => {
                self.0.source = Some(cause);
                Err(self)
            }
            None => Err(self),
        }
    }

    pub(crate) fn cause(&self) -> Option<&BoxError> {
        self.0.source.as_ref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.0;
        f.debug_struct("Error")
            .field("kind", &inner.kind)
            .field("message", &inner.message)
            .field("data", &inner.data)
            .field("source", &inner.source)
            .finish()
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_deref().map(|source| source as &(dyn std::error::Error + 'static))
    }
}

/// What an operation needs and its caller lacks.
#[derive(Debug)]
struct MissingScopes(Vec<String>);

impl fmt::Display for MissingScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "needs the scopes {}", self.0.join(" "))
    }
}

impl std::error::Error for MissingScopes {}

/// How long a caller should wait.
#[derive(Debug)]
struct RetryAfter(Duration);

impl fmt::Display for RetryAfter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "to be asked again in {:?}", self.0)
    }
}

impl std::error::Error for RetryAfter {}

/// The first characters of a peer's text, for a message.
pub(crate) fn shorten(text: &str) -> String {
    const KEPT: usize = 80;
    cut(text, KEPT).unwrap_or_else(|| text.to_owned())
}

/// The first characters of a text and a mark that there were more; `None` when it has no more.
pub(crate) fn cut(text: &str, kept: usize) -> Option<String> {
    // Most texts are short, and their characters need not be counted.
    if text.len() <= kept {
        return None;
    }
    let (end, _) = text.char_indices().nth(kept)?;
    Some(format!("{}…", text.get(..end).unwrap_or_default()))
}

/// What is wrong with an icon, for the errors of a build.
pub(crate) fn icon_problem(icon: &aqueduct_protocol::icons::Icon) -> Option<String> {
    let src = shorten(&icon.src);
    (!icon.has_allowed_source())
        .then(|| format!("icon {src:?}: clients take https: and data: addresses only"))
}

/// What is wrong with the identifier of an extension, for the errors of a build.
pub(crate) fn extension_problem(id: &str) -> Option<String> {
    let error = check_extension(id).err()?;
    Some(format!("extension {id:?}: {error}; an identifier is such as \"com.example/name\""))
}

/// What is wrong with a `_meta`, for the errors of a build.
pub(crate) fn meta_problem(meta: Option<&Meta>) -> Option<String> {
    let keys = meta.into_iter().flat_map(|meta| meta.as_map().keys());
    keys.filter_map(|key| Some((key, check_key(key).err()?)))
        .map(|(key, error)| format!("_meta key {key:?}: {error}"))
        .next()
}

/// A code that JSON-RPC or MCP keeps for itself was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReservedCode(i32);

impl fmt::Display for ReservedCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "code {} is reserved by JSON-RPC and MCP ({} to {}); choose one outside",
            self.0,
            code::RESERVED.start(),
            code::RESERVED.end()
        )
    }
}

impl std::error::Error for ReservedCode {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_codes_are_refused_and_others_kept() {
        for code in [-32768, -32602, -32021, -32000] {
            assert_eq!(Error::application(code, "x").unwrap_err(), ReservedCode(code));
        }
        assert_eq!(Error::application(-31999, "x").unwrap().code(), -31999);
        assert_eq!(Error::application(42, "x").unwrap().code(), 42);
    }

    #[test]
    fn a_message_is_cut_between_characters() {
        let long = Error::invalid_params("ß".repeat(MAX_MESSAGE + 1));
        assert_eq!(long.message(), format!("{}…", "ß".repeat(MAX_MESSAGE)));
        let whole = Error::invalid_params("ß".repeat(MAX_MESSAGE));
        assert_eq!(whole.message(), "ß".repeat(MAX_MESSAGE));
    }

    #[test]
    fn an_internal_error_tells_the_peer_nothing_of_its_cause() {
        let error = Error::internal("password is hunter2");
        assert_eq!(error.to_string(), "internal error");
        assert!(format!("{error:?}").contains("hunter2"));
    }
}
