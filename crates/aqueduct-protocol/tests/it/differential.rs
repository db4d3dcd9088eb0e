//! Random texts, judged by the pass and by the reference: they must agree.

use aqueduct_protocol::code::{INVALID_REQUEST, PARSE_ERROR};
use aqueduct_protocol::jsonrpc::{Limits, MetaKey, Param, decode, string, write_string};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::reference::{Members, judge};

/// JSON as text, in spellings that no writer would choose.
fn value() -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        20 => select(vec!["null", "true", "false", "\"\"", "0", "-0"]).prop_map(str::to_owned),
        1 => Just("1e999".to_owned()),
        20 => "-?(0|[1-9][0-9]{0,5})(\\.[0-9]{1,4})?([eE][+-]?[0-9]{1,2})?",
        20 => text(),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(|items| format!("[{}]", items.join(" , "))),
            vec((name(), inner), 0..6).prop_map(|members| object(&members)),
        ]
    })
    .boxed()
}

fn text() -> impl Strategy<Value = String> {
    "\"([ -!#-\\[\\]-~é日🎉]|\\\\[\"\\\\/bfnrt]|\\\\u00[0-9a-fA-F]{2}|\\\\u[0-9a-fA-F]{4}|\\\\ud83c\\\\udf89){0,12}\""
}

/// Few names, so that duplicates happen.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        select(vec!["\"a\"", "\"b\"", "\"\\u0061\"", "\"name\"", "\"Name\"", "\"_meta\""])
            .prop_map(str::to_owned),
        "\"[a-z]{1,3}\"",
        text(),
    ]
}

fn object(members: &[(String, String)]) -> String {
    let members: Vec<String> =
        members.iter().map(|(name, value)| format!("{name} :{value}")).collect();
    format!("{{{}}}", members.join(","))
}

/// A member that a message has so often, mostly with a good value.
fn member(
    name: &'static str,
    good: &[&'static str],
    bad: &[&'static str],
    often: f64,
) -> BoxedStrategy<Option<(String, String)>> {
    let values = prop_oneof![
        20 => select(good.to_vec()).prop_map(str::to_owned),
        1 => select(bad.to_vec()).prop_map(str::to_owned),
        1 => value(),
    ];
    proptest::option::weighted(often, values)
        .prop_map(move |value| value.map(|value| (format!("\"{name}\""), value)))
        .boxed()
}

fn params() -> BoxedStrategy<Option<(String, String)>> {
    let members = (
        member("name", &["\"echo\"", "\"\\u00e9\""], &["7"], 0.6),
        member("uri", &["\"notes://x\""], &["[]"], 0.2),
        proptest::option::weighted(0.6, value())
            .prop_map(|value| value.map(|value| ("\"arguments\"".to_owned(), value))),
        proptest::option::weighted(0.6, meta())
            .prop_map(|value| value.map(|value| ("\"_meta\"".to_owned(), value))),
        vec((name(), value()), 0..2),
    );
    let params = members.prop_map(|(name, uri, arguments, meta, more)| {
        let known = [name, uri, arguments, meta].into_iter().flatten();
        object(&known.chain(more).collect::<Vec<_>>())
    });
    proptest::option::weighted(0.7, prop_oneof![9 => params, 1 => value()])
        .prop_map(|value| value.map(|value| ("\"params\"".to_owned(), value)))
        .boxed()
}

fn meta() -> impl Strategy<Value = String> {
    (
        member("io.modelcontextprotocol/protocolVersion", &["\"2026-07-28\""], &["1"], 0.7),
        member("progressToken", &["1", "\"t\""], &["1.5"], 0.5),
        vec((name(), value()), 0..2),
    )
        .prop_map(|(version, token, more)| {
            object(&[version, token].into_iter().flatten().chain(more).collect::<Vec<_>>())
        })
}

fn message() -> impl Strategy<Value = String> {
    let good = ["1", "\"a\"", "0", "-3", "\"\"", "9007199254740991"];
    let bad = ["null", "1.5", "-0", "1e2", "true", "[1]", "9223372036854775808"];
    let members = (
        member("jsonrpc", &["\"2.0\"", "\"2\\u002e0\""], &["\"1.0\"", "2"], 0.97),
        member("id", &good, &bad, 0.7),
        member("method", &["\"tools/call\"", "\"x\\/y\""], &["7"], 0.9),
        params(),
        member("result", &["{}", "{\"a\":1}"], &["1"], 0.08),
        member("error", &["{\"code\":1,\"message\":\"m\"}"], &["\"e\""], 0.08),
        proptest::option::weighted(0.2, (name(), value())),
    );
    members
        .prop_map(|(version, id, method, params, result, error, more)| {
            [version, id, method, params, result, error, more].into_iter().flatten().collect()
        })
        .prop_shuffle()
        .prop_map(|members: Vec<(String, String)>| object(&members))
}

/// Replaces, inserts or removes a character somewhere.
fn damaged() -> impl Strategy<Value = String> {
    let pieces = select(vec![
        "", "{", "}", "[", "]", "\"", ":", ",", "\\", "\\u", "\\ud800", "0", "1", "e", "-", ".",
        " ", "\n", "\t", "\u{1}", "\u{feff}", "\u{a0}", "é", "t", "null", "\"a\":1,", "\"a\":2,",
    ]);
    let edits = prop_oneof![
        2 => Just(Vec::new()),
        3 => vec((any::<Index>(), 0..3_usize, pieces), 1..3),
    ];
    (message(), edits).prop_map(|(message, edits)| {
        let mut characters: Vec<char> = message.chars().collect();
        for (at, removed, inserted) in edits {
            let at = at.index(characters.len() + 1);
            let end = (at + removed).min(characters.len());
            characters.splice(at..end, inserted.chars());
        }
        characters.into_iter().collect()
    })
}

fn agrees(text: &str) {
    let ours = decode(text, &Limits::default());
    match (judge(text), &ours) {
        (None, Err(_)) => {}
        (Some(Err(code)), Err(malformed)) => {
            assert_eq!(malformed.code(), code, "{text}: {malformed}");
            assert!(code == INVALID_REQUEST || malformed.id(text).is_none());
        }
        (Some(Ok(kind)), Ok(envelope)) => assert_eq!(envelope.kind(), kind, "{text}"),
        (reference, _) => panic!("{text}\nreference {reference:?}\nours {ours:?}"),
    }
    let Ok(envelope) = ours else { return };
    let members: Members = serde_json::from_str(text).unwrap();
    assert_eq!(envelope.id(text), members.get("id"));
    assert_eq!(envelope.params(text), members.get("params"));
    assert_eq!(envelope.result(text), members.get("result"));
    assert_eq!(envelope.error(text), members.get("error"));
    let method = members.get("method").map(|raw| serde_json::from_str::<String>(raw).unwrap());
    assert_eq!(envelope.method(text), method.unwrap_or_default());
    let Some(params) = members.get("params") else { return };
    let params: Members = serde_json::from_str(params).unwrap();
    for param in Param::ALL {
        assert_eq!(envelope.param(text, *param), params.get(param.as_str()), "{text}");
    }
    let meta = params.get("_meta").map(serde_json::from_str::<Members>);
    assert_eq!(envelope.has_meta(), matches!(meta, Some(Ok(_))));
    assert_eq!(envelope.meta_is_malformed(), matches!(meta, Some(Err(_))));
    for key in MetaKey::ALL {
        let expected = meta.as_ref().and_then(|meta| meta.as_ref().ok()?.get(key.as_str()));
        assert_eq!(envelope.meta(text, *key), expected, "{text}");
    }
}

/// `PROPTEST_CASES` asks for more.
fn at_least(cases: u32) -> ProptestConfig {
    let asked = ProptestConfig::default();
    ProptestConfig { cases: asked.cases.max(cases), ..asked }
}

proptest! {
    #![proptest_config(at_least(1_000))]

    #[test]
    fn the_pass_and_the_reference_agree(text in damaged()) {
        agrees(&text);
    }

    #[test]
    fn any_text_is_judged_without_a_panic(text in any::<String>()) {
        agrees(&text);
    }

    #[test]
    fn a_string_token_says_what_serde_json_says(raw in text()) {
        let theirs = serde_json::from_str::<String>(&raw).ok();
        assert_eq!(string(&raw).map(String::from), theirs);
    }

    #[test]
    fn a_written_string_is_read_back(text in any::<String>()) {
        let mut out = Vec::new();
        write_string(&mut out, &text);
        let raw = String::from_utf8(out).unwrap();
        assert_eq!(string(&raw).as_deref(), Some(text.as_str()));
        assert_eq!(serde_json::from_str::<String>(&raw).unwrap(), text);
    }
}

#[test]
fn the_generator_makes_good_and_bad_messages() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let mut seen = [0; 3];
    for _ in 0..500 {
        let text = damaged().new_tree(&mut runner).unwrap().current();
        match decode(&text, &Limits::default()) {
            Ok(_) => seen[0] += 1,
            Err(malformed) if malformed.code() == PARSE_ERROR => seen[1] += 1,
            Err(_) => seen[2] += 1,
        }
    }
    assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
}
