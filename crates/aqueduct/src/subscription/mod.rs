//! `subscriptions/listen`: what changes on the server, told to those who asked to be told.
//!
//! A listener costs what its filter costs and never what happens: each kind of change is a mark
//! that is set until its reader takes it. So a reader that stalls misses how often a thing
//! changed, never that it did.
//! With a bus the listeners of every node are told; one whose node has lost the bus for a while is
//! told that everything may have changed.

mod filter;
mod handler;
mod hub;
mod listen;
mod relay;

use std::fmt;
use std::sync::Arc;

pub(crate) use self::filter::Offered;
pub(crate) use self::handler::{ErasedHandler, Sources};
pub use self::handler::{Events, SubscriptionHandler};
pub(crate) use self::hub::Hub;
pub(crate) use self::listen::{Seen, listen};
pub(crate) use self::relay::Relay;
pub use aqueduct_protocol::subscriptions::SubscriptionFilter;

/// Tells listeners what has changed; cheap to clone, usable from anywhere.
///
/// ```
/// use aqueduct::prelude::*;
///
/// /// Forget a note.
/// #[tool]
/// async fn forget(id: u64, ctx: Context) -> String {
///     ctx.notify().resource_updated(format!("notes://{id}"));
///     ctx.notify().resources_changed();
///     "forgotten".to_owned()
/// }
/// ```
#[derive(Clone)]
pub struct Notifier(Arc<Hub>);

impl Notifier {
    pub(crate) fn new(hub: Arc<Hub>) -> Self {
        Self(hub)
    }

    /// The set of tools has changed.
    pub fn tools_changed(&self) {
        self.0.change(hub::Change::Tools);
    }

    /// The set of prompts has changed.
    pub fn prompts_changed(&self) {
        self.0.change(hub::Change::Prompts);
    }

    /// The set of resources has changed.
    pub fn resources_changed(&self) {
        self.0.change(hub::Change::Resources);
    }

    /// What a resource holds has changed; those who watch it, or what lies above it, are told.
    pub fn resource_updated(&self, uri: impl AsRef<str>) {
        self.0.change(hub::Change::Updated(uri.as_ref()));
    }

    /// Begins to hear what other nodes tell, if there are any.
    pub(crate) fn start(&self) {
        self.0.start();
    }

    /// A task has changed, or any of them.
    pub(crate) fn task_changed(&self, id: Option<&str>) {
        self.0.change(id.map_or(hub::Change::Tasks, hub::Change::Task));
    }

    /// Ends all listeners, each with its result: the server is about to end.
    pub fn end(&self) {
        self.0.end();
    }

    /// How many listeners there are.
    #[must_use]
    pub fn listeners(&self) -> usize {
        self.0.len()
    }
}

impl crate::context::Context {
    /// Tells listeners what has changed.
    #[must_use]
    pub fn notify(&self) -> Notifier {
        let notifier = self.state::<Notifier>();
        notifier.as_deref().cloned().unwrap_or_else(|| Notifier(Arc::default()))
    }
}

impl fmt::Debug for Notifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Notifier").field("listeners", &self.listeners()).finish()
    }
}
