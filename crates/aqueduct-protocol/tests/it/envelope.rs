//! Messages that other servers got wrong, and what the envelope makes of them.

use aqueduct_protocol::code::{INVALID_REQUEST, PARSE_ERROR};
use aqueduct_protocol::jsonrpc::{
    Envelope, Kind, Limits, Malformed, MetaKey, Param, decode, string,
};

fn read(text: &str) -> Result<Envelope, Malformed> {
    decode(text, &Limits::default())
}

/// Refused with this code, and this id or none.
fn refused(text: &str, code: i32, id: Option<&str>) {
    match read(text) {
        Ok(_) => panic!("accepted: {text}"),
        Err(malformed) => {
            assert_eq!((malformed.code(), malformed.id(text)), (code, id), "{text}: {malformed}");
        }
    }
}

/// A request whose raw id is this.
fn request(text: &str, id: &str) -> Envelope {
    let envelope = read(text).unwrap_or_else(|malformed| panic!("{text}: {malformed}"));
    assert_eq!((envelope.kind(), envelope.id(text)), (Kind::Request, Some(id)), "{text}");
    envelope
}

#[test]
fn b01_an_id_comes_back_byte_for_byte() {
    let ids = ["\"7\"", "\"\"", "0", "-3", "9007199254740991", "\"007\"", "9223372036854775807"];
    for id in ids.into_iter().chain([r#""\u0037\n""#, "-9223372036854775808"]) {
        let text = format!(r#"{{"jsonrpc":"2.0","id": {id} ,"method":"tools/list"}}"#);
        request(&text, id);
    }
}

#[test]
fn b02_an_id_that_is_none_is_not_a_notification() {
    let ids = ["null", "1.5", "true", "false", "[1]", "{\"a\":1}", "1e3", "1E0", "1.0", "-0"];
    for id in ids.into_iter().chain(["9223372036854775808", "[]", "{}"]) {
        let head = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call"}}"#);
        refused(&head, INVALID_REQUEST, None);
        let tail = format!(r#"{{"method":"tools/call","jsonrpc":"2.0","id":{id}}}"#);
        refused(&tail, INVALID_REQUEST, None);
    }
    refused(r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}"#, INVALID_REQUEST, None);
}

#[test]
fn b03_a_batch_is_one_invalid_request() {
    let one = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    for text in ["[]".to_owned(), format!("[{one}]"), format!(" [{one},{one}] ")] {
        refused(&text, INVALID_REQUEST, None);
        assert!(read(&text).unwrap_err().message().starts_with("batches are not part of"));
    }
}

#[test]
fn b04_json_that_is_no_message_is_an_invalid_request_with_the_id_that_it_has() {
    for text in ["123", "\"hi\"", "null", "true", "{}", "{\"foo\":\"bar\"}", "  -1.5e3 "] {
        refused(text, INVALID_REQUEST, None);
    }
    refused(r#"{"jsonrpc":"1.0","id":4,"method":"tools/list"}"#, INVALID_REQUEST, Some("4"));
    refused(r#"{"id":5,"method":"tools/list"}"#, INVALID_REQUEST, Some("5"));
    refused(r#"{"jsonrpc":"2.0","id":6,"method":7}"#, INVALID_REQUEST, Some("6"));
    refused(r#"{"jsonrpc":2.0,"method":"x","id":"a"}"#, INVALID_REQUEST, Some("\"a\""));
    refused(r#"{"jsonrpc":"#, PARSE_ERROR, None);
}

#[test]
fn b05_a_method_without_an_id_is_a_notification() {
    for text in [
        r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"}}"#,
    ] {
        let envelope = read(text).unwrap();
        assert_eq!((envelope.kind(), envelope.id(text)), (Kind::Notification, None));
    }
}

#[test]
fn b07_unknown_members_are_tolerated() {
    let text = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","trace":{"a":[1]},"params":{
        "name":"echo","extra":1,"arguments":{"text":"x"},"_meta":{"progressToken":1,
        "io.modelcontextprotocol/protocolVersion":"2026-07-28","weird":{"name":"no"},
        "io.modelcontextprotocol/clientCapabilities":{"elicitation":{"voice":{}},"zzz":{}},
        "com.example/trace":"q","traceparent":"00-0af7-01"}}}"#;
    let envelope = request(text, "1");
    assert_eq!(envelope.param(text, Param::Name).and_then(string).as_deref(), Some("echo"));
    assert_eq!(envelope.param(text, Param::Arguments), Some(r#"{"text":"x"}"#));
    assert_eq!(envelope.param(text, Param::Uri), None);
    assert_eq!(envelope.meta(text, MetaKey::ProgressToken), Some("1"));
    assert_eq!(envelope.meta(text, MetaKey::ProtocolVersion), Some("\"2026-07-28\""));
    assert_eq!(envelope.meta(text, MetaKey::Traceparent), Some("\"00-0af7-01\""));
    assert_eq!(envelope.meta(text, MetaKey::ClientInfo), None);
    assert!(envelope.has_meta() && !envelope.meta_is_malformed());
}

#[test]
fn b08_depth_and_long_ids_are_bounded() {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"deep":{deep}}}}}"#);
    refused(&text, INVALID_REQUEST, Some("1"));
    assert!(read(&text).unwrap_err().message().contains("64 levels"));
    refused(&"[".repeat(1_000_000), INVALID_REQUEST, None);
    let long = "x".repeat(5 << 20);
    let text = format!(r#"{{"jsonrpc":"2.0","id":"{long}","method":"x"}}"#);
    refused(&text, INVALID_REQUEST, None);
}

#[test]
fn b09_a_line_that_is_not_json_is_a_parse_error_without_an_id() {
    for text in [
        "not json",
        r#"{"jsonrpc":"2.0","id":1,"method":"#,
        "",
        "   ",
        r#"{"jsonrpc":"2.0","id":1,"method":"x",}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"x"} x"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"x"}{}"#,
        r#"{"jsonrpc":"2.0","id":01,"method":"x"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"x\q"}"#,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\ty\"}",
        r#"{"jsonrpc":"2.0","id":1 "method":"x"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":nul}"#,
        r#"{"jsonrpc":"2.0","id":1,method:"x"}"#,
        r#"{'jsonrpc':"2.0"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":[1,]}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":NaN}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":[1}}}"#,
        "Content-Length: 71",
        "\u{a0}{}",
    ] {
        refused(text, PARSE_ERROR, None);
    }
}

#[test]
fn b10_a_message_of_the_wrong_shape_is_refused_with_its_id() {
    refused(r#"{"id":99,"method":"tools/list"}"#, INVALID_REQUEST, Some("99"));
    for params in ["[1]", "null", "1", "\"x\"", "true", "[]"] {
        let method = format!(r#"{{"jsonrpc":"2.0","id":6,"method":"x","params":{params}}}"#);
        refused(&method, INVALID_REQUEST, Some("6"));
        assert_eq!(read(&method).unwrap_err().message(), "params must be an object");
    }
    refused(r#"{"jsonrpc":"2.0","id":7}"#, INVALID_REQUEST, Some("7"));
}

#[test]
fn b11_text_that_is_not_plain_is_kept_or_refused_never_mangled() {
    let discover = r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#;
    refused(&format!("\u{feff}{discover}"), PARSE_ERROR, None);
    for lone in [r"\ud800", r"\udc00", r"\ud800\u0041", r"\uD83C\uD83C", r"x\udfffy"] {
        let text = format!(r#"{{"jsonrpc":"2.0","id":3,"method":"x","params":{{"a":"{lone}"}}}}"#);
        refused(&text, PARSE_ERROR, None);
        let name = format!(r#"{{"jsonrpc":"2.0","id":3,"method":"x","params":{{"{lone}":1}}}}"#);
        refused(&name, PARSE_ERROR, None);
    }
    let said = r#"{"text":"über — 日本 🎉"}"#;
    let text =
        format!(r#"{{"jsonrpc":"2.0","id":4,"method":"x","params":{{"arguments":{said}}}}}"#);
    assert_eq!(request(&text, "4").param(&text, Param::Arguments), Some(said));
}

#[test]
fn a_name_that_occurs_twice_is_refused_at_every_level() {
    let wide: String = (0..40).map(|n| format!(r#""m{n}":0,"#)).collect();
    for twice in [
        r#""a":1,"a":1"#.to_owned(),
        r#""a":1,"\u0061":1"#.to_owned(),
        r#""\u0061":1,"a":1"#.to_owned(),
        r#""":1,"":1"#.to_owned(),
        r#""x":[{"y":{"a":{},"a":{}}}]"#.to_owned(),
        format!(r#"{wide}"m0":1"#),
        format!(r#"{wide}"\u006d39":1"#),
        format!(r#"{wide}"z":{{"a":1,"a":2}}"#),
        format!(r#""z":{{{wide}"y":1}},"z":1"#),
    ] {
        let text = format!(r#"{{"jsonrpc":"2.0","id":8,"method":"x","params":{{{twice}}}}}"#);
        refused(&text, INVALID_REQUEST, Some("8"));
        assert!(read(&text).unwrap_err().message().contains("duplicate member"), "{text}");
    }
    let fine = format!(
        r#"{{"jsonrpc":"2.0","id":8,"method":"x","params":{{"a":{{"a":{{{wide}"a":1}},"b":{{{wide}"a":1}}}}}}}}"#
    );
    request(&fine, "8");
    refused(r#"{"jsonrpc":"2.0","id":8,"method":"x","method":"y"}"#, INVALID_REQUEST, Some("8"));
}

#[test]
fn a_known_name_in_other_letters_case_is_refused() {
    for member in ["JSONRPC", "Method", "Params", "iD", "Result", "ERROR"] {
        let text = format!(r#"{{"jsonrpc":"2.0","id":9,"method":"x","{member}":{{}}}}"#);
        refused(&text, INVALID_REQUEST, Some("9"));
    }
    for member in ["Name", "URI", "Arguments", "_Meta", "taskID"] {
        let text = format!(r#"{{"jsonrpc":"2.0","id":9,"method":"x","params":{{"{member}":1}}}}"#);
        refused(&text, INVALID_REQUEST, Some("9"));
        let inner = format!(
            r#"{{"jsonrpc":"2.0","id":9,"method":"x","params":{{"arguments":{{"{member}":1}}}}}}"#
        );
        request(&inner, "9");
    }
}

#[test]
fn a_message_is_one_thing() {
    let both = [
        r#"{"jsonrpc":"2.0","id":1,"method":"x","result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"x","error":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":1}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":"x"}"#,
    ];
    for text in both {
        refused(text, INVALID_REQUEST, Some("1"));
    }
    refused(r#"{"jsonrpc":"2.0","result":{}}"#, INVALID_REQUEST, None);
    let answer = r#"{"jsonrpc":"2.0","id":"s","result":{"a":1}}"#;
    let envelope = read(answer).unwrap();
    assert_eq!((envelope.kind(), envelope.id(answer)), (Kind::Response, Some("\"s\"")));
    assert_eq!((envelope.result(answer), envelope.error(answer)), (Some("{\"a\":1}"), None));
    assert_eq!(envelope.method(answer), "");
    let error = r#"{"jsonrpc":"2.0","error":{"code":1,"message":"m"}}"#;
    let envelope = read(error).unwrap();
    assert_eq!((envelope.kind(), envelope.id(error)), (Kind::Response, None));
    assert_eq!(envelope.error(error), Some(r#"{"code":1,"message":"m"}"#));
}

#[test]
fn names_and_values_are_read_as_what_they_say() {
    let text = r#"{"jsonrpc":"2\u002e0","i\u0064":1,"method":"tools\/call","params":{"n\u0061me":"\u00e9"}}"#;
    let envelope = request(text, "1");
    assert_eq!(envelope.method(text), "tools/call");
    assert_eq!(envelope.param(text, Param::Name).and_then(string).as_deref(), Some("é"));
    let nested = r#"{"jsonrpc":"2.0","id":1,"method":"x","other":{"params":{"name":1},"id":2},
        "params":{"arguments":{"name":2,"_meta":{"progressToken":3}},"x":{"_meta":{}}}}"#;
    let envelope = request(nested, "1");
    assert_eq!(envelope.param(nested, Param::Name), None);
    assert_eq!(envelope.meta(nested, MetaKey::ProgressToken), None);
    assert!(!envelope.has_meta() && !envelope.meta_is_malformed());
}

#[test]
fn a_meta_that_is_no_object_is_said_to_be_malformed() {
    for meta in ["1", "null", "[]", "\"x\""] {
        let text =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"_meta":{meta}}}}}"#);
        let envelope = request(&text, "1");
        assert!(!envelope.has_meta() && envelope.meta_is_malformed());
    }
}

#[test]
fn syntax_outranks_everything_else() {
    refused(r#"{"jsonrpc":"1.0","id":4,"a":1,"a":2,"method":"x""#, PARSE_ERROR, None);
    refused(r#"[{"jsonrpc":"2.0"}"#, PARSE_ERROR, None);
}

#[test]
fn a_number_that_no_float_can_hold_is_refused() {
    for number in ["1e999", "-1e309", "123e400"] {
        let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"n":{number}}}}}"#);
        refused(&text, INVALID_REQUEST, Some("1"));
    }
    request(r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{"n":[1e308,1e-999,-0]}}"#, "1");
}
