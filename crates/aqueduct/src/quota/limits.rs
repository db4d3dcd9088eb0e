//! What each caller of a server may take.

use std::time::Duration;

use super::Rate;

/// What each caller of a server may take; every bound is on unless it is set otherwise.
///
/// There is no value that means "without limit"; a zero means none at all.
/// The bounds that hold for all callers together are those of the transport: see
/// [`HttpService`](crate::transport::http::HttpService) and
/// [`ListenLimits`](crate::transport::http::ListenLimits).
///
/// ```
/// use aqueduct::Server;
/// use aqueduct::server::{Limits, Rate};
///
/// let limits = Limits::new().calls_per_principal(8).rate_per_principal(Rate::per_minute(60));
/// let server = Server::new("notes", "1.0.0").limits(limits);
/// # let _ = server;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// How many calls one caller has open at once; 32. Beyond it the answer is 429.
    ///
    /// Calls are `tools/call`, `resources/read`, `prompts/get` and `completion/complete`.
    pub calls_per_principal: usize,
    /// How often one caller may make such calls; 600 a minute. Beyond it the answer is 429.
    pub rate_per_principal: Rate,
    /// How many `subscriptions/listen` one caller has open; 16. Beyond it the answer is 429.
    pub listens_per_principal: usize,
    /// How long such a stream stays, before it ends with its result and the client listens anew;
    /// one hour.
    pub listen_age: Duration,
}

impl Limits {
    /// The limits that the fields name.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            calls_per_principal: 32,
            rate_per_principal: Rate::per_minute(600),
            listens_per_principal: 16,
            listen_age: Duration::from_secs(60 * 60),
        }
    }

    /// Sets how many calls one caller has open.
    #[must_use]
    pub const fn calls_per_principal(mut self, most: usize) -> Self {
        self.calls_per_principal = most;
        self
    }

    /// Sets how often one caller may call.
    #[must_use]
    pub const fn rate_per_principal(mut self, rate: Rate) -> Self {
        self.rate_per_principal = rate;
        self
    }

    /// Sets how many streams one caller listens on.
    #[must_use]
    pub const fn listens_per_principal(mut self, most: usize) -> Self {
        self.listens_per_principal = most;
        self
    }

    /// Sets how long such a stream stays.
    #[must_use]
    pub const fn listen_age(mut self, age: Duration) -> Self {
        self.listen_age = age;
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::new()
    }
}
