//! Where serde's decode alone enforces a derived schema, and where it does not.

use std::collections::{BTreeMap, HashSet};

use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::compile;
use crate::schema::host::{Enforcement, Host, decode_is_enough};

fn derived<T: JsonSchema>() -> Value {
    schema_for!(T).into()
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Shape {
    Circle { r: f64 },
    Square { side: f64 },
}

#[derive(JsonSchema, Serialize, Deserialize)]
enum Colour {
    Red,
    Green,
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Node {
    children: Vec<Self>,
}

#[derive(JsonSchema, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "decoded and thrown away")]
struct Closed {
    u8: u8,
    i64: i64,
    size: usize,
    flag: bool,
    text: String,
    list: Vec<u16>,
    pair: (u8, String),
    map: BTreeMap<String, i8>,
    numbered: BTreeMap<u32, bool>,
    colour: Colour,
    shape: Shape,
    maybe: Option<f64>,
    any: Value,
}

#[test]
fn decode_is_enough_for_what_a_type_carries_by_itself() {
    assert!(decode_is_enough(&derived::<Closed>()));
    assert!(decode_is_enough(&derived::<Node>()));
    assert!(decode_is_enough(&derived::<Shape>()));
    assert!(decode_is_enough(&derived::<Value>()));
}

#[test]
fn decode_is_not_enough_for_a_constraint() {
    macro_rules! constrained {
        ($($attribute:meta => $kind:ty),* $(,)?) => {$({
            #[derive(JsonSchema)]
            #[expect(dead_code, reason = "only its schema is looked at")]
            struct One {
                #[$attribute]
                value: $kind,
            }
            let schema = derived::<One>();
            assert!(!decode_is_enough(&schema), "{schema}");
            assert_eq!(
                Host::new().input(schema, "One").unwrap().enforcement,
                Enforcement::Validator
            );
        })*};
    }
    constrained!(
        schemars(range(min = 0)) => i64,
        schemars(range(min = 1)) => u32,
        schemars(range(max = 100)) => u64,
        schemars(range(min = 0, max = 255)) => u16,
        schemars(length(min = 1)) => String,
        schemars(regex(pattern = "^a")) => String,
        schemars(length(min = 1)) => Vec<u8>,
        schemars(extend("multipleOf" = 2)) => u8,
    );
    assert!(!decode_is_enough(&derived::<HashSet<u8>>()));
    assert!(!decode_is_enough(&derived::<[u8; 3]>()));
    // Without the format nobody can tell whose bounds these are.
    assert!(!decode_is_enough(&json!({ "type": "integer", "minimum": 0 })));
}

/// Whatever the schema refuses, decoding refuses: by every single change of a good value.
fn decode_is_as_strict<T: JsonSchema + DeserializeOwned>(good: &Value) {
    let schema = derived::<T>();
    assert!(decode_is_enough(&schema));
    let validator = compile(&schema);
    assert!(validator.is_valid(good) && serde_json::from_value::<T>(good.clone()).is_ok());
    let wrong = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1.5),
        json!(300),
        json!(70_000),
        json!(1e20),
        json!("x"),
        json!([]),
        json!({}),
        json!([1]),
        json!({ "x": 1 }),
        json!({ "1": "x" }),
        json!(["x", 1]),
        json!([1, "x", 2]),
    ];
    let mut refused = 0;
    for value in changed(good, &wrong) {
        if !validator.is_valid(&value) {
            refused += 1;
            assert!(serde_json::from_value::<T>(value.clone()).is_err(), "decoded {value}");
        }
    }
    assert!(refused > 50, "{refused}");
}

/// The value with each of its parts replaced, left out or joined by another one.
fn changed(good: &Value, wrong: &[Value]) -> Vec<Value> {
    let mut all: Vec<Value> = wrong.to_vec();
    match good {
        Value::Object(map) => {
            for (key, value) in map {
                let with = |value: Value| {
                    let mut map = map.clone();
                    map.insert(key.clone(), value);
                    Value::Object(map)
                };
                all.extend(changed(value, wrong).into_iter().map(with));
                let mut fewer = map.clone();
                fewer.remove(key);
                all.push(Value::Object(fewer));
            }
            let mut more = map.clone();
            more.insert("unknown".to_owned(), json!(1));
            all.push(Value::Object(more));
        }
        Value::Array(items) => {
            for at in 0..items.len() {
                for value in changed(&items[at], wrong) {
                    let mut items = items.clone();
                    items[at] = value;
                    all.push(Value::Array(items));
                }
            }
        }
        _ => {}
    }
    all
}

#[test]
fn where_decode_is_enough_it_refuses_all_that_the_schema_refuses() {
    decode_is_as_strict::<Closed>(&json!({
        "u8": 1, "i64": -5, "size": 7, "flag": true, "text": "x", "list": [1, 2],
        "pair": [1, "x"], "map": { "a": -1 }, "numbered": { "5": true }, "colour": "Red",
        "shape": { "kind": "Circle", "r": 1.5 }, "maybe": 2.5, "any": null,
    }));
}
