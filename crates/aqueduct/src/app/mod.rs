//! MCP Apps: pages that a host shows beside a tool's results (SEP-1865).
//!
//! A tool names its page with `#[tool(ui = "ui://…")]` or [`Tool::ui`](crate::tool::Tool::ui), and
//! the server brings it with [`Server::app`](crate::Server::app) or
//! [`Server::app_html`](crate::Server::app_html).

mod problem;

use std::borrow::Cow;

use aqueduct_protocol::apps::{self, PageUi};
use aqueduct_protocol::cache::CacheHint;
use aqueduct_protocol::meta::Meta;
use aqueduct_protocol::resources::ResourceContents;

pub use aqueduct_protocol::apps::{Csp, Permissions};

use crate::resource::Resource;

/// A page: an HTML document that runs in a sandbox of the host and talks to it alone.
///
/// It reaches nothing outside of itself but what its [`csp`](Self::csp) names.
///
/// ```
/// use aqueduct::server::{App, Csp};
/// use aqueduct::prelude::*;
///
/// let page = App::new("ui://weather/map", "Weather map", "<!doctype html><title>Map</title>")
///     .csp(Csp::default().connect_domains(vec!["https://api.example.com".to_owned()]))
///     .prefers_border(true);
/// let weather = Tool::new("weather").ui("ui://weather/map").handler(|| async { "Sun" });
/// let server = Server::new("weather", "1.0.0").tool(weather).app(page);
/// assert!(server.build().is_ok());
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct App {
    uri: Cow<'static, str>,
    name: Cow<'static, str>,
    description: Option<String>,
    html: Cow<'static, str>,
    ui: PageUi,
    cache: CacheHint,
}

impl App {
    /// A page at this `ui://` address, of this name for people: a whole HTML5 document.
    pub fn new(
        uri: impl Into<Cow<'static, str>>,
        name: impl Into<Cow<'static, str>>,
        html: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            uri: uri.into(),
            name: name.into(),
            description: None,
            html: html.into(),
            ui: PageUi::default(),
            cache: CacheHint::default(),
        }
    }

    /// What it shows.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// The origins that it reaches, such as `https://api.example.com`; none otherwise.
    pub fn csp(mut self, csp: Csp) -> Self {
        self.ui.csp = Some(csp);
        self
    }

    /// What it would like to do in the browser; hosts need not let it.
    pub fn permissions(mut self, permissions: Permissions) -> Self {
        self.ui.permissions = Some(permissions);
        self
    }

    /// The origin that it would like to have, in the form that the host asks for.
    pub fn domain(mut self, domain: impl Into<String>) -> Self {
        self.ui.domain = Some(domain.into());
        self
    }

    /// Whether the host draws a border and a background; hosts differ when nothing is said.
    pub fn prefers_border(mut self, prefers: bool) -> Self {
        self.ui.prefers_border = Some(prefers);
        self
    }

    /// For how long and for whom it may be kept; the default is not at all.
    pub fn cache(mut self, cache: CacheHint) -> Self {
        self.cache = cache;
        self
    }

    /// What is wrong with it, one sentence each.
    pub(crate) fn problems(&self) -> Vec<String> {
        problem::of_page(&self.uri, &self.html, self.ui.csp.as_ref())
    }

    /// The page as a resource: what it says of itself stands in the list and with its contents,
    /// which is where hosts look (SEP-1865 › UI Resource Format).
    pub(crate) fn into_resource(self) -> Resource {
        let mut meta = Meta::new();
        // It is a record of texts and flags, which JSON can always say.
        meta.insert_reserved(apps::META, &self.ui).ok();
        let meta = (self.ui != PageUi::default()).then_some(meta);
        let mut resource = Resource::new(self.uri.clone(), slug(&self.uri))
            .title(self.name)
            .mime_type(apps::MIME_TYPE)
            .size(u64::try_from(self.html.len()).unwrap_or(u64::MAX))
            .cache(self.cache);
        if let Some(description) = self.description {
            resource = resource.description(description);
        }
        if let Some(meta) = &meta {
            resource = resource.meta(meta.clone());
        }
        let contents = ResourceContents::text(self.uri, self.html).mime_type(apps::MIME_TYPE);
        let contents = match meta {
            Some(meta) => contents.meta(meta),
            None => contents,
        };
        resource.handler(move || std::future::ready(contents.clone()))
    }
}

/// The name of a page for programs: the end of its address.
fn slug(uri: &str) -> String {
    uri.rsplit('/').find(|part| !part.is_empty()).unwrap_or(uri).to_owned()
}

pub(crate) use self::problem::of_address;
