//! A tool's handler with its types erased, once.

use std::marker::PhantomData;
use std::sync::Arc;

use aqueduct_protocol::tools::CallToolResult;

use super::output::IntoToolOutput;
use crate::context::{BoxFuture, Context};
use crate::error::ToolError;
use crate::extract::{Handler, Rejection};

pub(super) type ToolFuture = BoxFuture<Result<CallToolResult, ToolError>>;

/// What the registry calls.
pub(super) trait ErasedTool: Send + Sync {
    fn start(&self, ctx: &Context) -> Result<ToolFuture, Rejection>;
}

struct Erased<H, M>(H, PhantomData<fn(M)>);

impl<H, M> ErasedTool for Erased<H, M>
where
    H: Handler<M>,
    H::Output: IntoToolOutput,
{
    fn start(&self, ctx: &Context) -> Result<ToolFuture, Rejection> {
        let work = self.0.invoke(ctx)?;
        Ok(Box::pin(async move { work.await.into_tool_output() }))
    }
}

pub(super) fn erase<H, M>(handler: H) -> Arc<dyn ErasedTool>
where
    H: Handler<M>,
    H::Output: IntoToolOutput,
    M: 'static,
{
    Arc::new(Erased(handler, PhantomData))
}
