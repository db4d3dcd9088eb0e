//! A resource's handler with its types erased, once.

use std::marker::PhantomData;
use std::sync::Arc;

use aqueduct_protocol::resources::ReadResourceResult;

use super::output::{About, IntoResourceOutput};
use crate::context::{BoxFuture, Context};
use crate::error::ToolError;
use crate::extract::{Handler, Rejection};

pub(super) type ReadFuture = BoxFuture<Result<ReadResourceResult, ToolError>>;

/// What the registry calls.
pub(super) trait ErasedResource: Send + Sync {
    fn start(&self, about: About, ctx: &Context) -> Result<ReadFuture, Rejection>;
}

struct Erased<H, M>(H, PhantomData<fn(M)>);

impl<H, M> ErasedResource for Erased<H, M>
where
    H: Handler<M>,
    H::Output: IntoResourceOutput,
{
    fn start(&self, about: About, ctx: &Context) -> Result<ReadFuture, Rejection> {
        let work = self.0.invoke(ctx)?;
        Ok(Box::pin(async move { work.await.into_resource_output(&about) }))
    }
}

pub(super) fn erase<H, M>(handler: H) -> Arc<dyn ErasedResource>
where
    H: Handler<M>,
    H::Output: IntoResourceOutput,
    M: 'static,
{
    Arc::new(Erased(handler, PhantomData))
}
