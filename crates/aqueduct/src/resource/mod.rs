//! Resources: what a client may read, by its URI, by a template, or from a repository.

mod builder;
mod compile;
#[cfg(unix)]
mod file_root;
mod handler;
mod output;
mod page;
mod provider;
mod registry;
mod repo;

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use aqueduct_protocol::cache::CacheHint;
use aqueduct_protocol::content::Annotations;
use aqueduct_protocol::icons::Icon;
use aqueduct_protocol::meta::Meta;

use self::compile::Compiled;
use self::handler::ErasedResource;
use crate::completion::Completers;
use crate::extract::Needs;
use crate::item::Terms;

#[cfg(unix)]
pub use self::file_root::{FileContents, FileEntry, FileError, FileRoot};
pub use self::output::{About, IntoResourceOutput};
pub(crate) use self::provider::ErasedProvider;
pub use self::provider::{AnyResource, ResourceProvider};
pub(crate) use self::registry::{Entry, Found, Registry, Sources};
pub(crate) use self::repo::ErasedRepo;
pub use self::repo::{ResourceRepo, SharedRepo, Wanted};
pub use aqueduct_protocol::resources::Resource as ResourceItem;
pub use aqueduct_protocol::resources::ResourceTemplate as ResourceTemplateItem;
pub use aqueduct_protocol::resources::{ReadResourceResult, ResourceContents};

/// A resource at one URI.
///
/// ```
/// use aqueduct::prelude::*;
///
/// let welcome = Resource::new("notes://welcome", "welcome")
///     .mime_type("text/plain")
///     .handler(|| async { "Hello" });
/// # let _ = welcome;
/// ```
#[derive(Clone)]
pub struct Resource(Arc<Definition>);

/// All resources of one form, described by a URI template (RFC 6570).
///
/// ```
/// use aqueduct::prelude::*;
///
/// #[args]
/// struct Note { name: String }
///
/// let notes = ResourceTemplate::new("notes://{name}", "note")
///     .mime_type("text/plain")
///     .handler(|Args(note): Args<Note>| async move { format!("the note {}", note.name) });
/// # let _ = notes;
/// ```
#[derive(Clone)]
pub struct ResourceTemplate(Arc<Definition>);

/// What the two have in common; `uri` is a template for the second.
#[derive(Clone)]
struct Definition {
    uri: Cow<'static, str>,
    name: Cow<'static, str>,
    title: Option<String>,
    description: Option<Cow<'static, str>>,
    mime_type: Option<Cow<'static, str>>,
    icons: Vec<Icon>,
    annotations: Option<Annotations>,
    meta: Option<Meta>,
    size: Option<u64>,
    cache: Option<CacheHint>,
    completers: Completers,
    terms: Terms,
    handler: Option<Arc<dyn ErasedResource>>,
    needs: Arc<Needs>,
    /// Filled at the first use; a change of the definition starts anew.
    compiled: OnceLock<Result<Arc<Compiled>, String>>,
}

impl fmt::Debug for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resource").field("uri", &self.0.uri).finish_non_exhaustive()
    }
}

impl fmt::Debug for ResourceTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResourceTemplate").field("uri", &self.0.uri).finish_non_exhaustive()
    }
}
