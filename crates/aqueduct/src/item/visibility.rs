//! Rules that say who sees what.

use std::fmt;
use std::sync::Arc;

use super::Item;
use crate::context::Context;

type Sees = Arc<dyn Fn(&Item, &Context) -> bool + Send + Sync>;

/// A rule that says which callers see which items.
///
/// A rule is asked on every request, with all that is known of the caller: its principal, its
/// headers and the values that layers put beside it, and what the client says of itself, which
/// anybody may claim. What a caller does not see is not there for him: it is in no list, cannot
/// be called, and asking for it is answered as asking for any unknown name.
/// An item is seen when every rule that concerns it says so.
///
/// ```
/// use aqueduct::item::Visibility;
/// use aqueduct::prelude::*;
///
/// let server = Server::new("notes", "1.0.0")
///     .visibility(Visibility::tagged("admin", |ctx: &Context| {
///         ctx.principal().is_some_and(|caller| caller.has_scope("admin"))
///     }))
///     .visibility(Visibility::by(|item, ctx| {
///         !item.name.starts_with("beta_") || ctx.request().head().headers().contains_key("x-beta")
///     }))
///     .tool(Tool::new("purge").tag("admin").handler(|| async { "gone" }));
/// # let _ = server;
/// ```
#[derive(Clone)]
#[must_use]
pub struct Visibility {
    /// The items that it concerns; all without.
    tag: Option<Arc<str>>,
    sees: Sees,
}

impl Visibility {
    /// A rule for every item.
    pub fn by(sees: impl Fn(&Item, &Context) -> bool + Send + Sync + 'static) -> Self {
        Self { tag: None, sees: Arc::new(sees) }
    }

    /// A rule for the items of this tag.
    pub fn tagged(
        tag: impl Into<Arc<str>>,
        sees: impl Fn(&Context) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self { tag: Some(tag.into()), sees: Arc::new(move |_, ctx| sees(ctx)) }
    }

    /// A rule by which a caller sees what he holds the scopes for, and nothing else.
    ///
    /// Without it everybody sees everything, and a client that calls what it lacks scopes for is
    /// told which: a hidden item cannot make it ask for more.
    pub fn permitted() -> Self {
        Self::by(|item, ctx| ctx.request().head().permits(&item.scopes))
    }

    /// The same for items whose names another server has put a prefix before.
    pub(super) fn within(&self, prefix: &str) -> Self {
        let (sees, prefix) = (Arc::clone(&self.sees), prefix.to_owned());
        let sees = move |item: &Item, ctx: &Context| sees(&item.within(&prefix), ctx);
        Self { tag: self.tag.clone(), sees: Arc::new(sees) }
    }

    /// Does it concern the item?
    pub(super) fn concerns(&self, item: &Item) -> bool {
        self.tag.as_deref().is_none_or(|tag| item.has_tag(tag))
    }

    pub(super) fn shows(&self, item: &Item, ctx: &Context) -> bool {
        (self.sees)(item, ctx)
    }
}

impl fmt::Debug for Visibility {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Visibility").field("tag", &self.tag).finish_non_exhaustive()
    }
}
