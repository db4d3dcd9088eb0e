//! Sets of tools that are only known at run time.

use std::future::Future;
use std::pin::Pin;

use super::Tool;
use crate::context::Context;
use crate::error::Error;
use crate::item::{Changes, Set};

/// A source of tools that are only known at run time: a proxy, an `OpenAPI` document, a database.
///
/// It is asked for each request, so what a caller sees may depend on who he is; what a caller
/// does not see he cannot call. The server's own tools come first, then the providers in the
/// order in which they were added; the first tool of a name wins.
///
/// A tool that cannot be served, for its name or its schema say, is left out of the list and told
/// to the log.
///
/// A [`Tool`] is cheap to clone and remembers its compiled schema: keep the ones you made.
pub trait ToolProvider: Send + Sync + 'static {
    /// The tools that this caller may see.
    ///
    /// # Errors
    /// What answers the request instead.
    fn tools(&self, ctx: &Context) -> impl Future<Output = Result<Vec<Tool>, Error>> + Send;

    /// One tool by its name; the default looks through [`Self::tools`].
    ///
    /// # Errors
    /// What answers the request instead.
    fn tool(
        &self,
        name: &str,
        ctx: &Context,
    ) -> impl Future<Output = Result<Option<Tool>, Error>> + Send {
        async move {
            let tools = self.tools(ctx).await?;
            Ok(tools.into_iter().find(|tool| tool.name() == name))
        }
    }

    /// Takes what tells listeners of changes, once when the server is built; keep it and say
    /// when the set has changed. The default never says so.
    fn watch(&self, changes: Changes) {
        drop(changes);
    }
}

impl ToolProvider for Set<Tool> {
    async fn tools(&self, _: &Context) -> Result<Vec<Tool>, Error> {
        Ok(self.items().to_vec())
    }

    async fn tool(&self, name: &str, _: &Context) -> Result<Option<Tool>, Error> {
        Ok(self.get(name))
    }

    fn watch(&self, changes: Changes) {
        Self::watch(self, changes);
    }
}

type Asked<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// A provider with its type erased.
pub(crate) trait ErasedProvider: Send + Sync {
    fn tools<'a>(&'a self, ctx: &'a Context) -> Asked<'a, Vec<Tool>>;
    fn tool<'a>(&'a self, name: &'a str, ctx: &'a Context) -> Asked<'a, Option<Tool>>;
    fn watch(&self, changes: Changes);
}

impl<P: ToolProvider> ErasedProvider for P {
    fn tools<'a>(&'a self, ctx: &'a Context) -> Asked<'a, Vec<Tool>> {
        Box::pin(ToolProvider::tools(self, ctx))
    }

    fn tool<'a>(&'a self, name: &'a str, ctx: &'a Context) -> Asked<'a, Option<Tool>> {
        Box::pin(ToolProvider::tool(self, name, ctx))
    }

    fn watch(&self, changes: Changes) {
        ToolProvider::watch(self, changes);
    }
}
