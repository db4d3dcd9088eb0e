//! On what terms an item is offered: to whom, through which layers, with whose state.

use std::sync::Arc;

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
    pub(crate) rules: Rules,
    /// The state of the mounted server that brought the item, and that server's name.
    pub(crate) home: Option<(Arc<StateMap>, Arc<str>)>,
}

/// Rules and layers: of one item, or of all items of a server.
#[derive(Clone, Default)]
pub(crate) struct Rules {
    pub(crate) visibility: Vec<Visibility>,
    pub(crate) layers: Layers,
}

impl Terms {
    /// The same item within a mounted server, whose rules come on top of its own.
    pub(crate) fn mount(&mut self, rules: &Rules, home: &(Arc<StateMap>, Arc<str>)) {
        self.rules.visibility.extend(rules.visibility.iter().cloned());
        self.rules.layers.extend(&rules.layers);
        // What an inner server has settled the outer one leaves as it is.
        self.home.get_or_insert_with(|| home.clone());
    }

    pub(crate) fn origin(&self) -> Option<Arc<str>> {
        self.home.as_ref().map(|(_, name)| Arc::clone(name))
    }

    pub(crate) fn state(&self) -> Option<&Arc<StateMap>> {
        self.home.as_ref().map(|(state, _)| state)
    }
}

/// An item as it is offered by a server: all that has to be asked before it is called.
#[derive(Clone)]
pub(crate) struct Offer {
    pub(crate) item: Arc<Item>,
    rules: Vec<Visibility>,
    layers: Layers,
    state: Option<Arc<StateMap>>,
    switch: Option<Switch>,
}

impl Offer {
    /// An item on its own terms and those of the whole server.
    pub(crate) fn new(item: Arc<Item>, terms: &Terms, server: &Rules) -> Self {
        let all = terms.rules.visibility.iter().chain(&server.visibility);
        let rules = all.filter(|rule| rule.concerns(&item)).cloned().collect();
        let mut layers = terms.rules.layers.clone();
        layers.extend(&server.layers);
        Self { item, rules, layers, state: terms.state().cloned(), switch: None }
    }

    /// What a repository holds: only the rules and layers of the whole server are for it.
    pub(crate) fn of_repo(kind: ItemKind, name: &str, server: &Rules) -> Self {
        Self::new(Arc::new(Item::new(kind, name)), &Terms::default(), server)
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

    /// Before the handler runs: it finds the state of the server that brought it.
    pub(crate) fn enter(&self, ctx: &Context) {
        if let Some(state) = &self.state {
            ctx.put_state(Arc::clone(state));
        }
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
    pub(crate) fn show(&self, kind: ItemKind, name: &str, ctx: &Context) -> bool {
        self.visibility.is_empty() || Offer::of_repo(kind, name, self).is_open(ctx)
    }
}
