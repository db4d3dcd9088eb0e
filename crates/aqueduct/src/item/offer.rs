//! On what terms an item is offered: to whom, through which layers, with whose state.

use std::sync::Arc;
use std::time::Duration;

use super::layer::Layers;
use super::switch::{Switch, Switches};
use super::visibility::Visibility;
use super::{Item, ItemKind};
use crate::call::Outcome;
use crate::context::{BoxFuture, Context, StateMap};
use crate::error::Error;

/// What the author of an item said beside its description.
#[derive(Clone, Default)]
pub(crate) struct Terms {
    pub(crate) tags: Vec<String>,
    /// What a caller must be permitted.
    pub(crate) scopes: Vec<String>,
    pub(crate) rules: Rules,
    /// The mounted server that brought the item.
    pub(crate) home: Option<Home>,
}

/// What the items of a mounted server find as if it served them itself.
#[derive(Clone)]
pub(crate) struct Home {
    pub(crate) name: Arc<str>,
    pub(crate) state: Arc<StateMap>,
    pub(crate) timeout: Duration,
}

/// Rules and layers: of one item, or of all items of a server.
#[derive(Clone, Default)]
pub(crate) struct Rules {
    pub(crate) visibility: Vec<Visibility>,
    pub(crate) layers: Layers,
}

impl Terms {
    /// The same item within a mounted server, whose rules come on top of its own.
    ///
    /// Its own know it by its name without the prefix, and so do those of that server.
    pub(crate) fn mount(&mut self, prefix: &str, rules: &Rules, home: &Home) {
        for rule in &mut self.rules.visibility {
            *rule = rule.within(prefix);
        }
        self.rules.visibility.extend(rules.visibility.iter().cloned());
        self.rules.layers.extend(&rules.layers);
        // What an inner server has settled the outer one leaves as it is.
        self.home.get_or_insert_with(|| home.clone());
    }

    pub(crate) fn origin(&self) -> Option<Arc<str>> {
        self.home.as_ref().map(|home| Arc::clone(&home.name))
    }

    pub(crate) fn state(&self) -> Option<&Arc<StateMap>> {
        self.home.as_ref().map(|home| &home.state)
    }
}

/// An item as it is offered by a server: all that has to be asked before it is called.
#[derive(Clone)]
pub(crate) struct Offer {
    pub(crate) item: Arc<Item>,
    rules: Vec<Visibility>,
    layers: Layers,
    home: Option<Home>,
    switch: Option<Switch>,
}

impl Offer {
    /// An item on its own terms and those of the whole server.
    pub(crate) fn new(item: Arc<Item>, terms: &Terms, server: &Rules) -> Self {
        let all = terms.rules.visibility.iter().chain(&server.visibility);
        let rules = all.filter(|rule| rule.concerns(&item)).cloned().collect();
        let mut layers = terms.rules.layers.clone();
        layers.extend(&server.layers);
        Self { item, rules, layers, home: terms.home.clone(), switch: None }
    }

    /// What a repository holds; a mounted one has terms.
    pub(crate) fn of_repo(
        kind: ItemKind,
        name: &str,
        terms: Option<&Terms>,
        server: &Rules,
    ) -> Self {
        let none = Terms::default();
        let terms = terms.unwrap_or(&none);
        let mut item = Item::new(kind, name);
        item.origin = terms.origin();
        Self::new(Arc::new(item), terms, server)
    }

    /// The same, with a switch.
    pub(crate) fn switched(mut self, switches: &Switches) -> Self {
        self.switch = Some(switches.switch(&self.item.name));
        self
    }

    /// Is it there for this caller?
    pub(crate) fn is_open(&self, ctx: &Context) -> bool {
        self.switch.as_ref().is_none_or(Switch::is_on)
            && self.rules.iter().all(|rule| rule.shows(&self.item, ctx))
    }

    /// Does it depend on the caller whether it is there?
    pub(crate) fn is_ruled(&self) -> bool {
        !self.rules.is_empty()
    }

    pub(crate) fn has_layers(&self) -> bool {
        !self.layers.is_empty()
    }

    /// Does the caller hold the scopes that it needs?
    pub(crate) fn permits(&self, ctx: &Context) -> bool {
        ctx.request().head().permits(&self.item.scopes)
    }

    /// Before the handler runs: the caller must be permitted, and then it finds the state of the
    /// server that brought it.
    ///
    /// # Errors
    /// When the caller lacks scopes.
    pub(crate) fn enter(&self, ctx: &Context) -> Result<(), Error> {
        if !self.permits(ctx) {
            return Err(Error::insufficient_scope(self.item.scopes.iter().cloned()));
        }
        if let Some(home) = &self.home {
            ctx.put_state(Arc::clone(&home.state));
        }
        Ok(())
    }

    /// How long the handler may take, when the server that brought it says so.
    pub(crate) fn timeout(&self) -> Option<Duration> {
        self.home.as_ref().map(|home| home.timeout)
    }

    /// Serves a call through the layers.
    pub(crate) fn run(
        &self,
        ctx: &Context,
        inner: BoxFuture<Result<Outcome, Error>>,
    ) -> BoxFuture<Result<Outcome, Error>> {
        self.layers.run(Arc::clone(&self.item), ctx, inner)
    }
}

impl Rules {
    /// May this caller see what a repository has under this name?
    pub(crate) fn show(
        &self,
        kind: ItemKind,
        name: &str,
        terms: Option<&Terms>,
        ctx: &Context,
    ) -> bool {
        let has_own = terms.is_some_and(|terms| !terms.rules.visibility.is_empty());
        let is_free = self.visibility.is_empty() && !has_own;
        is_free || Offer::of_repo(kind, name, terms, self).is_open(ctx)
    }

    /// The same for items whose names another server has put a prefix before.
    pub(crate) fn within(&self, prefix: &str) -> Self {
        let visibility = self.visibility.iter().map(|rule| rule.within(prefix)).collect();
        Self { visibility, layers: self.layers.within(prefix) }
    }
}
