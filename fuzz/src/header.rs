//! Values that travel in header fields.

use aqueduct::protocol::header::{decode_value, encode_value};

/// The bytes of a header value, and then the same as a text that is to become one.
pub(crate) fn run(data: &[u8]) {
    if let Ok(text) = decode_value(data) {
        let again = encode_value(&text);
        assert_eq!(decode_value(again.as_bytes()).as_deref(), Ok(&*text));
    }
    let Ok(text) = str::from_utf8(data) else { return };
    let encoded = encode_value(text);
    assert!(http::HeaderValue::from_str(&encoded).is_ok(), "{encoded:?} is no header value");
    let is_plain = |byte: u8| (b' '..=b'~').contains(&byte) || byte == b'\t';
    assert!(encoded.bytes().all(is_plain), "{encoded:?}");
    assert_eq!(decode_value(encoded.as_bytes()).as_deref(), Ok(text));
}
