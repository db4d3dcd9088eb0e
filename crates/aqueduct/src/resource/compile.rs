//! Whether a resource is in order: what can be refused is refused before any call.

use std::borrow::Cow;
use std::sync::Arc;

use aqueduct_protocol::cache::CacheHint;

use super::handler::ErasedResource;
use super::registry::MAX_URI;
use super::{Definition, Resource, ResourceItem, ResourceTemplate, ResourceTemplateItem};
use crate::completion::Completers;
use crate::extract::Needs;
use crate::schema::nearest;
use crate::uri::UriTemplate;

/// A resource at one URI.
pub(super) struct Fixed {
    pub(super) listed: ResourceItem,
    pub(super) reader: Reader,
}

/// All resources of one form.
pub(crate) struct Templated {
    pub(super) template: UriTemplate,
    pub(super) listed: ResourceTemplateItem,
    pub(super) completers: Completers,
    pub(super) reader: Reader,
}

/// What reads a resource.
pub(super) struct Reader {
    pub(super) mime_type: Option<Cow<'static, str>>,
    pub(super) cache: Option<CacheHint>,
    pub(super) handler: Arc<dyn ErasedResource>,
    pub(super) needs: Arc<Needs>,
}

impl Templated {
    pub(crate) fn completers(&self) -> &Completers {
        &self.completers
    }

    pub(crate) fn has_variable(&self, name: &str) -> bool {
        self.template.variables().iter().any(|variable| variable.name == name)
    }
}

impl Definition {
    fn reader(&self) -> Result<Reader, String> {
        let Some(handler) = &self.handler else {
            return Err("it has no handler; give it one with .handler(…)".to_owned());
        };
        for icon in &self.icons {
            if let Some(problem) = crate::error::icon_problem(icon) {
                return Err(problem);
            }
        }
        if self.name.is_empty() {
            return Err("its name is empty".to_owned());
        }
        Ok(Reader {
            mime_type: self.mime_type.clone(),
            cache: self.cache,
            handler: Arc::clone(handler),
            needs: Arc::clone(&self.needs),
        })
    }
}

impl Resource {
    pub(super) fn compile(&self) -> Result<Fixed, String> {
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
        Ok(Fixed { listed, reader })
    }
}

impl ResourceTemplate {
    pub(super) fn compile(&self) -> Result<Templated, String> {
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
        Ok(Templated { template, listed, completers: resource.completers.clone(), reader })
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
