//! One connection, driven to its end under its clock.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http_body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::HttpService;
use hyper_util::rt::TokioIo;
use tokio::time::{Instant, Sleep};

use super::framing::Framing;
use super::limits::ListenLimits;
use super::pulse::{Pulse, Wait};
use super::roster::{Seat, Stage};
use super::socket::Socket;
use super::wire::Wire;

/// The least that hyper may buffer of a body, so that a small limit for heads does not slow it.
const BUFFER: usize = 64 * 1024;
/// How many fields hyper takes by itself; another number costs it a copy of all that it may take.
const FIELDS: usize = 100;

/// Speaks HTTP/1 with one peer.
///
/// hyper's own clock for heads begins with the wait for a request, so it cannot grant an idle
/// connection more than a slow head, and it winds a timer for every request.
/// This has one timer, which is wound when it has run out or must run out earlier.
///
/// # Cancel safety
/// Dropping it drops the handler of a running request and closes the connection.
pub(super) struct Connection<T, S: HttpService<Incoming>> {
    /// There until it has ended.
    http: Option<http1::Connection<TokioIo<Wire<T>>, S>>,
    clock: Clock,
    seat: Seat,
    stage: Stage,
    is_watched: bool,
}

struct Clock {
    pulse: Arc<Pulse>,
    limits: Arc<ListenLimits>,
    beat: u32,
    since: Instant,
    timer: Pin<Box<Sleep>>,
}

impl<T, S> Connection<T, S>
where
    T: Socket,
    S: HttpService<Incoming>,
    S::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    S::ResBody: 'static,
    <S::ResBody as Body>::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    pub(super) fn new(
        io: T,
        service: S,
        pulse: Arc<Pulse>,
        limits: Arc<ListenLimits>,
        seat: Seat,
    ) -> Self {
        let wire = Wire::new(io, Framing::new(limits.head_fields), Arc::clone(&pulse));
        let mut builder = http1::Builder::new();
        builder
            .header_read_timeout(None)
            .max_header_size(limits.head_bytes)
            .max_buf_size(limits.head_bytes.max(BUFFER));
        // Up to its own bound hyper counts without cost; below it the wire counts.
        if limits.head_fields > FIELDS {
            builder.max_headers(limits.head_fields);
        }
        let http = builder.serve_connection(TokioIo::new(wire), service);
        Self {
            http: Some(http),
            clock: Clock::new(pulse, limits),
            seat,
            stage: Stage::Open,
            is_watched: false,
        }
    }
}

impl<T, S> Future for Connection<T, S>
where
    T: Socket,
    S: HttpService<Incoming>,
    S::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    S::ResBody: 'static,
    <S::ResBody as Body>::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        if !this.is_watched {
            // The listener drives this in a task of its own, so its waker stays the same.
            this.seat.watch(cx.waker());
            this.is_watched = true;
        }
        let Some(http) = &mut this.http else { return Poll::Ready(()) };
        let stage = this.seat.stage();
        if stage != this.stage {
            this.stage = stage;
            Pin::new(&mut *http).graceful_shutdown();
        }
        if let Poll::Ready(ended) = Pin::new(http).poll(cx) {
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection ended early");
            }
            return Poll::Ready(());
        }
        this.clock.poll_over(cx).map(|wait| {
            tracing::debug!(?wait, "a peer was too slow, and its connection is closed");
            if let (Wait::Taking, Some(http)) = (wait, this.http.take()) {
                http.into_parts().io.inner().io().abort();
            }
        })
    }
}

impl Clock {
    fn new(pulse: Arc<Pulse>, limits: Arc<ListenLimits>) -> Self {
        let since = Instant::now();
        let timer = Box::pin(tokio::time::sleep(limits.head_time));
        Self { beat: pulse.beat(), pulse, limits, since, timer }
    }

    /// Ready when the peer has let its time run out.
    fn poll_over(&mut self, cx: &mut Context<'_>) -> Poll<Wait> {
        if self.beat != self.pulse.beat() {
            self.beat = self.pulse.beat();
            self.since = Instant::now();
        }
        let wait = self.pulse.wait();
        let Some(time) = self.granted(wait) else { return Poll::Pending };
        let Some(end) = self.since.checked_add(time) else { return Poll::Pending };
        loop {
            if self.timer.deadline() > end {
                self.timer.as_mut().reset(end);
            }
            if self.timer.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
            if self.timer.deadline() >= end {
                return Poll::Ready(wait);
            }
            // It ran for an earlier wait, which ended in time.
            self.timer.as_mut().reset(end);
        }
    }

    fn granted(&self, wait: Wait) -> Option<Duration> {
        match wait {
            Wait::First | Wait::Head => Some(self.limits.head_time),
            Wait::Idle => Some(self.limits.idle_time),
            Wait::Taking => Some(self.limits.stall_time),
            Wait::Silence => Some(self.limits.linger_time),
            Wait::Nothing => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use bytes::Bytes;
    use http::{Request, Response};
    use http_body_util::Full;
    use hyper::service::service_fn;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

    use super::super::roster::Roster;
    use super::*;

    impl Socket for DuplexStream {
        fn abort(&self) {}
    }

    /// How much the peer's side takes before it is full.
    const BUFFER: usize = 64;

    /// A connection whose every answer has so many bytes, and the peer's side of it.
    fn connect(answer: usize) -> (DuplexStream, impl Future<Output = Duration>) {
        let (peer, io) = tokio::io::duplex(BUFFER);
        let pulse = Arc::new(Pulse::default());
        let watched = Arc::clone(&pulse);
        let service = service_fn(move |_: Request<Incoming>| {
            watched.begin();
            watched.end();
            let body = Full::new(Bytes::from(vec![b'x'; answer]));
            async move { Ok::<_, Infallible>(Response::new(body)) }
        });
        let address = "192.0.2.1".parse().unwrap();
        let seat = Roster::new().sit(address, 1).unwrap();
        let limits = Arc::new(ListenLimits::new());
        let connection = Connection::new(io, service, pulse, limits, seat);
        let since = Instant::now();
        (peer, async move {
            connection.await;
            since.elapsed()
        })
    }

    const GET: &[u8] = b"GET / HTTP/1.1\r\nhost: a\r\n\r\n";

    /// Did it take this many seconds? The paused clock steps in milliseconds.
    fn check(passed: Duration, seconds: u64) {
        assert_eq!(passed.as_millis() / 100, u128::from(seconds) * 10, "{passed:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn who_says_nothing_has_ten_seconds() {
        let (_peer, connection) = connect(0);
        check(connection.await, 10);
    }

    #[tokio::test(start_paused = true)]
    async fn a_head_has_ten_seconds_from_its_first_byte_on() {
        let (mut peer, connection) = connect(0);
        let dribble = async {
            tokio::time::sleep(Duration::from_secs(9)).await;
            for byte in GET {
                if peer.write_all(&[*byte]).await.is_err() {
                    break;
                }
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        };
        let (passed, ()) = tokio::join!(connection, dribble);
        check(passed, 19);
    }

    #[tokio::test(start_paused = true)]
    async fn an_idle_connection_has_a_minute_after_each_answer() {
        let (mut peer, connection) = connect(0);
        let thrice = async {
            for _ in 0..3 {
                peer.write_all(GET).await.unwrap();
                let mut answer = Vec::new();
                while !answer.ends_with(b"\r\n\r\n") {
                    answer.push(peer.read_u8().await.unwrap());
                }
                tokio::time::sleep(Duration::from_secs(59)).await;
            }
            peer
        };
        let (passed, _peer) = tokio::join!(connection, thrice);
        check(passed, 2 * 59 + 60);
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_takes_nothing_has_half_a_minute() {
        let (mut peer, connection) = connect(1000);
        peer.write_all(GET).await.unwrap();
        check(connection.await, 30);
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_takes_little_by_little_has_all_the_time() {
        let (mut peer, connection) = connect(1000);
        peer.write_all(GET).await.unwrap();
        let slowly = async {
            let mut taken = 0;
            while taken < 1000 {
                tokio::time::sleep(Duration::from_secs(29)).await;
                taken += peer.read(&mut [0; BUFFER]).await.unwrap();
            }
            peer
        };
        let (passed, _peer) = tokio::join!(connection, slowly);
        assert!(passed > Duration::from_secs(15 * 29), "{passed:?}");
    }
}
