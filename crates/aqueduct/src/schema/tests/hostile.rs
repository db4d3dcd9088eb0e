//! Schemas and values that are made to take long: each is bounded in time and in stack.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{compile, refusal};

/// Far above what a debug build needs on a busy machine, far below what an unbounded check takes.
const BOUND: Duration = Duration::from_secs(10);

fn bounded(body: impl FnOnce()) {
    let started = Instant::now();
    body();
    assert!(started.elapsed() < BOUND, "{:?}", started.elapsed());
}

#[test]
fn doubling_definitions_are_refused() {
    let mut definitions = serde_json::Map::new();
    for level in 0..30 {
        let next = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
        definitions.insert(format!("d{level}"), json!({ "anyOf": [next.clone(), next] }));
    }
    definitions.insert("d30".to_owned(), json!({ "type": "string" }));
    let error = refusal(&json!({ "$ref": "#/$defs/d0", "$defs": definitions })).to_string();
    assert!(error.contains("more than 100000 subschemas apply to one value"), "{error}");
}

#[test]
fn a_long_chain_of_references_is_refused() {
    let mut definitions = serde_json::Map::new();
    for level in 0..5_000 {
        definitions
            .insert(format!("d{level}"), json!({ "$ref": format!("#/$defs/d{}", level + 1) }));
    }
    definitions.insert("d5000".to_owned(), json!(true));
    let error = refusal(&json!({ "$ref": "#/$defs/d0", "$defs": definitions })).to_string();
    assert!(error.contains("a chain of more than 64 subschemas"), "{error}");
}

#[test]
fn a_schema_that_doubles_with_each_level_of_the_value_runs_out_of_fuel() {
    // Every level of the value doubles the work: 2^100 steps without a bound.
    let again = json!({ "properties": { "a": { "$ref": "#" } } });
    let schema = json!({ "allOf": [again.clone(), again] });
    let value = (0..100).fold(json!({}), |inner, _| json!({ "a": inner }));
    let validator = compile(&schema);
    bounded(|| assert!(!validator.is_valid(&value)));
    bounded(|| {
        let problems = validator.problems(&value);
        let last = problems.last().unwrap().to_string();
        assert!(last.contains("too much work"), "{last}");
    });
}

#[test]
fn running_out_of_fuel_is_never_an_acceptance() {
    let doubling = json!({
        "$defs": { "d": { "allOf": [
            { "properties": { "a": { "$ref": "#/$defs/d" } } },
            { "properties": { "a": { "$ref": "#/$defs/d" } } },
        ] } },
        "not": { "$ref": "#/$defs/d" },
    });
    let value = (0..100).fold(json!({}), |inner, _| json!({ "a": inner }));
    assert!(!compile(&doubling).is_valid(&value));
}

#[test]
fn many_items_are_compared_in_less_than_quadratic_time() {
    let validator = compile(&json!({ "uniqueItems": true }));
    let items: Vec<Value> = (0..50_000).map(|n| json!([n])).collect();
    bounded(|| assert!(validator.is_valid(&Value::Array(items.clone()))));
    let mut twice = items;
    twice.push(json!([25_000.0]));
    bounded(|| assert!(!validator.is_valid(&Value::Array(twice))));
}

#[test]
fn patterns_that_explode_elsewhere_are_linear_here() {
    let text = "a".repeat(100_000) + "!";
    let digits = "1".repeat(100_000) + "x";
    for pattern in [
        "^(a+)+$",
        "^(a|a)*$",
        "^(a|aa)+$",
        "^([a-zA-Z]+)*$",
        "(a|a?)+$",
        "^(.*a){12}$",
        "^(\\d+)*$",
        "^(([a-z])+.)+[A-Z]([a-z])+$",
        "^(a*)*b$",
        "^(a+)+b(c+)+$",
        "^((a{0,5}){0,5})*$",
        "^\\s*(\\w+\\s*)*$",
        "^[\\s\\S]*?a[\\s\\S]*?b$",
        "^([\\w.-])+@([\\w-])+$",
        "^(?:a?){30}a{30}$",
    ] {
        let validator = compile(&json!({ "type": "string", "pattern": pattern }));
        bounded(|| {
            for text in [&text, &digits] {
                assert_eq!(
                    validator.is_valid(&json!(text)),
                    validator.problems(&json!(text)).is_empty()
                );
            }
        });
    }
}

#[test]
fn the_deepest_value_fits_a_small_stack() {
    // A recursive schema with references at each level, and a value as deep as the parser allows.
    let schema = json!({
        "$ref": "#/$defs/node",
        "$defs": { "node": {
            "allOf": [{ "anyOf": [{ "type": "integer" }, { "$ref": "#/$defs/list" }] }],
        }, "list": { "type": "array", "items": { "$ref": "#/$defs/node" } } },
    });
    let text = "[".repeat(120) + "1" + &"]".repeat(120);
    let value: Value = serde_json::from_str(&text).unwrap();
    let wrong: Value = serde_json::from_str(&text.replace('1', "\"x\"")).unwrap();
    let body = move || {
        let validator = compile(&schema);
        // 5 subschemas a level are 600, beyond the bound: an honest refusal and no overflow.
        let problems = validator.problems(&value);
        assert!(problems[0].to_string().contains("too much work"), "{problems:?}");
        assert!(!validator.is_valid(&wrong));
    };
    let thread = std::thread::Builder::new().stack_size(2 * 1024 * 1024).spawn(body).unwrap();
    thread.join().unwrap();
}

#[test]
fn dynamic_references_that_never_end_are_stopped() {
    // In place only by way of the outer resource, which no static look can know.
    let schema = json!({
        "$id": "outer",
        "$dynamicAnchor": "n",
        "$ref": "inner",
        "$defs": { "inner": {
            "$id": "inner",
            "allOf": [{ "$dynamicRef": "#n" }],
            "$defs": { "n": { "$dynamicAnchor": "n", "type": "integer" } },
        } },
    });
    let validator = compile(&schema);
    bounded(|| assert!(!validator.is_valid(&json!(1))));
}

#[test]
fn explaining_a_deep_choice_is_bounded_and_still_names_the_place() {
    let unary = |name: &str| {
        json!({
            "type": "object",
            "properties": { name: { "$ref": "#" } },
            "required": [name],
            "additionalProperties": false,
        })
    };
    let mut branches: Vec<Value> = ["not", "neg", "abs", "sqrt", "len"].map(unary).to_vec();
    branches.push(json!({ "type": "number" }));
    let validator = compile(&json!({ "anyOf": branches }));
    let value = (0..60).fold(json!("x"), |inner, _| json!({ "neg": inner }));
    bounded(|| {
        let problems = validator.problems(&value);
        let line = problems[0].to_string();
        assert!(
            line.starts_with(&"/neg".repeat(60)) && line.contains("got the string \"x\""),
            "{line}"
        );
    });
    // Nothing tells these branches apart, so all are tried at each level.
    let alike = json!({ "type": "object", "properties": { "a": { "$ref": "#" } } });
    let same = json!({ "anyOf": [alike, alike, alike, alike, { "type": "number" }] });
    let value = (0..60).fold(json!("x"), |inner, _| json!({ "a": inner }));
    bounded(|| assert!(!compile(&same).problems(&value).is_empty()));
}

#[test]
fn a_validator_may_be_shared_between_threads() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<crate::schema::Validator>();
}
