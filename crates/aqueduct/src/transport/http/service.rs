//! One HTTP request from its head to its response.

use std::convert::Infallible;
use std::fmt;
use std::future::{Future, poll_fn};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use aqueduct_protocol::header as mcp;
use aqueduct_protocol::jsonrpc::Limits;
use aqueduct_protocol::method;
use http::{HeaderMap, Method, Request, Response};
use tower_service::Service;

use super::body::{Body, Stream, Terms};
use super::guard::{Authority, Guard, HostError, Origin};
use super::load::{Kind, Load, Ticket};
use super::{collect, cors, head, respond};
use crate::call::{Call, Reply, Stamp};
use crate::context::{BoxFuture, Head};
use crate::transport::{Accepted, Running, Step, accept};

/// How many bytes a request's body may have.
const MAX_BODY: usize = 1024 * 1024;
/// How long a body may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(10);
/// How many bytes of bodies may be read at once, of all requests.
const MAX_READING: usize = 64 * 1024 * 1024;
/// How many requests may run at once.
const MAX_CALLS: usize = 512;
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
struct Settings {
    stamp: Stamp,
    guard: Guard,
    limits: Limits,
    max_body: usize,
    body_time: Duration,
    max_reading: usize,
    max_calls: usize,
    max_listens: usize,
    keep_alive: Duration,
    load: Arc<Load>,
    /// Running requests are to be cut short; whoever sets it wakes them.
    ending: Arc<AtomicBool>,
    /// Called when a listener begins to end, so that calls which would last for ever can end.
    draining: Option<Arc<dyn Fn() + Send + Sync>>,
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
                load: Arc::default(),
                ending: Arc::default(),
                draining: None,
            }),
        }
    }

    fn change(mut self, change: impl FnOnce(&mut Settings)) -> Self {
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
        self.change(|settings| settings.guard.port = Some(port))
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
    #[must_use]
    pub fn max_calls(self, calls: usize) -> Self {
        self.change(|settings| settings.max_calls = calls)
    }

    /// How many `subscriptions/listen` are open at once; 10,000 otherwise.
    #[must_use]
    pub fn max_listens(self, listens: usize) -> Self {
        self.change(|settings| settings.max_listens = listens)
    }

    /// How often a quiet stream says that it is still there; every 25 seconds otherwise.
    #[must_use]
    pub fn keep_alive(self, every: Duration) -> Self {
        self.change(|settings| settings.keep_alive = every)
    }

    /// The signal by which a listener cuts running requests short.
    pub(super) fn ending(self, ending: Arc<AtomicBool>) -> Self {
        self.change(|settings| settings.ending = ending)
    }

    /// What is to be done when a listener begins to end.
    pub(crate) fn on_drain(self, draining: impl Fn() + Send + Sync + 'static) -> Self {
        self.change(|settings| settings.draining = Some(Arc::new(draining)))
    }

    pub(super) fn drain(&self) {
        if let Some(draining) = &self.settings.draining {
            draining();
        }
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
    S::Future: Unpin + Send + 'static,
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
        let mut service = self.service.clone();
        let settings = Arc::clone(&self.settings);
        Box::pin(async move {
            let origin = settings.guard.allowed_origin(request.headers()).cloned();
            let mut response = match refuse(&settings, &request) {
                Some(refusal) => refusal,
                None => serve(&mut service, &settings, request).await,
            };
            cors::grant(&settings.guard, origin, &mut response);
            Ok(response)
        })
    }
}

/// The answer to a request whose head says already that it is not served.
fn refuse<B: http_body::Body>(settings: &Settings, request: &Request<B>) -> Option<Response<Body>> {
    let mut refusal = check(settings, request)?;
    if !request.body().is_end_stream() {
        respond::close(&mut refusal, request.version());
    }
    Some(refusal)
}

fn check<B>(settings: &Settings, request: &Request<B>) -> Option<Response<Body>> {
    if let Err(refusal) = settings.guard.check(request) {
        return Some(respond::forbidden(refusal));
    }
    if request.method() != Method::POST {
        let preflight = (request.method() == Method::OPTIONS)
            .then(|| cors::preflight(&settings.guard, request.headers()))
            .flatten();
        let is_head = request.method() == Method::HEAD;
        return Some(preflight.unwrap_or_else(|| respond::method_not_allowed(is_head)));
    }
    head::check(request.headers())
}

async fn serve<S, B>(service: &mut S, settings: &Settings, request: Request<B>) -> Response<Body>
where
    S: Service<Call, Response = Reply, Error = Infallible>,
    S::Future: Unpin + Send + 'static,
    B: http_body::Body,
{
    let (head, body) = request.into_parts();
    let reading = settings.reading();
    let text = match collect::text(body, reading).await {
        Ok(text) => text,
        Err(why) => return respond::unread(why, settings.max_body, head.version),
    };
    let Some(ticket) = settings.admit(&head.headers) else { return respond::busy() };
    let Ok(()) = poll_fn(|cx| service.poll_ready(cx)).await;
    let head = Head::http(head.headers, head.extensions);
    match accept(service, text, head, &settings.limits) {
        Accepted::Call(running) => answer(running, settings, ticket).await,
        Accepted::Notification(notification) => match mirrored_method(&notification) {
            true => respond::accepted(),
            false => respond::bad_request("the Mcp-Method header contradicts the notification"),
        },
        Accepted::Response => respond::bad_request("no request of this server awaits a response"),
        Accepted::Refused(answer) => respond::json(answer),
    }
}

impl Settings {
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
    fn admit(&self, headers: &HeaderMap) -> Option<Ticket> {
        let is_listen =
            headers.get(mcp::METHOD).is_some_and(|name| name == method::SUBSCRIPTIONS_LISTEN);
        if is_listen {
            return self.load.admit(Kind::Listen, self.max_listens);
        }
        self.load.admit(Kind::Call, self.max_calls)
    }
}

/// JSON when nothing was said before the answer; a stream from the first notification on.
async fn answer<F>(mut running: Running<F>, settings: &Settings, ticket: Ticket) -> Response<Body>
where
    F: Future<Output = Result<Reply, Infallible>> + Unpin + Send + 'static,
{
    let step = poll_fn(|cx| {
        if settings.ending.load(Ordering::Relaxed) {
            return Poll::Ready(None);
        }
        running.poll_step(cx, &settings.stamp).map(Some)
    });
    match step.await {
        None => respond::ending(running.id()),
        Some(Step::Done(answer)) => respond::json(answer),
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
fn mirrored_method(notification: &crate::context::Request) -> bool {
    let mut headers = notification.head().headers().get_all(mcp::METHOD).iter();
    let Some(value) = headers.next() else { return true };
    let is_once = headers.next().is_none();
    is_once && value.as_bytes().trim_ascii() == notification.method().as_bytes()
}
