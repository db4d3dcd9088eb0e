//! Pages of MCP Apps among resources: addresses that are kept for them, and their media type.

use aqueduct_protocol::apps;

/// What is wrong with an address and a media type of which one is a page's.
pub(super) fn page_problem(uri: &str, mime_type: Option<&str>) -> Option<String> {
    let (scheme, page) = (apps::SCHEME, apps::MIME_TYPE);
    match (uri.starts_with(scheme), mime_type == Some(page)) {
        (true, false) => Some(format!(
            "addresses that begin with {scheme} are kept for pages of MCP Apps; add it with \
             .app(…) or .app_html(…), give it the media type {page:?}, or choose another scheme"
        )),
        (false, true) => Some(format!(
            "it has the media type of a page of MCP Apps, whose address begins with {scheme}"
        )),
        _ => None,
    }
}
