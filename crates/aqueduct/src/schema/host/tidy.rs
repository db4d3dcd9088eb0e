//! What is noise to a host and what it misses: formats of Rust, `items`, `properties`.

use serde_json::{Map, Value, json};

use super::{KEEP_NULL, Profile};
use crate::schema::node::Types;
use crate::schema::number;

/// Tidies one schema; its parts are tidied on their own.
pub(super) fn tidy(schema: &mut Value, profile: Profile) {
    let Value::Object(map) = schema else { return };
    if profile == Profile::Conservative {
        spell_out_true(map);
    }
    map.remove(KEEP_NULL);
    drop_format(map);
    let types = types(map);
    if types.has(Types::ARRAY) && !map.contains_key("items") {
        map.insert("items".to_owned(), json!({}));
    }
    if types.has(Types::OBJECT) && !map.contains_key("properties") {
        map.insert("properties".to_owned(), json!({}));
    }
}

/// `{}` for the schema `true`, which dated hosts do not know; the rest of an object keeps it.
fn spell_out_true(map: &mut Map<String, Value>) {
    let spell = |value: &mut Value| {
        if *value == Value::Bool(true) {
            *value = json!({});
        }
    };
    for (key, value) in map {
        match (key.as_str(), value) {
            ("items", value) => spell(value),
            ("properties" | "patternProperties", Value::Object(members)) => {
                members.values_mut().for_each(spell);
            }
            ("prefixItems" | "anyOf" | "oneOf" | "allOf", Value::Array(items)) => {
                items.iter_mut().for_each(spell);
            }
            _ => {}
        }
    }
}

fn types(map: &Map<String, Value>) -> Types {
    let named = |value: &Value| value.as_str().and_then(Types::named);
    match map.get("type") {
        Some(Value::Array(items)) => items.iter().filter_map(named).fold(Types::NONE, Types::with),
        Some(value) => named(value).unwrap_or(Types::NONE),
        None => Types::NONE,
    }
}

/// Drops formats that only Rust knows and writes the range of the type instead.
fn drop_format(map: &mut Map<String, Value>) {
    let Some(Value::String(format)) = map.get("format") else { return };
    let Some(bounds) = natural_bounds(format) else { return };
    map.remove("format");
    let (least, most) = bounds;
    bound(map, "minimum", "exclusiveMinimum", least);
    bound(map, "maximum", "exclusiveMaximum", most);
}

fn bound(map: &mut Map<String, Value>, keyword: &str, exclusive: &str, natural: Option<i64>) {
    if let Some(natural) = natural
        && !map.contains_key(keyword)
        && !map.contains_key(exclusive)
    {
        map.insert(keyword.to_owned(), natural.into());
    }
}

/// The bounds worth writing for a format of Rust; `None` for a format that others know too.
///
/// Of 64 bits and more only the sign is written: the rest is no number that a model would reach.
pub(super) fn natural_bounds(format: &str) -> Option<(Option<i64>, Option<i64>)> {
    Some(match format {
        "uint8" => (Some(0), Some(u8::MAX.into())),
        "uint16" => (Some(0), Some(u16::MAX.into())),
        "uint32" => (Some(0), Some(u32::MAX.into())),
        "uint" | "uint64" | "uint128" => (Some(0), None),
        "int8" => (Some(i8::MIN.into()), Some(i8::MAX.into())),
        "int16" => (Some(i16::MIN.into()), Some(i16::MAX.into())),
        "int32" => (Some(i32::MIN.into()), Some(i32::MAX.into())),
        "int" | "int64" | "int128" | "float" | "double" => (None, None),
        "ip" | "partial-date-time" | "partial-time" | "zoned-date-time" => (None, None),
        _ => return None,
    })
}

/// Whether a written bound is the one that the type has by nature.
pub(super) fn is_natural(written: &Value, natural: Option<i64>) -> bool {
    let Some(written) = written.as_number() else { return false };
    natural.is_some_and(|natural| number::compare(written, &natural.into()).is_eq())
}
