//! Sets of prompts that are only known at run time.

use std::future::Future;
use std::pin::Pin;

use super::Prompt;
use super::repo::SharedRepo;
use crate::context::Context;
use crate::error::Error;
use crate::item::{Changes, Set};

/// A source of prompts that are only known at run time.
///
/// It is asked for each request, so what a caller sees may depend on who he is. The server's own
/// prompts come first, then the providers in the order in which they were added, then the
/// repositories; the first prompt of a name wins. A [`PromptRepo`](super::PromptRepo) is for
/// prompts that are too many to be made one by one.
///
/// A [`Prompt`] is cheap to clone: keep the ones you made.
pub trait PromptProvider: Send + Sync + 'static {
    /// The prompts that this caller may see.
    ///
    /// # Errors
    /// What answers the request instead.
    fn prompts(&self, ctx: &Context) -> impl Future<Output = Result<Vec<Prompt>, Error>> + Send;

    /// Takes what tells listeners of changes, once when the server is built; keep it and say
    /// when the set has changed. The default never says so.
    fn watch(&self, changes: Changes) {
        drop(changes);
    }
}

impl PromptProvider for Set<Prompt> {
    async fn prompts(&self, _: &Context) -> Result<Vec<Prompt>, Error> {
        Ok(self.items().to_vec())
    }

    fn watch(&self, changes: Changes) {
        Self::watch(self, changes);
    }
}

type Asked<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// A provider with its type erased.
pub(crate) trait ErasedProvider: Send + Sync {
    fn prompts<'a>(&'a self, ctx: &'a Context) -> Asked<'a, Vec<Prompt>>;

    /// The repositories that this caller may see; only extensions have any.
    fn repos<'a>(&'a self, ctx: &'a Context) -> Asked<'a, Vec<SharedRepo>> {
        let _ = ctx;
        Box::pin(async { Ok(Vec::new()) })
    }

    fn watch(&self, changes: Changes);
}

impl<P: PromptProvider> ErasedProvider for P {
    fn prompts<'a>(&'a self, ctx: &'a Context) -> Asked<'a, Vec<Prompt>> {
        Box::pin(PromptProvider::prompts(self, ctx))
    }

    fn watch(&self, changes: Changes) {
        PromptProvider::watch(self, changes);
    }
}
