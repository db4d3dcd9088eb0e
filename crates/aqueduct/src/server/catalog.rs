//! What is registered, switched off and on while the server runs.

use std::fmt;
use std::sync::Arc;

use crate::item::Switches;
use crate::subscription::Notifier;

/// Switches registered tools, prompts and resources off and on while the server runs.
///
/// What is off is not there: it is in no list and cannot be called, as if it had never been
/// registered. Every change is told to those who listen. Handlers take it as `State<Catalog>`;
/// cheap to clone.
///
/// Each method says whether there is a registered item of that name; what providers and
/// repositories bring they switch by themselves.
///
/// ```
/// use aqueduct::prelude::*;
/// use aqueduct::server::Catalog;
///
/// /// Let the notes be purged.
/// #[tool]
/// async fn arm(catalog: State<Catalog>) -> String {
///     catalog.enable_tool("purge");
///     "armed".to_owned()
/// }
///
/// let service = Server::new("notes", "1.0.0")
///     .tools(list![arm])
///     .tool(Tool::new("purge").handler(|| async { "gone" }))
///     .build()?;
/// assert!(service.catalog().disable_tool("purge"));
/// # Ok::<(), aqueduct::server::BuildError>(())
/// ```
#[derive(Clone)]
pub struct Catalog {
    pub(super) tools: Arc<Switches>,
    pub(super) prompts: Arc<Switches>,
    pub(super) resources: Arc<Switches>,
    notifier: Notifier,
}

impl Catalog {
    pub(super) fn new(notifier: Notifier) -> Self {
        Self { tools: Arc::default(), prompts: Arc::default(), resources: Arc::default(), notifier }
    }

    fn turn(
        &self,
        switches: &Switches,
        name: &str,
        on: bool,
        changed: impl FnOnce(&Notifier),
    ) -> bool {
        let turned = switches.turn(name, on);
        if turned == Some(true) {
            changed(&self.notifier);
        }
        turned.is_some()
    }

    /// Brings a tool back.
    pub fn enable_tool(&self, name: &str) -> bool {
        self.turn(&self.tools, name, true, Notifier::tools_changed)
    }

    /// Takes a tool away; calls that run go on.
    pub fn disable_tool(&self, name: &str) -> bool {
        self.turn(&self.tools, name, false, Notifier::tools_changed)
    }

    /// Brings a prompt back.
    pub fn enable_prompt(&self, name: &str) -> bool {
        self.turn(&self.prompts, name, true, Notifier::prompts_changed)
    }

    /// Takes a prompt away.
    pub fn disable_prompt(&self, name: &str) -> bool {
        self.turn(&self.prompts, name, false, Notifier::prompts_changed)
    }

    /// Brings a resource back, by its URI, or a template, by its text.
    pub fn enable_resource(&self, uri: &str) -> bool {
        self.turn(&self.resources, uri, true, Notifier::resources_changed)
    }

    /// Takes a resource or a template away.
    pub fn disable_resource(&self, uri: &str) -> bool {
        self.turn(&self.resources, uri, false, Notifier::resources_changed)
    }
}

impl fmt::Debug for Catalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Catalog")
    }
}
