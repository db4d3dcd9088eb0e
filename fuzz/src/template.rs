//! URI templates and what is matched against them.

use aqueduct::uri::UriTemplate;

/// A template, a line end, and a URI.
pub(crate) fn run(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let Some((template, uri)) = text.split_once('\n') else { return };
    let Ok(template) = UriTemplate::parse(template) else { return };
    if template.check_matchable().is_err() {
        return;
    }
    let Ok(Some(variables)) = template.matches(uri) else { return };
    let expanded = template.expand(&variables);
    let again = template.matches(&expanded);
    assert_eq!(again, Ok(Some(variables)), "{uri:?} expands to {expanded:?}");
}
