//! Messages that are none, ids of every kind, and what a peer may send beside what is known.

use aqueduct::protocol::meta::Meta;
use serde_json::{Value, json};

use super::peer::{Http, Lines, META, Peer, fixtures, on_each, request, stateless};

/// BASE-04: the id comes back as it was sent, in results and in errors.
#[tokio::test]
async fn b01_an_id_comes_back_as_the_value_and_the_type_that_it_was() {
    on_each(fixtures, async |peer: &mut Peer| {
        for id in [r#""7""#, r#""""#, "0", "-3", "9007199254740991", "-9007199254740991"] {
            let said = peer.send(&request(id, "tools/list", json!({}))).await;
            let expected: Value = serde_json::from_str(id).unwrap();
            assert_eq!(said.answer["id"], expected);
            let raw = said.texts.last().unwrap();
            assert!(raw.contains(&format!(r#""id":{id},"#)), "{raw}");
            assert!(said.result()["tools"].is_array());
        }
        let unknown = request(r#""007""#, "tools/call", json!({ "name": "nope" }));
        let said = peer.send(&unknown).await;
        said.is_error(-32602, 200);
        assert_eq!(said.answer["id"], "007");
    })
    .await;
}

/// BASE-03: an id that is neither a string nor an integer makes the message invalid, and it is
/// not run.
#[tokio::test]
async fn b02_an_id_that_is_none_is_refused_and_not_taken_for_a_notification() {
    on_each(fixtures, async |peer: &mut Peer| {
        for id in ["null", "1.5", "true", "[1]", r#"{"a":1}"#, "1e3", "-0", "18446744073709551616"]
        {
            let said = peer.send(&request(id, "tools/call", json!({ "name": "danger" }))).await;
            said.is_error(-32600, 400);
            assert!(said.answer.get("id").is_none(), "{}", said.answer);
        }
        assert_eq!(peer.happened("danger").await, 0);
    })
    .await;
}

/// ERR-02, HTTP-04: Streamable HTTP, Sending Messages: one message a body; stdio: one message a
/// line.
#[tokio::test]
async fn b03_a_batch_is_one_error_and_nothing_of_it_runs() {
    on_each(fixtures, async |peer: &mut Peer| {
        let one = request("1", "tools/call", json!({ "name": "danger" }));
        for batch in [format!("[{one},{one}]"), format!("[{one}]"), "[]".to_owned()] {
            let said = peer.send(&batch).await;
            said.is_error(-32600, 400);
            assert!(said.answer.get("id").is_none(), "{}", said.answer);
        }
        assert_eq!(peer.happened("danger").await, 0);
    })
    .await;
}

/// BASE-02, ERR-01, ERR-02, and Basic, Error Codes: JSON that is no message is invalid, text that
/// is no JSON does not parse.
#[tokio::test]
async fn b04_json_that_is_no_message_is_invalid_and_text_that_is_no_json_does_not_parse() {
    on_each(fixtures, async |peer: &mut Peer| {
        for (text, id) in [
            ("123", Value::Null),
            (r#""hi""#, Value::Null),
            ("null", Value::Null),
            ("{}", Value::Null),
            (r#"{"foo":"bar"}"#, Value::Null),
            (r#"{"jsonrpc":"1.0","id":4,"method":"tools/list"}"#, json!(4)),
            (r#"{"id":5,"method":"tools/list"}"#, json!(5)),
            (r#"{"jsonrpc":"2.0","id":6,"method":7}"#, json!(6)),
            (r#"{"jsonrpc":"2.0","id":"x"}"#, json!("x")),
        ] {
            let said = peer.send(text).await;
            said.is_error(-32600, 400);
            assert_eq!(said.answer.get("id").unwrap_or(&Value::Null), &id, "{text}");
        }
        for text in [r#"{"jsonrpc":"#, "not json", r#"{"jsonrpc":"2.0",}"#, "{} {}"] {
            let said = peer.send(text).await;
            said.is_error(-32700, 400);
            assert!(said.answer.get("id").is_none(), "{text}: {}", said.answer);
        }
        assert!(peer.request("prompts/list", json!({})).await.result().is_object());
    })
    .await;
}

/// BASE-07: a notification is never answered, a request method without an id included, which is
/// not run either.
#[tokio::test]
async fn b05_no_notification_is_answered_or_run() {
    on_each(fixtures, async |peer: &mut Peer| {
        for text in [
            r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#.to_owned(),
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(),
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#.to_owned(),
            r#"{"jsonrpc":"2.0","method":"notifications/of/the/future","params":{"a":[1]}}"#
                .to_owned(),
            r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"danger"}}"#.to_owned(),
            format!(
                r#"{{"jsonrpc":"2.0","method":"tools/call","params":{{"name":"danger",{META}}}}}"#
            ),
        ] {
            peer.tell(&text).await;
        }
        assert_eq!(peer.happened("danger").await, 0);
    })
    .await;
}

/// BASE-18, and schema, `ClientCapabilities`: "not a closed set".
#[tokio::test]
async fn b07_what_is_not_known_is_ignored() {
    on_each(fixtures, async |peer: &mut Peer| {
        let capabilities = json!({
            "roots": { "listChanged": true },
            "sampling": { "future": {} },
            "elicitation": { "voice": {} },
            "zzz": {},
            "extensions": { "com.example/x": { "deep": [1, 2] } },
        });
        let meta = json!({ "io.modelcontextprotocol/clientCapabilities": capabilities });
        let said = peer.request("prompts/list", json!({ "_meta": meta, "more": 1 })).await;
        assert!(said.result()["prompts"].is_array());
        let said = peer
            .request(
                "tools/call",
                json!({
                    "name": "echo",
                    "arguments": { "text": "x" },
                    "extra": 1,
                    "_meta": {
                        "progressToken": 1,
                        "com.example/trace": "q",
                        "weird": 1,
                        "io.modelcontextprotocol/future": { "a": null },
                        "traceparent":
                            "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01",
                    },
                }),
            )
            .await;
        assert_eq!(said.text(), "x");
    })
    .await;
}

/// BASE-19: trace context that is malformed is no reason to refuse the request.
#[tokio::test]
async fn a_malformed_trace_context_is_ignored() {
    on_each(fixtures, async |peer: &mut Peer| {
        for trace in [json!("garbage"), json!(7), json!(null), json!({ "a": 1 })] {
            let meta = json!({ "traceparent": trace, "tracestate": trace, "baggage": trace });
            let params = json!({ "name": "echo", "arguments": { "text": "x" }, "_meta": meta });
            assert_eq!(peer.request("tools/call", params).await.text(), "x");
        }
    })
    .await;
}

/// Robustness: what is nested too deeply or is too long is refused by itself, and nothing else.
#[tokio::test]
async fn b08_depth_and_size_are_bounded_and_the_next_request_is_served() {
    on_each(fixtures, async |peer: &mut Peer| {
        let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        let text = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"echo","arguments":{{"text":"x","deep":{deep}}},{META}}}}}"#
        );
        assert!(matches!(peer.send(&text).await.code(), -32700 | -32600));

        let long = format!(r#""{}""#, "i".repeat(5 * 1024 * 1024));
        let said = peer.send(&request(&long, "tools/list", json!({}))).await;
        assert!(matches!(said.code(), -32700 | -32600));
        assert!(said.status.is_none_or(|status| matches!(status, 400 | 413)), "{:?}", said.status);
        assert!(said.texts[0].len() < 1024, "the id is echoed");

        // Memory has no wire, and so no bound on what crosses it.
        let size = match peer.name() {
            "http" => 64 * 1024 * 1024,
            "stdio" => 5 * 1024 * 1024,
            _ => 0,
        };
        if size > 0 {
            let text = json!({ "text": "x".repeat(size) });
            let huge = json!({ "name": "echo", "arguments": text });
            let said = peer.send(&request("3", "tools/call", huge)).await;
            assert!(matches!(said.code(), -32700 | -32600));
            assert!(said.status.is_none_or(|status| status == 413), "{:?}", said.status);
        }

        assert!(peer.request("tools/list", json!({})).await.result()["tools"].is_array());
    })
    .await;
}

/// BASE-05: a response has a result or an error, never both, and an error has a code and a
/// message.
#[tokio::test]
async fn every_answer_is_a_result_or_an_error() {
    on_each(fixtures, async |peer: &mut Peer| {
        for (method, params) in [
            ("server/discover", json!({})),
            ("tools/list", json!({})),
            ("tools/call", json!({ "name": "echo", "arguments": { "text": "x" } })),
            ("tools/call", json!({ "name": "panics" })),
            ("tools/call", json!({ "name": "nope" })),
            ("resources/read", json!({ "uri": "test://broken" })),
            ("prompts/get", json!({ "name": "hello" })),
            ("foo/bar", json!({})),
        ] {
            let said = peer.request(method, params).await;
            let answer = said.answer.as_object().unwrap();
            assert_eq!(answer["jsonrpc"], "2.0");
            assert_ne!(answer.contains_key("result"), answer.contains_key("error"), "{answer:?}");
            if let Some(error) = answer.get("error") {
                assert!(error["code"].is_i64() && error["message"].is_string(), "{error}");
            }
        }
    })
    .await;
}

/// BASE-02, B11: messages are UTF-8, and what is not is no message.
#[tokio::test]
async fn bytes_that_are_no_utf_8_are_refused_and_end_nothing() {
    let mut bytes =
        request("1", "tools/call", json!({ "name": "echo", "arguments": { "text": "#" } }))
            .into_bytes();
    let hash = bytes.iter().position(|byte| *byte == b'#').unwrap();
    bytes[hash] = 0xFF;

    let http = Http::new(fixtures().build().unwrap());
    let good = request("1", "tools/call", json!({ "name": "echo", "arguments": { "text": "x" } }));
    let (status, texts) = http.post(http.headers(&good), &bytes).await;
    let answer: Value = serde_json::from_str(&texts[0]).unwrap();
    assert_eq!((status, &answer["error"]["code"]), (400, &json!(-32700)), "{answer}");
    assert!(answer.get("id").is_none());

    let mut lines = Lines::new(fixtures().build().unwrap());
    lines.write(&bytes).await;
    let said = lines.answer().await;
    said.is_error(-32700, 400);
    assert!(said.answer.get("id").is_none());
    lines.write(good.as_bytes()).await;
    assert_eq!(lines.answer().await.text(), "x");
    lines.end().await;
}

/// A client has nothing to respond to in this revision: Streamable HTTP, Sending Messages.
#[tokio::test]
async fn a_response_is_no_message_that_a_server_awaits() {
    for text in [
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}"#,
    ] {
        let service = || fixtures().build().unwrap();
        let mut peer = Peer::http(service());
        assert_eq!(peer.send(text).await.status, Some(400));
        for mut peer in [Peer::memory(service()), Peer::lines(service())] {
            peer.tell(text).await;
            peer.end().await;
        }
    }
}

/// STDIO-09: the same framing over a Unix socket.
#[cfg(unix)]
#[tokio::test]
async fn the_lines_of_a_unix_socket_are_served_alike() {
    let (ours, theirs) = tokio::net::UnixStream::pair().unwrap();
    let (input, output) = theirs.into_split();
    let service = fixtures().build().unwrap();
    let task = tokio::spawn(async move { service.serve_lines(input, output).await });
    let (output, input) = ours.into_split();
    let mut lines = Lines::over(input, output, task);
    for line in ["", "   ", "\r", "{oops"] {
        lines.write(line.as_bytes()).await;
    }
    lines.answer().await.is_error(-32700, 400);
    let echo = json!({ "name": "echo", "arguments": { "text": "a\nb" } });
    lines.write(format!("{}\r", request("1", "tools/call", echo)).as_bytes()).await;
    assert_eq!(lines.answer().await.text(), "a\nb");
    lines.end().await;
}

/// BASE-17: keys that the protocol keeps are not for applications.
#[test]
fn a_reserved_key_cannot_be_set() {
    let mut meta = Meta::new();
    for key in
        ["dev.mcp/x", "com.mcp.tools/x", "io.modelcontextprotocol/x", "a b/x", "1a/x", "a/-x"]
    {
        assert!(meta.insert(key, &1).is_err(), "{key}");
    }
    for key in ["com.example.mcp/x", "com.example/x", "x", "com.example/a-b.c_d"] {
        assert!(meta.insert(key, &1).is_ok(), "{key}");
    }
}

/// Robustness: what a peer sends at length is not sent back at length.
#[tokio::test]
async fn an_error_is_no_echo_of_what_it_refuses() {
    let long = "w".repeat(200_000);
    stateless(fixtures, async |peer: &mut Peer| {
        let complete = |reference: Value, name: &str| {
            json!({ "ref": reference, "argument": { "name": name, "value": "" } })
        };
        let review = || json!({ "type": "ref/prompt", "name": "review" });
        for (method, params) in [
            ("tools/call", json!({ "name": long })),
            ("tools/call", json!({ "name": "pick", "arguments": { "mode": long } })),
            ("tools/call", json!({ "name": "pick", "arguments": { "mode": "a", long.clone(): 1 } })),
            ("tools/call", json!({ "name": "add", "arguments": { "a": long, "b": [long] } })),
            ("tools/list", json!({ "cursor": long })),
            ("resources/read", json!({ "uri": format!("notes://{long}") })),
            ("prompts/get", json!({ "name": long })),
            ("prompts/get", json!({ "name": "review", "arguments": { long.clone(): "x" } })),
            ("prompts/get", json!({ "name": "review", "arguments": { long.clone(): 1 } })),
            ("completion/complete", complete(json!({ "type": "ref/prompt", "name": long }), "x")),
            ("completion/complete", complete(json!({ "type": "ref/resource", "uri": long }), "x")),
            ("completion/complete", complete(json!({ "type": long }), "x")),
            ("completion/complete", complete(review(), &long)),
            ("tools/list", json!({ "_meta": { "io.modelcontextprotocol/logLevel": long } })),
            ("tools/list", json!({ "_meta": { "progressToken": long } })),
            (&long, json!({})),
        ] {
            let said = peer.send(&request("1", method, params)).await;
            let text = said.texts.last().unwrap();
            let method = method.get(..30).unwrap_or(method);
            assert!(text.len() < 4_096, "{method}: {} bytes: {}", text.len(), text.get(..300).unwrap_or(text));
        }
        // The version that was asked for is part of the answer, once.
        let meta = json!({ "io.modelcontextprotocol/protocolVersion": long });
        let said = peer.send(&request("1", "tools/list", json!({ "_meta": meta }))).await;
        assert!(said.texts.last().unwrap().len() < long.len() + 1_024);
    })
    .await;
}
