//! What is refused when a schema is compiled, and what the refusal says.

use serde_json::{Value, json};

use super::{compile, refusal};
use crate::schema::{
    MAX_PATTERNS, MAX_SCHEMA_BYTES, MAX_SCHEMA_DEPTH, MAX_SUBSCHEMAS, SchemaError, Validator,
};

#[track_caller]
fn check(schema: Value, expected: &str) {
    assert_eq!(refusal(&schema).to_string(), expected, "{schema}");
}

#[test]
fn a_keyword_of_the_wrong_shape_names_place_keyword_and_expectation() {
    check(
        json!({ "required": "a" }),
        "schema: \"required\" must be an array of different strings, got the string \"a\"",
    );
    check(
        json!({ "properties": { "limit": { "minimum": "3" } } }),
        "schema at /properties/limit: \"minimum\" must be a number, got the string \"3\"",
    );
    check(
        json!({ "items": { "type": "strng" } }),
        "schema at /items: \"type\" must be one of \"string\", \"integer\", \"number\", \"boolean\", \
         \"array\", \"object\", \"null\", or a list of different ones, got the string \"strng\"",
    );
    check(
        json!({ "$defs": { "unused": { "pattern": 1 } } }),
        "schema at /$defs/unused: \"pattern\" must be a string, got the number 1",
    );
    check(
        json!({ "not": 5 }),
        "schema at /not: a schema must be an object or a boolean, got the number 5",
    );
    check(json!(null), "schema: a schema must be an object or a boolean, got null");
}

#[test]
fn every_keyword_is_checked_for_its_shape() {
    for (keyword, wrong) in [
        ("type", json!([])),
        ("type", json!(["string", "string"])),
        ("type", json!(1)),
        ("enum", json!("a")),
        ("multipleOf", json!(0)),
        ("multipleOf", json!(-2)),
        ("maximum", json!("1")),
        ("exclusiveMaximum", json!(true)),
        ("exclusiveMinimum", json!(true)),
        ("minLength", json!(-1)),
        ("maxLength", json!(1.5)),
        ("pattern", json!("(")),
        ("items", json!([{}])),
        ("items", json!(1)),
        ("prefixItems", json!([])),
        ("prefixItems", json!({})),
        ("contains", json!(1)),
        ("minContains", json!("1")),
        ("maxContains", json!(-1)),
        ("uniqueItems", json!("true")),
        ("minItems", json!(null)),
        ("maxItems", json!([])),
        ("properties", json!([])),
        ("properties", json!({ "a": 1 })),
        ("patternProperties", json!({ "(": {} })),
        ("additionalProperties", json!("no")),
        ("propertyNames", json!(1)),
        ("required", json!(["a", "a"])),
        ("required", json!([1])),
        ("minProperties", json!(-1)),
        ("maxProperties", json!("x")),
        ("dependentRequired", json!({ "a": "b" })),
        ("dependentSchemas", json!({ "a": ["b"] })),
        ("allOf", json!([])),
        ("anyOf", json!({})),
        ("oneOf", json!([1])),
        ("if", json!(1)),
        ("then", json!(1)),
        ("else", json!(1)),
        ("$ref", json!(1)),
        ("$dynamicRef", json!(1)),
        ("$id", json!("a#b")),
        ("$anchor", json!("a b")),
        ("$dynamicAnchor", json!("")),
        ("$defs", json!([])),
        ("unevaluatedItems", json!(1)),
        ("unevaluatedProperties", json!(1)),
        ("format", json!(1)),
        ("title", json!(1)),
        ("description", json!([])),
        ("examples", json!("x")),
        ("deprecated", json!("yes")),
        ("$schema", json!(1)),
    ] {
        let schema = json!({ keyword: wrong });
        let error = refusal(&schema).to_string();
        assert!(error.contains(keyword), "{schema}: {error}");
    }
}

#[test]
fn an_unsupported_dialect_is_named_with_what_is_supported() {
    let error = refusal(&json!({ "$schema": "http://json-schema.org/draft-03/schema#" }));
    let text = error.to_string();
    assert!(text.contains("http://json-schema.org/draft-03/schema#"), "{text}");
    assert!(text.contains("2020-12") && text.contains("draft-07"), "{text}");
    for uri in [
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-06/schema#",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/next/schema",
        "http://json-schema.org/schema#",
    ] {
        refusal(&json!({ "$schema": uri }));
    }
    refusal(&json!({ "items": { "$schema": "http://json-schema.org/draft-07/schema#" } }));
}

#[test]
fn a_reference_that_leads_outside_is_refused_by_its_name() {
    for reference in [
        "http://127.0.0.1:9/x",
        "https://example.com/schema.json",
        "file:///etc/passwd",
        "//host/x",
        "other.json",
        "other.json#/a",
        "urn:uuid:deadbeef",
    ] {
        let error = refusal(&json!({ "properties": { "a": { "$ref": reference } } }));
        assert_eq!(
            error.to_string(),
            format!(
                "schema at /properties/a: \"$ref\" \"{reference}\" leads outside this schema; only \
                 references within it are followed, nothing is fetched"
            )
        );
    }
    check(
        json!({ "$ref": "#/$defs/absent" }),
        "schema: \"$ref\" \"#/$defs/absent\" names nothing in this schema",
    );
    check(
        json!({ "$dynamicRef": "#absent" }),
        "schema: \"$dynamicRef\" \"#absent\" names nothing in this schema",
    );
}

#[test]
fn a_reference_to_a_host_opens_no_connection() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let uri = format!("http://{}/schema.json", listener.local_addr().unwrap());
    for schema in [json!({ "$ref": uri }), json!({ "$schema": uri }), json!({ "$dynamicRef": uri })]
    {
        refusal(&schema);
    }
    compile(&json!({ "$id": uri, "properties": { "a": { "$ref": "#" } } }));
    assert_eq!(listener.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
}

#[test]
fn a_reference_within_the_schema_may_be_absolute_or_relative() {
    let schema = json!({
        "$id": "https://example.com/root.json",
        "properties": {
            "absolute": { "$ref": "https://example.com/leaf.json" },
            "relative": { "$ref": "leaf.json#/$defs/text" },
            "anchor": { "$ref": "leaf.json#small" },
        },
        "$defs": {
            "leaf": {
                "$id": "leaf.json",
                "type": "integer",
                "$defs": { "text": { "type": "string" }, "small": { "$anchor": "small", "maximum": 9 } },
            },
        },
    });
    let validator = compile(&schema);
    assert!(validator.is_valid(&json!({ "absolute": 1, "relative": "x", "anchor": 9 })));
    assert!(!validator.is_valid(&json!({ "absolute": "x" })));
    assert!(!validator.is_valid(&json!({ "relative": 1 })));
    assert!(!validator.is_valid(&json!({ "anchor": 10 })));
}

#[test]
fn a_schema_that_applies_itself_to_the_same_value_is_refused() {
    check(
        json!({ "$ref": "#" }),
        "schema: the schema applies the root to the same value again, without end",
    );
    for schema in [
        json!({ "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "allOf": [{ "$ref": "#/$defs/a" }] } } }),
        json!({ "not": { "$ref": "#" } }),
        json!({ "anyOf": [true, { "$ref": "#" }] }),
        json!({ "if": { "$ref": "#" } }),
        json!({ "dependentSchemas": { "a": { "$ref": "#" } } }),
        json!({ "$dynamicAnchor": "n", "$dynamicRef": "#n" }),
    ] {
        let error = refusal(&schema).to_string();
        assert!(error.contains("without end"), "{error}");
    }
    compile(&json!({ "properties": { "child": { "$ref": "#" } }, "items": { "$ref": "#" } }));
}

#[test]
fn a_pattern_that_needs_backtracking_is_refused_by_its_name() {
    check(
        json!({ "pattern": "^(?=.*\\d).{8,}$" }),
        "schema: pattern \"^(?=.*\\\\d).{8,}$\" uses look-ahead, which the linear engine cannot do",
    );
    for pattern in
        ["(?!a)b", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?<n>a)\\k<n>", "[a", "a\\", "\\q", "\\u12"]
    {
        let error = refusal(&json!({ "patternProperties": { pattern: {} } }));
        assert_eq!(error.pointer(), "/patternProperties");
        assert!(error.message().starts_with("pattern \""), "{error}");
    }
    check(
        json!({ "pattern": "\\p{L}{1,1000}{1,1000}" }),
        "schema: pattern \"\\\\p{L}{1,1000}{1,1000}\" is too large when compiled",
    );
}

#[test]
fn a_schema_beyond_its_bounds_is_refused() {
    let wide: Vec<Value> = vec![json!({}); MAX_SUBSCHEMAS];
    let long = "x".repeat(MAX_SCHEMA_BYTES);
    let patterns: Vec<Value> =
        (0..=MAX_PATTERNS).map(|n| json!({ "pattern": format!("^a{n}$") })).collect();
    let deep = (0..=MAX_SCHEMA_DEPTH).fold(json!(true), |inner, _| json!({ "not": inner }));
    for (schema, part) in [
        (json!({ "anyOf": wide }), "more than 10000 subschemas"),
        (json!({ "description": long }), "larger than 256 KiB"),
        (json!({ "anyOf": patterns }), "more than 256 different patterns"),
        (deep, "nest deeper than 64 levels"),
    ] {
        let error = refusal(&schema).to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_schema_ten_thousand_levels_deep_is_refused_at_once() {
    // `json!` would serialise the inner value, and dropping it recurses; no parser gives one.
    let deep = std::mem::ManuallyDrop::new((0..10_000).fold(Value::Bool(true), |inner, _| {
        let one = [("allOf".to_owned(), Value::Array(vec![inner]))];
        Value::Object(one.into_iter().collect())
    }));
    let started = std::time::Instant::now();
    let result: Result<Validator, SchemaError> = Validator::compile(&deep);
    assert!(result.unwrap_err().to_string().contains("nests deeper than 128 levels"));
    assert!(started.elapsed().as_millis() < 100, "{:?}", started.elapsed());
}
