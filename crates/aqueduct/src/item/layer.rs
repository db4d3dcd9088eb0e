//! Layers around one tool, prompt or resource, with its description at hand.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use super::Item;
use crate::call::Outcome;
use crate::context::{BoxFuture, Context};
use crate::error::Error;

type Running = BoxFuture<Result<Outcome, Error>>;

/// What stands around the calls of an item: an async function of [`Next`].
///
/// It runs once the item is found and seen, before its arguments are checked; what it does not
/// hand on does not happen. [`Server::layer`](crate::Server::layer) is for what concerns every
/// message instead, before anything is known of its target. The timeout of a call is that of its
/// handler: a layer that waits for something sets its own.
///
/// ```
/// use aqueduct::call::Outcome;
/// use aqueduct::item::Next;
/// use aqueduct::prelude::*;
///
/// /// Nothing that destroys runs at night.
/// async fn by_day(next: Next) -> Result<Outcome, Error> {
///     let destroys = next.item().hints.as_ref().and_then(|hints| hints.destructive_hint);
///     if destroys == Some(true) && next.context().request().head().headers().contains_key("x-night") {
///         return Err(Error::invalid_params(format!("{} rests at night", next.item().name)));
///     }
///     next.run().await
/// }
///
/// let server = Server::new("notes", "1.0.0")
///     .item_layer(by_day)
///     .tool(Tool::new("purge").destructive(true).handler(|| async { "gone" }))
///     .tool(Tool::new("find").layer(|next: Next| next.run()).handler(|| async { "nothing" }));
/// # let _ = server;
/// ```
#[diagnostic::on_unimplemented(
    message = "this cannot stand around the calls of an item",
    label = "not an async function of `Next`",
    note = "a layer is `async fn layer(next: Next) -> Result<Outcome, Error>` or \
            `|next: Next| async move {{ next.run().await }}`; its future is Send"
)]
pub trait ItemLayer: Send + Sync + 'static {
    /// Serves a call, by [`Next::run`] or otherwise.
    fn call(&self, next: Next) -> impl Future<Output = Result<Outcome, Error>> + Send + 'static;
}

impl<F, Fut> ItemLayer for F
where
    F: Fn(Next) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Outcome, Error>> + Send + 'static,
{
    fn call(&self, next: Next) -> impl Future<Output = Result<Outcome, Error>> + Send + 'static {
        self(next)
    }
}

trait ErasedLayer: Send + Sync {
    fn call(&self, next: Next) -> Running;
}

impl<L: ItemLayer> ErasedLayer for L {
    fn call(&self, next: Next) -> Running {
        Box::pin(ItemLayer::call(self, next))
    }
}

/// The layers of an item, the outermost last.
#[derive(Clone, Default)]
pub(crate) struct Layers(Vec<Arc<dyn ErasedLayer>>);

impl Layers {
    pub(crate) fn add(&mut self, layer: impl ItemLayer) {
        self.0.push(Arc::new(layer));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn extend(&mut self, outer: &Self) {
        self.0.extend(outer.0.iter().cloned());
    }

    /// The same for items whose names another server has put a prefix before.
    pub(super) fn within(&self, prefix: &str) -> Self {
        let mut layers = self.clone();
        layers.0.push(Arc::new(Within(prefix.to_owned())));
        layers
    }

    /// Serves a call through all of them.
    pub(crate) fn run(&self, item: Arc<Item>, ctx: &Context, inner: Running) -> Running {
        Next { item, ctx: ctx.clone(), layers: self.0.clone(), inner }.run()
    }
}

/// Shows the layers inside of it the names that their own server knows.
struct Within(String);

impl ErasedLayer for Within {
    fn call(&self, mut next: Next) -> Running {
        next.item = Arc::new(next.item.within(&self.0));
        next.run()
    }
}

/// The call on its way inwards: what it is for, and how to hand it on.
#[must_use = "a call that is not handed on is not served"]
pub struct Next {
    item: Arc<Item>,
    ctx: Context,
    layers: Vec<Arc<dyn ErasedLayer>>,
    inner: Running,
}

impl Next {
    /// What is called.
    #[must_use]
    pub fn item(&self) -> &Item {
        &self.item
    }

    /// The call.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.ctx
    }

    /// Hands the call on, to the next layer or to the handler.
    #[must_use]
    pub fn run(mut self) -> BoxFuture<Result<Outcome, Error>> {
        match self.layers.pop() {
            Some(layer) => layer.call(self),
            None => self.inner,
        }
    }
}

impl fmt::Debug for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Next").field("item", &self.item.name).finish_non_exhaustive()
    }
}
