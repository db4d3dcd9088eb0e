//! Sets of resources that are only known at run time.

use std::future::Future;
use std::pin::Pin;

use super::repo::SharedRepo;
use super::{Resource, ResourceTemplate};
use crate::context::Context;
use crate::error::Error;
use crate::item::{Changes, Named, Set};

/// A resource at one URI, or all those of a template.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum AnyResource {
    /// At one URI.
    Fixed(Resource),
    /// By a template.
    Template(ResourceTemplate),
}

impl From<Resource> for AnyResource {
    fn from(resource: Resource) -> Self {
        Self::Fixed(resource)
    }
}

impl From<ResourceTemplate> for AnyResource {
    fn from(template: ResourceTemplate) -> Self {
        Self::Template(template)
    }
}

impl Named for AnyResource {
    fn name(&self) -> &str {
        match self {
            Self::Fixed(resource) => resource.uri(),
            Self::Template(template) => template.uri(),
        }
    }
}

/// A source of resources and templates that are only known at run time.
///
/// It is asked for each request, so what a caller sees may depend on who he is. What was
/// registered by hand comes first, then the providers in the order in which they were added, then
/// the repositories. A [`ResourceRepo`](super::ResourceRepo) is for resources that are too many
/// to be made one by one.
///
/// A [`Resource`] is cheap to clone: keep the ones you made.
pub trait ResourceProvider: Send + Sync + 'static {
    /// The resources and templates that this caller may see.
    ///
    /// # Errors
    /// What answers the request instead.
    fn resources(
        &self,
        ctx: &Context,
    ) -> impl Future<Output = Result<Vec<AnyResource>, Error>> + Send;

    /// Takes what tells listeners of changes, once when the server is built; keep it and say
    /// when the set or a resource has changed. The default never says so.
    fn watch(&self, changes: Changes) {
        drop(changes);
    }
}

impl ResourceProvider for Set<AnyResource> {
    async fn resources(&self, _: &Context) -> Result<Vec<AnyResource>, Error> {
        Ok(self.items().to_vec())
    }

    fn watch(&self, changes: Changes) {
        Self::watch(self, changes);
    }
}

type Asked<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// A provider with its type erased.
pub(crate) trait ErasedProvider: Send + Sync {
    fn resources<'a>(&'a self, ctx: &'a Context) -> Asked<'a, Vec<AnyResource>>;

    /// The repositories that this caller may see; only extensions have any.
    fn repos<'a>(&'a self, ctx: &'a Context) -> Asked<'a, Vec<SharedRepo>> {
        let _ = ctx;
        Box::pin(async { Ok(Vec::new()) })
    }

    fn watch(&self, changes: Changes);
}

impl<P: ResourceProvider> ErasedProvider for P {
    fn resources<'a>(&'a self, ctx: &'a Context) -> Asked<'a, Vec<AnyResource>> {
        Box::pin(ResourceProvider::resources(self, ctx))
    }

    fn watch(&self, changes: Changes) {
        ResourceProvider::watch(self, changes);
    }
}
