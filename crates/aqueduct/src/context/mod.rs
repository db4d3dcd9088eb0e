//! What a handler knows of the call that it serves, and what it may say before it answers.

mod admission;
mod cancel;
mod log;
mod outbound;
mod principal;
mod progress;
mod replay;
mod request;
#[cfg(any(feature = "http", feature = "stdio"))]
mod session;
mod state;
mod task;
mod trace;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use aqueduct_protocol::apps;
use aqueduct_protocol::capabilities::ClientCapabilities;
use aqueduct_protocol::icons::Implementation;
use aqueduct_protocol::jsonrpc::{MetaKey, Param, RawJson};
use aqueduct_protocol::logging::LoggingLevel;
use aqueduct_protocol::meta::{self, Meta};
use aqueduct_protocol::version::ProtocolVersion;

pub(crate) use self::admission::Admission;
use self::cancel::Cancel;
use crate::error::Error;
use crate::uri::Variables;

pub(crate) use self::outbound::Outbound;
pub use self::principal::Principal;
pub use self::progress::{Amount, Progress};
pub(crate) use self::replay::{Carried, Replay};
#[cfg(feature = "http")]
pub(crate) use self::request::Mirrors;
pub use self::request::{Head, Request};
pub(crate) use self::request::{Mirrored, object};
pub(crate) use self::state::StateMap;
pub use self::task::TaskRun;
pub(crate) use self::task::{Deferred, Ledger};
pub use self::trace::{TraceContext, TraceParent};

/// A future that owns what it needs.
pub type BoxFuture<T> = std::pin::Pin<Box<dyn Future<Output = T> + Send + 'static>>;

/// The call that a handler serves: who asks, what for, and the way back while it runs.
///
/// Cheap to clone; a clone may move into a task of the handler's own.
/// Nothing that is said through it after the answer reaches the peer.
///
/// ```
/// use aqueduct::prelude::*;
///
/// /// Count slowly.
/// #[tool]
/// async fn count(to: u32, ctx: Context) -> Result<String> {
///     for n in 1..=to {
///         ctx.progress((n, to));
///     }
///     Ok(format!("counted to {to}"))
/// }
/// ```
#[derive(Clone)]
pub struct Context(Arc<Inner>);

struct Inner {
    request: Box<Request>,
    version: ProtocolVersion,
    capabilities: Option<Box<ClientCapabilities>>,
    log_level: Option<LoggingLevel>,
    state: Arc<StateMap>,
    outbound: Option<Arc<Outbound>>,
    /// The state of the mounted server whose item is called, in place of `state`.
    mounted: OnceLock<Arc<StateMap>>,
    variables: OnceLock<Variables>,
    /// The arguments in another spelling than they came in.
    arguments: OnceLock<String>,
    replay: OnceLock<Replay>,
    /// What the call has to do with tasks; nothing, for nearly every one.
    stage: OnceLock<Box<task::Stage>>,
    cancel: Cancel,
}

/// What admission found out about a request; the parts of a [`Context`].
pub(crate) struct Admitted {
    pub(crate) request: Box<Request>,
    pub(crate) version: ProtocolVersion,
    pub(crate) capabilities: Option<Box<ClientCapabilities>>,
    pub(crate) log_level: Option<LoggingLevel>,
    pub(crate) state: Arc<StateMap>,
    pub(crate) outbound: Option<Arc<Outbound>>,
}

impl Context {
    pub(crate) fn new(admitted: Admitted) -> Self {
        let Admitted { request, version, capabilities, log_level, state, outbound } = admitted;
        Self(Arc::new(Inner {
            request,
            version,
            capabilities,
            log_level,
            state,
            outbound,
            mounted: OnceLock::new(),
            variables: OnceLock::new(),
            arguments: OnceLock::new(),
            replay: OnceLock::new(),
            stage: OnceLock::new(),
            cancel: Cancel::new(),
        }))
    }

    /// The revision that this request speaks, or its session.
    #[must_use]
    pub fn protocol_version(&self) -> ProtocolVersion {
        self.0.request.head().version().unwrap_or(self.0.version)
    }

    /// The request itself: its id, its headers, its raw `params`.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.0.request
    }

    /// What the client can do, as this request declares it.
    #[must_use]
    pub fn client_capabilities(&self) -> ClientCapabilities {
        self.0.capabilities.as_deref().cloned().unwrap_or_default()
    }

    /// Who the client says it is; `None` when it does not say or says it wrongly.
    ///
    /// Never decide about access by it: anybody may claim any name.
    #[must_use]
    pub fn client_info(&self) -> Option<Implementation> {
        serde_json::from_str(self.0.request.meta(MetaKey::ClientInfo)?).ok()
    }

    /// Does the client show pages of MCP Apps beside results?
    ///
    /// Whatever it says, a tool's `content` is to be of use by itself.
    #[must_use]
    pub fn shows_apps(&self) -> bool {
        let settings = self.0.capabilities.as_ref().and_then(|all| all.extension(apps::EXTENSION));
        let types = settings.and_then(|settings| settings.get("mimeTypes")?.as_array());
        types.is_some_and(|types| types.iter().any(|one| one == apps::MIME_TYPE))
    }

    /// Refuses the call with -32021 unless the client declared these capabilities on it.
    ///
    /// # Errors
    /// The error names what is missing, in the form that the client can act on.
    pub fn require(&self, required: &ClientCapabilities) -> Result<(), Error> {
        let declared = self.0.capabilities.as_deref();
        if declared.is_some_and(|declared| declared.covers(required)) {
            return Ok(());
        }
        if declared.is_none() && ClientCapabilities::default().covers(required) {
            return Ok(());
        }
        Err(Error::missing_capability(required))
    }

    /// The `_meta` of the request, the protocol's keys included; empty when there is none.
    ///
    /// Any client may put anything in here.
    #[must_use]
    pub fn meta(&self) -> Meta {
        let params = self.0.request.params().map(serde_json::from_str::<BTreeMap<String, RawJson>>);
        let meta = params.and_then(Result::ok).and_then(|mut params| params.remove(meta::MEMBER));
        meta.and_then(|meta| meta.decode().ok()).unwrap_or_default()
    }

    /// The trace that the request belongs to, to be passed on to what the handler calls.
    ///
    /// It is in the call's span too, in the fields `traceparent`, `tracestate` and `baggage`.
    #[must_use]
    pub fn trace(&self) -> TraceContext {
        TraceContext::of(&self.0.request)
    }

    /// Who the caller is, when the server authenticates its callers.
    #[must_use]
    pub fn principal(&self) -> Option<&Principal> {
        self.0.request.head().principal()
    }

    /// Refuses the call unless its caller holds all of these scopes, for what only the handler
    /// can know: call it before anything is done or said.
    ///
    /// What the name or the arguments tell already is better declared, with `scopes` on the item or
    /// [`Tool::scopes_for`](crate::tool::Tool::scopes_for).
    ///
    /// # Errors
    /// The error names the scopes, and a client that can gets them and calls again.
    pub fn require_scopes(&self, scopes: &[&str]) -> Result<(), Error> {
        let scopes: Vec<String> = scopes.iter().map(|&scope| scope.to_owned()).collect();
        match self.0.request.head().permits(&scopes) {
            true => Ok(()),
            false => Err(Error::insufficient_scope(scopes)),
        }
    }

    /// A value that the server was given with `.state(…)`.
    #[must_use]
    pub fn state<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.0.mounted.get().unwrap_or(&self.0.state).get::<T>()
    }

    /// Tells the client how far the work is, when it asked to be told.
    ///
    /// Takes a [`Progress`] or what makes one: `3`, `(3, 10)`, `(3, 10, "copying")`.
    /// Values that do not grow are dropped, and a flood is thinned to the latest value, which
    /// always arrives.
    /// In a task it becomes the status message.
    pub fn progress(&self, progress: impl Into<Progress>) {
        if let Some(task) = self.task() {
            return task.progress(&progress.into());
        }
        let Some(outbound) = &self.0.outbound else { return };
        let Some(token) = self.0.request.meta(MetaKey::ProgressToken) else { return };
        outbound.progress(token, &progress.into());
    }

    /// Did the client ask for progress, or can it ask at any time, as of a task?
    #[must_use]
    pub fn wants_progress(&self) -> bool {
        self.task().is_some() || self.0.request.meta(MetaKey::ProgressToken).is_some()
    }

    /// Sends a log message to the client, when it asked for this level and the server said with
    /// [`Server::logging`](crate::Server::logging) that there are any.
    ///
    /// `data` is any JSON value, usually a sentence.
    /// Never put a secret into it: the client shows it to people and to models.
    pub fn log(&self, level: LoggingLevel, data: impl serde::Serialize) {
        self.log_as(None, level, data);
    }

    /// Sends a log message under a logger's name.
    pub fn log_as(&self, logger: Option<&str>, level: LoggingLevel, data: impl serde::Serialize) {
        if !self.wants_log(level) {
            return;
        }
        if let Some(outbound) = &self.0.outbound {
            outbound.log(log::frame(logger, level, &data));
        }
    }

    /// Did the client ask for log messages of this level, and does the server send any?
    #[must_use]
    pub fn wants_log(&self, level: LoggingLevel) -> bool {
        self.0.log_level.is_some_and(|least| level >= least)
    }

    /// Lets the client's connection go while the call goes on, for work that takes long.
    ///
    /// A client that has shaken hands on 2025-11-25 over HTTP comes back for the rest of the
    /// stream by itself (SEP-1699). For every other, and before the call has waited for anything,
    /// there is no such connection, and nothing happens.
    pub fn hang_up(&self) {
        if let Some(outbound) = &self.0.outbound {
            outbound.hang_up();
        }
    }

    /// Waits until the call is over: cancelled by the client, out of time, or answered.
    ///
    /// A handler is dropped when its call is cancelled and needs no such check; this is for the
    /// tasks that it has spawned.
    ///
    /// # Cancel safety
    /// Dropping the future loses nothing.
    pub async fn cancelled(&self) {
        self.0.cancel.wait().await;
    }

    /// Is the call over?
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.cancel.is_fired()
    }

    /// The rounds of this call; empty on the first.
    pub(crate) fn replay(&self) -> &Replay {
        self.0.replay.get_or_init(Replay::default)
    }

    pub(crate) fn put_replay(&self, replay: Replay) {
        // It is put once, before the handler runs.
        drop(self.0.replay.set(replay));
    }

    /// Sends a notification as it is.
    pub(crate) fn say(&self, frame: Vec<u8>) {
        if let Some(outbound) = &self.0.outbound {
            outbound.say(frame);
        }
    }

    pub(crate) fn end(&self) {
        self.0.cancel.fire();
    }

    /// The raw JSON of the tool's or the prompt's arguments; `{}` when the request has none.
    ///
    /// Some clients send null for "none"; refusing it would help nobody.
    pub(crate) fn arguments(&self) -> &str {
        self.0.arguments.get().map_or_else(|| self.given_arguments(), String::as_str)
    }

    /// The arguments as they came, by which rounds of one call know each other.
    pub(crate) fn given_arguments(&self) -> &str {
        let given = self.0.request.param(Param::Arguments);
        given.filter(|given| *given != "null").unwrap_or("{}")
    }

    /// The values that a prompt's arguments or a URI template were found to hold.
    pub(crate) fn variables(&self) -> Option<&Variables> {
        self.0.variables.get()
    }

    /// Lends the handler the values of the mounted server that brought it.
    pub(crate) fn put_state(&self, state: Arc<StateMap>) {
        // A call has one target, so there is nothing to put a second time.
        drop(self.0.mounted.set(state));
    }

    /// Puts others in the place of the arguments as they came.
    pub(crate) fn put_arguments(&self, arguments: String) {
        // A second setting is the same call again, and the same arguments.
        drop(self.0.arguments.set(arguments));
    }

    pub(crate) fn put_variables(&self, variables: Variables) {
        // A second setting is a handler that is called again for the same call; the first
        // values are the same ones.
        drop(self.0.variables.set(variables));
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("method", &self.0.request.method())
            .field("id", &self.0.request.id())
            .field("version", &self.0.version)
            .finish_non_exhaustive()
    }
}
