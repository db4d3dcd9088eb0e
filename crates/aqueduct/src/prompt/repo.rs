//! Prompts that come from elsewhere: a directory, a database.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use aqueduct_protocol::cache::CacheHint;
use aqueduct_protocol::prompts::GetPromptResult;

use super::PromptItem;
use crate::context::Context;
use crate::error::ToolError;
use crate::item::{Changes, Terms};
use crate::page::Listing;
use crate::uri::Variables;

/// A source of prompts whose names begin with one prefix.
///
/// Among several repositories the one with the longest prefix that fits answers, and its word is
/// final.
pub trait PromptRepo: Send + Sync + 'static {
    /// What the names of its prompts begin with; empty for all names.
    fn prefix(&self) -> &str;

    /// A page of its prompts, from the place that an earlier page named.
    ///
    /// # Errors
    /// What answers the request instead.
    fn list(
        &self,
        cursor: Option<&str>,
        ctx: &Context,
    ) -> impl Future<Output = Result<Listing<PromptItem>, ToolError>> + Send;

    /// The messages of one prompt.
    ///
    /// # Errors
    /// [`Error::not_found`](crate::Error::not_found) when there is no such prompt; anything else
    /// answers "internal error" unless it is an [`Error`](crate::Error).
    fn get(
        &self,
        name: &str,
        arguments: &Variables,
        ctx: &Context,
    ) -> impl Future<Output = Result<GetPromptResult, ToolError>> + Send;

    /// For how long and for whom its list may be kept; the default is not at all.
    fn cache(&self) -> CacheHint {
        CacheHint::default()
    }

    /// Takes what tells listeners of changes, once when the server is built; keep it and say
    /// when the list has changed. The default never says so.
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
    pub fn new(repo: impl PromptRepo) -> Self {
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
    ) -> Asked<'a, Listing<PromptItem>>;
    fn get<'a>(
        &'a self,
        name: &'a str,
        arguments: &'a Variables,
        ctx: &'a Context,
    ) -> Asked<'a, GetPromptResult>;
}

impl<R: PromptRepo> ErasedRepo for R {
    fn prefix(&self) -> &str {
        PromptRepo::prefix(self)
    }

    fn cache(&self) -> CacheHint {
        PromptRepo::cache(self)
    }

    fn watch(&self, changes: Changes) {
        PromptRepo::watch(self, changes);
    }

    fn list<'a>(
        &'a self,
        cursor: Option<&'a str>,
        ctx: &'a Context,
    ) -> Asked<'a, Listing<PromptItem>> {
        Box::pin(PromptRepo::list(self, cursor, ctx))
    }

    fn get<'a>(
        &'a self,
        name: &'a str,
        arguments: &'a Variables,
        ctx: &'a Context,
    ) -> Asked<'a, GetPromptResult> {
        Box::pin(PromptRepo::get(self, name, arguments, ctx))
    }
}
