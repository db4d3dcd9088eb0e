//! A built server over Streamable HTTP.

use super::Service;
use crate::transport::http::HttpService;

impl Service {
    /// The endpoint as a tower service, to be mounted in axum, hyper or anything of tower.
    #[must_use]
    pub fn into_http(self) -> HttpService<Self> {
        let stamp = self.stamp().clone();
        HttpService::new(self, stamp)
    }
}
