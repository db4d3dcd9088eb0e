//! Writers of what leaves: straight into the buffer that is sent.

use super::RawJson;
use super::text::plain_run;

/// Writes `text` as a JSON string, quotes included.
///
/// Runs that need no escape are copied whole.
///
/// ```
/// let mut out = Vec::new();
/// aqueduct_protocol::jsonrpc::write_string(&mut out, "a \"b\"\n");
/// assert_eq!(out, br#""a \"b\"\n""#);
/// ```
pub fn write_string(out: &mut Vec<u8>, text: &str) {
    out.reserve(text.len() + 2);
    out.push(b'"');
    let mut rest = text.as_bytes();
    loop {
        let (clean, tail) = rest.split_at_checked(plain_run(rest)).unwrap_or((rest, &[]));
        out.extend_from_slice(clean);
        let Some((byte, after)) = tail.split_first() else { break };
        write_escape(out, *byte);
        rest = after;
    }
    out.push(b'"');
}

fn write_escape(out: &mut Vec<u8>, byte: u8) {
    let short = match byte {
        b'"' | b'\\' => byte,
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        8 => b'b',
        12 => b'f',
        _ => {
            let digit = |half: u8| if half < 10 { b'0' + half } else { b'a' + half - 10 };
            out.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte & 15)]);
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

/// Writes the head of a response: what follows is the result, then `}`.
///
/// `id_raw` is the request's id as [`Envelope::id`](super::Envelope::id) gave it.
pub fn write_result_head(out: &mut Vec<u8>, id_raw: &str) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    out.extend_from_slice(id_raw.as_bytes());
    out.extend_from_slice(br#","result":"#);
}

/// Writes a whole error response.
///
/// Without an id there is no `id` member: the protocol's schema knows no `null` there, whatever
/// JSON-RPC 2.0 says.
///
/// ```
/// use aqueduct_protocol::{code, jsonrpc::write_error};
///
/// let mut out = Vec::new();
/// write_error(&mut out, None, code::PARSE_ERROR, "not JSON", None);
/// assert_eq!(out, br#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"not JSON"}}"#);
/// ```
pub fn write_error(
    out: &mut Vec<u8>,
    id_raw: Option<&str>,
    code: i32,
    message: &str,
    data: Option<&RawJson>,
) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","#);
    if let Some(id) = id_raw {
        out.extend_from_slice(br#""id":"#);
        out.extend_from_slice(id.as_bytes());
        out.push(b',');
    }
    out.extend_from_slice(br#""error":{"code":"#);
    out.extend_from_slice(code.to_string().as_bytes());
    out.extend_from_slice(br#","message":"#);
    write_string(out, message);
    if let Some(data) = data {
        out.extend_from_slice(br#","data":"#);
        out.extend_from_slice(data.get().as_bytes());
    }
    out.extend_from_slice(b"}}");
}

#[cfg(test)]
mod tests {
    use super::write_string;

    #[test]
    fn every_character_is_written_as_serde_json_writes_it() {
        for code in (0..=0x2FF_u32).chain([0x2028, 0xFFFF, 0x1_F389, 0x10_FFFF]) {
            let Some(character) = char::from_u32(code) else { continue };
            let text = format!("{character}{}{character}x{character}", "y".repeat(70));
            let mut out = Vec::new();
            write_string(&mut out, &text);
            assert_eq!(String::from_utf8(out).unwrap(), serde_json::to_string(&text).unwrap());
        }
    }
}
