//! URI templates (RFC 6570): one text names many resources, and a URI gives its values back.

mod compile;
mod decode;
mod error;
mod expand;
mod parse;
mod percent;
mod variables;
mod walk;

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

pub use decode::DecodeError;
pub use error::{TemplateError, UriError};
pub use variables::{Value, Variables};

use compile::Matcher;
use parse::{Modifier, Operator, Part};

/// A template such as `shop://items/{id}{?page,limit}`, as
/// [RFC 6570](https://www.rfc-editor.org/rfc/rfc6570) defines it, levels 1 to 4.
///
/// ```
/// use aqueduct::uri::{UriTemplate, Variables};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let template = UriTemplate::parse("shop://items/{id}{?page,limit}")?;
///
/// let variables = template.matches("shop://items/caf%C3%A9?limit=5")?.unwrap_or_default();
/// assert_eq!(variables.get("id"), Some("café"));
/// assert_eq!(variables.get("page"), None);
///
/// assert_eq!(template.expand(&variables), "shop://items/caf%C3%A9?limit=5");
/// # Ok(())
/// # }
/// ```
///
/// # Matching
///
/// RFC 6570 says how values become a URI and leaves the way back open. Ours:
///
/// - Escapes are decoded once; `+` is a plus sign. What is not a URI is an error, not a mismatch.
/// - `{x}` is one segment: it has at least one character, never crosses `/`, `?` or `#`, and a
///   decoded value with a slash, a backslash or NUL, or that is `.` or `..`, does not match.
/// - `{+x}` may hold slashes, yet not begin with one, and none of its segments is `.` or `..`.
/// - `{/x}`, `{.x}`, `{;x}`, `{?x}`, `{&x}` and `{#x}` may be missing altogether.
///   In `{/x,y}` and `{x,y}` values are handed out from the left.
/// - `{?x,y}` and `{;x,y}` match by name in any order. A name that the template does not have, or
///   a second value for a variable without `*`, does not match.
/// - `{x*}` is a list. Without `*` a comma that is not escaped separates a list too, and
///   [`Variables::get`] still gives the whole text.
/// - Where a literal could also be part of the value before it, as in `{a}-{b}`, the earlier
///   variable gets the shorter value.
/// - Literals may hold spaces and letters beyond ASCII; the URI may have them escaped or not.
#[derive(Clone)]
pub struct UriTemplate {
    source: String,
    parts: Vec<Part>,
    variables: Vec<Variable>,
    matcher: Result<Matcher, TemplateError>,
}

/// A variable of a [`UriTemplate`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Variable {
    /// The name, as it stands in the template.
    pub name: String,
    /// Whether it is a list: `{x*}`.
    pub exploded: bool,
    /// How many characters of the value expanding sends: `{x:3}`.
    pub max_length: Option<u16>,
    /// Whether every URI that matches has a value for it.
    pub required: bool,
}

impl UriTemplate {
    /// Reads a template.
    ///
    /// Every template can be expanded; whether URIs can be matched against it is a second
    /// question, see [`check_matchable`](Self::check_matchable).
    ///
    /// # Errors
    ///
    /// When the text is not a template; the error says where, what was expected and the mend.
    pub fn parse(template: &str) -> Result<Self, TemplateError> {
        let parts = parse::parse(template).map_err(|fault| TemplateError::new(template, fault))?;
        let matcher = compile::compile(&parts).map_err(|fault| TemplateError::new(template, fault));
        let variables = variables_of(&parts);
        Ok(Self { source: template.to_owned(), parts, variables, matcher })
    }

    /// The template as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.source
    }

    /// The variables in the order in which they first appear, each once.
    #[must_use]
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// What stands before the first variable, as it was written.
    #[must_use]
    pub fn literal_prefix(&self) -> &str {
        match self.parts.first() {
            Some(Part::Literal { text, .. }) => text,
            Some(Part::Expression(_)) | None => "",
        }
    }

    /// Whether a URI gives back the values of this template without guessing.
    ///
    /// # Errors
    ///
    /// When a variable appears twice or touches the next one (`{a}{b}`), when a prefix (`{x:3}`)
    /// throws part of a value away, and the like; the error names the place and the mend.
    pub fn check_matchable(&self) -> Result<(), TemplateError> {
        match &self.matcher {
            Ok(_) => Ok(()),
            Err(error) => Err(error.clone()),
        }
    }

    /// The values that `uri` gives to the variables; `None` when it is not of this template.
    ///
    /// Takes time linear in the length of the URI, whatever the URI. A template that is not
    /// [matchable](Self::check_matchable) matches nothing.
    ///
    /// # Errors
    ///
    /// When `uri` begins like this template and is not a URI: an escape that is none, escapes that
    /// are not UTF-8, control characters, braces; or when it is longer than 512 KiB.
    pub fn matches(&self, uri: &str) -> Result<Option<Variables>, UriError> {
        let Ok(matcher) = &self.matcher else { return Ok(None) };
        walk::walk(matcher, uri)
    }

    /// The URI with `variables` in their places; missing ones leave nothing behind.
    #[must_use]
    pub fn expand(&self, variables: &Variables) -> String {
        expand::expand(&self.parts, variables)
    }
}

fn variables_of(parts: &[Part]) -> Vec<Variable> {
    let mut variables: Vec<Variable> = Vec::new();
    for part in parts {
        let Part::Expression(expression) = part else { continue };
        let required = matches!(expression.operator, Operator::Simple | Operator::Reserved);
        for (index, spec) in expression.specs.iter().enumerate() {
            if variables.iter().any(|variable| variable.name == spec.name) {
                continue;
            }
            let max_length = match spec.modifier {
                Modifier::Prefix(length) => Some(length),
                Modifier::None | Modifier::Explode => None,
            };
            variables.push(Variable {
                name: spec.name.clone(),
                exploded: spec.modifier == Modifier::Explode,
                max_length,
                required: required && index == 0,
            });
        }
    }
    variables
}

impl FromStr for UriTemplate {
    type Err = TemplateError;

    fn from_str(template: &str) -> Result<Self, TemplateError> {
        Self::parse(template)
    }
}

impl fmt::Display for UriTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)
    }
}

impl fmt::Debug for UriTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("UriTemplate").field(&self.source).finish()
    }
}

impl PartialEq for UriTemplate {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for UriTemplate {}
