//! The headers that came with the request.

use http::HeaderMap;

use super::{Extract, Rejection};
use crate::context::Context;

/// The HTTP headers of the request; empty on stdio.
#[derive(Clone, Debug, Default)]
pub struct Headers(pub HeaderMap);

impl Extract for Headers {
    fn extract(ctx: &Context) -> Result<Self, Rejection> {
        Ok(Self(ctx.request().head().headers().clone()))
    }
}
