//! Bringing one's own source for `subscriptions/listen`.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::hub::{Change, Listener};
use super::{Hub, SubscriptionFilter};
use crate::context::Context;
use crate::error::Error;

/// A source of changes of one's own: a queue, a database that notifies, another server.
///
/// Each listener has a run of its own, beside what [`Notifier`](super::Notifier) tells. The
/// acknowledgement goes out first, and only what was acknowledged is told, whatever the handler
/// says: both are the framework's to see to.
///
/// ```
/// use aqueduct::prelude::*;
/// use aqueduct::subscription::{Events, SubscriptionFilter, SubscriptionHandler};
/// use tokio::sync::broadcast;
///
/// /// Tells of the notes whose numbers come through a channel.
/// struct Notes(broadcast::Sender<u64>);
///
/// impl SubscriptionHandler for Notes {
///     async fn run(&self, events: Events, _: Context) -> Result<(), Error> {
///         let mut changed = self.0.subscribe();
///         while let Ok(note) = changed.recv().await {
///             events.resource_updated(format!("notes://{note}"));
///         }
///         Ok(())
///     }
/// }
///
/// let (changed, _) = broadcast::channel(16);
/// let server = Server::new("notes", "1.0.0").subscription_handler(Notes(changed));
/// # let _ = server;
/// ```
pub trait SubscriptionHandler: Send + Sync + 'static {
    /// What of a filter is honoured; the default is all of it.
    ///
    /// It gets what the server can tell at all and may only narrow it.
    ///
    /// # Errors
    /// What answers the request instead; nothing has been said yet.
    fn subscribe(
        &self,
        filter: SubscriptionFilter,
        ctx: &Context,
    ) -> impl Future<Output = Result<SubscriptionFilter, Error>> + Send {
        let _ = ctx;
        async { Ok(filter) }
    }

    /// Tells one listener what changes, until it has nothing more to tell.
    ///
    /// # Cancel safety
    /// It is dropped when the client goes away or the server ends; what must be done then stands
    /// in a `Drop`.
    ///
    /// # Errors
    /// What ends the stream in place of its result.
    fn run(&self, events: Events, ctx: Context) -> impl Future<Output = Result<(), Error>> + Send;
}

/// What a [`SubscriptionHandler`] tells its listener by; cheap to clone.
///
/// What the listener does not want is dropped. Changes are marks, not messages: those of one kind
/// that a slow client has not read are one.
#[derive(Clone)]
pub struct Events(pub(super) Arc<Listener>);

impl Events {
    /// What the listener wants, as far as it is honoured.
    #[must_use]
    pub fn filter(&self) -> SubscriptionFilter {
        self.0.honoured().told()
    }

    /// The set of tools has changed.
    pub fn tools_changed(&self) {
        self.0.mark(Change::Tools);
    }

    /// The set of prompts has changed.
    pub fn prompts_changed(&self) {
        self.0.mark(Change::Prompts);
    }

    /// The set of resources has changed.
    pub fn resources_changed(&self) {
        self.0.mark(Change::Resources);
    }

    /// What a resource holds has changed.
    pub fn resource_updated(&self, uri: impl AsRef<str>) {
        self.0.mark(Change::Updated(uri.as_ref()));
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Events").field(&self.filter()).finish()
    }
}

/// Where listeners get what they are told.
#[derive(Clone)]
pub(crate) struct Sources {
    pub(crate) hub: Arc<Hub>,
    pub(crate) handler: Option<Arc<dyn ErasedHandler>>,
}

type Asked<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// A handler with its type erased.
pub(crate) trait ErasedHandler: Send + Sync {
    fn subscribe<'a>(
        &'a self,
        filter: SubscriptionFilter,
        ctx: &'a Context,
    ) -> Asked<'a, SubscriptionFilter>;
    fn run(&self, events: Events, ctx: Context) -> Asked<'_, ()>;
}

impl<H: SubscriptionHandler> ErasedHandler for H {
    fn subscribe<'a>(
        &'a self,
        filter: SubscriptionFilter,
        ctx: &'a Context,
    ) -> Asked<'a, SubscriptionFilter> {
        Box::pin(SubscriptionHandler::subscribe(self, filter, ctx))
    }

    fn run(&self, events: Events, ctx: Context) -> Asked<'_, ()> {
        Box::pin(SubscriptionHandler::run(self, events, ctx))
    }
}
