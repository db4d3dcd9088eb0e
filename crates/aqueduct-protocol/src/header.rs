//! The HTTP headers that the protocol defines, in lower case, and how their values are written.
//!
//! [Streamable HTTP](https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http).

use std::borrow::Cow;
use std::fmt;

use crate::base64;

/// The revision that the request is written in.
pub const PROTOCOL_VERSION: &str = "mcp-protocol-version";
/// The request's method.
pub const METHOD: &str = "mcp-method";
/// What the method acts on: a tool's or prompt's name, a resource's address, a task's id.
pub const NAME: &str = "mcp-name";
/// What the name of every header begins with that repeats a tool's argument.
pub const PARAM_PREFIX: &str = "mcp-param-";
/// The word in an input schema by which an argument gets such a header (SEP-2243).
pub const PARAM_KEYWORD: &str = "x-mcp-header";
/// Handshake revisions: the session.
pub const SESSION_ID: &str = "mcp-session-id";
/// Handshake revisions: where a broken stream is to go on.
pub const LAST_EVENT_ID: &str = "last-event-id";

const OPENING: &str = "=?base64?";
const CLOSING: &str = "?=";

/// A header value that no client may send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeaderValueError {
    /// A byte that is neither visible ASCII nor a space nor a tab.
    Byte(u8),
    /// What stands between `=?base64?` and `?=` is not strict Base64.
    Base64,
    /// What it decodes to is not UTF-8.
    Utf8,
}

impl fmt::Display for HeaderValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Byte(byte) => write!(f, "header value contains byte 0x{byte:02x}"),
            Self::Base64 => f.write_str("header value holds invalid Base64"),
            Self::Utf8 => f.write_str("header value holds Base64 of something other than UTF-8"),
        }
    }
}

impl std::error::Error for HeaderValueError {}

/// What a value of `Mcp-Name` or `Mcp-Param-*` says.
///
/// Whitespace around it is dropped.
/// `=?base64?…?=` is decoded strictly; with another case of letters, or with one half missing, it
/// is literal text.
///
/// # Errors
///
/// When the value holds a byte that it may not, or is encoded and does not decode.
///
/// ```
/// use aqueduct_protocol::header::decode_value;
///
/// assert_eq!(decode_value(b" =?base64?ZWNobw==?= ")?, "echo");
/// assert_eq!(decode_value(b"=?BASE64?ZWNobw==?=")?, "=?BASE64?ZWNobw==?=");
/// assert!(decode_value(b"=?base64?ZWNobw?=").is_err());
/// # Ok::<(), aqueduct_protocol::header::HeaderValueError>(())
/// ```
pub fn decode_value(value: &[u8]) -> Result<Cow<'_, str>, HeaderValueError> {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t');
    let start = value.iter().position(|byte| !is_space(byte)).unwrap_or(value.len());
    let end = value.iter().rposition(|byte| !is_space(byte)).map_or(start, |last| last + 1);
    let value = value.get(start..end).unwrap_or_default();
    if let Some(byte) = value.iter().find(|byte| !is_space(byte) && !byte.is_ascii_graphic()) {
        return Err(HeaderValueError::Byte(*byte));
    }
    let text = str::from_utf8(value).map_err(|_| HeaderValueError::Utf8)?;
    let Some(payload) = encoded(text) else { return Ok(Cow::Borrowed(text)) };
    let bytes = base64::decode(payload).map_err(|_| HeaderValueError::Base64)?;
    String::from_utf8(bytes).map(Cow::Owned).map_err(|_| HeaderValueError::Utf8)
}

/// How a text is written as a value of `Mcp-Name` or `Mcp-Param-*`.
///
/// Plain where that is unambiguous; encoded when it has other characters than visible ASCII and
/// inner spaces, or would itself be read as encoded.
///
/// ```
/// use aqueduct_protocol::header::encode_value;
///
/// assert_eq!(encode_value("notes://welcome"), "notes://welcome");
/// assert_eq!(encode_value("notes://日本"), "=?base64?bm90ZXM6Ly/ml6XmnKw=?=");
/// ```
#[must_use]
pub fn encode_value(text: &str) -> Cow<'_, str> {
    let is_plain = text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
        && text.trim_ascii().len() == text.len()
        && encoded(text).is_none();
    if is_plain {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{OPENING}{}{CLOSING}", base64::encode(text.as_bytes())))
}

fn encoded(text: &str) -> Option<&str> {
    text.strip_prefix(OPENING)?.strip_suffix(CLOSING)
}

#[cfg(test)]
mod tests {
    use super::{HeaderValueError, decode_value, encode_value};

    #[test]
    fn the_cases_of_b25_and_of_sep_2243_are_read_as_they_should() {
        let check = |value: &str, said: Result<&str, HeaderValueError>| {
            let decoded = decode_value(value.as_bytes());
            assert_eq!(decoded.as_deref().map_err(|error| *error), said, "{value}");
        };
        check("echo", Ok("echo"));
        check("", Ok(""));
        check(" \t ", Ok(""));
        check("\t two words ", Ok("two words"));
        check("=?base64?bm90ZXM6Ly/ml6XmnKw=?=", Ok("notes://日本"));
        check("=?base64?ZWNobw==?=", Ok("echo"));
        check("=?base64??=", Ok(""));
        check("=?base64?=", Ok("=?base64?="));
        check("=?base64?ZWNobw==", Ok("=?base64?ZWNobw=="));
        check("ZWNobw==?=", Ok("ZWNobw==?="));
        check("=?BASE64?ZWNobw==?=", Ok("=?BASE64?ZWNobw==?="));
        check("=?base64?%%%?=", Err(HeaderValueError::Base64));
        check("=?base64?SGVsbG8?=", Err(HeaderValueError::Base64));
        check("=?base64?SGVs!!!bG8=?=", Err(HeaderValueError::Base64));
        check("=?base64?/w==?=", Err(HeaderValueError::Utf8));
        check("caf\u{e9}", Err(HeaderValueError::Byte(0xC3)));
        check("a\u{7f}", Err(HeaderValueError::Byte(0x7F)));
        check("a\nb", Err(HeaderValueError::Byte(b'\n')));
    }

    #[test]
    fn what_is_encoded_is_decoded() {
        for text in ["", "a", " a", "a\t", "a b", "日本", "a\nb", "=?base64?eA==?=", "=?base64?="]
        {
            let encoded = encode_value(text);
            assert_eq!(decode_value(encoded.as_bytes()).unwrap(), text, "{encoded}");
        }
        assert_eq!(encode_value("a b"), "a b");
        assert_ne!(encode_value("a\tb"), "a\tb");
    }
}
