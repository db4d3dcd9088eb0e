//! Random schemas and random values, judged by this evaluator and by the `jsonschema` crate.
//!
//! The two share no line of code, so that a fault would have to be made twice to go unnoticed.

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Map, Number, Value, json};

use crate::schema::Validator;

const NAMES: &[&str] = &["a", "b", "ab"];
const TYPES: &[&str] = &["string", "integer", "number", "boolean", "array", "object", "null"];
const PATTERNS: &[&str] = &["^a", "b$", "^[a-z]$", "a|b", "^.{2}$", "^\\d+$", "\\w\\W"];
const DEFINITIONS: &[&str] = &["x", "y"];

fn name() -> impl Strategy<Value = String> {
    select(NAMES).prop_map(str::to_owned)
}

fn names() -> impl Strategy<Value = Value> {
    subsequence(NAMES, 0..=2).prop_map(|names| json!(names))
}

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        (-3_i64..6).prop_map(Value::from),
        (-6_i32..12).prop_map(|n| json!(f64::from(n) / 2.0)),
        (-30_i32..60).prop_map(|n| json!(f64::from(n) / 10.0)),
        select(vec![
            json!(9_007_199_254_740_993_i64),
            json!(u64::MAX),
            json!(i64::MIN),
            json!(1e300)
        ]),
    ]
}

fn text() -> impl Strategy<Value = String> {
    select(vec!["", "a", "b", "ab", "ba", "aab", "7", "\u{e9}", "\u{1f600}", "a b"])
        .prop_map(str::to_owned)
}

fn instance() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        number(),
        text().prop_map(Value::String),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::btree_map(name(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn count() -> impl Strategy<Value = Value> {
    (0_u64..4).prop_map(Value::from)
}

fn divisor() -> impl Strategy<Value = Value> {
    select(vec![json!(1), json!(2), json!(3), json!(0.5), json!(0.1), json!(2.5)])
}

fn types() -> impl Strategy<Value = Value> {
    prop_oneof![
        3 => select(TYPES).prop_map(|name| json!(name)),
        1 => subsequence(TYPES, 1..4).prop_map(|names| json!(names)),
    ]
}

fn pair<V: Strategy<Value = Value> + 'static>(
    keyword: &'static str,
    value: V,
) -> BoxedStrategy<(String, Value)> {
    value.prop_map(move |value| (keyword.to_owned(), value)).boxed()
}

/// A keyword that holds no schema.
fn assertion() -> BoxedStrategy<(String, Value)> {
    prop_oneof![
        4 => pair("type", types()),
        1 => pair("enum", prop::collection::vec(instance(), 1..4).prop_map(Value::Array)),
        1 => pair("const", instance()),
        1 => pair("minimum", number()),
        1 => pair("maximum", number()),
        1 => pair("exclusiveMinimum", number()),
        1 => pair("exclusiveMaximum", number()),
        1 => pair("multipleOf", divisor()),
        1 => pair("minLength", count()),
        1 => pair("maxLength", count()),
        1 => pair("pattern", select(PATTERNS).prop_map(|pattern| json!(pattern))),
        1 => pair("minItems", count()),
        1 => pair("maxItems", count()),
        1 => pair("uniqueItems", any::<bool>().prop_map(Value::Bool)),
        1 => pair("minProperties", count()),
        1 => pair("maxProperties", count()),
        1 => pair("required", names()),
        1 => pair("$ref", select(DEFINITIONS).prop_map(|name| json!(format!("#/$defs/{name}")))),
    ]
    .boxed()
}

fn list(schema: BoxedStrategy<Value>) -> impl Strategy<Value = Value> {
    prop::collection::vec(schema, 1..4).prop_map(Value::Array)
}

fn map(keys: BoxedStrategy<String>, schema: BoxedStrategy<Value>) -> impl Strategy<Value = Value> {
    prop::collection::btree_map(keys, schema, 1..4)
        .prop_map(|map| Value::Object(map.into_iter().collect()))
}

/// A keyword that holds schemas, in both dialects.
fn applicator(inner: &BoxedStrategy<Value>) -> BoxedStrategy<(String, Value)> {
    let inner = inner.clone();
    let pattern = select(PATTERNS).prop_map(str::to_owned).boxed();
    prop_oneof![
        pair("properties", map(name().boxed(), inner.clone())),
        pair("patternProperties", map(pattern, inner.clone())),
        pair("additionalProperties", inner.clone()),
        pair("propertyNames", inner.clone()),
        pair("items", inner.clone()),
        pair("contains", inner.clone()),
        pair("allOf", list(inner.clone())),
        pair("anyOf", list(inner.clone())),
        pair("oneOf", list(inner.clone())),
        pair("not", inner.clone()),
        pair("if", inner.clone()),
        pair("then", inner.clone()),
        pair("else", inner),
    ]
    .boxed()
}

fn only_2020(inner: &BoxedStrategy<Value>) -> BoxedStrategy<(String, Value)> {
    let inner = inner.clone();
    prop_oneof![
        pair("prefixItems", list(inner.clone())),
        pair("minContains", count()),
        pair("maxContains", count()),
        pair("dependentSchemas", map(name().boxed(), inner.clone())),
        pair(
            "dependentRequired",
            (name(), names()).prop_map(|(name, names)| json!({ name: names })),
        ),
        pair("unevaluatedItems", inner.clone()),
        pair("unevaluatedProperties", inner),
        pair("unevaluatedProperties", Just(json!(false))),
        pair("unevaluatedItems", Just(json!(false))),
    ]
    .boxed()
}

fn only_07(inner: &BoxedStrategy<Value>) -> BoxedStrategy<(String, Value)> {
    let inner = inner.clone();
    prop_oneof![
        pair("items", list(inner.clone())),
        pair("additionalItems", inner.clone()),
        pair("dependencies", map(name().boxed(), inner)),
        pair("dependencies", (name(), names()).prop_map(|(name, names)| json!({ name: names }))),
    ]
    .boxed()
}

type Own = fn(&BoxedStrategy<Value>) -> BoxedStrategy<(String, Value)>;

fn object(keywords: BoxedStrategy<(String, Value)>) -> BoxedStrategy<Value> {
    prop::collection::vec(keywords, 0..4)
        .prop_map(|pairs| Value::Object(pairs.into_iter().collect::<Map<_, _>>()))
        .boxed()
}

fn schema(own: Own) -> BoxedStrategy<Value> {
    let leaf = prop_oneof![1 => any::<bool>().prop_map(Value::Bool), 6 => object(assertion())];
    leaf.prop_recursive(3, 24, 4, move |inner| {
        let inner = inner.boxed();
        object(prop_oneof![2 => assertion(), 3 => applicator(&inner), 2 => own(&inner)].boxed())
    })
    .boxed()
}

fn root(dialect: &'static str, own: Own) -> BoxedStrategy<Value> {
    (schema(own), schema(own), schema(own))
        .prop_map(move |(root, x, y)| {
            let mut root = match root {
                Value::Object(map) => map,
                other => Map::from_iter([("allOf".to_owned(), json!([other]))]),
            };
            root.insert("$schema".to_owned(), json!(dialect));
            root.insert("$defs".to_owned(), json!({ "x": x, "y": y }));
            Value::Object(root)
        })
        .boxed()
}

/// Whether the value holds a number of at least that size.
fn holds(value: &Value, size: f64) -> bool {
    match value {
        Value::Number(number) => number.as_f64().is_some_and(|double| double.abs() >= size),
        Value::Array(items) => items.iter().any(|item| holds(item, size)),
        Value::Object(map) => map.values().any(|member| holds(member, size)),
        _ => false,
    }
}

/// Where the two are meant to differ.
///
/// A number that the parser rounded is no integer here.
/// Of a multiple of 2.5 beyond 2^53 the other evaluator divides doubles, this one decimals.
fn incomparable(schema: &Value, instance: &Value) -> bool {
    holds(instance, 1e19)
        || (holds(instance, 9e15) && schema.to_string().contains("\"multipleOf\""))
}

fn agree(schema: &Value, instances: &[Value]) -> Result<(), TestCaseError> {
    // Ours first: it refuses the schemas that refer to themselves without end.
    let Ok(ours) = Validator::compile(schema) else { return Err(TestCaseError::reject("refused")) };
    let theirs = match jsonschema::validator_for(schema) {
        Ok(theirs) => theirs,
        Err(error) => return Err(TestCaseError::fail(format!("they refuse {schema}: {error}"))),
    };
    for instance in instances {
        if incomparable(schema, instance) {
            continue;
        }
        let answer = ours.is_valid(instance);
        prop_assert_eq!(answer, theirs.is_valid(instance), "{} {}", schema, instance);
        let problems = ours.problems(instance);
        prop_assert_eq!(answer, problems.is_empty(), "{} {}: {:?}", schema, instance, problems);
        for problem in &problems {
            let line = problem.to_string();
            prop_assert!(line.len() < 1_000 && !line.contains('\n'), "{}", line);
        }
    }
    Ok(())
}

fn config() -> ProptestConfig {
    // A failure prints its input, which belongs into the table beside this file.
    ProptestConfig {
        max_global_rejects: 100_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn both_evaluators_agree_on_2020_12(
        schema in root("https://json-schema.org/draft/2020-12/schema", only_2020),
        instances in prop::collection::vec(instance(), 8),
    ) {
        agree(&schema, &instances)?;
    }

    #[test]
    fn both_evaluators_agree_on_draft_07(
        schema in root("http://json-schema.org/draft-07/schema#", only_07),
        instances in prop::collection::vec(instance(), 8),
    ) {
        agree(&schema, &instances)?;
    }

    #[test]
    fn the_order_of_numbers_is_the_order_of_their_values(a in number(), b in number()) {
        let order = |schema: Value, value: &Value| {
            Validator::compile(&schema).unwrap().is_valid(value)
        };
        let least = order(json!({ "minimum": a }), &b);
        prop_assert_eq!(least, !order(json!({ "exclusiveMaximum": a }), &b));
        let equal = least && order(json!({ "maximum": a }), &b);
        prop_assert_eq!(equal, order(json!({ "const": a }), &b));
        prop_assert_eq!(equal, !order(json!({ "uniqueItems": true }), &json!([a, b])));
    }

    #[test]
    fn no_bytes_make_a_schema_or_a_value_panic(text in "\\PC{0,60}", name in "\\PC{0,8}") {
        let pattern = json!({ "pattern": text });
        if let Ok(validator) = Validator::compile(&pattern) {
            let _problems = validator.problems(&json!(name));
        }
        let reference = json!({ "$ref": text, "$defs": { name.as_str(): true } });
        let _result = Validator::compile(&reference).map(|_| ());
        let formatted = json!({ "anyOf": [
            { "format": "date-time" }, { "format": "uri" }, { "format": "email" },
            { "format": "duration" }, { "format": "uuid" }, { "format": "time" },
        ] });
        let validator = Validator::compile(&formatted).unwrap().formats(true);
        let _problems = validator.problems(&json!(text));
    }
}

#[test]
fn a_decimal_is_a_multiple_of_its_unit() {
    for (value, divisor, expected) in [
        ("19.99", "0.01", true),
        ("0.3", "0.1", true),
        ("1e300", "7", false),
        ("1e300", "2", true),
        ("1e-7", "1e-8", true),
        ("1.5", "0.4", false),
        ("18446744073709551615", "5", true),
        ("18446744073709551615", "2", false),
        ("-9", "3", true),
        ("0", "0.7", true),
        ("1e-320", "1e300", false),
        ("9007199254740993", "2", false),
    ] {
        let parse = |text: &str| Value::Number(serde_json::from_str::<Number>(text).unwrap());
        let validator = Validator::compile(&json!({ "multipleOf": parse(divisor) })).unwrap();
        assert_eq!(validator.is_valid(&parse(value)), expected, "{value} of {divisor}");
    }
}
