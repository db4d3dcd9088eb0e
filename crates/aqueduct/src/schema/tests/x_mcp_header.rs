//! Obligation HTTP-33: which annotations are taken, which are refused and in which words.

use serde_json::{Value, json};

use crate::schema::x_mcp_header::{HeaderParam, Kind, header_params};

fn with(property: Value) -> Value {
    json!({ "type": "object", "properties": { "region": property } })
}

#[track_caller]
fn refused(schema: Value, expected: &str) {
    assert_eq!(header_params(&schema).unwrap_err().to_string(), expected, "{schema}");
}

#[test]
fn annotated_arguments_are_collected_at_any_depth() {
    let schema = json!({
        "type": "object",
        "properties": {
            "region": { "type": "string", "x-mcp-header": "Region" },
            "place": { "type": "object", "properties": {
                "zone": { "type": "integer", "x-mcp-header": "Zone-2" },
                "strict": { "type": "boolean", "x-mcp-header": "method" },
            } },
            "query": { "type": "string" },
        },
    });
    let found = header_params(&schema).unwrap();
    let param = |name: &str, path: &[&str], kind| HeaderParam {
        name: name.to_owned(),
        path: path.iter().map(|key| (*key).to_owned()).collect(),
        kind,
    };
    let mut names: Vec<&str> = found.iter().map(|param| param.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["Region", "Zone-2", "method"]);
    assert!(found.contains(&param("Region", &["region"], Kind::String)));
    assert!(found.contains(&param("Zone-2", &["place", "zone"], Kind::Integer)));
    assert!(found.contains(&param("method", &["place", "strict"], Kind::Boolean)));
    assert_eq!(header_params(&json!({ "type": "object" })).unwrap(), []);
}

/// HTTP-33: a name is a token of a header.
#[test]
fn a_name_is_a_header_token() {
    for name in ["", "a b", "a:b", "a\r\n", "\u{e4}", "a\u{0}", "a/b", "a\"", "(a)"] {
        let schema = with(json!({ "type": "string", "x-mcp-header": name }));
        let error = header_params(&schema).unwrap_err();
        assert_eq!(error.pointer(), "/properties/region");
        assert!(error.message().starts_with("\"x-mcp-header\" must be a header token"), "{error}");
    }
    header_params(&with(json!({ "type": "string", "x-mcp-header": "!#$%&'*+-.^_`|~09aZ" })))
        .unwrap();
    refused(
        with(json!({ "type": "string", "x-mcp-header": 5 })),
        "schema at /properties/region: \"x-mcp-header\" must be a string, got the number 5",
    );
}

/// HTTP-33: no two names differ in case alone.
#[test]
fn names_are_unique_without_regard_to_case() {
    refused(
        json!({ "type": "object", "properties": {
            "a": { "type": "string", "x-mcp-header": "Region" },
            "b": { "type": "object", "properties": {
                "c": { "type": "string", "x-mcp-header": "rEGION" },
            } },
        } }),
        "schema at /properties/b/properties/c: \"x-mcp-header\" \"rEGION\" is taken by the property \
         \"a\" (case does not matter)",
    );
}

/// HTTP-33: only integers, strings and booleans are repeated.
#[test]
fn only_integers_strings_and_booleans_are_mirrored() {
    for (property, shown) in [
        (json!({ "type": "number" }), "\"number\""),
        (json!({ "type": "object" }), "\"object\""),
        (json!({ "type": "array" }), "\"array\""),
        (json!({ "type": "null" }), "\"null\""),
        (json!({ "type": ["string", "null"] }), "[\"string\",\"null\"]"),
        (json!({ "enum": ["a"] }), "no type"),
    ] {
        let mut property = property;
        property["x-mcp-header"] = json!("Region");
        refused(
            with(property),
            &format!(
                "schema at /properties/region: \"x-mcp-header\" stands only on a property of type \
                 integer, string or boolean, this one has {shown}"
            ),
        );
    }
}

/// HTTP-33: only properties lead to what is repeated.
#[test]
fn only_properties_lead_to_an_annotation() {
    let annotated = json!({ "type": "string", "x-mcp-header": "Region" });
    let inner = json!({ "properties": { "a": annotated } });
    for (keyword, value) in [
        ("items", annotated.clone()),
        ("prefixItems", json!([annotated])),
        ("contains", annotated.clone()),
        ("additionalProperties", annotated.clone()),
        ("patternProperties", json!({ "^a": annotated })),
        ("propertyNames", annotated.clone()),
        ("allOf", json!([inner])),
        ("anyOf", json!([true, inner])),
        ("oneOf", json!([inner])),
        ("not", inner.clone()),
        ("if", inner.clone()),
        ("then", inner.clone()),
        ("else", inner.clone()),
        ("dependentSchemas", json!({ "a": inner })),
        ("unevaluatedProperties", annotated.clone()),
        ("$defs", json!({ "used": annotated })),
    ] {
        let schema = json!({ "type": "object", "properties": { "p": { keyword: value } } });
        let error = header_params(&schema).unwrap_err().to_string();
        assert!(error.contains(&format!("but \"{keyword}\" stands in between")), "{error}");
    }
    refused(
        json!({ "type": "object", "x-mcp-header": "Region" }),
        "schema: \"x-mcp-header\" stands only where `properties` alone leads, but the root is no \
         property",
    );
}

#[test]
fn the_word_in_data_or_as_a_key_is_no_annotation() {
    let data = json!({ "x-mcp-header": "not a token" });
    let schema = json!({ "type": "object", "properties": {
        "a": { "const": data, "enum": [data], "default": data, "examples": [data] },
        "x-mcp-header": { "type": "string" },
    } });
    assert_eq!(header_params(&schema).unwrap(), []);
}

/// HTTP-34: an argument that is named like a secret is noticed.
#[test]
fn an_argument_named_like_a_secret_is_noticed() {
    for (name, secret) in [("apiKey", true), ("user_password", true), ("region", false)] {
        let schema = json!({ "properties": { name: { "type": "string", "x-mcp-header": "X" } } });
        assert_eq!(header_params(&schema).unwrap()[0].looks_secret(), secret, "{name}");
    }
}
