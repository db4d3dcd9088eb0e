//! What a listener grants its peers: how many, how much, how long.

use std::time::Duration;

/// What a [`Listener`](super::Listener) grants its peers.
///
/// There is no value that means "without limit"; a zero means none at all.
///
/// ```
/// use std::time::Duration;
/// use aqueduct::transport::http::ListenLimits;
///
/// // Behind a proxy all connections come from one address.
/// let limits = ListenLimits::new().connections_per_peer(20_000).drain_time(Duration::from_secs(30));
/// assert_eq!(limits.head_bytes, 16 * 1024);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListenLimits {
    /// How many connections there are at once; 20,000. Further ones wait to be accepted.
    pub connections: usize,
    /// How many of them one address has; 256. Further ones are closed at once.
    ///
    /// The addresses of an IPv6 network of 64 bits count as one, since one machine has them all.
    /// A proxy in front of the server is one address too, so raise this behind one.
    pub connections_per_peer: usize,
    /// How long a request's head may take, from the connection or from its first byte on; 10 s.
    pub head_time: Duration,
    /// How many bytes a head may have, with its request line; 16 KiB. Beyond it the answer is 431.
    pub head_bytes: usize,
    /// How many fields a head may have; 64. Beyond it the answer is 431.
    pub head_fields: usize,
    /// How long a connection may lie idle between two requests; 60 s.
    pub idle_time: Duration,
    /// How long a peer may take no byte of an answer that waits for it; 30 s.
    ///
    /// Then the connection is dropped, and the handler with it.
    pub stall_time: Duration,
    /// How long a peer may go on sending when it has its answer and the connection ends; 2 s.
    pub linger_time: Duration,
    /// How long running requests may take when the listener shuts down; 10 s.
    pub drain_time: Duration,
    /// How long the answers may take after that, which then say that the server is going; 5 s.
    pub end_time: Duration,
}

impl ListenLimits {
    /// The limits that the fields name.
    #[must_use]
    pub fn new() -> Self {
        Self {
            connections: 20_000,
            connections_per_peer: 256,
            head_time: Duration::from_secs(10),
            head_bytes: 16 * 1024,
            head_fields: 64,
            idle_time: Duration::from_secs(60),
            stall_time: Duration::from_secs(30),
            linger_time: Duration::from_secs(2),
            drain_time: Duration::from_secs(10),
            end_time: Duration::from_secs(5),
        }
    }

    /// Sets how many connections there are at once.
    #[must_use]
    pub fn connections(mut self, most: usize) -> Self {
        self.connections = most;
        self
    }

    /// Sets how many connections one address has.
    #[must_use]
    pub fn connections_per_peer(mut self, most: usize) -> Self {
        self.connections_per_peer = most;
        self
    }

    /// Sets how long a head may take.
    #[must_use]
    pub fn head_time(mut self, time: Duration) -> Self {
        self.head_time = time;
        self
    }

    /// Sets how many bytes a head may have.
    #[must_use]
    pub fn head_bytes(mut self, most: usize) -> Self {
        self.head_bytes = most;
        self
    }

    /// Sets how many fields a head may have.
    #[must_use]
    pub fn head_fields(mut self, most: usize) -> Self {
        self.head_fields = most;
        self
    }

    /// Sets how long a connection may lie idle.
    #[must_use]
    pub fn idle_time(mut self, time: Duration) -> Self {
        self.idle_time = time;
        self
    }

    /// Sets how long a peer may take no byte of its answer.
    #[must_use]
    pub fn stall_time(mut self, time: Duration) -> Self {
        self.stall_time = time;
        self
    }

    /// Sets how long a peer may go on sending at the end.
    #[must_use]
    pub fn linger_time(mut self, time: Duration) -> Self {
        self.linger_time = time;
        self
    }

    /// Sets how long running requests may take at a shutdown.
    #[must_use]
    pub fn drain_time(mut self, time: Duration) -> Self {
        self.drain_time = time;
        self
    }

    /// Sets how long the last answers may take at a shutdown.
    #[must_use]
    pub fn end_time(mut self, time: Duration) -> Self {
        self.end_time = time;
        self
    }
}

impl Default for ListenLimits {
    fn default() -> Self {
        Self::new()
    }
}
