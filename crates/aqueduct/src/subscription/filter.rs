//! What a listener wants to be told, as far as the server will tell it.

use std::collections::BTreeSet;

use aqueduct_protocol::jsonrpc::Param;
use aqueduct_protocol::subscriptions::SubscriptionFilter;

use crate::context::{Context, object};
use crate::error::Error;

/// How many resources one listener may watch.
const MAX_URIS: usize = 256;
/// How long the URI of one may be.
const MAX_URI: usize = 4 * 1024;
/// How many tasks one listener may follow.
const MAX_TASKS: usize = 256;

/// Which lists a server has, and so which changes there can be.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Offered {
    pub(crate) tools: bool,
    pub(crate) prompts: bool,
    pub(crate) resources: bool,
}

/// The part of a filter that is honoured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Honoured {
    pub(super) tools: bool,
    pub(super) prompts: bool,
    pub(super) resources: bool,
    pub(super) uris: BTreeSet<String>,
    pub(super) tasks: BTreeSet<String>,
}

/// Reads the filter of a listen request.
pub(super) fn read(ctx: &Context, offered: Offered) -> Result<Honoured, Error> {
    let raw = ctx
        .request()
        .param(Param::Notifications)
        .ok_or_else(|| Error::invalid_params("params.notifications is missing"))?;
    let asked: SubscriptionFilter =
        object(raw).map_err(|why| Error::invalid_params(format!("params.notifications {why}")))?;
    let uris = asked.resource_subscriptions.unwrap_or_default();
    if uris.len() > MAX_URIS || uris.iter().any(|uri| uri.len() > MAX_URI) {
        return Err(Error::invalid_params(format!(
            "a listener may watch {MAX_URIS} resources, each with a URI of at most {MAX_URI} bytes"
        )));
    }
    let tasks = asked.task_ids.unwrap_or_default();
    if tasks.len() > MAX_TASKS {
        return Err(Error::invalid_params(format!("a listener may follow {MAX_TASKS} tasks")));
    }
    let on = |asked: Option<bool>, offered: bool| asked == Some(true) && offered;
    Ok(Honoured {
        tools: on(asked.tools_list_changed, offered.tools),
        prompts: on(asked.prompts_list_changed, offered.prompts),
        resources: on(asked.resources_list_changed, offered.resources),
        uris: if offered.resources { uris.into_iter().collect() } else { BTreeSet::new() },
        tasks: tasks.into_iter().collect(),
    })
}

impl Honoured {
    /// As the acknowledgement says it: what is not honoured is left out.
    pub(super) fn told(&self) -> SubscriptionFilter {
        let mut told = SubscriptionFilter::default();
        told.tools_list_changed = self.tools.then_some(true);
        told.prompts_list_changed = self.prompts.then_some(true);
        told.resources_list_changed = self.resources.then_some(true);
        if !self.uris.is_empty() {
            told.resource_subscriptions = Some(self.uris.iter().cloned().collect());
        }
        if !self.tasks.is_empty() {
            told.task_ids = Some(self.tasks.iter().cloned().collect());
        }
        told
    }

    /// The part that a handler honours too.
    pub(super) fn narrow(&mut self, honoured: &SubscriptionFilter) {
        self.tools &= honoured.tools_list_changed == Some(true);
        self.prompts &= honoured.prompts_list_changed == Some(true);
        self.resources &= honoured.resources_list_changed == Some(true);
        let uris = honoured.resource_subscriptions.as_deref().unwrap_or_default();
        self.uris.retain(|uri| uris.contains(uri));
    }

    /// The watched URI that a change at `uri` belongs to: itself, or one that it lies below.
    pub(super) fn watches(&self, uri: &str) -> bool {
        if self.uris.contains(uri) {
            return true;
        }
        self.uris.iter().any(|watched| {
            uri.strip_prefix(watched.as_str()).is_some_and(|rest| {
                watched.ends_with('/') || rest.starts_with('/') || rest.starts_with('#')
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watched_resource_stands_for_what_lies_below_it_and_for_nothing_beside() {
        let honoured = Honoured {
            uris: ["notes://a".to_owned(), "file:///d/".to_owned()].into(),
            ..Honoured::default()
        };
        for (uri, watched) in [
            ("notes://a", true),
            ("notes://a/b", true),
            ("notes://ab", false),
            ("notes://b", false),
            ("file:///d/x", true),
            ("file:///dx", false),
        ] {
            assert_eq!(honoured.watches(uri), watched, "{uri}");
        }
    }
}
