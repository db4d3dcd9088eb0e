//! The name of the protected resource: what metadata says, tokens are issued for and clients type.

use http::Uri;

/// Where metadata lies (RFC 9728, section 3).
const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// A resource identifier (RFC 8707, section 2), as it was written.
#[derive(Clone, Debug)]
pub(super) struct Identifier {
    text: String,
    /// Scheme and authority in lower case, without a port that goes without saying.
    origin: String,
    authority: String,
    path: String,
}

impl Identifier {
    /// # Errors
    /// What is wrong with it, and what to write instead.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let wrong = |what: &str| Err(format!("the resource {text:?} {what}"));
        if text.contains('#') {
            return wrong("has a fragment; write it without #");
        }
        let Some((origin, path)) = split(text) else {
            return wrong("is no absolute URL; write such as \"https://mcp.example.com/mcp\"");
        };
        let Ok(uri) = text.parse::<Uri>() else { return wrong("is no URL") };
        let authority = uri.authority().map(|authority| authority.as_str().to_owned());
        let authority = authority.unwrap_or_default();
        if authority.contains('@') {
            return wrong("names a user; write it without");
        }
        if uri.query().is_some() {
            return wrong("has a query; write it without ?");
        }
        if text.bytes().any(|byte| matches!(byte, b'"' | b'\\' | b' ')) {
            return wrong("has a quote, a backslash or a space in it");
        }
        let host = uri.host().unwrap_or_default();
        match uri.scheme_str() {
            Some("https") => {}
            Some("http") if is_loopback(host) => {}
            Some("http") => {
                return wrong("is http, which shows tokens to everybody on the way; make it https");
            }
            _ => return wrong("is no https URL"),
        }
        if authority.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return wrong("has a host in upper case; write it in lower case");
        }
        if path.ends_with('/') {
            return wrong("ends in a slash; write it without, as clients do");
        }
        // Clients resolve them before they compare.
        if path.split('/').skip(1).any(|part| matches!(part, "" | "." | "..")) {
            return wrong("has an empty part, . or .. in its path; write it as clients send it");
        }
        Ok(Self { text: text.to_owned(), origin, authority, path: path.to_owned() })
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) fn authority(&self) -> &str {
        &self.authority
    }

    /// The path of the endpoint; empty for the root.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// Where the metadata lies on this host: the well-known part goes between host and path.
    pub(super) fn metadata_path(&self) -> String {
        format!("{WELL_KNOWN}{}", self.path)
    }

    /// Where it lies for clients that look at the root only.
    pub(super) fn root_metadata_path() -> &'static str {
        WELL_KNOWN
    }

    pub(super) fn metadata_url(&self) -> String {
        let origin = self.text.strip_suffix(&self.path).unwrap_or(&self.text);
        format!("{origin}{WELL_KNOWN}{}", self.path)
    }

    /// Is it this resource that a token was issued for?
    ///
    /// Scheme and host compare in any case and the path exactly (Authorization › Canonical Server
    /// URI).
    pub(super) fn is(&self, audience: &str) -> bool {
        if audience == self.text {
            return true;
        }
        let Some((origin, path)) = split(audience) else { return false };
        let path = if path == "/" { "" } else { path };
        origin == self.origin && path == self.path
    }
}

/// Scheme and authority in their plain form, and what follows.
fn split(url: &str) -> Option<(String, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at_checked(end)?;
    if authority.is_empty() {
        return None;
    }
    let (scheme, authority) = (scheme.to_ascii_lowercase(), authority.to_ascii_lowercase());
    let usual = match scheme.as_str() {
        "https" => ":443",
        "http" => ":80",
        _ => return None,
    };
    let authority = authority.strip_suffix(usual).unwrap_or(&authority);
    Some((format!("{scheme}://{authority}"), path))
}

pub(super) fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_well_known_part_goes_between_host_and_path() {
        for (resource, metadata) in [
            ("https://h", "https://h/.well-known/oauth-protected-resource"),
            ("https://h/mcp", "https://h/.well-known/oauth-protected-resource/mcp"),
            ("https://h:8443/a/b", "https://h:8443/.well-known/oauth-protected-resource/a/b"),
            ("http://[::1]:80/mcp", "http://[::1]:80/.well-known/oauth-protected-resource/mcp"),
        ] {
            let identifier = Identifier::parse(resource).unwrap();
            assert_eq!(identifier.metadata_url(), metadata);
            assert_eq!(identifier.as_str(), resource);
        }
    }

    #[test]
    fn what_is_no_safe_identifier_is_refused_with_the_mend() {
        for (resource, mend) in [
            ("mcp.example.com", "absolute"),
            ("http://mcp.example.com/mcp", "https"),
            ("https://h/mcp#x", "without #"),
            ("https://h/mcp?x", "without ?"),
            ("https://u@h/mcp", "user"),
            ("https://H/mcp", "lower case"),
            ("https://h/mcp/", "slash"),
            ("ftp://h/mcp", "absolute"),
            ("https://h//mcp", "empty part"),
            ("https://h/a/../mcp", "empty part"),
            ("https://h/a/.", "empty part"),
        ] {
            let problem = Identifier::parse(resource).unwrap_err();
            assert!(problem.contains(mend), "{resource}: {problem}");
        }
    }

    #[test]
    fn an_audience_is_this_resource_and_no_neighbour_of_it() {
        let identifier = Identifier::parse("https://h/mcp").unwrap();
        for same in ["https://h/mcp", "HTTPS://H/mcp", "https://h:443/mcp"] {
            assert!(identifier.is(same), "{same}");
        }
        for other in [
            "https://h/mcp2",
            "https://h",
            "https://h/",
            "https://h/mcp/",
            "https://h/MCP",
            "http://h/mcp",
            "https://h:8443/mcp",
            "https://h/mcp?x",
            "https://h/mcp#x",
            "h/mcp",
            "",
        ] {
            assert!(!identifier.is(other), "{other}");
        }
        let root = Identifier::parse("https://h").unwrap();
        assert!(root.is("https://h/") && root.is("https://h"));
    }
}
