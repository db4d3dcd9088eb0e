//! What the system is told about a connection before anything is said on it.

use std::io;
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use super::limits::ListenLimits;

/// What a connection runs over.
pub(super) trait Socket: AsyncRead + AsyncWrite + Unpin {
    /// Forgets what was not taken yet, and says so to the peer when the socket is dropped.
    fn abort(&self);
}

impl Socket for TcpStream {
    fn abort(&self) {
        if let Err(error) = self.set_zero_linger() {
            tracing::debug!(%error, "a connection was gone already");
        }
    }
}

/// How long a connection is quiet before the peer's machine is asked whether it is still there.
const QUIET: Duration = Duration::from_secs(30);

/// Sets what a connection of this listener has.
///
/// Answers go out at once, not when a packet is full.
/// A machine that vanished without a word is missed in a minute instead of hours.
pub(super) fn prepare(stream: &TcpStream, limits: &ListenLimits) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let socket = SockRef::from(stream);
    socket.set_tcp_keepalive(&probes())?;
    bound(&socket, limits)
}

#[cfg(any(target_os = "android", target_os = "linux"))]
fn probes() -> TcpKeepalive {
    TcpKeepalive::new().with_time(QUIET).with_interval(QUIET / 3)
}

#[cfg(not(any(target_os = "android", target_os = "linux")))]
fn probes() -> TcpKeepalive {
    TcpKeepalive::new().with_time(QUIET)
}

/// Bounds what the system holds for a peer, and for how long.
///
/// Otherwise it takes megabytes for a peer that does not read, and says that there is room for
/// more only when a third of them is gone, so that a slow reader looks like none.
#[cfg(any(target_os = "android", target_os = "linux"))]
fn bound(socket: &SockRef<'_>, limits: &ListenLimits) -> io::Result<()> {
    /// Beyond the bytes that are on their way.
    const UNSENT: u32 = 128 * 1024;
    // Later than our own clock: the system gives up without a word to the peer, who may live.
    socket.set_tcp_user_timeout(Some(limits.stall_time.saturating_mul(2)))?;
    socket.set_tcp_notsent_lowat(UNSENT)
}

#[cfg(not(any(target_os = "android", target_os = "linux")))]
fn bound(_: &SockRef<'_>, _: &ListenLimits) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_system_has_taken_what_it_was_told() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let _peer = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        let limits = ListenLimits::new();
        prepare(&stream, &limits).unwrap();
        let socket = SockRef::from(&stream);
        assert!(stream.nodelay().unwrap() && socket.keepalive().unwrap());
        assert_eq!(socket.tcp_keepalive_time().unwrap(), QUIET);
        assert_eq!(socket.tcp_user_timeout().unwrap(), Some(limits.stall_time * 2));
        assert_eq!(socket.tcp_notsent_lowat().unwrap(), 128 * 1024);
    }
}
