//! Texts that stand for numbers and booleans, read as what the schema asks for.

use serde_json::{Map, Number, Value};

/// How deep schemas and values are followed, as deep as the decoder goes.
const MAX_DEPTH: usize = 64;

/// The arguments with every text read that its schema wants to be something else; `None` when
/// there is nothing to read.
///
/// Only texts are read, and only where they are no value of the schema: `"5"` for an integer is 5,
/// and 5 for a text stays 5.
pub(super) fn read(schema: &Value, arguments: &str) -> Option<String> {
    let mut value: Value = serde_json::from_str(arguments).ok()?;
    let mut reader = Reader { root: schema, has_read: false };
    reader.visit(schema, &mut value, MAX_DEPTH);
    reader.has_read.then(|| value.to_string())
}

struct Reader<'s> {
    root: &'s Value,
    has_read: bool,
}

impl<'s> Reader<'s> {
    fn visit(&mut self, schema: &'s Value, value: &mut Value, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
            let target = target.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
            return target.into_iter().for_each(|target| self.visit(target, value, depth));
        }
        match value {
            Value::String(text) => {
                if let Some(read) = wanted(schema, text) {
                    *value = read;
                    self.has_read = true;
                }
            }
            Value::Object(members) => self.members(schema, members, depth),
            Value::Array(items) => {
                if let Some(schema) = schema.get("items") {
                    items.iter_mut().for_each(|item| self.visit(schema, item, depth));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn members(&mut self, schema: &'s Value, members: &mut Map<String, Value>, depth: usize) {
        for (name, member) in members {
            let known = schema.get("properties").and_then(|properties| properties.get(name));
            if let Some(schema) = known.or_else(|| schema.get("additionalProperties")) {
                self.visit(schema, member, depth);
            }
        }
    }
}

/// What a text stands for, when its schema wants no text.
fn wanted(schema: &Value, text: &str) -> Option<Value> {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let is_text = values.iter().any(|value| value == text);
        let read = serde_json::from_str::<Value>(text).ok().filter(|read| values.contains(read));
        return if is_text { None } else { read };
    }
    let kinds = match schema.get("type")? {
        Value::String(kind) => vec![kind.as_str()],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    if kinds.contains(&"string") {
        return None;
    }
    kinds.into_iter().find_map(|kind| match kind {
        "integer" => integer(text),
        "number" => number(text),
        "boolean" => boolean(text),
        _ => None,
    })
}

fn integer(text: &str) -> Option<Value> {
    text.parse::<i64>().map(Value::from).or_else(|_| text.parse::<u64>().map(Value::from)).ok()
}

fn number(text: &str) -> Option<Value> {
    integer(text).or_else(|| Number::from_f64(text.parse().ok()?).map(Value::from))
}

fn boolean(text: &str) -> Option<Value> {
    let is = |words: [&str; 2]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    if is(["true", "1"]) {
        return Some(true.into());
    }
    is(["false", "0"]).then(|| false.into())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::read;

    #[track_caller]
    fn check(arguments: &Value, expected: Option<&Value>) {
        let schema = json!({
            "type": "object",
            "properties": {
                "age": { "type": "integer", "minimum": 18 },
                "score": { "type": ["number", "null"] },
                "open": { "type": "boolean" },
                "name": { "type": "string" },
                "level": { "enum": [1, 2, 3] },
                "ids": { "type": "array", "items": { "type": "integer" } },
                "bag": { "$ref": "#/$defs/Bag" },
            },
            "$defs": { "Bag": { "type": "object", "properties": { "n": { "type": "integer" } } } },
        });
        let text = read(&schema, &arguments.to_string());
        let read = text.map(|text| serde_json::from_str::<Value>(&text).unwrap());
        assert_eq!(read.as_ref(), expected);
    }

    #[test]
    fn each_kind_is_read_at_any_depth() {
        check(&json!({ "age": "25" }), Some(&json!({ "age": 25 })));
        check(&json!({ "score": "85.5" }), Some(&json!({ "score": 85.5 })));
        check(&json!({ "score": "5" }), Some(&json!({ "score": 5 })));
        check(&json!({ "level": "1" }), Some(&json!({ "level": 1 })));
        check(&json!({ "ids": [1, "2"] }), Some(&json!({ "ids": [1, 2] })));
        check(&json!({ "bag": { "n": "-3" } }), Some(&json!({ "bag": { "n": -3 } })));
        for (text, value) in [("true", true), ("FALSE", false), ("1", true), ("0", false)] {
            check(&json!({ "open": text }), Some(&json!({ "open": value })));
        }
    }

    #[test]
    fn what_is_no_such_value_stays_as_it_is() {
        for untouched in [
            json!({ "age": "25x" }),
            json!({ "age": "" }),
            json!({ "name": "25" }),
            json!({ "name": 25 }),
            json!({ "open": "yes" }),
            json!({ "score": "NaN" }),
            json!({ "level": "4" }),
            json!({ "other": "1" }),
        ] {
            check(&untouched, None);
        }
    }
}
