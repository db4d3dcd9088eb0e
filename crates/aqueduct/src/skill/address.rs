//! From a path below the top to the address of what lies there.

use std::fmt::Write as _;

use aqueduct_protocol::skills::SCHEME;

/// How long an address may be, so that a cursor has room for one.
pub(super) const MAX_ADDRESS: usize = 1024;

/// `a/b c.md` is `skill://a/b%20c.md`.
///
/// The first segment stands where an authority has its name, which has fewer plain characters
/// (RFC 3986, 3.2.2).
pub(super) fn address(path: &str) -> String {
    let mut uri = SCHEME.to_owned();
    for (nth, segment) in path.split('/').enumerate() {
        if nth > 0 {
            uri.push('/');
        }
        for byte in segment.bytes() {
            if is_plain(byte) || (nth > 0 && matches!(byte, b':' | b'@')) {
                uri.push(char::from(byte));
            } else {
                write!(uri, "%{byte:02X}").ok();
            }
        }
    }
    uri
}

/// The unreserved characters and the delimiters within a segment (RFC 3986, 2.2 and 2.3).
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&byte)
}

/// Says what a path must not be; a file system would take it for another, or for none.
pub(super) fn path_problem(path: &str) -> Option<&'static str> {
    let bad = |segment: &str| matches!(segment, "" | "." | "..");
    if path.split('/').any(bad) {
        return Some("is no path below the top: it has an empty segment, \".\" or \"..\"");
    }
    if path.chars().any(|one| matches!(one, '\\' | ':') || one.is_control()) {
        return Some("has a backslash, a colon or a control character in it; rename it");
    }
    (address(path).len() > MAX_ADDRESS).then_some("is too long: 1024 bytes of an address at most")
}

#[cfg(test)]
mod tests {
    use super::{address, path_problem};

    #[test]
    fn what_an_address_cannot_have_is_encoded() {
        let check = |path, uri| assert_eq!(address(path), uri);
        check("a/SKILL.md", "skill://a/SKILL.md");
        check("acme/billing/b c.md", "skill://acme/billing/b%20c.md");
        check("a/100%.md", "skill://a/100%25.md");
        check("a/café.md", "skill://a/caf%C3%A9.md");
        check("a@b/c@d?#[]", "skill://a%40b/c@d%3F%23%5B%5D");
    }

    #[test]
    fn what_leaves_the_top_is_no_path() {
        for bad in ["", "/a", "a/", "a//b", "./a", "../a", "a/../b", "a\\b", "C:a", "a\0", "a\nb"] {
            assert!(path_problem(bad).is_some(), "{bad:?}");
        }
        for good in ["a", "a/b c", "....md", "a/..b", "café/%2e%2e"] {
            assert_eq!(path_problem(good), None, "{good:?}");
        }
        assert!(path_problem(&"a/".repeat(600)).is_some());
    }
}
