//! The rules of a message written down a second time, slowly, on top of `serde_json`.

use std::collections::HashSet;
use std::fmt;

use aqueduct_protocol::code::{INVALID_REQUEST, PARSE_ERROR};
use aqueduct_protocol::jsonrpc::Kind;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

/// What a text is: a kind, or the code it is refused with.
///
/// `None` where two rules refuse a text and `serde_json` sees only the first of them.
pub(crate) fn judge(text: &str) -> Option<Result<Kind, i32>> {
    match serde_json::from_str::<Value>(text) {
        Err(error) if error.to_string().contains("number out of range") => return None,
        Err(_) => return Some(Err(PARSE_ERROR)),
        Ok(_) => {}
    }
    let raw: &RawValue = serde_json::from_str(text).unwrap();
    Some(kind(raw.get()).ok_or(INVALID_REQUEST))
}

/// An object's members as they stand, duplicates included.
pub(crate) struct Members(pub(crate) Vec<(String, Box<RawValue>)>);

impl Members {
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.get())
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;
        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(MembersVisitor)
    }
}

fn kind(text: &str) -> Option<Kind> {
    if has_duplicates(text) {
        return None;
    }
    let message: Members = serde_json::from_str(text).ok()?;
    exact(&message, &["jsonrpc", "id", "method", "params", "result", "error"])?;
    let id = message.get("id");
    if id.is_some_and(|id| !is_id(id)) {
        return None;
    }
    if serde_json::from_str::<String>(message.get("jsonrpc")?).ok()? != "2.0" {
        return None;
    }
    if let Some(params) = message.get("params") {
        let params: Members = serde_json::from_str(params).ok()?;
        exact(&params, &["name", "uri", "taskId", "arguments", "_meta"])?;
    }
    match (message.get("method"), message.get("result"), message.get("error")) {
        (Some(method), None, None) => {
            serde_json::from_str::<String>(method).ok()?;
            Some(if id.is_some() { Kind::Request } else { Kind::Notification })
        }
        (None, Some(result), None) if id.is_some() && result.starts_with('{') => {
            Some(Kind::Response)
        }
        (None, None, Some(error)) if error.starts_with('{') => Some(Kind::Response),
        _ => None,
    }
}

fn is_id(id: &str) -> bool {
    match serde_json::from_str(id) {
        Ok(Value::String(_)) => true,
        Ok(Value::Number(number)) => number.is_i64(),
        _ => false,
    }
}

fn exact(members: &Members, known: &[&str]) -> Option<()> {
    let near =
        |name: &String| known.iter().any(|known| known.eq_ignore_ascii_case(name) && known != name);
    (!members.0.iter().any(|(name, _)| near(name))).then_some(())
}

fn has_duplicates(text: &str) -> bool {
    match text.as_bytes().first() {
        Some(b'{') => {
            let Members(members) = serde_json::from_str(text).unwrap();
            let names: HashSet<&String> = members.iter().map(|(name, _)| name).collect();
            names.len() < members.len()
                || members.iter().any(|(_, value)| has_duplicates(value.get()))
        }
        Some(b'[') => {
            let items: Vec<Box<RawValue>> = serde_json::from_str(text).unwrap();
            items.iter().any(|item| has_duplicates(item.get()))
        }
        _ => false,
    }
}
