//! From a [`Call`] to the handler that serves it.

mod admit;
mod background;
mod discover;
mod found;
mod gather;
mod list;
mod mirror;
mod route;
mod run;
mod skills;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as Task, Poll};
use std::time::Duration;

use aqueduct_protocol::cache::CacheHint;
use aqueduct_protocol::icons::Implementation;
use serde_json::{Map, Value};
use tower_service::Service;

use crate::call::{Call, Prebuilt, Reply, Stamp};
use crate::context::{BoxFuture, StateMap};
use crate::page::{Cursors, Pages};
use crate::quota::Quota;
use crate::seal::KeyRing;
use crate::skill::Skills;
use crate::store::Store;
use crate::subscription::Sources;
use crate::task::Tasks;
use crate::{prompt, resource, tool};

/// What a server is, once it is built; it does not change while it serves.
pub(crate) struct Core {
    pub(crate) tools: tool::Registry,
    pub(crate) resources: resource::Registry,
    pub(crate) prompts: prompt::Registry,
    pub(crate) skills: Option<Skills>,
    pub(crate) state: Arc<StateMap>,
    pub(crate) stamp: Stamp,
    pub(crate) options: Options,
    quota: Quota,
    keys: Arc<KeyRing>,
    subscriptions: Sources,
    pub(crate) tasks: Option<Arc<Tasks>>,
    cursors: Cursors,
    completes: bool,
    discover: Prebuilt,
    tool_pages: Pages<Prebuilt>,
    template_pages: Pages<Prebuilt>,
    skill_pages: Option<Pages<Prebuilt>>,
}

/// What a server was told about itself.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) info: Implementation,
    pub(crate) instructions: Option<String>,
    pub(crate) page_size: usize,
    pub(crate) timeout: Duration,
    pub(crate) answer_time: Duration,
    pub(crate) list_cache: CacheHint,
    pub(crate) logging: bool,
    /// Where used states are marked, when each is good for one use.
    pub(crate) single_use: Option<Arc<dyn Store>>,
    /// The extensions of the protocol that the server supports, with their settings.
    pub(crate) extensions: BTreeMap<String, Map<String, Value>>,
}

/// The parts of a server that have been found to be in order, before what follows from them is
/// written down.
pub(crate) struct Parts {
    pub(crate) tools: tool::Registry,
    pub(crate) resources: resource::Registry,
    pub(crate) prompts: prompt::Registry,
    pub(crate) skills: Option<Skills>,
    pub(crate) state: Arc<StateMap>,
    pub(crate) quota: Quota,
    pub(crate) keys: Arc<KeyRing>,
    pub(crate) subscriptions: Sources,
    pub(crate) tasks: Option<Arc<Tasks>>,
    pub(crate) options: Options,
}

/// Serves calls: the innermost service, which layers are put around.
#[derive(Clone)]
pub(crate) struct Dispatcher(pub(crate) Arc<Core>);

impl Service<Call> for Dispatcher {
    type Response = Reply;
    type Error = Infallible;
    type Future = Dispatched;

    fn poll_ready(&mut self, _: &mut Task<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, call: Call) -> Dispatched {
        route::serve(&self.0, call)
    }
}

/// A call on its way: answered already, which needs no future on the heap, or running.
pub(crate) struct Dispatched(State);

enum State {
    Now(Option<Reply>),
    Later(BoxFuture<Reply>),
}

impl Dispatched {
    fn now(reply: Reply) -> Self {
        Self(State::Now(Some(reply)))
    }

    fn later(work: impl Future<Output = Reply> + Send + 'static) -> Self {
        Self(State::Later(Box::pin(work)))
    }
}

impl Future for Dispatched {
    type Output = Result<Reply, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Task<'_>) -> Poll<Self::Output> {
        match &mut self.0 {
            State::Now(reply) => Poll::Ready(Ok(reply.take().unwrap_or(Reply::Silent))),
            State::Later(work) => work.as_mut().poll(cx).map(Ok),
        }
    }
}
