//! One HTTP request from its head to its response.

use std::convert::Infallible;
use std::fmt;
use std::future::{Future, poll_fn};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use aqueduct_protocol::jsonrpc::Limits;
use aqueduct_protocol::method;
use http::request::Parts;
use http::{Method, Request, Response};
use tower_service::Service;

use super::body::{Body, Stream, Terms};
use super::fields::Fields;
use super::gate::{Gate, gated};
use super::guard::{Authority, Guard, HostError, Origin};
use super::load::{Kind, Load, Ticket};
use super::{collect, cors, head, respond, session};
use crate::call::{Call, Reply, Stamp};
use crate::context::{Admission, BoxFuture, Head, Mirrored};
use crate::legacy::{Legacy, Serves, is_of_a_session};
use crate::transport::{Accepted, Running, Step, accept, read};

/// How many bytes a request's body may have.
const MAX_BODY: usize = 1024 * 1024;
/// How long a body may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(10);
/// How many bytes of bodies may be read at once, of all requests.
const MAX_READING: usize = 64 * 1024 * 1024;
/// How many requests may run at once.
const MAX_CALLS: usize = 512;
/// How many sessions may be kept in memory at once.
const MAX_SESSIONS: usize = 10_000;
/// How many `subscriptions/listen` may be open at once.
const MAX_LISTENS: usize = 10_000;
/// How often a quiet stream says that it is still there.
const KEEP_ALIVE: Duration = Duration::from_secs(25);

/// The endpoint as a tower service: mount it in axum, in hyper, or let our own listener drive it.
///
/// It answers requests of any path: where it is mounted decides.
/// The clocks against slow clients are the [`Listener`](super::Listener)'s; whoever mounts it
/// elsewhere brings his own. `axum::serve` has none.
///
/// ```no_run
/// // Not run: it would wait for clients.
/// use aqueduct::Server;
///
/// # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
/// let http = Server::new("notes", "1.0.0").build()?.into_http().allow_host("mcp.example.com")?;
/// let app = axum::Router::new().route_service("/mcp", http);
/// axum::serve(tokio::net::TcpListener::bind("127.0.0.1:8000").await?, app).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct HttpService<S> {
    service: S,
    settings: Arc<Settings>,
}

#[derive(Clone)]
pub(crate) struct Settings {
    stamp: Stamp,
    pub(crate) guard: Guard,
    limits: Limits,
    max_body: usize,
    body_time: Duration,
    max_reading: usize,
    max_calls: usize,
    max_listens: usize,
    keep_alive: Duration,
    stream_answers: bool,
    load: Arc<Load>,
    /// Running requests are to be cut short; whoever sets it wakes them.
    ending: Arc<AtomicBool>,
    /// Called when a listener begins to end, so that calls which would last for ever can end.
    draining: Option<Arc<dyn Fn() + Send + Sync>>,
    /// Who makes sure of the callers, where somebody does.
    pub(crate) gate: Option<Arc<dyn Gate>>,
    /// The door for clients that shake hands, where there is one.
    legacy: Option<Arc<Legacy>>,
}

impl<S> HttpService<S> {
    pub(crate) fn new(service: S, stamp: Stamp) -> Self {
        Self {
            service,
            settings: Arc::new(Settings {
                stamp,
                guard: Guard::default(),
                limits: Limits::default(),
                max_body: MAX_BODY,
                body_time: BODY_TIME,
                max_reading: MAX_READING,
                max_calls: MAX_CALLS,
                max_listens: MAX_LISTENS,
                keep_alive: KEEP_ALIVE,
                stream_answers: false,
                load: Arc::default(),
                ending: Arc::default(),
                draining: None,
                gate: None,
                legacy: None,
            }),
        }
    }

    pub(crate) fn change(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(Arc::make_mut(&mut self.settings));
        self
    }

    /// Serves requests to this host as well as to loopback names: the public name of the server,
    /// with a port or for all ports.
    ///
    /// # Errors
    /// When the text is no host.
    pub fn allow_host(self, host: &str) -> Result<Self, HostError> {
        let host: Authority = host.parse()?;
        Ok(self.change(|settings| settings.guard.hosts.push(host)))
    }

    /// Serves requests to any host, where something in front of the server has checked it.
    ///
    /// Without that check a web page reaches the server by rebinding its own name to the server's
    /// address, so the reason is asked for, and is logged when a listener starts.
    #[must_use]
    pub fn allow_any_host(self, reason: &'static str) -> Self {
        self.change(|settings| settings.guard.any_host = Some(reason))
    }

    /// Lets the pages of this origin call the server from a browser, such as
    /// `https://app.example`; turns CORS on for it.
    ///
    /// # Errors
    /// When the text is no `http` or `https` origin.
    pub fn allow_origin(self, origin: &str) -> Result<Self, HostError> {
        let parsed = Origin::parse(origin).ok_or_else(|| HostError::of(origin))?;
        Ok(self.change(|settings| settings.guard.origins.push(parsed)))
    }

    /// The port that is listened on: loopback names must come with it.
    #[must_use]
    pub fn port(self, port: u16) -> Self {
        self.change(|settings| settings.guard.listen_on(port))
    }

    /// How many bytes a request's body may have; 1 MiB otherwise.
    #[must_use]
    pub fn max_body(self, bytes: usize) -> Self {
        self.change(|settings| settings.max_body = bytes)
    }

    /// How long a body may take to arrive; 10 seconds otherwise.
    #[must_use]
    pub fn body_time(self, time: Duration) -> Self {
        self.change(|settings| settings.body_time = time)
    }

    /// How many bytes of bodies are read at once, of all requests; 64 MiB otherwise.
    ///
    /// What comes beyond it is answered with 503, and so is what the next two limits refuse.
    #[must_use]
    pub fn max_reading(self, bytes: usize) -> Self {
        self.change(|settings| settings.max_reading = bytes)
    }

    /// How many requests run at once; 512 otherwise.
    ///
    /// Those of sessions take at most half of it: they may outlive their connections.
    #[must_use]
    pub fn max_calls(self, calls: usize) -> Self {
        self.change(|settings| settings.max_calls = calls)
    }

    /// How many `subscriptions/listen` are open at once; 10,000 otherwise.
    #[must_use]
    pub fn max_listens(self, listens: usize) -> Self {
        self.change(|settings| settings.max_listens = listens)
    }

    /// How many sessions are in memory at once; 10,000 otherwise.
    ///
    /// Beyond it the one that was quiet for longest makes room, and comes back from the store when
    /// it is used; while none is quiet, another is answered with 503.
    #[must_use]
    pub fn max_sessions(self, sessions: usize) -> Self {
        if let Some(legacy) = &self.settings.legacy {
            legacy.max_sessions(sessions);
        }
        self
    }

    /// How often a quiet stream says that it is still there; every 25 seconds otherwise.
    #[must_use]
    pub fn keep_alive(self, every: Duration) -> Self {
        self.change(|settings| settings.keep_alive = every)
    }

    /// Sends every successful answer as a stream of one event, also where nothing was said before
    /// it; otherwise that is JSON.
    ///
    /// A client must take both (Streamable HTTP › Sending Messages); this is for those that read
    /// streams only, and for testing that a client reads them.
    #[must_use]
    pub fn stream_answers(self) -> Self {
        self.change(|settings| settings.stream_answers = true)
    }

    /// The signal by which a listener cuts running requests short.
    pub(super) fn ending(self, ending: Arc<AtomicBool>) -> Self {
        self.change(|settings| settings.ending = ending)
    }

    /// What is to be done when a listener begins to end.
    pub(crate) fn on_drain(self, draining: impl Fn() + Send + Sync + 'static) -> Self {
        self.change(|settings| settings.draining = Some(Arc::new(draining)))
    }

    /// Serves clients that shake hands, too.
    pub(crate) fn handshakes(self, legacy: Arc<Legacy>) -> Self {
        legacy.max_sessions(MAX_SESSIONS);
        self.change(|settings| settings.legacy = Some(legacy))
    }

    pub(super) fn drain(&self) {
        if let Some(draining) = &self.settings.draining {
            draining();
        }
    }

    /// Is something at this path beside the endpoint?
    pub(super) fn has_document(&self, path: &str) -> bool {
        self.settings.gate.as_ref().is_some_and(|gate| gate.has_document(path))
    }

    pub(super) fn guard(&self) -> &Guard {
        &self.settings.guard
    }
}

impl<S> fmt::Debug for HttpService<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpService").field("guard", &self.settings.guard).finish_non_exhaustive()
    }
}

impl<S, B> Service<Request<B>> for HttpService<S>
where
    S: Service<Call, Response = Reply, Error = Infallible> + Clone + Send + 'static,
    S::Future: Future<Output = Result<Reply, Infallible>> + Unpin + Send + 'static,
    B: http_body::Body<Data: Send> + Send + 'static,
    B::Error: Send,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // Each call waits for its own clone of the service.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let (parts, body) = request.into_parts();
        let settings = Arc::clone(&self.settings);
        let service = self.service.clone();
        match settings.gate.clone() {
            None => pass(service, settings, parts, body),
            Some(gate) => {
                let pass = move |settings, parts, body| pass(service, settings, parts, body);
                Box::pin(gated(gate, settings, parts, body, pass))
            }
        }
    }
}

/// Serves a request whose caller is let in.
fn pass<S, B>(
    mut service: S,
    settings: Arc<Settings>,
    parts: Parts,
    body: B,
) -> BoxFuture<Result<Response<Body>, Infallible>>
where
    S: Serves,
    B: http_body::Body<Data: Send> + Send + 'static,
    B::Error: Send,
{
    let fields = Fields::read(&parts.headers);
    let origin = settings.guard.allowed_origin(&fields).cloned();
    if let Some(mut refusal) = check(&settings, &parts, &fields) {
        // A body that is still to come ends the connection.
        if !body.is_end_stream() {
            respond::close(&mut refusal, parts.version);
        }
        cors::grant(&settings.guard, origin, &mut refusal);
        return Box::pin(std::future::ready(Ok(refusal)));
    }
    if parts.method != Method::POST {
        return Box::pin(async move {
            let mut response = without_body(service, &settings, parts).await;
            cors::grant(&settings.guard, origin, &mut response);
            Ok(response)
        });
    }
    let wants_events = settings.stream_answers || fields.accept.prefers_events();
    let form = if wants_events { Form::Events } else { Form::Json };
    let version = parts.version;
    let mirrors = fields.mirrors;
    let head = Head::of(parts.headers, parts.extensions, mirrors);
    Box::pin(async move {
        let read = collect::text(body, settings.reading()).await;
        let mut response = match read {
            Ok(text) => serve(&mut service, &settings, head, text, form).await,
            Err(why) => respond::unread(why, settings.max_body, version),
        };
        cors::grant(&settings.guard, origin, &mut response);
        Ok(response)
    })
}

/// The answer to a request whose head says already that it is not served.
fn check(settings: &Settings, parts: &Parts, fields: &Fields<'_>) -> Option<Response<Body>> {
    if let Err(refusal) = settings.guard.check(&parts.uri, parts.version, fields) {
        return Some(respond::forbidden(refusal));
    }
    if parts.method != Method::POST {
        let preflight = (parts.method == Method::OPTIONS)
            .then(|| cors::preflight(&settings.guard, fields, &parts.headers))
            .flatten();
        if preflight.is_none() && settings.is_of_a_session(&parts.method) {
            return None;
        }
        let is_head = parts.method == Method::HEAD;
        let refusal = if settings.has_sessions() {
            respond::method_not_allowed_here(is_head)
        } else {
            respond::method_not_allowed(is_head)
        };
        return Some(preflight.unwrap_or(refusal));
    }
    head::check(fields)
}

/// A stream of a session, or its end.
async fn without_body<S: Serves>(service: S, settings: &Settings, parts: Parts) -> Response<Body> {
    let Some(legacy) = &settings.legacy else { return respond::method_not_allowed(false) };
    let Some(place) = settings.load.admit(Kind::Listen, settings.max_listens) else {
        return respond::busy();
    };
    let mut terms = settings.terms(Some(place));
    terms.until = parts.extensions.get::<Admission>().and_then(|admission| admission.until);
    let whole = Head::http(parts.headers, parts.extensions);
    session::without_body(legacy, service, &parts.method, whole, terms).await
}

async fn serve<S>(
    service: &mut S,
    settings: &Settings,
    head: Head,
    text: String,
    form: Form,
) -> Response<Body>
where
    S: Serves,
{
    let Some(ticket) = settings.admit(&head) else { return respond::busy() };
    let Ok(()) = poll_fn(|cx| service.poll_ready(cx)).await;
    if let Some(legacy) = settings.legacy.as_ref().filter(|legacy| legacy.is_batch(&text, &head)) {
        let told =
            Box::pin(legacy.batch(service.clone(), &text, head, settings.place(ticket))).await;
        return session::rendered(told, settings.terms(None));
    }
    let request = match read(text, head, &settings.limits) {
        Ok(request) => request,
        Err(answer) => return respond::json(answer),
    };
    if let Some(legacy) = settings.legacy.as_ref().filter(|_| is_of_a_session(&request)) {
        // Boxed, so that the requests of the other revision do not carry its size.
        let (place, as_events) = (settings.place(ticket), form == Form::Events);
        let told = Box::pin(legacy.post(service.clone(), *request, as_events, place)).await;
        return session::rendered(told, settings.terms(None));
    }
    let mut running = match accept(service, request) {
        Accepted::Call(running) => running,
        Accepted::Notification(notification) => return notified(&notification),
        Accepted::Response => {
            return respond::bad_request("no request of this server awaits a response");
        }
    };
    // Awaited in place: another future would carry the request a second time.
    let step = poll_fn(|cx| {
        if settings.ending.load(Ordering::Relaxed) {
            return Poll::Ready(None);
        }
        running.poll_step(cx, &settings.stamp).map(Some)
    });
    let step = step.await;
    answer(step, running, settings, form, ticket)
}

impl Settings {
    /// Is it a method that only sessions have?
    fn is_of_a_session(&self, method: &Method) -> bool {
        self.has_sessions() && matches!(*method, Method::GET | Method::DELETE)
    }

    fn has_sessions(&self) -> bool {
        self.legacy.as_ref().is_some_and(|legacy| legacy.has_sessions())
    }

    fn terms(&self, place: Option<Ticket>) -> session::Terms {
        session::Terms {
            keep_alive: self.keep_alive,
            ending: Arc::clone(&self.ending),
            place,
            until: None,
        }
    }

    /// A place among the calls of sessions, for whoever asks: they leave the others half of all.
    fn place(&self, ticket: Ticket) -> impl FnOnce() -> Option<(Ticket, Ticket)> + Send + 'static {
        let (load, most) = (Arc::clone(&self.load), self.max_calls.div_ceil(2));
        move || load.admit(Kind::OfSession, most).map(|place| (place, ticket))
    }

    fn reading(&self) -> collect::Bounds<'_> {
        collect::Bounds {
            body: self.max_body,
            time: self.body_time,
            all: self.max_reading,
            reading: self.load.reading(),
        }
    }

    /// A place among the requests that run.
    ///
    /// The header says which kind it is; a request whose body says otherwise is refused soon.
    fn admit(&self, head: &Head) -> Option<Ticket> {
        let is_listen = matches!(
            head.mirrored(|mirrors| mirrors.method),
            Some(Mirrored::Once(name)) if name == method::SUBSCRIPTIONS_LISTEN.as_bytes()
        );
        if is_listen {
            return self.load.admit(Kind::Listen, self.max_listens);
        }
        self.load.admit(Kind::Call, self.max_calls)
    }
}

/// The form of an answer that comes without a word before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Json,
    Events,
}

/// JSON when nothing was said before the answer, unless events are wanted; a stream from the first
/// notification on.
fn answer<F>(
    step: Option<Step>,
    running: Running<F>,
    settings: &Settings,
    form: Form,
    ticket: Ticket,
) -> Response<Body>
where
    F: Future<Output = Result<Reply, Infallible>> + Unpin + Send + 'static,
{
    match step {
        None => respond::ending(running.id()),
        Some(Step::Done(answer)) => match form {
            // What is no result has a status, and that is in the way of a stream.
            Form::Events if answer.status == 200 => {
                respond::events(Body::event(&answer.into_bytes()))
            }
            _ => respond::json(answer),
        },
        Some(Step::Frame(first)) => {
            let terms = Terms {
                stamp: settings.stamp.clone(),
                keep_alive: settings.keep_alive,
                ending: Arc::clone(&settings.ending),
                ticket,
            };
            respond::events(Body::events(Stream::new(running, &first, terms)))
        }
    }
}

/// A notification need not repeat its method, but must not contradict it.
fn notified(notification: &crate::context::Request) -> Response<Body> {
    let agrees = match notification.head().mirrored(|mirrors| mirrors.method) {
        None | Some(Mirrored::Absent) => true,
        Some(Mirrored::Once(value)) => value.trim_ascii() == notification.method().as_bytes(),
        Some(Mirrored::Twice) => false,
    };
    if agrees {
        return respond::accepted();
    }
    respond::bad_request("the Mcp-Method header contradicts the notification")
}
