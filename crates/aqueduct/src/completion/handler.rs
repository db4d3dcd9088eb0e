//! A completer with its types erased, and the set of them that a prompt or a template carries.

use std::marker::PhantomData;
use std::sync::Arc;

use aqueduct_protocol::completion::CompleteResult;

use super::Completions;
use crate::context::{BoxFuture, Context};
use crate::error::{Error, Repr, ToolError};
use crate::extract::{Handler, Needs, Rejection};

/// What a completer may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not something that completes an argument",
    note = "return `Vec<String>`, `Completions`, or a `Result` of these"
)]
pub trait IntoCompletions {
    /// Makes the completions.
    ///
    /// # Errors
    /// What the completer failed with.
    fn into_completions(self) -> Result<Completions, ToolError>;
}

impl IntoCompletions for Completions {
    fn into_completions(self) -> Result<Completions, ToolError> {
        Ok(self)
    }
}

impl<S: Into<String>> IntoCompletions for Vec<S> {
    fn into_completions(self) -> Result<Completions, ToolError> {
        Ok(Completions::new(self))
    }
}

impl<T: IntoCompletions, E: Into<ToolError>> IntoCompletions for Result<T, E> {
    fn into_completions(self) -> Result<Completions, ToolError> {
        self.map_err(Into::into)?.into_completions()
    }
}

type Completing = BoxFuture<Result<Completions, ToolError>>;

trait ErasedCompleter: Send + Sync {
    fn start(&self, ctx: &Context) -> Result<Completing, Rejection>;
}

struct Erased<H, M>(H, PhantomData<fn(M)>);

impl<H, M> ErasedCompleter for Erased<H, M>
where
    H: Handler<M>,
    H::Output: IntoCompletions,
{
    fn start(&self, ctx: &Context) -> Result<Completing, Rejection> {
        let work = self.0.invoke(ctx)?;
        Ok(Box::pin(async move { work.await.into_completions() }))
    }
}

/// A handler that completes one argument.
#[derive(Clone)]
pub struct Completer {
    handler: Arc<dyn ErasedCompleter>,
    needs: Arc<Needs>,
}

impl Completer {
    /// From an async function of extractors, [`Prefix`](super::Prefix) among them.
    #[must_use]
    pub fn new<H, M>(handler: H) -> Self
    where
        H: Handler<M>,
        H::Output: IntoCompletions,
        M: 'static,
    {
        let mut needs = Needs::default();
        H::describe(&mut needs);
        Self { handler: Arc::new(Erased(handler, PhantomData)), needs: Arc::new(needs) }
    }

    /// From a fixed list: the values that begin with what was typed, whatever its case.
    #[must_use]
    pub fn fixed<S: Into<String>>(values: impl IntoIterator<Item = S>) -> Self {
        let values: Arc<[String]> = values.into_iter().map(Into::into).collect();
        Self::new(move |super::Prefix(typed): super::Prefix| {
            let values = Arc::clone(&values);
            async move {
                let typed = typed.to_lowercase();
                let fits = |value: &&String| value.to_lowercase().starts_with(&typed);
                Completions::new(values.iter().filter(fits).cloned())
            }
        })
    }
}

impl std::fmt::Debug for Completer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Completer")
    }
}

/// The completers of one prompt or template, by argument.
#[derive(Clone, Debug, Default)]
pub(crate) struct Completers(Vec<(String, Completer)>);

impl Completers {
    pub(crate) fn insert(&mut self, argument: String, completer: Completer) {
        self.0.retain(|(name, _)| *name != argument);
        self.0.push((argument, completer));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    pub(crate) fn needs(&self) -> impl Iterator<Item = &Needs> {
        self.0.iter().map(|(_, completer)| &*completer.needs)
    }

    /// Completes the argument; one without a completer has no values.
    pub(crate) async fn complete(
        &self,
        argument: &str,
        ctx: &Context,
    ) -> Result<CompleteResult, Error> {
        let completer = self.0.iter().find(|(name, _)| name == argument);
        let Some((_, completer)) = completer else {
            return Ok(CompleteResult::default());
        };
        let work = completer.handler.start(ctx).map_err(|rejection| match rejection {
            Rejection::Arguments(refusal) => Error::invalid_params(refusal),
            Rejection::Error(error) => error,
        })?;
        let completions = work.await.map_err(|error| match error.into_repr() {
            Repr::Protocol(error) => error,
            Repr::Cause(cause) => Error::internal(cause),
            Repr::Said(_) => Error::internal("a completer failed"),
        })?;
        let mut result = CompleteResult::of(completions.values);
        if let Some(total) = completions.total {
            let given = u64::try_from(result.completion.values.len()).unwrap_or(u64::MAX);
            result.completion.total = Some(total.max(given));
            result.completion.has_more = Some(total > given);
        }
        Ok(result)
    }
}
