//! What becomes of null in a derived schema; the reasons stand in the folder's documentation.

use serde_json::{Map, Value, json};

use super::definition::absorb;
use super::{KEEP_NULL, Profile};

/// Whether a property that is absent says the same as one that is null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Absent {
    /// In an input: an optional property need not be null as well.
    MeansNull,
    /// In an output: what the server sends stays.
    IsAbsent,
}

/// Treats null in one schema and its direct properties; true when a property lost it.
pub(super) fn treat(schema: &mut Value, profile: Profile, absent: Absent) -> bool {
    let Value::Object(map) = schema else { return false };
    openapi(map);
    let mut removed = false;
    if profile == Profile::Conservative && absent == Absent::MeansNull {
        removed = from_optional(map);
    }
    if profile == Profile::Conservative {
        spread(map);
    }
    map.remove(KEEP_NULL);
    removed
}

/// Takes null from every optional property that does not keep it.
fn from_optional(map: &mut Map<String, Value>) -> bool {
    let required: Vec<String> = map
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        .unwrap_or_default();
    let Some(Value::Object(properties)) = map.get_mut("properties") else { return false };
    let mut removed = false;
    for (name, property) in properties {
        let Value::Object(property) = property else { continue };
        openapi(property);
        let keeps = property.get(KEEP_NULL).is_some_and(|mark| mark == &Value::Bool(true));
        if !keeps && !required.contains(name) {
            removed |= take(property);
        }
    }
    removed
}

/// Takes null from a schema that also accepts something else; true when there was one to take.
pub(super) fn take(map: &mut Map<String, Value>) -> bool {
    let taken = take_from_types(map) || take_from_choice(map);
    if taken && map.get("default").is_some_and(Value::is_null) {
        map.remove("default");
    }
    taken
}

fn take_from_types(map: &mut Map<String, Value>) -> bool {
    let Some(Value::Array(types)) = map.get_mut("type") else { return false };
    let before = types.len();
    types.retain(|name| name != "null");
    if types.len() == before || types.is_empty() {
        return false;
    }
    if let [only] = types.as_slice() {
        let only = only.clone();
        map.insert("type".to_owned(), only);
    }
    if let Some(Value::Array(values)) = map.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    true
}

fn take_from_choice(map: &mut Map<String, Value>) -> bool {
    for keyword in ["anyOf", "oneOf"] {
        let Some(Value::Array(branches)) = map.get_mut(keyword) else { continue };
        let before = branches.len();
        if !branches.iter().any(|branch| !is_null(branch)) {
            continue;
        }
        branches.retain(|branch| !is_null(branch));
        if branches.len() == before {
            continue;
        }
        if branches.len() == 1
            && let Some(Value::Array(mut branches)) = map.remove(keyword)
            && let Some(only) = branches.pop()
        {
            absorb(map, only);
        }
        return true;
    }
    false
}

/// A schema that accepts null and nothing else.
fn is_null(branch: &Value) -> bool {
    branch.get("type").is_some_and(|name| name == "null")
}

/// `["T", "null"]` as `anyOf [T, null]`, with the annotations staying outside.
fn spread(map: &mut Map<String, Value>) {
    const OUTSIDE: &[&str] = &[
        "title",
        "description",
        "default",
        "examples",
        "deprecated",
        "readOnly",
        "writeOnly",
        "$defs",
    ];
    let two_types = map
        .get("type")
        .and_then(Value::as_array)
        .is_some_and(|types| types.len() == 2 && types.iter().any(|name| name == "null"));
    if !two_types || map.contains_key("anyOf") {
        return;
    }
    let inside = |key: &str| !OUTSIDE.contains(&key) && !key.starts_with("x-");
    let keys: Vec<String> = map.keys().filter(|key| inside(key)).cloned().collect();
    let mut content: Map<String, Value> =
        keys.into_iter().filter_map(|key| map.remove_entry(&key)).collect();
    take_from_types(&mut content);
    map.insert("anyOf".to_owned(), json!([content, { "type": "null" }]));
}

/// `nullable`, which `OpenAPI` had before it took over JSON Schema, as the type it means.
fn openapi(map: &mut Map<String, Value>) {
    let nullable = map.remove("nullable").is_some_and(|flag| flag == Value::Bool(true));
    if let Some(Value::String(name)) = map.get("type")
        && nullable
        && name != "null"
    {
        let both = json!([name, "null"]);
        map.insert("type".to_owned(), both);
    }
}
