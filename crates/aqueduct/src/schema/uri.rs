//! Resolving `$id` and `$ref` against a base, as text only: nothing here can fetch anything.

/// Splits a reference into what stands before `#` and the fragment.
pub(super) fn split_fragment(reference: &str) -> (&str, Option<&str>) {
    match reference.split_once('#') {
        Some((before, fragment)) => (before, Some(fragment)),
        None => (reference, None),
    }
}

/// The URI that `reference`, which has no fragment, means in a document at `base` (RFC 3986 section 5.2).
pub(super) fn join(base: &str, reference: &str) -> String {
    if reference.is_empty() {
        return base.to_owned();
    }
    let wanted = Parts::of(reference);
    if wanted.scheme.is_some() {
        return reference.to_owned();
    }
    let base = Parts::of(base);
    if wanted.authority.is_some() {
        return Parts { scheme: base.scheme, ..wanted }.to_text(wanted.path);
    }
    let kept = Parts { scheme: base.scheme, authority: base.authority, ..wanted };
    if wanted.path.is_empty() {
        let query = wanted.query.or(base.query);
        return Parts { query, ..kept }.to_text(base.path);
    }
    if wanted.path.starts_with('/') {
        return kept.to_text(&without_dots(wanted.path));
    }
    let folder = base.path.rsplit_once('/').map(|(folder, _)| folder);
    let merged = match folder {
        Some(folder) => format!("{folder}/{}", wanted.path),
        None if base.authority.is_some() => format!("/{}", wanted.path),
        None => wanted.path.to_owned(),
    };
    kept.to_text(&without_dots(&merged))
}

/// Undoes percent-encoding; `None` where it is broken or does not give text.
pub(super) fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            decoded.push(byte);
            continue;
        }
        let high = char::from(bytes.next()?).to_digit(16)?;
        let low = char::from(bytes.next()?).to_digit(16)?;
        decoded.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(decoded).ok()
}

#[derive(Clone, Copy)]
struct Parts<'u> {
    scheme: Option<&'u str>,
    authority: Option<&'u str>,
    path: &'u str,
    query: Option<&'u str>,
}

impl<'u> Parts<'u> {
    fn of(uri: &'u str) -> Self {
        let (rest, query) = match uri.split_once('?') {
            Some((rest, query)) => (rest, Some(query)),
            None => (uri, None),
        };
        let (scheme, rest) = match rest.split_once(':') {
            Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme), rest),
            _ => (None, rest),
        };
        let Some(after) = rest.strip_prefix("//") else {
            return Self { scheme, authority: None, path: rest, query };
        };
        let end = after.find('/').unwrap_or(after.len());
        let (authority, path) = after.split_at_checked(end).unwrap_or((after, ""));
        Self { scheme, authority: Some(authority), path, query }
    }

    fn to_text(self, path: &str) -> String {
        let mut text = String::new();
        if let Some(scheme) = self.scheme {
            text.push_str(scheme);
            text.push(':');
        }
        if let Some(authority) = self.authority {
            text.push_str("//");
            text.push_str(authority);
        }
        text.push_str(path);
        if let Some(query) = self.query {
            text.push('?');
            text.push_str(query);
        }
        text
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let segments: Vec<&str> = path.split('/').collect();
    let last = segments.len().saturating_sub(1);
    for (index, segment) in segments.into_iter().enumerate() {
        match segment {
            "." | ".." => {
                // The empty first segment is the slash that an absolute path starts with.
                if segment == ".." && kept.last().is_some_and(|kept| !kept.is_empty()) {
                    kept.pop();
                }
                if index == last {
                    kept.push("");
                }
            }
            other => kept.push(other),
        }
    }
    kept.join("/")
}

#[cfg(test)]
mod tests {
    use super::join;

    #[test]
    fn references_resolve_as_rfc_3986_says() {
        let base = "http://a/b/c/d?q";
        for (reference, expected) in [
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d?y"),
            ("", "http://a/b/c/d?q"),
            (".", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../../../g", "http://a/g"),
            ("urn:x:y", "urn:x:y"),
        ] {
            assert_eq!(join(base, reference), expected, "{reference}");
        }
        assert_eq!(join("", "item.json"), "item.json");
        assert_eq!(join("tree.json", "leaf.json"), "leaf.json");
        assert_eq!(join("http://host", "x"), "http://host/x");
    }
}
