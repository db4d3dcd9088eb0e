//! The hosts that requests name.

use aqueduct::transport::http::Authority;

/// A host, perhaps with a port.
pub(crate) fn run(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let Ok(authority) = text.parse::<Authority>() else { return };
    let shown = authority.to_string();
    assert_eq!(shown.parse::<Authority>().as_ref(), Ok(&authority), "{text:?} is {shown:?}");
    let is_plain = |one: char| one.is_ascii_alphanumeric() || "-._:[]".contains(one);
    assert!(shown.chars().all(is_plain), "{shown:?} from {text:?}");
    assert_eq!(shown, shown.to_ascii_lowercase(), "a host has no case");
    // Nothing of a URL around a host is taken for the host.
    for odd in ["@", "/", "\\", "?", "#", " ", "%", ","] {
        assert!(!text.contains(odd), "{text:?}");
    }
    let loopback = ["localhost", "127.0.0.1", "[::1]"].iter().any(|name| {
        shown == *name || shown.strip_prefix(name).is_some_and(|rest| rest.starts_with(':'))
    });
    let lower = text.to_ascii_lowercase();
    let says = lower.contains("localhost") || lower.contains("127.0.0.1") || lower.starts_with('[');
    assert!(!loopback || says, "{text:?} became {shown:?}");
}
