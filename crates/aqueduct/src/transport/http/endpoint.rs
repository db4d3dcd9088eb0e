//! What a listener serves on a connection: the endpoint at its path, and nothing beside it.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::{HeaderValue, Request, Response, Version, header};
use http_body::{Body as _, Frame, SizeHint};
use hyper::body::Incoming;
use tower_service::Service;

use super::body::Body;
use super::pulse::Pulse;
use super::respond;
use super::service::HttpService;
use crate::call::{Call, Reply};
use crate::context::BoxFuture;

/// The service of one connection.
pub(super) struct Endpoint<S> {
    http: HttpService<S>,
    path: Arc<str>,
    pulse: Arc<Pulse>,
}

impl<S> Endpoint<S> {
    pub(super) fn new(http: HttpService<S>, path: Arc<str>, pulse: Arc<Pulse>) -> Self {
        Self { http, path, pulse }
    }
}

impl<S> hyper::service::Service<Request<Incoming>> for Endpoint<S>
where
    S: Service<Call, Response = Reply, Error = Infallible> + Clone + Send + 'static,
    S::Future: Unpin + Send + 'static,
{
    type Response = Response<Watched>;
    type Error = Infallible;
    type Future = Answering;

    fn call(&self, request: Request<Incoming>) -> Answering {
        self.pulse.begin();
        let run = Run(Arc::clone(&self.pulse));
        let closes = request.version() == Version::HTTP_10;
        let is_read = request.body().is_end_stream();
        let (state, closes) = if let Some(flaw) = self.pulse.flaw() {
            (State::Refused(Some(respond::flawed(flaw))), true)
        } else if request.uri().path() == &*self.path
            || self.http.has_document(request.uri().path())
        {
            (State::Served(self.http.clone().call(request)), closes)
        } else {
            (State::Refused(Some(respond::no_endpoint(&self.path))), closes || !is_read)
        };
        Answering { state, closes, run: Some(run) }
    }
}

/// Marks a request as running until it is answered or dropped.
struct Run(Arc<Pulse>);

impl Drop for Run {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// A request on its way to its response.
pub(super) struct Answering {
    state: State,
    /// The connection ends with this response.
    closes: bool,
    run: Option<Run>,
}

enum State {
    Refused(Option<Response<Body>>),
    Served(BoxFuture<Result<Response<Body>, Infallible>>),
}

impl Future for Answering {
    type Output = Result<Response<Watched>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut response = match &mut self.state {
            State::Refused(response) => response.take().unwrap_or_default(),
            State::Served(future) => ready!(future.as_mut().poll(cx))?,
        };
        if self.closes {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
        }
        let run = self.run.take();
        Poll::Ready(Ok(response.map(|body| Watched { body, run })))
    }
}

/// A body whose end is the end of its request.
pub(super) struct Watched {
    body: Body,
    run: Option<Run>,
}

impl Watched {
    /// Does the peer take nothing of a stream?
    ///
    /// What would be said now would wait in hyper's buffer, which holds sixteen pieces, and be old
    /// when it is read; the wire wakes the task when the peer takes bytes again.
    fn holds_back(&self) -> bool {
        self.body.is_stream() && self.run.as_ref().is_some_and(|run| run.0.is_stalled())
    }
}

impl http_body::Body for Watched {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.holds_back() {
            return Poll::Pending;
        }
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
