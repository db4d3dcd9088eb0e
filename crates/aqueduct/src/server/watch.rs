//! Whoever brings items tells listeners when they change.

use crate::item::Changes;
use crate::subscription::Notifier;
use crate::{prompt, resource, tool};

/// Lets every source whose items may change tell listeners of it.
pub(super) fn watch(
    tools: &tool::Registry,
    resources: &resource::Registry,
    prompts: &prompt::Registry,
    notifier: &Notifier,
) {
    let changes = |list_changed: fn(&Notifier)| {
        let notifier = notifier.clone();
        Changes::new(move |uri| match uri {
            None => list_changed(&notifier),
            Some(uri) => notifier.resource_updated(uri),
        })
    };
    for provider in tools.providers() {
        provider.watch(changes(Notifier::tools_changed));
    }
    for provider in resources.providers() {
        provider.watch(changes(Notifier::resources_changed));
    }
    for repo in resources.repos() {
        repo.watch(changes(Notifier::resources_changed));
    }
    for provider in prompts.providers() {
        provider.watch(changes(Notifier::prompts_changed));
    }
    for repo in prompts.repos() {
        repo.watch(changes(Notifier::prompts_changed));
    }
}
