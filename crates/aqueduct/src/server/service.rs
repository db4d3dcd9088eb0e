//! A server that is built: a tower service of calls, for a transport to drive.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use aqueduct_protocol::legacy::TaskSupport;
use tower_service::Service as TowerService;

use super::Catalog;
use crate::call::{Call, Reply, Stamp};
use crate::context::BoxFuture;
use crate::dispatch::{Dispatched, Dispatcher};
use crate::middleware::{CatchPanic, Traced};
use crate::seal::KeyRing;
use crate::store::{Bus, Store};
use crate::subscription::Notifier;
use crate::task::{Keeper, Tasks};
use crate::tool;

use super::Handshake;

/// A call on its way, past the layers or through them.
pub struct Serving(Way);

enum Way {
    Plain(Dispatched),
    Layered(BoxFuture<Result<Reply, Infallible>>),
}

impl fmt::Debug for Serving {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Serving")
    }
}

impl Future for Serving {
    type Output = Result<Reply, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut self.0 {
            Way::Plain(dispatched) => Pin::new(dispatched).poll(cx),
            Way::Layered(work) => work.as_mut().poll(cx),
        }
    }
}

/// What layers are put around: the dispatcher, or it with layers around it already.
#[derive(Clone)]
pub struct CallService(Inner);

#[derive(Clone)]
enum Inner {
    Plain(Dispatcher),
    Layered(Arc<dyn Erased>),
}

trait Erased: Send + Sync {
    fn serve(&self, call: Call) -> BoxFuture<Result<Reply, Infallible>>;
}

/// What a layer may make: a service of calls that can be shared.
pub trait Layered:
    TowerService<Call, Response = Reply, Error = Infallible, Future: Send + 'static>
    + Clone
    + Send
    + Sync
    + 'static
{
}

impl<S> Layered for S where
    S: TowerService<Call, Response = Reply, Error = Infallible, Future: Send + 'static>
        + Clone
        + Send
        + Sync
        + 'static
{
}

impl<S: Layered> Erased for S {
    fn serve(&self, call: Call) -> BoxFuture<Result<Reply, Infallible>> {
        let mut service = self.clone();
        Box::pin(async move {
            poll_fn(|cx| service.poll_ready(cx)).await?;
            service.call(call).await
        })
    }
}

impl CallService {
    pub(super) fn plain(dispatcher: Dispatcher) -> Self {
        Self(Inner::Plain(dispatcher))
    }

    pub(super) fn layered(service: impl Layered) -> Self {
        Self(Inner::Layered(Arc::new(service)))
    }
}

impl TowerService<Call> for CallService {
    type Response = Reply;
    type Error = Infallible;
    type Future = Serving;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, call: Call) -> Serving {
        match &mut self.0 {
            Inner::Plain(dispatcher) => Serving(Way::Plain(dispatcher.call(call))),
            Inner::Layered(service) => Serving(Way::Layered(service.serve(call))),
        }
    }
}

impl fmt::Debug for CallService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CallService")
    }
}

/// A server that is built: cheap to clone, ready for any transport.
#[derive(Clone, Debug)]
pub struct Service {
    inner: CallService,
    pub(super) terms: Arc<Terms>,
}

/// What transports need of a server beside its calls.
pub(super) struct Terms {
    pub(super) stamp: Stamp,
    pub(super) notifier: Notifier,
    pub(super) catalog: Catalog,
    pub(super) keys: Arc<KeyRing>,
    pub(super) handshake: Handshake,
    pub(super) store: Arc<dyn Store>,
    pub(super) bus: Option<Arc<dyn Bus>>,
    pub(super) answer_time: Duration,
    pub(super) background: Background,
}

/// What goes on without a call.
pub(super) struct Background {
    /// Ends what runs as a task when the server goes.
    pub(super) tasks: Option<Keeper>,
    /// The registered tools whose calls can be tasks in a session.
    pub(super) tools: Arc<BTreeMap<String, TaskSupport>>,
}

impl fmt::Debug for Background {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Background")
            .field("has_tasks", &self.tasks.is_some())
            .field("tools", &self.tools)
            .finish()
    }
}

impl Background {
    pub(super) fn of(tasks: Option<&Arc<Tasks>>, tools: &tool::Registry) -> Self {
        let tasks = tasks.map(|tasks| Keeper(Arc::clone(tasks)));
        Self { tasks, tools: Arc::new(task_tools(tools)) }
    }
}

/// The tools that a session can call as tasks. One that asks first is an ordinary call there,
/// because a session's client asks for its task before anything is asked of it.
fn task_tools(tools: &tool::Registry) -> BTreeMap<String, TaskSupport> {
    let support = |entry: &tool::Entry| match entry.tool.tasking()?.support {
        tool::TaskSupport::Optional => Some(TaskSupport::Optional),
        tool::TaskSupport::Required => Some(TaskSupport::Required),
        tool::TaskSupport::Deferred => None,
    };
    let named = |entry: &tool::Entry| Some((entry.tool.name().to_owned(), support(entry)?));
    tools.entries().iter().filter_map(named).collect()
}

impl fmt::Debug for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terms")
            .field("notifier", &self.notifier)
            .field("keys", &self.keys)
            .field("handshake", &self.handshake)
            .field("store", &self.store.promise())
            .field("bus", &self.bus)
            .field("answer_time", &self.answer_time)
            .field("background", &self.background)
            .finish_non_exhaustive()
    }
}

impl Service {
    pub(super) fn new(inner: CallService, terms: Terms) -> Self {
        Self { inner, terms: Arc::new(terms) }
    }

    /// Switches registered tools, prompts and resources off and on.
    #[must_use]
    pub fn catalog(&self) -> Catalog {
        self.terms.catalog.clone()
    }

    /// Tells listeners what has changed, from outside of any call.
    #[must_use]
    pub fn notifier(&self) -> Notifier {
        self.terms.notifier.clone()
    }

    /// Begins with what does not wait for a call: tasks that other processes have left behind.
    ///
    /// Serving over HTTP and over standard input and output begins with it. Whoever brings a
    /// transport of his own calls it too, within a runtime; otherwise such tasks wait for the
    /// first task of this process, and changes at other nodes are not heard.
    pub fn start(&self) {
        self.terms.notifier.start();
        if let Some(Keeper(tasks)) = &self.terms.background.tasks {
            tasks.start();
        }
    }

    /// What goes into every result's `_meta`, for the transport that writes it.
    pub(crate) fn stamp(&self) -> &Stamp {
        &self.terms.stamp
    }
}

impl TowerService<Call> for Service {
    type Response = Reply;
    type Error = Infallible;
    type Future = ServiceFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, call: Call) -> Self::Future {
        let watched = Traced::<CatchPanic<Serving>>::open(&call);
        ServiceFuture(Traced::new(CatchPanic::new(self.inner.call(call)), watched))
    }
}

/// A call that a [`Service`] serves: inside of its span, and with a panic made an error.
#[derive(Debug)]
#[must_use = "a call runs only while it is polled"]
pub struct ServiceFuture(Traced<CatchPanic<Serving>>);

impl Future for ServiceFuture {
    type Output = Result<Reply, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(cx)
    }
}
