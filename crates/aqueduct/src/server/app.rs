//! How a server is given pages, and the check that each tool's page is there.

use std::borrow::Cow;

use aqueduct_protocol::apps;

use super::Server;
use crate::app::{App, of_address};
use crate::dispatch::Options;
use crate::{resource, tool};

impl Server {
    /// Adds a page that hosts show beside the results of the tools that name it (SEP-1865).
    #[must_use]
    pub fn app(mut self, app: App) -> Self {
        self.problems.extend(app.problems());
        self.resource(app.into_resource())
    }

    /// Adds a page at this `ui://` address: a whole HTML5 document that reaches nothing outside.
    ///
    /// [`app`](Self::app) is for pages that have more to say of themselves.
    #[must_use]
    pub fn app_html(
        self,
        uri: impl Into<Cow<'static, str>>,
        html: impl Into<Cow<'static, str>>,
    ) -> Self {
        let uri = uri.into();
        let name = uri.rsplit('/').next().unwrap_or_default().to_owned();
        self.app(App::new(uri, name, html))
    }
}

/// Every page that a tool names must be there (SEP-1865 › Resource Discovery).
pub(super) fn check(
    tools: &tool::Registry,
    resources: &resource::Registry,
    problems: &mut Vec<String>,
) {
    for tool in tools.entries().iter().map(|entry| &entry.tool) {
        let Some(uri) = tool.page() else { continue };
        let name = tool.name();
        match of_address(uri) {
            Some(problem) => problems.push(format!("tool {name:?}: ui: {problem}")),
            None if resources.may_serve(uri) => {}
            None => problems.push(format!(
                "tool {name:?}: no resource serves its page {uri:?}; add one with \
                 .app_html({uri:?}, …)"
            )),
        }
    }
}

/// A server with pages says so.
pub(super) fn declare(tools: &tool::Registry, resources: &resource::Registry, to: &mut Options) {
    let has_tools = tools.entries().iter().any(|entry| entry.tool.has_ui());
    if has_tools || resources.has_scheme(apps::SCHEME) {
        to.extensions.entry(apps::EXTENSION.to_owned()).or_default();
    }
}
