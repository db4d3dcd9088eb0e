//! A built server over Streamable HTTP.

use std::io;
use std::sync::Arc;

use super::{Handshake, Service};
use crate::legacy::{Legacy, SessionTerms};
use crate::transport::http::{HttpService, Listener};

impl Service {
    /// The endpoint as a tower service, to be mounted in axum, hyper or anything of tower.
    #[must_use]
    pub fn into_http(self) -> HttpService<Self> {
        self.start();
        let stamp = self.stamp().clone();
        let notifier = self.notifier();
        let keys = Arc::clone(&self.terms.keys);
        let sessions = SessionTerms {
            store: Arc::clone(&self.terms.store),
            bus: self.terms.bus.clone(),
            answer_time: self.terms.answer_time,
            tasks: Arc::clone(&self.terms.background.tools),
        };
        let legacy = match self.terms.handshake {
            Handshake::Sessions => Some(Legacy::with_sessions(keys, sessions)),
            Handshake::Stateless => Some(Legacy::without_sessions(sessions)),
            Handshake::Off => None,
        };
        let http = HttpService::new(self, stamp).on_drain(move || notifier.end());
        match legacy {
            Some(legacy) => http.handshakes(legacy),
            None => http,
        }
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
