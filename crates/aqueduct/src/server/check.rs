//! What is checked of a server as a whole, before its first call.

use std::sync::Arc;

use aqueduct_protocol::icons::Implementation;

use crate::context::StateMap;
use crate::extract::Needs;
use crate::item::Item;
use crate::{prompt, resource, tool};

pub(super) fn info(info: &Implementation, problems: &mut Vec<String>) {
    for icon in info.icons.iter().flatten() {
        if let Some(problem) = crate::error::icon_problem(icon) {
            problems.push(format!("the server's {problem}"));
        }
    }
    for (what, value) in [("name", &info.name), ("version", &info.version)] {
        if value.is_empty() {
            problems.push(format!("the server's {what} is empty"));
        }
    }
}

/// Every handler must find the state that it asks for.
pub(super) fn needs(
    tools: &tool::Registry,
    resources: &resource::Registry,
    prompts: &prompt::Registry,
    state: &StateMap,
    problems: &mut Vec<String>,
) {
    let mut check = |item: &Item, wanted: &Needs, own: Option<&Arc<StateMap>>| {
        let held = own.map_or(state, |own| own);
        for (_, type_name) in wanted.states.iter().filter(|(id, _)| !held.has(*id)) {
            let Item { kind, name, .. } = item;
            problems.push(format!(
                "{kind} {name:?} asks for State<{type_name}>, and the server has none; add \
                 .state(…) with a value of that type"
            ));
        }
    };
    for entry in tools.entries() {
        check(&entry.offer.item, entry.tool.needs(), entry.tool.state());
    }
    for entry in resources.fixed().iter().chain(resources.templates()) {
        for needs in entry.resource.needs() {
            check(&entry.offer.item, needs, entry.state.as_ref());
        }
    }
    for entry in prompts.entries() {
        for needs in entry.prompt.needs() {
            check(&entry.offer.item, needs, entry.state.as_ref());
        }
    }
}
