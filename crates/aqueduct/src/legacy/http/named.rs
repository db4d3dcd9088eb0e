//! Which revision the headers of a message name, and so whose message it is.

use aqueduct_protocol::header;
use aqueduct_protocol::version::ProtocolVersion;
use http::HeaderMap;

/// The revision that the headers name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    None,
    Handshake(ProtocolVersion),
    /// One without a handshake, or one that is yet to come.
    Stateless,
    Unknown,
}

/// The revision by its header.
pub(super) fn named(headers: &HeaderMap) -> Named {
    let mut values = headers.get_all(header::PROTOCOL_VERSION).iter();
    let Some(value) = values.next() else { return Named::None };
    let (Ok(name), None) = (str::from_utf8(value.as_bytes().trim_ascii()), values.next()) else {
        return Named::Unknown;
    };
    match ProtocolVersion::parse(name) {
        Some(version) if version.has_handshake() => Named::Handshake(version),
        Some(_) => Named::Stateless,
        None if is_later(name) => Named::Stateless,
        None => Named::Unknown,
    }
}

/// A date behind that of the newest revision here.
fn is_later(name: &str) -> bool {
    let is_date = name.len() == "2026-07-28".len()
        && name.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
    is_date && name > ProtocolVersion::LATEST.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_says_which_generation_a_message_is_of() {
        let check = |values: &[&'static str], expected: Named| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(header::PROTOCOL_VERSION, http::HeaderValue::from_static(value));
            }
            assert_eq!(named(&headers), expected, "{values:?}");
        };
        check(&[], Named::None);
        check(&["2025-06-18"], Named::Handshake(ProtocolVersion::V2025_06_18));
        check(&[" 2026-07-28 "], Named::Stateless);
        check(&["2099-01-01"], Named::Stateless);
        check(&["2000-01-01"], Named::Unknown);
        check(&["2024-11-05"], Named::Unknown);
        check(&["invalid"], Named::Unknown);
        check(&["2025-06-18", "2025-06-18"], Named::Unknown);
    }
}
