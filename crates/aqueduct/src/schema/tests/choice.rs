//! What a model reads about a value that none of several schemas accepts.

use serde_json::{Value, json};

use super::message::{check, v};

#[test]
fn an_optional_type_talks_about_the_type() {
    check(
        v(json!({ "anyOf": [{ "type": "integer", "minimum": 0 }, { "type": "null" }] })),
        json!({ "v": -1 }),
        &["/v: expected an integer of at least 0, got -1"],
    );
    check(
        v(json!({ "anyOf": [{ "type": "integer", "minimum": 0 }, { "type": "null" }] })),
        json!({ "v": "1" }),
        &["/v: expected an integer of at least 0, got the string \"1\""],
    );
}

#[test]
fn a_choice_of_types_lists_them() {
    check(
        v(json!({ "anyOf": [{ "type": "integer" }, { "type": "string" }] })),
        json!({ "v": true }),
        &["/v: expected an integer or a string, got true"],
    );
}

fn shapes() -> Value {
    json!({
        "oneOf": [
            {
                "type": "object",
                "properties": { "kind": { "const": "circle" }, "radius": { "type": "number" } },
                "required": ["kind", "radius"],
            },
            {
                "type": "object",
                "properties": { "kind": { "const": "square" }, "side": { "type": "number" } },
                "required": ["kind", "side"],
            },
        ],
    })
}

#[test]
fn a_tagged_choice_is_explained_by_its_tag() {
    check(
        shapes(),
        json!({ "kind": "circle", "radius": "x" }),
        &["/radius: expected a number, got the string \"x\""],
    );
    check(
        shapes(),
        json!({ "kind": "cirle", "radius": 1 }),
        &["/kind: expected one of \"circle\", \"square\", got \"cirle\", did you mean \"circle\"?"],
    );
    check(
        shapes(),
        json!({ "radius": 1 }),
        &["/kind: required value is missing (one of \"circle\", \"square\")"],
    );
    check(
        shapes(),
        json!(5),
        &[
            "expected an object with the keys \"kind\", \"radius\" or an object with the keys \"kind\", \
           \"side\", got the number 5",
        ],
    );
}

#[test]
fn a_choice_by_key_is_explained_by_the_key() {
    let variant = |name: &str, content: Value| {
        json!({
            "type": "object",
            "properties": { name: content },
            "required": [name],
            "additionalProperties": false,
        })
    };
    let schema = json!({ "oneOf": [
        variant("Circle", json!({ "type": "object", "properties": { "r": { "type": "number" } }, "required": ["r"] })),
        variant("Square", json!({ "type": "number" })),
    ] });
    check(
        schema.clone(),
        json!({ "Circle": { "r": "x" } }),
        &["/Circle/r: expected a number, got the string \"x\""],
    );
    check(schema.clone(), json!({ "Circle": {} }), &["/Circle/r: required number is missing"]);
    check(
        schema.clone(),
        json!({ "Hexagon": 1 }),
        &[
            "expected one of the keys \"Circle\", \"Square\", got an object with the key \"Hexagon\"",
        ],
    );
    check(
        json!({ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }),
        json!({}),
        &["expected one of the keys \"phone\", \"email\", got an empty object"],
    );
    check(
        schema,
        json!({ "Circle": { "r": 1 }, "Square": 1 }),
        &["/Square: unknown, known are \"Circle\""],
    );
}

#[test]
fn more_than_one_match_of_one_of_is_said() {
    check(
        v(json!({ "oneOf": [{ "type": "integer" }, { "minimum": 2 }] })),
        json!({ "v": 3 }),
        &["/v: matches 2 of 2 alternatives (number 1 and 2 among them), expected exactly one"],
    );
}

#[test]
fn conditions_are_explained_by_what_follows() {
    check(
        json!({
            "properties": {
                "contact": { "enum": ["phone", "email"] },
                "phone": { "type": "string" },
            },
            "if": { "properties": { "contact": { "const": "phone" } }, "required": ["contact"] },
            "then": { "required": ["phone"] },
            "else": { "required": ["email"] },
        }),
        json!({ "contact": "phone" }),
        &["/phone: required string is missing"],
    );
    check(
        json!({ "dependentRequired": { "card": ["address"] } }),
        json!({ "card": 1 }),
        &["/address: required but missing, \"card\" needs it"],
    );
    check(
        v(json!({ "not": { "type": "null" } })),
        json!({ "v": null }),
        &["/v: null is not allowed, leave it out instead"],
    );
    check(
        v(json!({ "not": { "type": "string" } })),
        json!({ "v": "x" }),
        &["/v: must not be a string, got the string \"x\""],
    );
    check(v(json!(false)), json!({ "v": 1 }), &["/v: is not allowed here"]);
}
