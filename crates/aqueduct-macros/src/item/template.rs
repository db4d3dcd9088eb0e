//! A resource's URI held against its parameters.

use syn::LitStr;

use super::{Function, Source};
use crate::ctxt::{Ctxt, list};
use crate::options;
use crate::text::nearest;

pub(crate) fn check_uri(resource: &options::Resource, function: &Function, ctxt: &mut Ctxt) {
    let Some(uri) = &resource.uri else {
        ctxt.error_at(
            proc_macro2::Span::call_site(),
            "a resource needs its URI first: `#[resource(\"notes://{name}\")]`",
        );
        return;
    };
    let Some(variables) = variables(uri, ctxt) else { return };
    if !uri.value().contains(':') {
        ctxt.error(uri, "a URI begins with a scheme: `notes://…`");
    }
    if let Some(size) = &resource.size
        && !variables.is_empty()
    {
        ctxt.error(size, "the resources of a template differ in size; leave `size` out");
    }
    let names: Vec<&str> = variables.iter().map(String::as_str).collect();
    let parameters: Vec<&str> = function.arguments().map(|a| a.name.as_str()).collect();
    let mut explained = Vec::new();
    for argument in function.arguments() {
        let name = argument.name.as_str();
        if names.contains(&name) {
            continue;
        }
        let free = names.iter().copied().filter(|variable| !parameters.contains(variable));
        let hint = match nearest(name, free) {
            Some(near) => {
                explained.push(near);
                format!("did you mean `{near}`?")
            }
            None if names.is_empty() => {
                format!("put `{{{name}}}` into it, or take what the server holds as `State<T>`")
            }
            None => format!("it has {}", list(&names)),
        };
        ctxt.error(&argument.ident, format!("the URI has no variable `{name}`; {hint}"));
    }
    if takes_whole(function) {
        return;
    }
    // One slip is one error, told where the parameter is.
    for variable in names.iter().filter(|variable| !explained.contains(variable)) {
        if !parameters.contains(variable) {
            ctxt.error(
                uri,
                format!(
                    "no parameter takes the variable `{variable}`; add a parameter \
                     `{variable}: String`"
                ),
            );
        }
    }
}

fn takes_whole(function: &Function) -> bool {
    function.params.iter().any(|param| matches!(param.source, Source::WholeArguments))
}

/// The variables of a URI template (RFC 6570), in order; `None` when it is not one.
///
/// Whether URIs can be matched against it is checked when the server is built.
fn variables(uri: &LitStr, ctxt: &mut Ctxt) -> Option<Vec<String>> {
    let text = uri.value();
    let mut variables = Vec::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once('{') {
        let closed = after.split_once('}').filter(|(inside, _)| !inside.contains('{'));
        let Some((expression, left)) = closed.filter(|_| !before.contains('}')) else {
            ctxt.error(uri, "the braces of this URI template do not close");
            return None;
        };
        let names = expression.trim_start_matches(['+', '#', '.', '/', ';', '?', '&']);
        for name in names.split(',') {
            let name = name.split_once(':').map_or(name, |(name, _)| name);
            let name = name.strip_suffix('*').unwrap_or(name);
            let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '%');
            if name.is_empty() || !name.chars().all(fits) {
                ctxt.error(
                    uri,
                    format!(
                        "`{{{expression}}}` is no expression of a URI template; a variable is \
                         written `{{name}}`, with letters, digits and `_`"
                    ),
                );
                return None;
            }
            if !variables.iter().any(|known| known == name) {
                variables.push(name.to_owned());
            }
        }
        rest = left;
    }
    if rest.contains('}') {
        ctxt.error(uri, "the braces of this URI template do not close");
        return None;
    }
    Some(variables)
}
