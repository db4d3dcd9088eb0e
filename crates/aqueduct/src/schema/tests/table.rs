//! Every keyword by hand: what it accepts and what it refuses, in both dialects.

use serde_json::Value;

use crate::schema::Validator;

type Row = (&'static str, &'static [&'static str], &'static [&'static str]);

/// Schema, values it accepts, values it refuses.
const DRAFT_2020: &[Row] = &[
    ("true", &["1", "null"], &[]),
    ("false", &[], &["1", "{}"]),
    ("{}", &["1", "[]"], &[]),
    (
        r#"{"type":"integer"}"#,
        &["1", "5.0", "-0", "1e2", "18446744073709551615"],
        &["5.5", "\"5\"", "true", "null", "1e30"],
    ),
    (r#"{"type":"number"}"#, &["1", "1.5", "1e300"], &["\"1\"", "false"]),
    (r#"{"type":"string"}"#, &["\"\""], &["1", "null"]),
    (r#"{"type":"boolean"}"#, &["true", "false"], &["0", "\"true\""]),
    (r#"{"type":"null"}"#, &["null"], &["0", "false", "\"\""]),
    (r#"{"type":"array"}"#, &["[]"], &["{}"]),
    (r#"{"type":"object"}"#, &["{}"], &["[]"]),
    (r#"{"type":["integer","null"]}"#, &["1", "null"], &["\"1\"", "1.5"]),
    (
        r#"{"enum":[1,"a",{"b":[2]},null]}"#,
        &["1", "1.0", "\"a\"", "{\"b\":[2.0]}", "null"],
        &["2", "{\"b\":[3]}", "true"],
    ),
    (r#"{"enum":[]}"#, &[], &["1"]),
    (r#"{"const":1}"#, &["1", "1.0"], &["true", "2"]),
    (r#"{"const":0}"#, &["0", "-0.0"], &["false", "null"]),
    (r#"{"const":{"a":1,"b":2}}"#, &["{\"b\":2,\"a\":1}"], &["{\"a\":1}"]),
    (r#"{"multipleOf":0.01}"#, &["19.99", "0", "\"x\""], &["19.995"]),
    (r#"{"multipleOf":3}"#, &["9", "-3", "6.0"], &["10", "4.5"]),
    (r#"{"minimum":2}"#, &["2", "2.5", "\"1\""], &["1", "1.9"]),
    (r#"{"maximum":2}"#, &["2", "-5"], &["3", "2.1"]),
    (r#"{"exclusiveMinimum":2}"#, &["2.1"], &["2"]),
    (r#"{"exclusiveMaximum":2}"#, &["1.9"], &["2"]),
    (r#"{"minimum":9007199254740993}"#, &["9007199254740993"], &["9007199254740992"]),
    (r#"{"minLength":2}"#, &["\"ab\"", "\"éé\"", "5"], &["\"a\"", "\"😀\""]),
    (r#"{"maxLength":1}"#, &["\"😀\"", "\"\""], &["\"ab\""]),
    (r#"{"minLength":2.0}"#, &["\"ab\""], &["\"a\""]),
    (r#"{"pattern":"b"}"#, &["\"abc\"", "1"], &["\"ac\""]),
    (r#"{"pattern":"^\\d+$"}"#, &["\"12\""], &["\"١\"", "\"12\\n\""]),
    (r#"{"pattern":"^[\\w-]+$"}"#, &["\"a-b_1\""], &["\"é\""]),
    (r#"{"pattern":"^\\/a\\.b$"}"#, &["\"/a.b\""], &["\"/axb\""]),
    (r#"{"pattern":"^\\S\\s$"}"#, &["\"a\\u00a0\"", "\"a\\ufeff\""], &["\"ab\""]),
    (r#"{"pattern":"^[^]]$"}"#, &[], &["\"a\""]),
    (r#"{"pattern":"^\\u{1f600}$"}"#, &["\"😀\""], &["\"x\""]),
    (r#"{"pattern":"^\\ud83d\\ude00$"}"#, &["\"😀\""], &["\"x\""]),
    (r#"{"pattern":"^\\p{L}{1,50}$"}"#, &["\"éa\""], &["\"1\"", "\"\""]),
    (r#"{"pattern":"^\\p{L}+$"}"#, &["\"éa\""], &["\"1\""]),
    (r#"{"pattern":"^a{2}{$"}"#, &["\"aa{\""], &["\"aa\""]),
    (r#"{"pattern":"^[a-z&&[^b]]$"}"#, &["\"b]\""], &["\"b\""]),
    (r#"{"pattern":"^.$"}"#, &["\"a\""], &["\"\\n\"", "\"\\u2028\""]),
    (r#"{"pattern":"\\bcat\\b"}"#, &["\"a cat.\""], &["\"cats\""]),
    (r#"{"items":{"type":"integer"}}"#, &["[]", "[1,2]", "{}"], &["[1,\"x\"]"]),
    (r#"{"items":false}"#, &["[]"], &["[1]"]),
    (
        r#"{"prefixItems":[{"type":"integer"},{"type":"string"}]}"#,
        &["[1]", "[1,\"a\",null]", "[]"],
        &["[\"a\"]", "[1,2]"],
    ),
    (r#"{"prefixItems":[true],"items":{"type":"string"}}"#, &["[1,\"a\"]"], &["[1,2]"]),
    (r#"{"contains":{"type":"integer"}}"#, &["[\"a\",1]", "{}"], &["[]", "[\"a\"]"]),
    (r#"{"contains":{"const":1},"minContains":2}"#, &["[1,1]"], &["[1]"]),
    (r#"{"contains":{"const":1},"maxContains":1}"#, &["[1,2]"], &["[1,1]", "[]"]),
    (r#"{"contains":{"const":1},"minContains":0}"#, &["[]", "[2]"], &[]),
    (r#"{"minContains":2}"#, &["[]"], &[]),
    (r#"{"minItems":1}"#, &["[1]", "\"\""], &["[]"]),
    (r#"{"maxItems":1}"#, &["[1]"], &["[1,2]"]),
    (
        r#"{"uniqueItems":true}"#,
        &["[1,\"1\",true]", "[[],{}]", "[0,false]"],
        &["[1,1.0]", "[{\"a\":1,\"b\":2},{\"b\":2,\"a\":1}]"],
    ),
    (r#"{"uniqueItems":false}"#, &["[1,1]"], &[]),
    (
        r#"{"properties":{"a":{"type":"integer"}}}"#,
        &["{}", "{\"a\":1,\"b\":2}", "[]"],
        &["{\"a\":\"x\"}"],
    ),
    (
        r#"{"properties":{"__proto__":{"type":"integer"},"constructor":{"type":"integer"}}}"#,
        &["{}"],
        &["{\"__proto__\":\"x\"}"],
    ),
    (
        r#"{"patternProperties":{"^a":{"type":"integer"},"b$":{"minimum":5}}}"#,
        &["{\"ab\":5,\"c\":null}"],
        &["{\"ab\":4}", "{\"a\":\"x\"}"],
    ),
    (
        r#"{"additionalProperties":false,"properties":{"a":true},"patternProperties":{"^x":true}}"#,
        &["{\"a\":1,\"x1\":2}"],
        &["{\"b\":1}"],
    ),
    (
        r#"{"additionalProperties":{"type":"string"},"properties":{"a":true}}"#,
        &["{\"a\":1,\"b\":\"x\"}"],
        &["{\"b\":1}"],
    ),
    (r#"{"propertyNames":{"maxLength":2}}"#, &["{\"ab\":1}"], &["{\"abc\":1}"]),
    (r#"{"propertyNames":false}"#, &["{}"], &["{\"a\":1}"]),
    (r#"{"required":["a","b"]}"#, &["{\"a\":null,\"b\":1}", "[]"], &["{\"a\":1}"]),
    (r#"{"minProperties":1}"#, &["{\"a\":1}"], &["{}"]),
    (r#"{"maxProperties":1}"#, &["{}"], &["{\"a\":1,\"b\":2}"]),
    (
        r#"{"dependentRequired":{"a":["b"]}}"#,
        &["{}", "{\"b\":1}", "{\"a\":1,\"b\":1}"],
        &["{\"a\":1}"],
    ),
    (
        r#"{"dependentSchemas":{"a":{"required":["b"]}}}"#,
        &["{\"c\":1}", "{\"a\":1,\"b\":1}"],
        &["{\"a\":1}"],
    ),
    (r#"{"allOf":[{"minimum":1},{"maximum":3}]}"#, &["2"], &["0", "4"]),
    (r#"{"anyOf":[{"type":"string"},{"minimum":3}]}"#, &["\"a\"", "3", "true"], &["1"]),
    (r#"{"oneOf":[{"multipleOf":2},{"multipleOf":3}]}"#, &["2", "9"], &["6", "1"]),
    (r#"{"not":{"type":"string"}}"#, &["1"], &["\"a\""]),
    (r#"{"not":{}}"#, &[], &["1"]),
    (
        r#"{"if":{"minimum":5},"then":{"multipleOf":2},"else":{"multipleOf":3}}"#,
        &["6", "3"],
        &["7", "4"],
    ),
    (r#"{"then":false,"else":false}"#, &["1"], &[]),
    (r##"{"$ref":"#/$defs/a","$defs":{"a":{"type":"integer"}}}"##, &["1"], &["\"a\""]),
    (
        r##"{"$ref":"#/$defs/a","minimum":3,"$defs":{"a":{"type":"integer"}}}"##,
        &["3"],
        &["2", "3.5"],
    ),
    (r##"{"$ref":"#/$defs/a~1b%25c","$defs":{"a/b%c":{"type":"integer"}}}"##, &["1"], &["\"a\""]),
    (
        r##"{"$ref":"#named","$defs":{"a":{"$anchor":"named","type":"integer"}}}"##,
        &["1"],
        &["\"a\""],
    ),
    (
        r##"{"properties":{"child":{"$ref":"#"}},"additionalProperties":false}"##,
        &["{\"child\":{\"child\":{}}}"],
        &["{\"child\":{\"x\":1}}"],
    ),
    (r##"{"$ref":"#/components/a","components":{"a":{"type":"integer"}}}"##, &["1"], &["\"a\""]),
    (
        r##"{"$id":"http://h/t","$dynamicAnchor":"n","properties":{"v":true,"c":{"items":{"$dynamicRef":"#n"}}},"unevaluatedProperties":false}"##,
        &["{\"c\":[{\"v\":1}]}"],
        &["{\"c\":[{\"x\":1}]}"],
    ),
    (
        r##"{"$id":"http://h/strict","$dynamicAnchor":"n","$ref":"tree","unevaluatedProperties":false,
            "$defs":{"tree":{"$id":"tree","$dynamicAnchor":"n","type":"object",
            "properties":{"v":true,"c":{"items":{"$dynamicRef":"#n"}}}}}}"##,
        &["{\"c\":[{\"v\":1}]}"],
        &["{\"c\":[{\"x\":1}]}", "{\"x\":1}"],
    ),
    (r#"{"unevaluatedProperties":false,"properties":{"a":true}}"#, &["{\"a\":1}"], &["{\"b\":1}"]),
    (
        r#"{"unevaluatedProperties":false,"allOf":[{"properties":{"a":true}}]}"#,
        &["{\"a\":1}"],
        &["{\"b\":1}"],
    ),
    (
        r#"{"unevaluatedProperties":false,"anyOf":[{"properties":{"a":{"const":1}},"required":["a"]},{"properties":{"b":true},"required":["b"]}]}"#,
        &["{\"a\":1}", "{\"b\":1}", "{\"a\":1,\"b\":1}"],
        &["{\"a\":2,\"b\":1}"],
    ),
    (
        r#"{"unevaluatedProperties":false,"if":{"required":["a"],"properties":{"a":true}},"then":{"properties":{"b":true}},"else":{"properties":{"c":true}}}"#,
        &["{\"a\":1,\"b\":1}", "{\"c\":1}"],
        &["{\"a\":1,\"c\":1}", "{\"b\":1}"],
    ),
    (
        r#"{"unevaluatedProperties":false,"not":{"not":{"properties":{"a":true}}}}"#,
        &["{}"],
        &["{\"a\":1}"],
    ),
    (
        r#"{"unevaluatedProperties":{"type":"integer"},"patternProperties":{"^s":{"type":"string"}}}"#,
        &["{\"s\":\"x\",\"n\":1}"],
        &["{\"n\":\"x\"}"],
    ),
    (
        r#"{"unevaluatedProperties":false,"dependentSchemas":{"a":{"properties":{"a":true,"b":true}}}}"#,
        &["{\"a\":1,\"b\":1}"],
        &["{\"b\":1}"],
    ),
    (
        r#"{"unevaluatedProperties":false,"allOf":[{"unevaluatedProperties":true}]}"#,
        &["{\"a\":1}"],
        &[],
    ),
    (r#"{"unevaluatedItems":false,"prefixItems":[true]}"#, &["[1]"], &["[1,2]"]),
    (
        r#"{"unevaluatedItems":false,"allOf":[{"prefixItems":[true,true]}]}"#,
        &["[1,2]"],
        &["[1,2,3]"],
    ),
    (
        r#"{"unevaluatedItems":false,"contains":{"type":"string"}}"#,
        &["[\"a\",\"b\"]"],
        &["[\"a\",1]"],
    ),
    (r#"{"unevaluatedItems":{"type":"string"},"prefixItems":[true]}"#, &["[1,\"a\"]"], &["[1,2]"]),
    (r#"{"format":"date-time"}"#, &["\"not a date\""], &[]),
    (r#"{"additionalItems":false,"dependencies":{"a":["b"]}}"#, &["[1]", "{\"a\":1}"], &[]),
];

/// The same for draft-07; `$schema` is added.
const DRAFT_07: &[Row] = &[
    (
        r#"{"items":[{"type":"integer"},{"type":"string"}]}"#,
        &["[1]", "[1,\"a\",null]"],
        &["[\"a\"]"],
    ),
    (r#"{"items":[{"type":"integer"}],"additionalItems":false}"#, &["[1]"], &["[1,2]"]),
    (r#"{"items":[true],"additionalItems":{"type":"string"}}"#, &["[1,\"a\"]"], &["[1,2]"]),
    (r#"{"items":{"type":"integer"},"additionalItems":false}"#, &["[1,2]"], &["[\"a\"]"]),
    (r#"{"additionalItems":false}"#, &["[1]"], &[]),
    (r#"{"dependencies":{"a":["b"]}}"#, &["{\"a\":1,\"b\":1}"], &["{\"a\":1}"]),
    (r#"{"dependencies":{"a":{"required":["b"]}}}"#, &["{\"b\":1}"], &["{\"a\":1}"]),
    (r#"{"dependencies":{"a":false}}"#, &["{\"b\":1}"], &["{\"a\":1}"]),
    (
        r##"{"properties":{"a":{"$ref":"#/definitions/i","minimum":9}},"definitions":{"i":{"type":"integer"}}}"##,
        &["{\"a\":1}"],
        &["{\"a\":\"x\"}"],
    ),
    (
        r##"{"properties":{"a":{"$ref":"#named"}},"definitions":{"i":{"$id":"#named","type":"integer"}}}"##,
        &["{\"a\":1}"],
        &["{\"a\":\"x\"}"],
    ),
    (r#"{"contains":{"const":1},"minContains":2}"#, &["[1]"], &["[2]"]),
    (r#"{"prefixItems":[false],"unevaluatedProperties":false}"#, &["[1]", "{\"a\":1}"], &[]),
    (r#"{"dependentRequired":{"a":["b"]},"dependentSchemas":{"a":false}}"#, &["{\"a\":1}"], &[]),
    (r#"{"if":{"minimum":5},"then":{"multipleOf":2}}"#, &["6", "3"], &["7"]),
    (r#"{"const":1,"exclusiveMaximum":2}"#, &["1"], &["2"]),
    (r#"{"propertyNames":{"pattern":"^a"}}"#, &["{\"ab\":1}"], &["{\"b\":1}"]),
];

/// Rows that the other evaluator sees differently, each by our decision.
const OURS_ALONE: &[(&str, &str)] = &[
    // A number beyond 64 bits was rounded by the parser.
    (r#"{"type":"integer"}"#, "1e30"),
    // In 2020-12 it is "no longer a keyword" (the comment of its meta-schema).
    (r#"{"additionalItems":false,"dependencies":{"a":["b"]}}"#, "{\"a\":1}"),
    // ECMA-262 ends a class at the first bracket, and knows no intersection.
    (r#"{"pattern":"^[^]]$"}"#, "\"a\""),
    (r#"{"pattern":"^[a-z&&[^b]]$"}"#, "\"b]\""),
    (r#"{"pattern":"^[a-z&&[^b]]$"}"#, "\"b\""),
];

/// Schemas that the other evaluator does not compile.
const THEY_REFUSE: &[&str] = &[r#"{"pattern":"^\\ud83d\\ude00$"}"#, r#"{"pattern":"^a{2}{$"}"#];

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn check(rows: &[Row], dialect: Option<&str>) -> usize {
    let mut count = 0;
    for (text, accepted, refused) in rows {
        let mut schema = parse(text);
        if let (Some(dialect), Some(map)) = (dialect, schema.as_object_mut()) {
            map.insert("$schema".to_owned(), dialect.into());
        }
        let ours = Validator::compile(&schema).unwrap_or_else(|error| panic!("{error}: {text}"));
        let theirs = jsonschema::validator_for(&schema);
        assert!(theirs.is_ok() || THEY_REFUSE.contains(text), "they refuse {text}");
        let accepted = accepted.iter().map(|value| (*value, true));
        for (value, expected) in accepted.chain(refused.iter().map(|value| (*value, false))) {
            let instance = parse(value);
            assert_eq!(ours.is_valid(&instance), expected, "{text} {value}");
            assert_eq!(ours.problems(&instance).is_empty(), expected, "{text} {value}");
            if let Ok(theirs) = &theirs
                && !OURS_ALONE.contains(&(*text, value))
            {
                assert_eq!(theirs.is_valid(&instance), expected, "they: {text} {value}");
            }
            count += 1;
        }
    }
    count
}

#[test]
fn every_keyword_of_2020_12_accepts_and_refuses() {
    assert!(check(DRAFT_2020, None) >= 200);
    check(DRAFT_2020, Some("https://json-schema.org/draft/2020-12/schema"));
}

#[test]
fn every_keyword_of_draft_07_accepts_and_refuses() {
    assert!(check(DRAFT_07, Some("http://json-schema.org/draft-07/schema#")) >= 30);
    check(DRAFT_07, Some("https://json-schema.org/draft-07/schema"));
}

#[test]
fn b58_the_same_schema_differs_by_its_dialect() {
    let list = parse(r#"{"items":[{"type":"integer"}]}"#);
    Validator::compile(&list).unwrap_err();
    let modern = parse(r#"{"prefixItems":[{"type":"integer"}]}"#);
    assert!(!Validator::compile(&modern).unwrap().is_valid(&parse("[\"a\"]")));
    let mut old = modern;
    old["$schema"] = "http://json-schema.org/draft-07/schema#".into();
    assert!(Validator::compile(&old).unwrap().is_valid(&parse("[\"a\"]")));
}

#[test]
fn formats_are_asserted_only_when_asked() {
    for (format, good, bad) in [
        ("date-time", "2026-02-28T23:59:59.5+01:00", "2026-02-29T00:00:00Z"),
        ("date-time", "1990-12-31T23:59:60Z", "1990-12-31T22:59:60Z"),
        ("date", "2024-02-29", "2023-02-29"),
        ("time", "09:30:00z", "24:00:00Z"),
        ("duration", "P1Y2M3DT4H5M6S", "P"),
        ("duration", "P2W", "P1YT"),
        ("email", "a.b+c@example.com", "a..b@example.com"),
        ("email", "\"a b\"@[192.0.2.1]", "a@"),
        ("hostname", "a-b.example", "-a.example"),
        ("ipv4", "192.0.2.1", "192.0.02.1"),
        ("ipv6", "2001:db8::1", "2001:db8"),
        ("uri", "https://user@h:80/p?q#f", "/p"),
        ("uri", "urn:isbn:0", "http://a b"),
        ("uri-reference", "../a?b", "a:b c"),
        ("uuid", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "f81d4fae7dec11d0a76500a0c91e6bf6"),
        ("json-pointer", "/a~1b/0", "a"),
        ("json-pointer", "", "/~2"),
    ] {
        let schema = serde_json::json!({ "format": format });
        let described = Validator::compile(&schema).unwrap();
        assert!(described.is_valid(&bad.into()), "{format}");
        let asserted = described.formats(true);
        assert!(asserted.is_valid(&good.into()), "{format} {good}");
        assert!(!asserted.is_valid(&bad.into()), "{format} {bad}");
        assert!(asserted.is_valid(&5.into()), "{format}");
    }
    let unknown = serde_json::json!({ "format": "colour" });
    assert!(Validator::compile(&unknown).unwrap().formats(true).is_valid(&"x".into()));
}
