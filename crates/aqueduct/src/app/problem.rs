//! What is wrong with a page or its address, told before a host refuses it.

use aqueduct_protocol::apps::{Csp, SCHEME};

const DOCTYPE: &str = "<!doctype html";

/// What is wrong with the address of a page.
pub(crate) fn of_address(uri: &str) -> Option<String> {
    let Some(rest) = uri.strip_prefix(SCHEME) else {
        return Some(format!("{uri:?} is no address of a page; begin it with {SCHEME}"));
    };
    if rest.is_empty() || rest.starts_with('/') {
        return Some(format!("{uri:?} names no page; write {SCHEME}, a server and a page"));
    }
    let odd = rest.chars().find(|one| {
        one.is_whitespace() || one.is_control() || matches!(one, '"' | '<' | '>' | '{' | '}' | '\\')
    });
    odd.map(|odd| format!("{uri:?} has {odd:?} in it, which no address has; percent-encode it"))
}

/// What is wrong with a page.
pub(super) fn of_page(uri: &str, html: &str, csp: Option<&Csp>) -> Vec<String> {
    let mut problems: Vec<_> = of_address(uri).into_iter().collect();
    let begin = html.trim_start().get(..DOCTYPE.len()).unwrap_or_default();
    if !begin.eq_ignore_ascii_case(DOCTYPE) {
        problems.push(format!("page {uri:?} is no HTML5 document; begin it with <!doctype html>"));
    }
    let Some(csp) = csp else { return problems };
    let lists =
        [&csp.connect_domains, &csp.resource_domains, &csp.frame_domains, &csp.base_uri_domains];
    for origin in lists.into_iter().flatten().flatten().filter(|origin| !is_origin(origin)) {
        problems.push(format!(
            "page {uri:?} reaches {origin:?}, which is no origin; write one as \
             \"https://api.example.com\" or \"https://*.example.com\""
        ));
    }
    problems
}

/// A scheme and a host, and nothing with which a policy could be made to say more.
fn is_origin(origin: &str) -> bool {
    let Some((scheme, host)) = origin.split_once("://") else { return false };
    let (host, port) = host.rsplit_once(':').unwrap_or((host, "0"));
    let host = host.strip_prefix("*.").unwrap_or(host);
    matches!(scheme, "http" | "https" | "ws" | "wss")
        && !host.is_empty()
        && host.bytes().all(|one| one.is_ascii_alphanumeric() || matches!(one, b'.' | b'-'))
        && port.parse::<u16>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_page() {
        for good in ["ui://a", "ui://weather/map.html", "ui://a/b%20c"] {
            assert_eq!(of_address(good), None, "{good}");
        }
        for bad in ["", "ui:", "ui://", "ui:///a", "https://a/b", "UI://a", "ui://a b", "ui://{a}"]
        {
            assert!(of_address(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn a_page_is_a_document_and_a_policy_has_origins() {
        let check = |html: &str, domains: &[&str]| {
            let domains = domains.iter().map(|one| (*one).to_owned()).collect();
            of_page("ui://a", html, Some(&Csp::default().resource_domains(domains))).len()
        };
        assert_eq!(check(" <!DOCTYPE HTML><p>", &["https://a.example", "wss://*.b.example:8"]), 0);
        assert_eq!(check("<p>", &[]), 1);
        assert_eq!(check("é", &["a.example", "https://", "https://a; script-src *"]), 4);
        assert_eq!(check("<!doctype html>", &["https://a/b", "data:", "'unsafe-eval'", "*"]), 4);
    }
}
