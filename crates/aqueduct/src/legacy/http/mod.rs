//! Streamable HTTP of the handshake revisions: which message is whose, and what each is told.
//!
//! [Transports](https://modelcontextprotocol.io/specification/2025-11-25/basic/transports).
//! The order of the questions is what keeps the two generations apart on one endpoint.

mod calls;
mod entered;
mod named;
mod refuse;
mod sessions;
mod shared;
mod stream;
mod token;

use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

use aqueduct_protocol::capabilities::ServerCapabilities;
use aqueduct_protocol::header;
use aqueduct_protocol::jsonrpc::{Kind as Envelope, Param, RequestId};
use aqueduct_protocol::method;
use aqueduct_protocol::version::ProtocolVersion;

use self::entered::Entered;
use self::named::{Named, named};
use self::refuse::{full, refused, told, unsure, without_meta};
use self::sessions::{Known, Missing, Sessions};
use self::stream::{Stream, Terms};
use self::token::Key;
use super::batch::{self, Batch};
use super::drive::{Session, drive};
use super::peer::Peer;
use super::task::TaskTools;
use super::{Serves, control, downgrade, handshake};
use crate::context::{BoxFuture, Head, Request};
use crate::error::Error;
use crate::seal::KeyRing;
use crate::store::StoreError;

pub(crate) use self::sessions::SessionTerms;
pub(crate) use self::stream::Reader;

/// The door for clients that shake hands.
pub(crate) struct Legacy {
    /// What seals session ids; nothing when there are to be none.
    keys: Option<Arc<KeyRing>>,
    sessions: Sessions,
    tasks: TaskTools,
}

impl Legacy {
    /// Gives each client a session, which lasts from request to request.
    pub(crate) fn with_sessions(keys: Arc<KeyRing>, terms: SessionTerms) -> Arc<Self> {
        Self::new(Some(keys), terms)
    }

    /// Serves each request for itself, as far as that goes: a client cannot be asked, told or
    /// cancelled over HTTP, because no request of it belongs to another.
    pub(crate) fn without_sessions(terms: SessionTerms) -> Arc<Self> {
        Self::new(None, terms)
    }

    fn new(keys: Option<Arc<KeyRing>>, terms: SessionTerms) -> Arc<Self> {
        let tasks = Arc::clone(&terms.tasks);
        Arc::new(Self { keys, sessions: Sessions::new(terms), tasks })
    }

    /// How many sessions are in memory at once.
    pub(crate) fn max_sessions(&self, sessions: usize) {
        self.sessions.most(sessions);
    }

    /// Are there sessions, or is each request served for itself?
    pub(crate) fn has_sessions(&self) -> bool {
        self.keys.is_some()
    }
}

impl fmt::Debug for Legacy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Legacy").field("sessions", &self.keys.is_some()).finish_non_exhaustive()
    }
}

/// What a client is told.
pub(crate) enum Told {
    /// One message, and the id of the session that it begins.
    Message { status: u16, body: Vec<u8>, session: Option<String> },
    /// It was taken in.
    Accepted,
    /// The session is over.
    Ended,
    /// There is no such stream and no such session to end.
    NotAllowed,
    /// A stream.
    Events(Reader),
}

/// Is the message one of a session's, or meant to be? One that names a revision without a
/// handshake is that revision's to refuse.
pub(crate) fn is_of_a_session(message: &Request) -> bool {
    super::lacks_meta(message) && named(message.head().headers()) != Named::Stateless
}

impl Legacy {
    /// A message that is [one of a session's](is_of_a_session); the answer to a call comes as an
    /// event where the client wants it so, and what `place` gives is kept until it is served.
    pub(crate) async fn post<S: Serves, P: Send + 'static>(
        self: &Arc<Self>,
        mut service: S,
        request: Request,
        as_events: bool,
        place: impl FnOnce() -> Option<P> + Send,
    ) -> Told {
        let version = named(request.head().headers());
        let kind = request.envelope().kind();
        if kind == Envelope::Request && request.method() == method::SERVER_DISCOVER {
            return without_meta(&request);
        }
        if kind == Envelope::Request && request.method() == method::INITIALIZE {
            if version == Named::Unknown {
                return refused(
                    400,
                    request.id(),
                    "the MCP-Protocol-Version header is no revision",
                );
            }
            return self.initialize(&mut service, &request).await;
        }
        let entered = match self.enter(request.head(), version, request.id()).await {
            Ok(entered) => entered,
            Err(refusal) => return refusal,
        };
        if kind != Envelope::Request {
            if let Some(stray) = control::heed(&entered.session, &request)
                && let Err(error) = stray.pass(&entered.session).await
            {
                return unsure(&error, None);
            }
            if let Some(id) = cancelled(&request) {
                entered.calls.cancel(&id);
            }
            return Told::Accepted;
        }
        let (id, head) = (request.id().unwrap_or_default().to_owned(), request.head().clone());
        match control::serve(&mut service, &entered.session, &request).await {
            Some(controlled) => {
                if controlled.sets
                    && let Err(error) = self.settle(&entered, service, head).await
                {
                    return unsure(&error, Some(&id));
                }
                told(controlled.answer)
            }
            None => self.call(service, entered, request, as_events, place).await,
        }
    }

    /// Puts into force what a session has set, for as long as it lasts.
    async fn settle<S: Serves>(
        &self,
        entered: &Entered,
        service: S,
        head: Head,
    ) -> Result<(), StoreError> {
        let Some(key) = entered.key else { return Ok(()) };
        self.sessions.save(key, &entered.session.live).await?;
        entered.tell(service, head);
        entered.session.live.heard().await;
        Ok(())
    }

    /// Is the text a batch of a session's? Every other batch is refused as what is no message.
    pub(crate) fn is_batch(&self, text: &str, head: &Head) -> bool {
        let headers = head.headers();
        batch::is_batch(text)
            && named(headers) != Named::Stateless
            && (self.keys.is_none() || headers.contains_key(header::SESSION_ID))
    }

    /// A batch, if it is one of a session that has them.
    pub(crate) async fn batch<S: Serves, P: Send + 'static>(
        self: &Arc<Self>,
        service: S,
        text: &str,
        head: Head,
        place: impl FnOnce() -> Option<P> + Send,
    ) -> Told {
        let entered = match self.enter(&head, named(head.headers()), None).await {
            Ok(entered) => entered,
            Err(refusal) => return refusal,
        };
        if !handshake::has_batches(entered.session.peer.version) {
            let message = "batches are not part of this revision; send one message at a time";
            return refused(400, None, message);
        }
        let mut batch = match Batch::read(text, &head, &entered.session) {
            Ok(batch) => batch,
            Err(error) => {
                let body = downgrade::error("", &error, entered.session.peer.version);
                return Told::Message { status: 400, body, session: None };
            }
        };
        if let Err(error) = batch.pass(&entered.session).await {
            return unsure(&error, None);
        }
        if batch.is_quiet() {
            return Told::Accepted;
        }
        let place = match entered.admit(None, place) {
            Ok(place) => place,
            Err(refusal) => return refusal,
        };
        let stream = Stream::new();
        // Whatever runs must not keep the sessions, which end with the server.
        let (legacy, of, teller) = (Arc::downgrade(self), entered.clone(), service.clone());
        let save = Box::pin(async move {
            let Some(legacy) = legacy.upgrade() else { return Ok(()) };
            legacy.settle(&of, teller, head).await.map_err(Error::internal)
        });
        let run = batch.serve(service, entered.session.clone(), Arc::clone(&stream), save);
        self.run(entered, None, stream, Box::pin(run), place).await
    }

    /// A stream of what belongs to no request, or the rest of one whose connection broke.
    pub(crate) async fn get<S: Serves>(self: &Arc<Self>, service: S, head: Head) -> Told {
        let version = named(head.headers());
        let Some(key) = self.begun(&head, version) else { return Told::NotAllowed };
        let entered = match self.enter(&head, version, None).await {
            Ok(entered) => entered,
            Err(refusal) => return refusal,
        };
        let Some(last) = head.headers().get(header::LAST_EVENT_ID) else {
            let stream = entered.watch(service, head);
            entered.session.live.heard().await;
            return match stream {
                Some(stream) => Told::Events(stream.read(None, entered.terms)),
                None => refused(404, None, "this session has ended"),
            };
        };
        let last = last.to_str().ok().and_then(stream::event);
        let Some((name, number)) = last else {
            return refused(400, None, "Last-Event-ID is not the id of an event");
        };
        let running = entered.calls.stream(name);
        let stream = match running {
            Some(stream) => Some(stream),
            None => self.sessions.kept(key, name).await,
        };
        match stream {
            Some(stream) => Told::Events(stream.read(Some(number), entered.terms)),
            None => refused(400, None, "the stream of that event is kept no longer"),
        }
    }

    /// The end of a session.
    pub(crate) async fn delete(&self, head: &Head) -> Told {
        let version = named(head.headers());
        let Some(key) = self.begun(head, version) else { return Told::NotAllowed };
        if let Err(refusal) = self.enter(head, version, None).await {
            return refusal;
        }
        match self.sessions.end(key).await {
            Ok(()) => Told::Ended,
            Err(error) => unsure(&error, None),
        }
    }

    async fn initialize<S: Serves>(&self, service: &mut S, request: &Request) -> Told {
        let id = request.id().unwrap_or_default();
        let shaken = match handshake::shake(service, request, &self.tasks).await {
            Ok((peer, mut result)) => {
                if self.keys.is_none() {
                    without_streams(&mut result.capabilities);
                }
                downgrade::result_of(id, &result).map(|body| (peer, body))
            }
            Err(error) => Err(error),
        };
        let begun = shaken.and_then(|(peer, body)| {
            let caller = request.head().principal();
            let session = self.keys.as_ref().map(|keys| peer.seal(keys, caller)).transpose()?;
            Ok(Told::Message { status: 200, body, session })
        });
        begun.unwrap_or_else(|error| {
            told(downgrade::error(id, &error, ProtocolVersion::V2025_11_25))
        })
    }

    /// The key of the session that the headers name, where there are sessions.
    fn begun(&self, head: &Head, version: Named) -> Option<Key> {
        let id = head.headers().get(header::SESSION_ID)?.to_str().ok()?;
        (self.keys.is_some() && version != Named::Stateless).then(|| Key::of(id))
    }

    /// The session that a message belongs to.
    async fn enter(&self, head: &Head, version: Named, id: Option<&str>) -> Result<Entered, Told> {
        if version == Named::Unknown {
            return Err(refused(400, id, "the MCP-Protocol-Version header is no revision"));
        }
        let Some(keys) = &self.keys else {
            let version = match version {
                Named::Handshake(version) => version,
                // What a client that says nothing speaks (Transports › Protocol version header).
                _ => ProtocolVersion::V2025_03_26,
            };
            let peer = Arc::new(Peer::unknown(version));
            let Known { live, calls } = Known::new(self.sessions.asking(None));
            let session = Session { peer, live, tasks: Arc::clone(&self.tasks) };
            return Ok(Entered { session, calls, key: None, terms: Terms::default() });
        };
        let Some(session) = head.headers().get(header::SESSION_ID) else {
            let message = "the Mcp-Session-Id header is missing; begin with initialize, or send \
                           the metadata of 2026-07-28 with each request";
            return Err(refused(400, id, message));
        };
        let gone = || refused(404, id, "no session of this id; begin anew with initialize");
        let session = session.to_str().map_err(|_| gone())?;
        let peer = Peer::open(session, keys, head.principal()).ok_or_else(gone)?;
        let key = Key::of(session);
        let known = self.sessions.enter(key).await.map_err(|missing| match missing {
            Missing::Ended => gone(),
            Missing::Full => full(503, id, "too many sessions are in use; try again soon"),
            Missing::Unsure(error) => unsure(&error, id),
        });
        let Known { live, calls } = known?;
        if let Named::Handshake(version) = version
            && version != peer.version
        {
            let message = format!("this session speaks {}, not {version}", peer.version);
            return Err(refused(400, id, &message));
        }
        let terms = Terms { numbered: true, primed: peer.version >= ProtocolVersion::V2025_11_25 };
        let (peer, tasks) = (Arc::new(peer), Arc::clone(&self.tasks));
        let session = Session { peer, live, tasks };
        Ok(Entered { session, calls, key: Some(key), terms })
    }

    async fn call<S: Serves, P: Send + 'static>(
        self: &Arc<Self>,
        service: S,
        entered: Entered,
        request: Request,
        as_events: bool,
        place: impl FnOnce() -> Option<P> + Send,
    ) -> Told {
        let place = match entered.admit(request.id(), place) {
            Ok(place) => place,
            Err(refusal) => return refusal,
        };
        let id = request.id().and_then(RequestId::from_raw);
        let stream = Stream::new();
        let served = drive(service, entered.session.clone(), request, Arc::clone(&stream));
        let run = Box::pin(async move { vec![served.await] });
        let one = One { id, as_events };
        self.run(entered, Some(one), stream, run, place).await
    }

    /// Runs to the first wait in place, and in a task from there on: the end of a connection is
    /// not the end of a call here.
    async fn run(
        self: &Arc<Self>,
        entered: Entered,
        one: Option<One>,
        stream: Arc<Stream>,
        mut run: BoxFuture<Vec<Vec<u8>>>,
        place: impl Send + 'static,
    ) -> Told {
        let Entered { calls, key, terms, .. } = entered;
        let reader = stream.read(None, terms);
        let is_batch = one.is_none();
        let One { id, as_events } = one.unwrap_or_default();
        let first = poll_fn(|cx| Poll::Ready(Pin::new(&mut run).poll(cx))).await;
        if let Poll::Ready(mut answers) = first {
            if as_events || !stream.is_silent() {
                finish(&stream, answers);
                self.over(key, &stream).await;
                return Told::Events(reader);
            }
            let only = if is_batch { None } else { answers.pop() };
            return told(only.unwrap_or_else(|| batch::array(&answers)));
        }
        let legacy = Arc::downgrade(self);
        let running = Arc::clone(&calls);
        calls.run(id, &Arc::clone(&stream), |number| {
            let task = tokio::spawn(async move {
                let answers = run.await;
                finish(&stream, answers);
                if let Some(legacy) = legacy.upgrade() {
                    legacy.over(key, &stream).await;
                }
                running.left(number);
                drop(place);
            });
            task.abort_handle()
        });
        Told::Events(reader)
    }

    async fn over(&self, key: Option<Key>, stream: &Stream) {
        if let Some(key) = key {
            self.sessions.keep(key, stream).await;
        }
    }
}

/// A request that came alone.
#[derive(Default)]
struct One {
    id: Option<RequestId>,
    /// Its answer comes as an event even if nothing comes before it.
    as_events: bool,
}

/// The request that a message cancels, if it does.
fn cancelled(message: &Request) -> Option<RequestId> {
    if message.method() != method::NOTIFICATIONS_CANCELLED {
        return None;
    }
    message.param(Param::RequestId).and_then(RequestId::from_raw)
}

/// What cannot be promised to a client that there is no stream to.
fn without_streams(said: &mut ServerCapabilities) {
    said.logging = None;
    if let Some(tools) = &mut said.tools {
        tools.list_changed = None;
    }
    if let Some(prompts) = &mut said.prompts {
        prompts.list_changed = None;
    }
    if let Some(resources) = &mut said.resources {
        (resources.list_changed, resources.subscribe) = (None, None);
    }
}

fn finish(stream: &Stream, mut answers: Vec<Vec<u8>>) {
    let last = answers.pop();
    answers.into_iter().for_each(|answer| stream.push(answer));
    stream.end(last);
}
