//! What a model reads about a value that was refused.

use serde_json::{Value, json};

use super::compile;
use crate::schema::{MAX_PROBLEMS, summary};

#[track_caller]
pub(super) fn check(schema: Value, instance: Value, expected: &[&str]) {
    let problems = compile(&schema).problems(&instance);
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(lines, expected, "\n{schema}\n{instance}");
}

/// A schema with one property `v`.
pub(super) fn v(schema: Value) -> Value {
    json!({ "type": "object", "properties": { "v": schema } })
}

#[test]
fn a_number_out_of_range_names_the_range() {
    let limit = json!({ "type": "integer", "minimum": 1, "maximum": 100 });
    check(
        v(limit.clone()),
        json!({ "v": 250 }),
        &["/v: expected an integer between 1 and 100, got 250"],
    );
    check(
        v(limit.clone()),
        json!({ "v": 0 }),
        &["/v: expected an integer between 1 and 100, got 0"],
    );
    check(
        v(limit.clone()),
        json!({ "v": 5.5 }),
        &["/v: expected an integer between 1 and 100, got the number 5.5"],
    );
    check(
        v(limit),
        json!({ "v": 1e300 }),
        &[
            "/v: expected an integer between 1 and 100, got the number 1e+300 (beyond 64 bits, where \
           digits are lost)",
        ],
    );
    check(
        v(json!({ "minimum": 3 })),
        json!({ "v": 2 }),
        &["/v: expected a number of at least 3, got 2"],
    );
    check(
        v(json!({ "type": "number", "exclusiveMinimum": 0, "maximum": 1 })),
        json!({ "v": 0 }),
        &["/v: expected a number of at most 1 and above 0, got 0"],
    );
    check(
        v(json!({ "type": "integer", "multipleOf": 5 })),
        json!({ "v": 7 }),
        &["/v: expected an integer that is a multiple of 5, got 7"],
    );
}

#[test]
fn a_value_of_another_type_shows_what_was_got() {
    let integer = json!({ "type": "integer" });
    check(
        v(integer.clone()),
        json!({ "v": "5" }),
        &["/v: expected an integer, got the string \"5\""],
    );
    check(v(integer.clone()), json!({ "v": true }), &["/v: expected an integer, got true"]);
    check(v(integer.clone()), json!({ "v": [] }), &["/v: expected an integer, got an empty array"]);
    check(
        v(integer.clone()),
        json!({ "v": [1, 2] }),
        &["/v: expected an integer, got an array of 2 items"],
    );
    check(
        v(integer.clone()),
        json!({ "v": { "a": 1 } }),
        &["/v: expected an integer, got an object with the key \"a\""],
    );
    check(
        v(json!({ "type": "boolean" })),
        json!({ "v": "true" }),
        &["/v: expected a boolean, got the string \"true\""],
    );
    check(
        v(json!({ "type": "string" })),
        json!({ "v": 5 }),
        &["/v: expected a string, got the number 5"],
    );
    check(
        v(json!({ "type": ["string", "integer", "null"] })),
        json!({ "v": true }),
        &["/v: expected a string, an integer or null, got true"],
    );
    check(json!({ "type": "object" }), json!(null), &["expected an object, got null"]);
}

#[test]
fn json_sent_as_text_is_named() {
    check(
        v(json!({ "type": "array", "items": { "type": "string" } })),
        json!({ "v": "[\"a\"]" }),
        &[
            "/v: expected an array of strings, got the string \"[\\\"a\\\"]\" (send it as JSON, not as \
           text)",
        ],
    );
    check(
        v(json!({ "enum": [1, 2] })),
        json!({ "v": "2" }),
        &["/v: expected one of 1, 2, got \"2\" (send it as JSON, not as text)"],
    );
}

#[test]
fn a_null_for_an_optional_property_says_to_leave_it_out() {
    check(
        v(json!({ "type": "integer" })),
        json!({ "v": null }),
        &["/v: expected an integer, got null (leave it out instead)"],
    );
}

#[test]
fn a_missing_property_says_what_to_write() {
    let schema = |property: Value| json!({ "type": "object", "properties": { "name": property }, "required": ["name"] });
    let none = json!({});
    check(
        schema(json!({ "type": "string" })),
        none.clone(),
        &["/name: required string is missing"],
    );
    check(
        schema(json!({ "type": "string", "examples": ["Ann"] })),
        none.clone(),
        &["/name: required string is missing (e.g. \"Ann\")"],
    );
    check(
        schema(
            json!({ "type": "string", "description": "Words to look for. Any case.", "examples": ["x"] }),
        ),
        none.clone(),
        &["/name: required string is missing (Words to look for, e.g. \"x\")"],
    );
    check(
        schema(json!({ "type": "integer", "minimum": 1, "maximum": 9, "default": 5 })),
        none.clone(),
        &["/name: required integer between 1 and 9 is missing (e.g. 5)"],
    );
    check(
        schema(json!({ "enum": ["a", "b"] })),
        none.clone(),
        &["/name: required value is missing (one of \"a\", \"b\")"],
    );
    check(
        schema(json!({ "type": "array", "items": { "type": "string" } })),
        none.clone(),
        &["/name: required array of strings is missing"],
    );
    check(schema(json!(true)), none.clone(), &["/name: required value is missing"]);
    check(json!({ "required": ["name"] }), none, &["/name: required but missing"]);
}

#[test]
fn an_unknown_key_names_the_one_that_was_meant() {
    let schema = json!({
        "type": "object",
        "properties": { "name": { "type": "string", "examples": ["Ann"] }, "age": { "type": "integer" } },
        "required": ["name"],
        "additionalProperties": false,
    });
    check(
        schema.clone(),
        json!({ "nmae": "Bob" }),
        &[
            "/name: required string is missing (e.g. \"Ann\")",
            "/nmae: unknown, did you mean \"name\"?",
        ],
    );
    check(
        schema,
        json!({ "name": "Bob", "colour": 1 }),
        &["/colour: unknown, known are \"age\", \"name\""],
    );
    check(
        json!({ "type": "object", "properties": {}, "additionalProperties": false }),
        json!({ "x": 1 }),
        &["/x: unknown, no keys are expected here"],
    );
    let many: serde_json::Map<String, Value> =
        ('a'..='k').map(|name| (name.to_string().repeat(5), json!(true))).collect();
    check(
        json!({ "properties": many, "additionalProperties": false }),
        json!({ "zz": 1 }),
        &[
            "/zz: unknown, known are \"aaaaa\", \"bbbbb\", \"ccccc\", \"ddddd\", \"eeeee\", \"fffff\", \
           \"ggggg\", \"hhhhh\" and 3 more",
        ],
    );
}

#[test]
fn a_key_unknown_to_all_parts_is_unknown_once() {
    check(
        json!({
            "allOf": [{ "$ref": "#/$defs/base" }],
            "properties": { "limit": { "type": "integer" } },
            "unevaluatedProperties": false,
            "$defs": { "base": { "properties": { "query": { "type": "string" } } } },
        }),
        json!({ "query": "a", "limt": 3 }),
        &["/limt: unknown, did you mean \"limit\"?"],
    );
}

#[test]
fn a_string_that_does_not_fit_shows_its_length_or_the_pattern() {
    check(
        v(json!({ "type": "string", "minLength": 3, "maxLength": 10 })),
        json!({ "v": "ab" }),
        &["/v: expected a string of 3 to 10 characters, got \"ab\" (2 characters)"],
    );
    check(
        v(json!({ "type": "string", "minLength": 1 })),
        json!({ "v": "" }),
        &["/v: expected a non-empty string, got \"\""],
    );
    check(
        v(json!({ "type": "string", "pattern": "^[a-z]+\\d$" })),
        json!({ "v": "A" }),
        &["/v: expected a string matching ^[a-z]+\\d$, got \"A\""],
    );
    let problems = compile(&v(json!({ "type": "string", "format": "date" })))
        .formats(true)
        .problems(&json!({ "v": "31.1.2026" }));
    assert_eq!(
        problems[0].to_string(),
        "/v: expected a string in the format date (e.g. \"2026-01-31\"), got \"31.1.2026\""
    );
}

#[test]
fn a_value_outside_a_list_names_the_list_and_the_near_one() {
    check(
        v(json!({ "enum": ["asc", "desc"] })),
        json!({ "v": "dsc" }),
        &["/v: expected one of \"asc\", \"desc\", got \"dsc\", did you mean \"desc\"?"],
    );
    check(v(json!({ "const": 1 })), json!({ "v": 2 }), &["/v: expected 1, got 2"]);
    check(
        v(json!({ "oneOf": [{ "const": "a", "title": "A" }, { "const": "b", "title": "B" }] })),
        json!({ "v": "c" }),
        &["/v: expected one of \"a\", \"b\", got \"c\""],
    );
}

#[test]
fn an_array_says_how_many_and_which() {
    check(
        v(json!({ "type": "array", "minItems": 1, "maxItems": 2, "items": { "type": "integer" } })),
        json!({ "v": [1, "x", 3] }),
        &[
            "/v/1: expected an integer, got the string \"x\"",
            "/v: expected an array of 1 to 2 integers, got 3 items",
        ],
    );
    check(
        v(json!({ "type": "array", "uniqueItems": true })),
        json!({ "v": ["a", "b", "a"] }),
        &["/v: items 0 and 2 are both \"a\", expected different items"],
    );
    check(
        v(json!({ "prefixItems": [{ "type": "number" }], "items": false })),
        json!({ "v": [1, 2] }),
        &["/v: expected at most 1 item, got 2"],
    );
    check(
        v(json!({ "contains": { "const": "x" } })),
        json!({ "v": ["a"] }),
        &["/v: expected at least 1 item being \"x\", got 0"],
    );
}

#[test]
fn all_problems_come_at_once_and_never_twice() {
    check(
        json!({
            "type": "object",
            "properties": { "a": { "type": "integer" }, "b": { "type": "string" } },
            "required": ["a", "b", "c"],
            "allOf": [{ "required": ["c"] }, { "properties": { "a": { "type": "integer" } } }],
        }),
        json!({ "a": "x" }),
        &[
            "/a: expected an integer, got the string \"x\"",
            "/b: required string is missing",
            "/c: required but missing",
        ],
    );
}

#[test]
fn what_a_peer_wrote_is_short_and_on_one_line() {
    let long = "x".repeat(500);
    check(
        v(json!({ "type": "integer" })),
        json!({ "v": long }),
        &[&format!("/v: expected an integer, got the string \"{}…\"", "x".repeat(40))],
    );
    check(
        v(json!({ "type": "integer" })),
        json!({ "v": "a\nb\u{1b}[31m\u{202e}" }),
        &["/v: expected an integer, got the string \"a\\nb\\u{1b}[31m\\u{202e}\""],
    );
    let key = "k\n".repeat(200);
    let closed = json!({ "additionalProperties": false });
    let problems = compile(&closed).problems(&json!({ key: 1 }));
    let line = problems[0].to_string();
    assert!(line.len() < 200 && !line.contains('\n'), "{line}");
}

#[test]
fn many_problems_are_counted() {
    let schema = json!({ "items": { "type": "integer" } });
    let problems = compile(&schema).problems(&json!(vec!["x"; 1000]));
    assert_eq!(problems.len(), MAX_PROBLEMS + 1);
    assert_eq!(problems.last().unwrap().to_string(), "and 950 more");
    assert!(summary("greet", &problems).starts_with("greet: 1000 problems\n- /0: expected"));
}

#[test]
fn a_path_is_a_json_pointer() {
    check(
        json!({ "properties": { "a/b~c": { "items": { "type": "string" } } } }),
        json!({ "a/b~c": [1] }),
        &["/a~1b~0c/0: expected a string, got the number 1"],
    );
}

#[test]
fn the_summary_is_one_line_a_problem() {
    let schema = json!({
        "type": "object",
        "properties": { "name": { "type": "string" } },
        "required": ["name"],
        "additionalProperties": false,
    });
    let problems = compile(&schema).problems(&json!({ "nmae": "Ann" }));
    assert_eq!(
        summary("greet", &problems),
        "greet: 2 problems\n- /name: required string is missing\n- /nmae: unknown, did you mean \"name\"?"
    );
    let problems = compile(&schema).problems(&json!({}));
    assert_eq!(
        summary("greet", &problems),
        "greet: 1 problem\n- /name: required string is missing"
    );
}
