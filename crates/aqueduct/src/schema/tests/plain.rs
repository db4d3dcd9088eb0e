//! What is plain compiles, and a schema judged late is judged as one that is compiled at once.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::schema::plain::is_plain;
use crate::schema::x_mcp_header::header_params;
use crate::schema::{Deferred, Validator};

const KEYWORDS: &[&str] = &[
    "type",
    "title",
    "description",
    "format",
    "required",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "enum",
    "const",
    "default",
    "x-mcp-header",
    "pattern",
    "$ref",
    "uniqueItems",
    "$schema",
];

/// A value for some keyword, which may be the wrong one.
fn value() -> impl Strategy<Value = Value> {
    select(vec![
        json!("string"),
        json!("object"),
        json!("array"),
        json!("integer"),
        json!("number"),
        json!("boolean"),
        json!("date"),
        json!("strnig"),
        json!(["a"]),
        json!(["a", "b"]),
        json!(["a", "a"]),
        json!([]),
        json!(0),
        json!(2),
        json!(2.0),
        json!(-1),
        json!(1.5),
        json!(true),
        json!(null),
        json!({"a": 1}),
        json!("("),
        json!("#/properties/a"),
    ])
}

fn schema() -> impl Strategy<Value = Value> {
    let keywords = || prop::collection::btree_map(select(KEYWORDS), value(), 0..3);
    let leaf = prop_oneof![
        keywords().prop_map(|map| json!(map)),
        Just(json!(true)),
        Just(json!({"type": "string", "description": "What to look at"})),
        Just(json!({"type": "integer", "minimum": 0})),
    ];
    leaf.prop_recursive(3, 12, 3, move |inner| {
        let members = prop::collection::btree_map(select(vec!["a", "b"]), inner.clone(), 0..3);
        let holder = select(vec!["properties", "items", "additionalProperties"]);
        (keywords(), holder, inner, members).prop_map(|(map, holder, one, many)| {
            let mut schema = json!(map);
            schema[holder] = if holder == "properties" { json!(many) } else { one };
            schema
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_096))]

    #[test]
    fn what_is_plain_compiles_and_mirrors_nothing(schema in schema()) {
        if is_plain(&schema) {
            prop_assert!(Validator::compile(&schema).is_ok(), "{schema}");
            prop_assert_eq!(header_params(&schema).ok(), Some(Vec::new()));
        }
    }

    #[test]
    fn late_and_at_once_give_the_same_problems(schema in schema(), value in value()) {
        match (Validator::compile(&schema), Deferred::new(&schema)) {
            (Ok(at_once), Ok(late)) => prop_assert_eq!(at_once.problems(&value), late.problems(&value)),
            (Err(at_once), Err(late)) => prop_assert_eq!(at_once.to_string(), late.to_string()),
            (at_once, late) => prop_assert!(false, "{schema}: {at_once:?}, {}", late.is_ok()),
        }
    }
}

#[test]
fn ordinary_arguments_are_plain() {
    let ordinary = json!({
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "What to look at", "minLength": 1},
            "limit": {"type": "integer", "minimum": 0, "maximum": 100, "default": 10},
            "tags": {"type": "array", "items": {"type": "string"}},
            "order": {"type": "string", "enum": ["newest", "oldest"]},
        },
        "required": ["text"],
        "additionalProperties": false,
    });
    assert!(is_plain(&ordinary));
    assert!(
        Deferred::new(&ordinary).is_ok_and(|late| !late.problems(&json!({"text": 1})).is_empty())
    );
}

#[test]
fn a_schema_past_the_bounds_is_not_plain() {
    let deep = (0..9).fold(json!({"type": "string"}), |inner, _| json!({"items": inner}));
    let wide: Value = (0..300)
        .map(|at| (format!("p{at}"), json!(true)))
        .collect::<serde_json::Map<_, _>>()
        .into();
    for schema in [deep, json!({"properties": wide}), json!({"title": "x".repeat(40_000)})] {
        assert!(!is_plain(&schema));
    }
}
