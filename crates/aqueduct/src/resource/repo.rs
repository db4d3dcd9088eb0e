//! Resources that come from elsewhere: a directory, a database, another service.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use aqueduct_protocol::cache::CacheHint;
use aqueduct_protocol::resources::ReadResourceResult;

use super::{ResourceItem, ResourceTemplateItem};
use crate::context::Context;
use crate::error::{Error, ToolError};
use crate::item::{Changes, Terms};
use crate::page::Listing;
use crate::uri::Variables;

/// A URI that a client wants to read, and what the repository's template found in it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Wanted {
    /// The URI as the client sent it.
    pub uri: String,
    /// The variables of the repository's template, decoded once; `None` when it has no template
    /// or the URI does not match it.
    pub variables: Option<Variables>,
}

impl Wanted {
    /// A variable of the template, when it is one string.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables.as_ref()?.get(name)
    }

    /// The error that says that there is nothing at this URI.
    #[must_use]
    pub fn not_found(&self) -> Error {
        Error::resource_not_found(&self.uri)
    }
}

/// A source of resources whose URIs begin with one prefix.
///
/// Among several repositories the one with the longest prefix that fits answers, and its word is
/// final. What was registered by hand, fixed or by template, comes before all repositories.
///
/// ```
/// use aqueduct::prelude::*;
/// use aqueduct::resource::{ReadResourceResult, ResourceItem, ResourceRepo, Wanted};
/// use aqueduct::page::Listing;
///
/// struct Readme;
///
/// impl ResourceRepo for Readme {
///     fn prefix(&self) -> &str {
///         "file:///"
///     }
///
///     async fn list(&self, _: Option<&str>, _: &Context) -> Result<Listing<ResourceItem>> {
///         Ok(Listing::new([ResourceItem::new("file:///readme.txt", "README")]))
///     }
///
///     async fn read(&self, wanted: &Wanted, _: &Context) -> Result<ReadResourceResult> {
///         match wanted.uri.as_str() {
///             uri @ "file:///readme.txt" => Ok(ReadResourceResult::text(uri, "Hello world")),
///             _ => Err(wanted.not_found().into()),
///         }
///     }
/// }
/// ```
pub trait ResourceRepo: Send + Sync + 'static {
    /// What the URIs of its resources begin with.
    fn prefix(&self) -> &str;

    /// The template of its resources, for `resources/templates/list` and for reading variables.
    fn template(&self) -> Option<ResourceTemplateItem> {
        None
    }

    /// Takes a URI apart in the repository's own way, before the template is tried.
    ///
    /// # Errors
    /// What answers the request instead.
    fn parse_uri(&self, uri: &str) -> Result<Option<Variables>, Error> {
        let _ = uri;
        Ok(None)
    }

    /// A page of its resources, from the place that an earlier page named; the default lists none.
    ///
    /// # Errors
    /// What answers the request instead.
    fn list(
        &self,
        cursor: Option<&str>,
        ctx: &Context,
    ) -> impl Future<Output = Result<Listing<ResourceItem>, ToolError>> + Send {
        let _ = (cursor, ctx);
        async { Ok(Listing::default()) }
    }

    /// The contents of one resource.
    ///
    /// # Errors
    /// [`Wanted::not_found`] when there is none; anything else answers "internal error" unless it
    /// is an [`Error`].
    fn read(
        &self,
        wanted: &Wanted,
        ctx: &Context,
    ) -> impl Future<Output = Result<ReadResourceResult, ToolError>> + Send;

    /// For how long and for whom its list may be kept; the default is not at all.
    fn cache(&self) -> CacheHint {
        CacheHint::default()
    }

    /// Takes what tells listeners of changes, once when the server is built; keep it and say
    /// when the list or a resource has changed. The default never says so.
    fn watch(&self, changes: Changes) {
        drop(changes);
    }
}

/// A repository that several owners share; cheap to clone.
#[derive(Clone)]
pub struct SharedRepo(pub(crate) Arc<dyn ErasedRepo>);

impl SharedRepo {
    /// Shares a repository.
    #[must_use]
    pub fn new(repo: impl ResourceRepo) -> Self {
        Self(Arc::new(repo))
    }
}

impl fmt::Debug for SharedRepo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SharedRepo").field(&self.0.prefix()).finish()
    }
}

type Asked<'a, T> = Pin<Box<dyn Future<Output = Result<T, ToolError>> + Send + 'a>>;

/// A repository with its type erased.
pub(crate) trait ErasedRepo: Send + Sync {
    fn prefix(&self) -> &str;
    fn template(&self) -> Option<ResourceTemplateItem>;
    fn parse_uri(&self, uri: &str) -> Result<Option<Variables>, Error>;
    fn cache(&self) -> CacheHint;
    fn watch(&self, changes: Changes);

    /// On what terms it is offered, when it belongs to a mounted server.
    fn terms(&self) -> Option<&Terms> {
        None
    }

    fn list<'a>(
        &'a self,
        cursor: Option<&'a str>,
        ctx: &'a Context,
    ) -> Asked<'a, Listing<ResourceItem>>;
    fn read<'a>(&'a self, wanted: &'a Wanted, ctx: &'a Context) -> Asked<'a, ReadResourceResult>;
}

impl<R: ResourceRepo> ErasedRepo for R {
    fn prefix(&self) -> &str {
        ResourceRepo::prefix(self)
    }

    fn template(&self) -> Option<ResourceTemplateItem> {
        ResourceRepo::template(self)
    }

    fn parse_uri(&self, uri: &str) -> Result<Option<Variables>, Error> {
        ResourceRepo::parse_uri(self, uri)
    }

    fn cache(&self) -> CacheHint {
        ResourceRepo::cache(self)
    }

    fn watch(&self, changes: Changes) {
        ResourceRepo::watch(self, changes);
    }

    fn list<'a>(
        &'a self,
        cursor: Option<&'a str>,
        ctx: &'a Context,
    ) -> Asked<'a, Listing<ResourceItem>> {
        Box::pin(ResourceRepo::list(self, cursor, ctx))
    }

    fn read<'a>(&'a self, wanted: &'a Wanted, ctx: &'a Context) -> Asked<'a, ReadResourceResult> {
        Box::pin(ResourceRepo::read(self, wanted, ctx))
    }
}
