//! The page that shows a tool's results (MCP Apps), and for whom the tool is.

use aqueduct_protocol::apps::{self, ToolUi, UiVisibility};
use aqueduct_protocol::content::ContentBlock;
use aqueduct_protocol::meta::Meta;
use aqueduct_protocol::tools::CallToolResult;

use super::Tool;

impl Tool {
    /// The page that shows the results, at a `ui://` address that the server serves (SEP-1865).
    ///
    /// Hosts without pages show the `content` of the results instead. A server without a resource
    /// at this address is refused when it is built.
    ///
    /// ```
    /// use aqueduct::prelude::*;
    ///
    /// let clock = Tool::new("clock").ui("ui://clock/face").handler(|| async { "It is noon" });
    /// let page = "<!doctype html><title>Clock</title><p>noon";
    /// let server = Server::new("clock", "1.0.0").tool(clock).app_html("ui://clock/face", page);
    /// assert!(server.build().is_ok());
    /// ```
    #[must_use]
    pub fn ui(self, uri: impl Into<String>) -> Self {
        self.show(|ui| ui.resource_uri = Some(uri.into()))
    }

    /// The tool is for pages of this server alone: hosts that know pages hide it from the model.
    ///
    /// It is listed and callable like any other, so it is no place for secrets.
    #[must_use]
    pub fn app_only(self) -> Self {
        self.show(|ui| ui.visibility = Some(vec![UiVisibility::App]))
    }

    /// The tool is for the model alone: hosts refuse the calls of pages.
    #[must_use]
    pub fn model_only(self) -> Self {
        self.show(|ui| ui.visibility = Some(vec![UiVisibility::Model]))
    }

    fn show(self, change: impl FnOnce(&mut ToolUi)) -> Self {
        self.change(|tool| change(tool.ui.get_or_insert_default()))
    }

    /// The address of its page.
    pub(crate) fn page(&self) -> Option<&str> {
        self.0.ui.as_ref()?.resource_uri.as_deref()
    }

    pub(crate) fn has_ui(&self) -> bool {
        self.0.ui.is_some()
    }

    /// Its `_meta` as it is listed, with the address of the page in both spellings.
    ///
    /// The list never depends on what the client declares: it may be cached for everybody.
    pub(super) fn listed_meta(&self) -> Result<Option<Meta>, String> {
        let Some(ui) = &self.0.ui else { return Ok(self.0.meta.clone()) };
        let mut meta = self.0.meta.clone().unwrap_or_default();
        if let Some(twice) =
            [apps::META, apps::RESOURCE_URI].into_iter().find(|key| meta.contains_key(key))
        {
            return Err(format!("its _meta says {twice:?}, and so does .ui(…); keep one"));
        }
        let written = meta.insert_reserved(apps::META, ui).and_then(|()| match &ui.resource_uri {
            Some(uri) => meta.insert_reserved(apps::RESOURCE_URI, uri),
            None => Ok(()),
        });
        written.map(|()| Some(meta)).map_err(|error| error.to_string())
    }

    /// What its page is shown, for those who see no page: a result that is only structured is
    /// told as text too (Apps: a tool returns meaningful content also when there is a page).
    pub(super) fn told(&self, mut result: CallToolResult) -> CallToolResult {
        if let Some(structured) = &result.structured_content
            && self.has_ui()
            && result.content.is_empty()
        {
            result.content.push(ContentBlock::text(structured.get()));
        }
        result
    }
}
