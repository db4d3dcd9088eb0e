//! Whether a resource is in order: what can be refused is refused before any call.

use std::borrow::Cow;
use std::sync::Arc;

use aqueduct_protocol::cache::CacheHint;

use super::handler::ErasedResource;
use super::page::page_problem;
use super::registry::MAX_URI;
use super::{
    AnyResource, Definition, Resource, ResourceItem, ResourceTemplate, ResourceTemplateItem,
};
use crate::completion::Completers;
use crate::error::Error;
use crate::extract::Needs;
use crate::item::{Item, ItemKind, Terms};
use crate::schema::nearest;
use crate::uri::{UriTemplate, Variables};

/// A resource or a template that was found to be in order.
pub(crate) struct Compiled {
    pub(super) item: Arc<Item>,
    pub(super) listed: Listed,
    pub(super) completers: Completers,
    pub(super) reader: Reader,
}

/// How a URI fits.
#[derive(Clone)]
pub(crate) enum Fit {
    /// It is the resource's own.
    Exact,
    /// It fills the template with these.
    Filled(Variables),
}

/// What it is listed as.
pub(super) enum Listed {
    Fixed(ResourceItem),
    Template(UriTemplate, ResourceTemplateItem),
}

/// What reads a resource.
pub(super) struct Reader {
    pub(super) mime_type: Option<Cow<'static, str>>,
    pub(super) cache: Option<CacheHint>,
    pub(super) handler: Arc<dyn ErasedResource>,
    pub(super) needs: Arc<Needs>,
}

impl Compiled {
    /// The resource, when it is one.
    pub(crate) fn fixed(&self) -> Option<&ResourceItem> {
        match &self.listed {
            Listed::Fixed(item) => Some(item),
            Listed::Template(..) => None,
        }
    }

    /// The template, when it is one.
    pub(crate) fn template(&self) -> Option<&ResourceTemplateItem> {
        match &self.listed {
            Listed::Fixed(_) => None,
            Listed::Template(_, item) => Some(item),
        }
    }

    /// How the URI fits, when it is one of these.
    pub(super) fn fit(&self, uri: &str) -> Result<Option<Fit>, Error> {
        match &self.listed {
            Listed::Fixed(item) => Ok((item.uri == uri).then_some(Fit::Exact)),
            Listed::Template(template, _) => {
                let missing = |error| Error::resource_not_found(uri).source(error);
                Ok(template.matches(uri).map_err(missing)?.map(Fit::Filled))
            }
        }
    }

    pub(crate) fn completers(&self) -> &Completers {
        &self.completers
    }

    pub(crate) fn needs(&self) -> impl Iterator<Item = &Needs> {
        std::iter::once(&*self.reader.needs).chain(self.completers.needs())
    }

    pub(crate) fn has_variable(&self, name: &str) -> bool {
        match &self.listed {
            Listed::Fixed(_) => false,
            Listed::Template(template, _) => {
                template.variables().iter().any(|variable| variable.name == name)
            }
        }
    }
}

impl Definition {
    /// Checks the definition at the first use and remembers the outcome.
    fn compiled(
        &self,
        compile: impl FnOnce() -> Result<Compiled, String>,
    ) -> Result<&Arc<Compiled>, &str> {
        let compiled = self.compiled.get_or_init(|| compile().map(Arc::new));
        compiled.as_ref().map_err(String::as_str)
    }

    /// As rules and layers see it.
    fn item(&self, kind: ItemKind) -> Arc<Item> {
        let mut item = Item::new(kind, self.uri.to_string());
        item.tags.clone_from(&self.terms.tags);
        item.scopes.clone_from(&self.terms.scopes);
        item.annotations.clone_from(&self.annotations);
        item.meta.clone_from(&self.meta);
        item.origin = self.terms.origin();
        Arc::new(item)
    }

    fn reader(&self) -> Result<Reader, String> {
        let Some(handler) = &self.handler else {
            return Err("it has no handler; give it one with .handler(…)".to_owned());
        };
        for icon in &self.icons {
            if let Some(problem) = crate::error::icon_problem(icon) {
                return Err(problem);
            }
        }
        if let Some(problem) = crate::error::meta_problem(self.meta.as_ref()) {
            return Err(problem);
        }
        if self.name.is_empty() {
            return Err("its name is empty".to_owned());
        }
        if let Some(problem) = page_problem(&self.uri, self.mime_type.as_deref()) {
            return Err(problem);
        }
        Ok(Reader {
            mime_type: self.mime_type.clone(),
            cache: self.cache,
            handler: Arc::clone(handler),
            needs: Arc::clone(&self.needs),
        })
    }
}

impl AnyResource {
    pub(super) fn compiled(&self) -> Result<&Arc<Compiled>, &str> {
        match self {
            Self::Fixed(resource) => resource.0.compiled(|| resource.compile()),
            Self::Template(template) => template.0.compiled(|| template.compile()),
        }
    }

    pub(super) fn terms(&self) -> &Terms {
        match self {
            Self::Fixed(resource) => &resource.0.terms,
            Self::Template(template) => &template.0.terms,
        }
    }
}

impl Resource {
    fn compile(&self) -> Result<Compiled, String> {
        let resource = &*self.0;
        let refuse = |what: String| format!("resource {:?}: {what}", resource.uri);
        check_uri(&resource.uri).map_err(|what| refuse(what.to_owned()))?;
        if resource.uri.len() > MAX_URI {
            let bytes = resource.uri.len();
            return Err(refuse(format!("the URI has {bytes} bytes, and {MAX_URI} are allowed")));
        }
        let reader = resource.reader().map_err(refuse)?;
        if let Some(parameters) = reader.needs.parameters.first() {
            return Err(refuse(format!(
                "its handler takes Args<{}>, but a fixed URI has no variables; use a \
                 ResourceTemplate",
                parameters.type_name
            )));
        }
        let mut listed = ResourceItem::new(resource.uri.to_string(), resource.name.to_string());
        listed.title.clone_from(&resource.title);
        listed.description = resource.description.as_deref().map(ToOwned::to_owned);
        listed.mime_type = resource.mime_type.as_deref().map(ToOwned::to_owned);
        listed.icons = (!resource.icons.is_empty()).then(|| resource.icons.clone());
        listed.annotations.clone_from(&resource.annotations);
        listed.meta.clone_from(&resource.meta);
        listed.size = resource.size;
        Ok(Compiled {
            item: resource.item(ItemKind::Resource),
            listed: Listed::Fixed(listed),
            completers: Completers::default(),
            reader,
        })
    }
}

impl ResourceTemplate {
    fn compile(&self) -> Result<Compiled, String> {
        let resource = &*self.0;
        let refuse = |what: String| format!("resource template {:?}: {what}", resource.uri);
        let template =
            UriTemplate::parse(&resource.uri).map_err(|error| refuse(error.to_string()))?;
        template.check_matchable().map_err(|error| refuse(error.to_string()))?;
        check_uri(template.literal_prefix()).map_err(|what| refuse(what.to_owned()))?;
        let reader = resource.reader().map_err(refuse)?;
        check_variables(&template, &reader.needs).map_err(refuse)?;
        for name in resource.completers.names() {
            if !template.variables().iter().any(|variable| variable.name == name) {
                return Err(refuse(format!("it completes {name:?}, which it has no variable for")));
            }
        }
        let mut listed =
            ResourceTemplateItem::new(resource.uri.to_string(), resource.name.to_string());
        listed.title.clone_from(&resource.title);
        listed.description = resource.description.as_deref().map(ToOwned::to_owned);
        listed.mime_type = resource.mime_type.as_deref().map(ToOwned::to_owned);
        listed.icons = (!resource.icons.is_empty()).then(|| resource.icons.clone());
        listed.annotations.clone_from(&resource.annotations);
        listed.meta.clone_from(&resource.meta);
        Ok(Compiled {
            item: resource.item(ItemKind::ResourceTemplate),
            listed: Listed::Template(template, listed),
            completers: resource.completers.clone(),
            reader,
        })
    }
}

/// What the handler must have, the template must hold.
fn check_variables(template: &UriTemplate, needs: &Needs) -> Result<(), String> {
    let names: Vec<&str> =
        template.variables().iter().map(|variable| variable.name.as_str()).collect();
    for parameters in &needs.parameters {
        let required = parameters.schema.get("required").and_then(|names| names.as_array());
        for wanted in required.into_iter().flatten().filter_map(|name| name.as_str()) {
            if !names.contains(&wanted) {
                let hint = match nearest(wanted, names.iter().copied()) {
                    Some(near) => format!("did you mean {near:?}?"),
                    None => format!("it has {}", names.join(", ")),
                };
                return Err(format!(
                    "its handler takes {wanted:?}, and the template has no such variable; {hint}"
                ));
            }
        }
    }
    Ok(())
}

/// A scheme, a colon, and nothing that no URI has (RFC 3986).
fn check_uri(uri: &str) -> Result<(), &'static str> {
    let Some((scheme, _)) = uri.split_once(':') else {
        return Err("it has no scheme; begin it with one, such as \"notes://\"");
    };
    let mut letters = scheme.chars();
    let fits = letters.next().is_some_and(|c| c.is_ascii_alphabetic())
        && letters.all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    if !fits {
        return Err("its scheme is not a letter followed by letters, digits, +, - and .");
    }
    if uri.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err("it has white space or control characters; percent-encode them");
    }
    Ok(())
}
