//! A prompt's handler with its types erased, once.

use std::marker::PhantomData;
use std::sync::Arc;

use aqueduct_protocol::prompts::GetPromptResult;

use super::output::IntoPromptOutput;
use crate::context::{BoxFuture, Context};
use crate::error::ToolError;
use crate::extract::{Handler, Rejection};

pub(super) type PromptFuture = BoxFuture<Result<GetPromptResult, ToolError>>;

/// What the registry calls.
pub(super) trait ErasedPrompt: Send + Sync {
    fn start(&self, ctx: &Context) -> Result<PromptFuture, Rejection>;
}

struct Erased<H, M>(H, PhantomData<fn(M)>);

impl<H, M> ErasedPrompt for Erased<H, M>
where
    H: Handler<M>,
    H::Output: IntoPromptOutput,
{
    fn start(&self, ctx: &Context) -> Result<PromptFuture, Rejection> {
        let work = self.0.invoke(ctx)?;
        Ok(Box::pin(async move { work.await.into_prompt_output() }))
    }
}

pub(super) fn erase<H, M>(handler: H) -> Arc<dyn ErasedPrompt>
where
    H: Handler<M>,
    H::Output: IntoPromptOutput,
    M: 'static,
{
    Arc::new(Erased(handler, PhantomData))
}
