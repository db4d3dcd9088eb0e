//! A built server over Streamable HTTP.

use std::io;

use super::Service;
use crate::transport::http::{HttpService, Listener};

impl Service {
    /// The endpoint as a tower service, to be mounted in axum, hyper or anything of tower.
    #[must_use]
    pub fn into_http(self) -> HttpService<Self> {
        let stamp = self.stamp().clone();
        let notifier = self.notifier();
        HttpService::new(self, stamp).on_drain(move || notifier.end())
    }

    /// Listens on `address` and serves `/mcp` there until SIGTERM or SIGINT, then lets running
    /// calls end.
    ///
    /// # Errors
    /// When the address cannot be listened on, or is reached from other machines: then hosts must
    /// be allowed by name, with [`HttpService::allow_host`].
    pub async fn serve_http(self, address: &str) -> io::Result<()> {
        Listener::bind(address).await?.serve(self.into_http()).await
    }
}
