//! A page of MCP Apps that a handler writes.

use aqueduct_protocol::apps;
use aqueduct_protocol::resources::{ReadResourceResult, ResourceContents};

use crate::error::ToolError;
use crate::resource::{About, IntoResourceOutput};

/// What [`app_html`] makes.
#[derive(Clone, Debug)]
pub struct AppHtml(String);

/// A page of MCP Apps, from the handler of a `ui://` resource: an HTML5 document.
///
/// ```
/// use aqueduct::prelude::*;
/// use aqueduct::reply;
///
/// let page = Resource::new("ui://clock/face", "face")
///     .mime_type("text/html;profile=mcp-app")
///     .handler(|| async { reply::app_html("<!doctype html><title>Clock</title>") });
/// # let _ = page;
/// ```
#[must_use]
pub fn app_html(html: impl Into<String>) -> AppHtml {
    AppHtml(html.into())
}

impl IntoResourceOutput for AppHtml {
    fn into_resource_output(self, about: &About) -> Result<ReadResourceResult, ToolError> {
        let contents = ResourceContents::text(&about.uri, self.0).mime_type(apps::MIME_TYPE);
        Ok(ReadResourceResult::new(vec![contents]))
    }
}
