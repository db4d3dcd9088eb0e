//! Cases B52 to B55: what becomes of a derived schema before a host sees it.

use std::collections::{BTreeMap, HashMap};

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::compile;
use crate::schema::host::{
    Enforcement, Host, Normalized, Profile, normalize_input, normalize_output, require_object,
};

fn derived<T: JsonSchema>() -> Value {
    schema_for!(T).into()
}

fn input<T: JsonSchema>() -> Normalized {
    let ready = Host::new().input(derived::<T>(), std::any::type_name::<T>()).unwrap();
    compile(&ready.schema);
    ready
}

/// Every schema object inside a schema, with itself.
fn parts(schema: &Value) -> Vec<&serde_json::Map<String, Value>> {
    match schema {
        Value::Object(map) => std::iter::once(map).chain(map.values().flat_map(parts)).collect(),
        Value::Array(items) => items.iter().flat_map(parts).collect(),
        _ => Vec::new(),
    }
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Tagged {
    Circle { r: f64 },
    Square { side: f64 },
}

#[derive(JsonSchema, Serialize, Deserialize)]
enum External {
    Named { r: f64 },
    Unit,
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Plain {
    query: String,
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Newtype(Plain);

/// A tree.
#[derive(JsonSchema, Serialize, Deserialize)]
struct Node {
    children: Vec<Self>,
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Empty {}

#[test]
fn b52_a_root_reference_is_inlined() {
    assert_eq!(
        input::<Newtype>().schema,
        json!({
            "type": "object",
            "properties": { "query": { "type": "string" } },
            "required": ["query"],
        })
    );
    assert_eq!(input::<Box<Plain>>().schema, input::<Plain>().schema);
    assert_eq!(input::<Option<Plain>>().schema, input::<Plain>().schema);
}

#[test]
fn b52_no_arguments_are_a_closed_object() {
    let ready = input::<()>();
    assert_eq!(
        ready.schema,
        json!({ "type": "object", "properties": {}, "additionalProperties": false })
    );
    assert_eq!(ready.enforcement, Enforcement::Validator);
    assert_eq!(input::<Empty>().schema, json!({ "type": "object", "properties": {} }));
    assert_eq!(input::<Value>().schema, json!({ "type": "object", "properties": {} }));
}

#[test]
fn b52_a_map_is_an_object() {
    assert_eq!(
        input::<HashMap<String, String>>().schema,
        json!({
            "type": "object",
            "properties": {},
            "additionalProperties": { "type": "string" },
        })
    );
}

#[test]
fn b52_a_tagged_enum_keeps_its_choice_with_a_warning() {
    let ready = input::<Tagged>();
    assert_eq!(ready.schema["type"], "object");
    assert_eq!(ready.schema["oneOf"].as_array().unwrap().len(), 2);
    assert_eq!(ready.warnings.len(), 1);
    assert!(ready.warnings[0].contains("Tagged"), "{:?}", ready.warnings);
    assert!(input::<Plain>().warnings.is_empty());
}

#[test]
fn b52_what_is_no_object_is_refused_with_the_mend() {
    let refusal =
        |schema: Value, name: &str| normalize_input(schema, name).unwrap_err().to_string();
    assert_eq!(
        refusal(derived::<Vec<u8>>(), "Vec<u8>"),
        "schema: the arguments of a tool are an object, but Vec<u8> is an array; put it in a struct \
         with a named field, such as `struct Args { value: Vec<u8> }`"
    );
    assert!(refusal(derived::<String>(), "String").contains("String is a string"));
    assert!(refusal(derived::<Option<u32>>(), "Option<u32>").contains("Option<u32> is an integer"));
    assert!(
        refusal(derived::<External>(), "External")
            .contains("External has a variant that is a string")
    );
}

#[test]
fn b53_references_name_definitions_that_exist_and_are_used() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Two {
        a: Plain,
        b: Plain,
        node: Node,
    }
    let schema = input::<Two>().schema;
    let definitions = schema["$defs"].as_object().unwrap();
    assert_eq!(definitions.keys().collect::<Vec<_>>(), ["Node", "Plain"]);
    for part in parts(&schema) {
        if let Some(reference) = part.get("$ref").and_then(Value::as_str) {
            assert!(definitions.contains_key(reference.strip_prefix("#/$defs/").unwrap()));
        }
    }
    // After the root is inlined nothing refers to its definition.
    assert!(input::<Newtype>().schema.get("$defs").is_none());
    let dangling = json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/B" } } });
    assert_eq!(
        normalize_input(dangling, "A").unwrap_err().to_string(),
        "schema: \"$ref\" \"#/$defs/B\" names no definition under \"$defs\""
    );
}

#[test]
fn b53_a_recursive_root_refers_to_a_definition_and_not_to_the_document() {
    let schema = input::<Node>().schema;
    assert_eq!(schema["properties"]["children"]["items"], json!({ "$ref": "#/$defs/Node" }));
    assert_eq!(schema["$defs"]["Node"]["required"], json!(["children"]));
    let validator = compile(&schema);
    assert!(validator.is_valid(&json!({ "children": [{ "children": [] }] })));
    assert!(!validator.is_valid(&json!({ "children": [{ "children": [{}] }] })));
}

#[test]
fn b53_inlining_leaves_only_recursive_references() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Two {
        /// The first.
        a: Plain,
        node: Node,
    }
    let schema = Host::new().inline(true).input(derived::<Two>(), "Two").unwrap().schema;
    compile(&schema);
    assert_eq!(
        schema["properties"]["a"],
        json!({
            "description": "The first.",
            "type": "object",
            "properties": { "query": { "type": "string" } },
            "required": ["query"],
        })
    );
    let references: Vec<&Value> =
        parts(&schema).into_iter().filter_map(|part| part.get("$ref")).collect();
    assert!(references.iter().all(|reference| *reference == "#/$defs/Node"), "{references:?}");
    assert_eq!(schema["$defs"].as_object().unwrap().len(), 1);
}

#[test]
fn b53_inlining_a_doubling_schema_is_refused() {
    let mut definitions = serde_json::Map::new();
    for level in 0..20 {
        let next = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
        definitions.insert(
            format!("d{level}"),
            json!({ "type": "object", "properties": { "a": next, "b": next } }),
        );
    }
    definitions.insert("d20".to_owned(), json!({ "type": "object" }));
    let schema = json!({ "$ref": "#/$defs/d0", "$defs": definitions });
    let error = Host::new().inline(true).input(schema, "D").unwrap_err().to_string();
    assert_eq!(error, "schema: inlining gives more than 10000 subschemas");
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Numbers {
    u8: u8,
    u16: u16,
    u32: u32,
    u64: u64,
    usize: usize,
    i8: i8,
    i16: i16,
    i32: i32,
    i64: i64,
    f32: f32,
    f64: f64,
    #[schemars(range(min = 5, max = 9))]
    ranged: u32,
    nested: Option<Vec<u16>>,
}

#[test]
fn b54_formats_of_rust_become_bounds() {
    let both =
        [input::<Numbers>().schema, normalize_output(derived::<Numbers>(), "Numbers").unwrap()];
    for schema in &both {
        assert!(parts(schema).iter().all(|part| !part.contains_key("format")), "{schema}");
        for (name, least, most) in [
            ("u8", json!(0), json!(255)),
            ("u16", json!(0), json!(65535)),
            ("u32", json!(0), json!(4_294_967_295_u32)),
            ("u64", json!(0), Value::Null),
            ("usize", json!(0), Value::Null),
            ("i8", json!(-128), json!(127)),
            ("i16", json!(-32768), json!(32767)),
            ("i32", json!(i32::MIN), json!(i32::MAX)),
            ("i64", Value::Null, Value::Null),
            ("f32", Value::Null, Value::Null),
            ("f64", Value::Null, Value::Null),
            ("ranged", json!(5), json!(9)),
        ] {
            let property = &schema["properties"][name];
            assert_eq!((&property["minimum"], &property["maximum"]), (&least, &most), "{name}");
        }
    }
}

#[test]
fn b54_formats_that_others_know_stay() {
    let schema = json!({ "type": "object", "properties": {
        "at": { "type": "string", "format": "date-time" },
        "id": { "type": "string", "format": "uuid" },
        "ip": { "type": "string", "format": "ip" },
    } });
    let properties = &normalize_input(schema, "T").unwrap()["properties"];
    assert_eq!(properties["at"]["format"], "date-time");
    assert_eq!(properties["id"]["format"], "uuid");
    assert_eq!(properties["ip"], json!({ "type": "string" }));
}

#[derive(JsonSchema, Serialize, Deserialize)]
enum Colour {
    Red,
    Green,
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Options {
    limit: Option<u32>,
    #[schemars(extend("x-aqueduct-nullable" = true))]
    label: Option<String>,
    colour: Option<Colour>,
    plain: Option<Plain>,
    #[serde(default)]
    strict: bool,
    #[serde(default)]
    page: Option<u8>,
    items: Vec<Option<u8>>,
}

#[test]
fn b54_an_optional_property_is_absent_and_not_null() {
    let ready = input::<Options>();
    let properties = &ready.schema["properties"];
    assert_eq!(ready.schema["required"], json!(["items"]));
    assert_eq!(
        properties["limit"],
        json!({ "type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32 })
    );
    assert_eq!(properties["colour"], json!({ "$ref": "#/$defs/Colour" }));
    assert_eq!(properties["plain"], json!({ "$ref": "#/$defs/Plain" }));
    assert_eq!(properties["strict"], json!({ "type": "boolean", "default": false }));
    assert_eq!(properties["page"], json!({ "type": "integer", "minimum": 0, "maximum": 255 }));
    assert_eq!(ready.enforcement, Enforcement::DecodeUnlessNull);
}

#[test]
fn b54_null_is_kept_where_it_is_asked_for_or_has_no_substitute() {
    let properties = &input::<Options>().schema["properties"];
    assert_eq!(properties["label"], json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }));
    assert_eq!(
        properties["items"]["items"],
        json!({ "anyOf": [
            { "type": "integer", "minimum": 0, "maximum": 255 },
            { "type": "null" },
        ] })
    );
}

#[test]
fn b54_null_leaves_every_form_of_an_optional_property() {
    let taken = |property: Value| {
        let schema = json!({ "type": "object", "properties": { "p": property } });
        normalize_input(schema, "T").unwrap()["properties"]["p"].clone()
    };
    let listed = json!({ "type": ["string", "null"], "enum": ["a", null], "default": null });
    assert_eq!(taken(listed), json!({ "type": "string", "enum": ["a"] }));
    let choice = json!({ "oneOf": [{ "const": "a" }, { "const": "b" }, { "type": "null" }] });
    assert_eq!(taken(choice), json!({ "oneOf": [{ "const": "a" }, { "const": "b" }] }));
    let described = json!({
        "description": "Outer.",
        "anyOf": [{ "description": "Inner.", "type": "integer" }, { "type": "null" }],
    });
    assert_eq!(taken(described), json!({ "description": "Outer.", "type": "integer" }));
    // Nothing would be left.
    assert_eq!(taken(json!({ "type": "null" })), json!({ "type": "null" }));
}

#[test]
fn b45_schema_and_decode_agree_about_null() {
    let ready = input::<Options>();
    let validator = compile(&ready.schema);
    assert!(validator.is_valid(&json!({ "items": [null], "label": null })));
    let problems = validator.problems(&json!({ "items": [], "limit": null }));
    assert_eq!(
        problems[0].to_string(),
        "/limit: expected an integer between 0 and 4294967295, got null (leave it out instead)"
    );
    // What decoding accepts and the schema refuses contains null; that is what the caller looks for.
    assert_eq!(ready.enforcement, Enforcement::DecodeUnlessNull);
    serde_json::from_value::<Options>(json!({ "items": [], "limit": null })).unwrap();
}

#[test]
fn b54_the_profile_of_the_specification_keeps_null() {
    let host = Host::new().profile(Profile::Spec);
    let ready = host.input(derived::<Options>(), "Options").unwrap();
    let properties = &ready.schema["properties"];
    assert_eq!(properties["label"], json!({ "type": ["string", "null"] }));
    assert_eq!(properties["limit"]["type"], json!(["integer", "null"]));
    assert_eq!(ready.enforcement, Enforcement::Decode);
    assert!(compile(&ready.schema).is_valid(&json!({ "items": [], "limit": null })));
}

#[test]
fn b54_an_output_keeps_the_null_that_is_sent() {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let schema: Value = settings.into_generator().into_root_schema_for::<Options>().into();
    let schema = normalize_output(schema, "Options").unwrap();
    let sent = json!({
        "limit": null, "label": null, "colour": null, "plain": null, "strict": true, "page": null,
        "items": [null],
    });
    let options: Options = serde_json::from_value(sent).unwrap();
    assert!(compile(&schema).is_valid(&serde_json::to_value(options).unwrap()));
    assert!(parts(&schema).iter().all(|part| !part.get("type").is_some_and(Value::is_array)));
}

#[test]
fn b54_nullable_of_openapi_never_appears() {
    let schema = json!({ "type": "object", "properties": {
        "a": { "type": "string", "nullable": true },
        "b": { "type": "array", "items": { "type": "string", "nullable": true } },
    } });
    for profile in [Profile::Conservative, Profile::Spec] {
        let schema = Host::new().profile(profile).input(schema.clone(), "T").unwrap().schema;
        assert!(parts(&schema).iter().all(|part| !part.contains_key("nullable")), "{schema}");
        assert!(compile(&schema).is_valid(&json!({ "b": [null, "x"] })), "{schema}");
    }
}

#[test]
fn b55_arrays_have_items_and_objects_have_properties() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Arrays {
        any: Vec<Value>,
        nested: Vec<Vec<f64>>,
        three: [f64; 3],
        none: [u8; 0],
        pair: (u8, String),
        map: BTreeMap<String, Vec<Value>>,
        anything: Value,
    }
    let schema = input::<Arrays>().schema;
    for part in parts(&schema) {
        let of_type = |name: &str| part.get("type").is_some_and(|own| own == name);
        assert!(!of_type("array") || part.get("items").is_some_and(Value::is_object), "{part:?}");
        assert!(
            !of_type("object") || part.get("properties").is_some_and(Value::is_object),
            "{part:?}"
        );
    }
    assert_eq!(schema["properties"]["any"], json!({ "type": "array", "items": {} }));
    assert_eq!(schema["properties"]["anything"], json!({}));
    assert!(compile(&schema).is_valid(&json!({
        "any": [1, "x"], "nested": [[1.5]], "three": [1, 2, 3], "none": [], "pair": [1, "x"],
        "map": { "a": [null] }, "anything": null,
    })));
}

#[test]
fn what_only_the_author_sees_is_dropped() {
    let schema = input::<Numbers>().schema;
    assert!(schema.get("$schema").is_none() && schema.get("title").is_none());
    assert_eq!(input::<Node>().schema["description"], "A tree.");
}

#[test]
fn a_hand_written_root_is_an_object_or_refused() {
    require_object(&json!({ "type": "object", "anyOf": [true] })).unwrap();
    for schema in
        [json!(true), json!({}), json!({ "type": ["object"] }), json!({ "type": "array" })]
    {
        require_object(&schema).unwrap_err();
    }
}

#[test]
fn a_normalised_schema_stays_as_it_is() {
    // Not so `Options`: its mark is gone, so the null that it kept is an ordinary one.
    for schema in [input::<Numbers>().schema, input::<Node>().schema, input::<Tagged>().schema] {
        assert_eq!(normalize_input(schema.clone(), "T").unwrap(), schema);
    }
}
