//! The accept loop: takes connections, puts each under its clock, and ends them all in order.

use std::convert::Infallible;
use std::future::{Future, pending};
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinError, JoinSet};
use tower_service::Service;

use super::connection::Connection;
use super::endpoint::Endpoint;
use super::limits::ListenLimits;
use super::pulse::Pulse;
use super::roster::{Roster, Stage};
use super::service::HttpService;
use super::signal::Signals;
use super::socket;
use crate::call::{Call, Reply};

/// Where the endpoint is when nothing else is said.
const PATH: &str = "/mcp";
/// How long to wait when the system has nothing left for another connection, at first and at most.
const PAUSE: Duration = Duration::from_millis(10);
const MAX_PAUSE: Duration = Duration::from_secs(1);

/// A port that is listened on, for an [`HttpService`] to be served there.
///
/// It speaks HTTP/1.1 and holds its peers to [`ListenLimits`], which the servers that an endpoint
/// is otherwise mounted in do not: `axum::serve` waits for ever for the rest of a request.
///
/// A client that has gone is missed at once, and its running request is dropped with the handler.
/// One that shuts down its sending half only, as `nc -N` does, counts as gone: the two look alike,
/// and the specification wants a disconnect to cancel
/// ([Cancellation](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/cancellation)).
///
/// ```no_run
/// // Not run: it would wait for clients.
/// use aqueduct::Server;
/// use aqueduct::transport::http::Listener;
///
/// # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
/// let http = Server::new("notes", "1.0.0").build()?.into_http();
/// let listener = Listener::bind("127.0.0.1:8000").await?;
/// eprintln!("listening on http://{}/mcp", listener.local_addr()?);
/// listener.serve(http).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Listener {
    tcp: TcpListener,
    path: Arc<str>,
    limits: ListenLimits,
}

impl Listener {
    /// Listens on an address such as `127.0.0.1:8000`; port 0 takes any free one.
    ///
    /// # Errors
    /// When the text is no address, or the address cannot be had.
    pub async fn bind(addr: &str) -> io::Result<Self> {
        Ok(Self::from_tcp(TcpListener::bind(addr).await?))
    }

    /// Takes over a socket that listens already.
    #[must_use]
    pub fn from_tcp(tcp: TcpListener) -> Self {
        Self { tcp, path: PATH.into(), limits: ListenLimits::new() }
    }

    /// The address that is listened on, with the port that was found.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.tcp.local_addr()
    }

    /// Where the endpoint is; `/mcp` otherwise. Every other path is answered with 404.
    #[must_use]
    pub fn path(mut self, path: &str) -> Self {
        self.path = format!("/{}", path.trim_start_matches('/')).into();
        self
    }

    /// What the peers are granted.
    #[must_use]
    pub fn limits(mut self, limits: ListenLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Serves until the process is asked to end, by SIGTERM or SIGINT.
    ///
    /// Then no more connections are taken, idle ones are closed, and running requests are given
    /// time; a second signal ends them at once.
    ///
    /// # Errors
    /// When the address is not a loopback one and no host is allowed by name, and when the system
    /// gives no signals.
    ///
    /// # Cancel safety
    /// Dropping the future closes all connections and drops their handlers.
    pub async fn serve<S>(self, http: HttpService<S>) -> io::Result<()>
    where
        S: Service<Call, Response = Reply, Error = Infallible> + Clone + Send + 'static,
        S::Future: Unpin + Send + 'static,
    {
        let (mut first, mut second) = (Signals::new()?, Signals::new()?);
        let now = async {
            second.next().await;
            second.next().await;
        };
        self.run(http, pin!(first.next()), pin!(now)).await
    }

    /// Serves until `shutdown` is ready, and ends as [`serve`](Self::serve) does at the first
    /// signal.
    ///
    /// # Errors
    /// When the address is not a loopback one and no host is allowed by name.
    ///
    /// # Cancel safety
    /// Dropping the future closes all connections and drops their handlers.
    pub async fn serve_until<S>(
        self,
        http: HttpService<S>,
        shutdown: impl Future<Output = ()>,
    ) -> io::Result<()>
    where
        S: Service<Call, Response = Reply, Error = Infallible> + Clone + Send + 'static,
        S::Future: Unpin + Send + 'static,
    {
        self.run(http, pin!(shutdown), pin!(pending())).await
    }

    async fn run<S>(
        self,
        http: HttpService<S>,
        mut shutdown: Pin<&mut impl Future<Output = ()>>,
        now: Pin<&mut impl Future<Output = ()>>,
    ) -> io::Result<()>
    where
        S: Service<Call, Response = Reply, Error = Infallible> + Clone + Send + 'static,
        S::Future: Unpin + Send + 'static,
    {
        let addr = self.tcp.local_addr()?;
        check_host(&http, addr)?;
        let ending = Arc::new(AtomicBool::new(false));
        let mut open = Open {
            http: http.port(addr.port()).ending(Arc::clone(&ending)),
            path: self.path,
            limits: Arc::new(self.limits),
            roster: Roster::new(),
            tasks: JoinSet::new(),
        };
        tracing::info!(%addr, path = %open.path, "listening");
        tokio::select! {
            () = open.take(&self.tcp) => {}
            () = shutdown.as_mut() => {}
        }
        drop(self.tcp);
        tokio::select! {
            () = open.drain(&ending) => {}
            () = now => tracing::warn!(connections = open.tasks.len(), "ending at once"),
        }
        open.tasks.shutdown().await;
        Ok(())
    }
}

/// Refuses what would let any web page reach the server, before a byte of it is served.
fn check_host<S>(http: &HttpService<S>, addr: SocketAddr) -> io::Result<()> {
    if let Some(reason) = http.guard().any_host {
        tracing::warn!(reason, "requests to any host are served");
    }
    if addr.ip().to_canonical().is_loopback() || http.guard().names_host() {
        return Ok(());
    }
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        format!(
            "{addr} is reached from other machines, and no host is allowed; say by which name with \
             .allow_host(\"mcp.example.com\"), or listen on 127.0.0.1"
        ),
    ))
}

/// A listener at work.
struct Open<S> {
    http: HttpService<S>,
    path: Arc<str>,
    limits: Arc<ListenLimits>,
    roster: Arc<Roster>,
    tasks: JoinSet<()>,
}

impl<S> Open<S>
where
    S: Service<Call, Response = Reply, Error = Infallible> + Clone + Send + 'static,
    S::Future: Unpin + Send + 'static,
{
    /// Takes connections for ever.
    async fn take(&mut self, tcp: &TcpListener) {
        let mut pause = PAUSE;
        loop {
            let has_room = self.tasks.len() < self.limits.connections;
            tokio::select! {
                accepted = tcp.accept(), if has_room => match accepted {
                    Ok((stream, peer)) => {
                        pause = PAUSE;
                        self.open(stream, peer);
                    }
                    Err(error) if is_of_peer(&error) => {}
                    Err(error) => {
                        tracing::warn!(%error, "no connection can be taken");
                        tokio::time::sleep(pause).await;
                        pause = (pause * 2).min(MAX_PAUSE);
                    }
                },
                Some(ended) = self.tasks.join_next() => report(ended),
            }
        }
    }

    fn open(&mut self, stream: TcpStream, peer: SocketAddr) {
        let Some(seat) = self.roster.sit(peer.ip(), self.limits.connections_per_peer) else {
            tracing::debug!(peer = %peer.ip(), "a peer has too many connections");
            return;
        };
        if let Err(error) = socket::prepare(&stream, &self.limits) {
            tracing::debug!(%error, "a connection was gone at once");
            return;
        }
        let pulse = Arc::new(Pulse::default());
        let endpoint = Endpoint::new(self.http.clone(), Arc::clone(&self.path), Arc::clone(&pulse));
        let limits = Arc::clone(&self.limits);
        self.tasks.spawn(Connection::new(stream, endpoint, pulse, limits, seat));
    }

    /// Gives running requests their time, and then their answers.
    async fn drain(&mut self, ending: &AtomicBool) {
        tracing::info!(connections = self.tasks.len(), "shutting down");
        self.http.drain();
        self.roster.advance(Stage::Draining);
        if self.is_empty_within(self.limits.drain_time).await {
            return;
        }
        ending.store(true, Ordering::SeqCst);
        self.roster.advance(Stage::Ending);
        if !self.is_empty_within(self.limits.end_time).await {
            tracing::warn!(connections = self.tasks.len(), "connections are cut off");
        }
    }

    /// Do all connections end in this time?
    async fn is_empty_within(&mut self, time: Duration) -> bool {
        let all = async {
            while let Some(ended) = self.tasks.join_next().await {
                report(ended);
            }
        };
        tokio::time::timeout(time, all).await.is_ok()
    }
}

/// Says the error something of one peer only, who went before he was taken?
fn is_of_peer(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
    )
}

fn report(ended: Result<(), JoinError>) {
    if let Err(error) = ended
        && error.is_panic()
    {
        tracing::error!(%error, "a connection panicked");
    }
}
