//! A bundle of items that depends on who asks.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::Server;
use crate::context::Context;
use crate::error::Error;
use crate::item::{Changes, ItemKind};
use crate::prompt::{self, Prompt};
use crate::resource::{self, AnyResource};
use crate::subscription::Notifier;
use crate::tool::{self, Tool};

/// A bundle of tools, prompts and resources that is made anew for each request.
///
/// What it leaves out for a caller is not there for him: neither listed nor callable. What was
/// registered by hand comes first, then providers and extensions in the order in which they were
/// added. Only what a request needs is asked for: a call of a tool asks for no prompts.
///
/// ```
/// use aqueduct::prelude::*;
/// use aqueduct::server::Extension;
///
/// struct Admin {
///     purge: Tool,
/// }
///
/// impl Extension for Admin {
///     async fn tools(&self, ctx: &Context) -> Result<Vec<Tool>, Error> {
///         let is_admin = ctx.principal().is_some_and(|caller| caller.has_scope("admin"));
///         Ok(if is_admin { vec![self.purge.clone()] } else { Vec::new() })
///     }
/// }
///
/// let admin = Admin { purge: Tool::new("purge").handler(|| async { "gone" }) };
/// let server = Server::new("notes", "1.0.0").extension(admin);
/// # let _ = server;
/// ```
pub trait Extension: Send + Sync + 'static {
    /// The kinds of items that it may bring, which the server's capabilities follow; all of them
    /// by default.
    fn kinds(&self) -> &[ItemKind] {
        &[ItemKind::Tool, ItemKind::Prompt, ItemKind::Resource]
    }

    /// The tools that this caller may see.
    ///
    /// # Errors
    /// What answers the request instead.
    fn tools(&self, ctx: &Context) -> impl Future<Output = Result<Vec<Tool>, Error>> + Send {
        let _ = ctx;
        async { Ok(Vec::new()) }
    }

    /// The prompts that this caller may see.
    ///
    /// # Errors
    /// What answers the request instead.
    fn prompts(&self, ctx: &Context) -> impl Future<Output = Result<Vec<Prompt>, Error>> + Send {
        let _ = ctx;
        async { Ok(Vec::new()) }
    }

    /// The sources of prompts that this caller may see.
    ///
    /// # Errors
    /// What answers the request instead.
    fn prompt_repos(
        &self,
        ctx: &Context,
    ) -> impl Future<Output = Result<Vec<prompt::SharedRepo>, Error>> + Send {
        let _ = ctx;
        async { Ok(Vec::new()) }
    }

    /// The resources and templates that this caller may see.
    ///
    /// # Errors
    /// What answers the request instead.
    fn resources(
        &self,
        ctx: &Context,
    ) -> impl Future<Output = Result<Vec<AnyResource>, Error>> + Send {
        let _ = ctx;
        async { Ok(Vec::new()) }
    }

    /// The sources of resources that this caller may see.
    ///
    /// # Errors
    /// What answers the request instead.
    fn resource_repos(
        &self,
        ctx: &Context,
    ) -> impl Future<Output = Result<Vec<resource::SharedRepo>, Error>> + Send {
        let _ = ctx;
        async { Ok(Vec::new()) }
    }

    /// Takes what tells listeners of changes, once when the server is built; the default never
    /// says that anything has changed.
    fn watch(&self, notifier: Notifier) {
        drop(notifier);
    }
}

impl Server {
    /// Adds a bundle of tools, prompts and resources that depends on who asks.
    #[must_use]
    pub fn extension(mut self, extension: impl Extension) -> Self {
        let offered = Arc::new(Offered(extension));
        for kind in offered.0.kinds() {
            match kind {
                ItemKind::Tool => self.tool_providers.push(Arc::clone(&offered) as _),
                ItemKind::Prompt => self.prompt_providers.push(Arc::clone(&offered) as _),
                ItemKind::Resource | ItemKind::ResourceTemplate => {
                    self.resource_providers.push(Arc::clone(&offered) as _);
                }
            }
        }
        self.watchers.push(Box::new(move |notifier| offered.0.watch(notifier)));
        self
    }
}

/// An extension, as the three providers that it is.
struct Offered<E>(E);

type Asked<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

impl<E: Extension> tool::ErasedProvider for Offered<E> {
    fn tools<'a>(&'a self, ctx: &'a Context) -> Asked<'a, Vec<Tool>> {
        Box::pin(self.0.tools(ctx))
    }

    fn tool<'a>(&'a self, name: &'a str, ctx: &'a Context) -> Asked<'a, Option<Tool>> {
        Box::pin(async move {
            let tools = self.0.tools(ctx).await?;
            Ok(tools.into_iter().find(|tool| tool.name() == name))
        })
    }

    // An extension tells the notifier itself.
    fn watch(&self, _: Changes) {}
}

impl<E: Extension> prompt::ErasedProvider for Offered<E> {
    fn prompts<'a>(&'a self, ctx: &'a Context) -> Asked<'a, Vec<Prompt>> {
        Box::pin(self.0.prompts(ctx))
    }

    fn repos<'a>(&'a self, ctx: &'a Context) -> Asked<'a, Vec<prompt::SharedRepo>> {
        Box::pin(self.0.prompt_repos(ctx))
    }

    fn watch(&self, _: Changes) {}
}

impl<E: Extension> resource::ErasedProvider for Offered<E> {
    fn resources<'a>(&'a self, ctx: &'a Context) -> Asked<'a, Vec<AnyResource>> {
        Box::pin(self.0.resources(ctx))
    }

    fn repos<'a>(&'a self, ctx: &'a Context) -> Asked<'a, Vec<resource::SharedRepo>> {
        Box::pin(self.0.resource_repos(ctx))
    }

    fn watch(&self, _: Changes) {}
}
