//! MCP Apps: pages that a host shows beside a tool's results.
//!
//! [MCP Apps](https://modelcontextprotocol.io/seps/1865-mcp-apps-interactive-user-interfaces-for-mcp),
//! SEP-1865, revision 2026-01-26 of the extension.

use serde::{Deserialize, Serialize};

use crate::jsonrpc::JsonObject;
use crate::record::{record, words};

/// The identifier of the extension.
pub const EXTENSION: &str = "io.modelcontextprotocol/ui";
/// What the addresses of pages begin with; nothing else may begin so.
pub const SCHEME: &str = "ui://";
/// The media type of pages, letter for letter.
pub const MIME_TYPE: &str = "text/html;profile=mcp-app";
/// The member of `_meta` that a tool and a page have.
pub const META: &str = "ui";
/// The member of a tool's `_meta` that says the page's address as hosts read it before
/// 2026-01-26; deprecated.
pub const RESOURCE_URI: &str = "ui/resourceUri";

record! {
    /// The settings of the extension in a client's capabilities.
    #[derive(Eq)]
    ClientUi {
        /// The media types of pages that it shows.
        mime_types: Vec<String>,
    }
}

words! {
    /// Who may call a tool.
    UiVisibility {
        /// The model.
        Model = "model",
        /// The pages of the same server.
        App = "app",
    }
}

record! {
    /// What a tool says of its page: the member [`META`] of its `_meta`.
    #[derive(Default, Eq)]
    ToolUi {
        /// The address of the page that shows the results.
        resource_uri: Option<String>,
        /// Who may call the tool; the model and the pages unless said.
        visibility: Option<Vec<UiVisibility>>,
    }
}

record! {
    /// What a page says of itself: the member [`META`] of its `_meta`.
    ///
    /// ```
    /// use aqueduct_protocol::apps::{Csp, Permissions, PageUi};
    ///
    /// let page = PageUi::default()
    ///     .csp(Csp::default().connect_domains(vec!["https://api.example.com".to_owned()]))
    ///     .permissions(Permissions::default().clipboard_write());
    /// assert_eq!(
    ///     serde_json::to_string(&page)?,
    ///     r#"{"csp":{"connectDomains":["https://api.example.com"]},"permissions":{"clipboardWrite":{}}}"#,
    /// );
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[derive(Default, Eq)]
    PageUi {
        /// What it reaches outside of itself; nothing unless said.
        csp: Option<Csp>,
        /// What it would like to do in the browser.
        permissions: Option<Permissions>,
        /// The origin that it would like to have, in the host's own form.
        domain: Option<String>,
        /// Whether the host is to draw a border and a background; the host decides unless said.
        prefers_border: Option<bool>,
    }
}

record! {
    /// The origins that a page reaches; hosts make a Content Security Policy of them.
    #[derive(Default, Eq)]
    Csp {
        /// Where it sends requests (`connect-src`).
        connect_domains: Option<Vec<String>>,
        /// Where its images, scripts, styles, fonts and media come from.
        resource_domains: Option<Vec<String>>,
        /// What it frames (`frame-src`).
        frame_domains: Option<Vec<String>>,
        /// What its relative addresses may begin with (`base-uri`).
        base_uri_domains: Option<Vec<String>>,
    }
}

/// What a page would like to do in the browser; hosts need not let it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Permissions {
    /// Use the camera.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camera: Option<JsonObject>,
    /// Use the microphone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub microphone: Option<JsonObject>,
    /// Learn where the user is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub geolocation: Option<JsonObject>,
    /// Put something into the clipboard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clipboard_write: Option<JsonObject>,
}

impl Permissions {
    /// Use the camera.
    #[must_use]
    pub fn camera(mut self) -> Self {
        self.camera = Some(JsonObject::new());
        self
    }

    /// Use the microphone.
    #[must_use]
    pub fn microphone(mut self) -> Self {
        self.microphone = Some(JsonObject::new());
        self
    }

    /// Learn where the user is.
    #[must_use]
    pub fn geolocation(mut self) -> Self {
        self.geolocation = Some(JsonObject::new());
        self
    }

    /// Put something into the clipboard.
    #[must_use]
    pub fn clipboard_write(mut self) -> Self {
        self.clipboard_write = Some(JsonObject::new());
        self
    }
}
