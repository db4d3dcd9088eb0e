//! One thing that a server offers, as rules of visibility and layers see it.

mod changes;
mod layer;
mod offer;
mod set;
mod switch;
mod visibility;

use std::fmt;
use std::sync::Arc;

use aqueduct_protocol::content::Annotations;
use aqueduct_protocol::meta::Meta;
use aqueduct_protocol::tools::ToolAnnotations;

pub use self::changes::Changes;
pub use self::layer::{ItemLayer, Next};
pub(crate) use self::offer::{Home, Offer, Rules, Terms};
pub use self::set::{Named, Set};
pub(crate) use self::switch::Switches;
pub use self::visibility::Visibility;

/// What an [`Item`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ItemKind {
    /// A tool.
    Tool,
    /// A prompt.
    Prompt,
    /// A resource at one URI.
    Resource,
    /// All resources of a URI template.
    ResourceTemplate,
}

impl fmt::Display for ItemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tool => "tool",
            Self::Prompt => "prompt",
            Self::Resource => "resource",
            Self::ResourceTemplate => "resource template",
        })
    }
}

/// A tool, a prompt, a resource or a template, with what its author said of it.
///
/// Of what a repository holds only the kind and the name are known before it is asked.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// What a request names it by: a name, a URI, or the text of a template.
    pub name: String,
    /// The words that its author gave it for rules and layers; clients never see them.
    pub tags: Vec<String>,
    /// What a caller must be permitted to use it.
    pub scopes: Vec<String>,
    /// The hints of a tool.
    pub hints: Option<ToolAnnotations>,
    /// For whom a resource is, and how important.
    pub annotations: Option<Annotations>,
    /// Its `_meta` in the list.
    pub meta: Option<Meta>,
    /// The server that brought it, when that is mounted in another.
    pub origin: Option<Arc<str>>,
}

impl Item {
    /// An item of which nothing but its name is known.
    #[must_use]
    pub fn new(kind: ItemKind, name: impl Into<String>) -> Self {
        Self {
            kind,
            name: name.into(),
            tags: Vec::new(),
            scopes: Vec::new(),
            hints: None,
            annotations: None,
            meta: None,
            origin: None,
        }
    }

    /// Did its author give it this word?
    #[must_use]
    pub fn has_tag(&self, tag: &str) -> bool {
        self.tags.iter().any(|held| held == tag)
    }

    /// The item as its own server names it, which another one has mounted with this prefix.
    fn within(&self, prefix: &str) -> Self {
        let mut item = self.clone();
        if matches!(item.kind, ItemKind::Tool | ItemKind::Prompt)
            && let Some(name) = item.name.strip_prefix(prefix)
        {
            item.name = name.to_owned();
        }
        item
    }

    /// Of two items of one name, what is wrong and where both come from.
    pub(crate) fn clash(&self, other: &Self) -> String {
        let Self { kind, name, .. } = self;
        let from = both_from(other.origin.as_deref(), self.origin.as_deref());
        format!("{kind} {name:?} is there twice{from}")
    }
}

/// Where two things come from that do not go together; nothing when both are of this server.
pub(crate) fn both_from(first: Option<&str>, second: Option<&str>) -> String {
    let from = |origin: Option<&str>| match origin {
        Some(origin) => format!("the mounted server {origin:?}"),
        None => "this server".to_owned(),
    };
    match (first, second) {
        (None, None) => String::new(),
        _ => format!(", from {} and from {}", from(first), from(second)),
    }
}
