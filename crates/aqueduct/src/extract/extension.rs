//! A value that a layer before the transport put beside the request.

use std::any::type_name;

use super::{Extract, Rejection};
use crate::context::Context;
use crate::error::Error;

/// A value from the request's extensions: what axum's `Extension` layers and tower layers insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extension<T>(pub T);

impl<T: Clone + Send + Sync + 'static> Extract for Extension<T> {
    fn extract(ctx: &Context) -> Result<Self, Rejection> {
        ctx.request().head().extensions().get::<T>().cloned().map(Self).ok_or_else(|| {
            Error::internal(format!(
                "no extension of type {}; a layer before the transport must insert it",
                type_name::<T>()
            ))
            .into()
        })
    }
}

impl<T: Clone + Send + Sync + 'static> Extract for Option<Extension<T>> {
    fn extract(ctx: &Context) -> Result<Self, Rejection> {
        Ok(ctx.request().head().extensions().get::<T>().cloned().map(Extension))
    }
}
