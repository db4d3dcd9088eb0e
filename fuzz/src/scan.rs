//! The one pass over a message, held against `serde_json`.

use aqueduct::protocol::jsonrpc::{Kind, Limits, Param, decode, string};
use serde_json::Value;

/// A message.
pub(crate) fn run(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let Ok(envelope) = decode(text, &Limits::default()) else { return };
    let read: Result<Value, _> = serde_json::from_str(text);
    let Ok(value) = read else { unreadable(text) };
    let get = |name: &str| value.get(name);
    match envelope.kind() {
        Kind::Response => {}
        Kind::Request | Kind::Notification => {
            let method = get("method").and_then(Value::as_str);
            assert_eq!(method, Some(&*envelope.method(text)));
        }
    }
    let id = envelope.id(text).map(|id| serde_json::from_str::<Value>(id).ok());
    if let Some(id) = id {
        assert_eq!(id.as_ref(), get("id"));
    }
    let params = envelope.params(text).map(|params| serde_json::from_str::<Value>(params).ok());
    if let Some(params) = params {
        assert_eq!(params.as_ref(), get("params"));
    }
    for param in [Param::Name, Param::Uri, Param::Arguments] {
        let raw = envelope.param(text, param);
        let theirs = get("params").and_then(|params| params.get(param.as_str()));
        let ours = raw.and_then(|raw| serde_json::from_str::<Value>(raw).ok());
        assert_eq!(ours.as_ref(), theirs, "{}", param.as_str());
        let name = raw.and_then(string);
        assert_eq!(name.as_deref(), theirs.and_then(Value::as_str));
    }
}

#[expect(clippy::panic, reason = "this is how a target says that something does not hold")]
fn unreadable(text: &str) -> ! {
    panic!("serde_json does not take {text:?}")
}
