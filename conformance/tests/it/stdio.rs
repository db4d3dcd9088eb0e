//! Standard input and output: framing, and what else a process writes.

#![expect(
    clippy::indexing_slicing,
    reason = "the exemption for tests does not reach their helpers"
)]

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::child::{Child, call, request};

fn code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap_or_default()
}

/// STDIO-11: a line that is no message costs itself only.
#[tokio::test]
async fn b09_a_bad_line_ends_nothing() {
    for mut child in Child::in_both(&["--stdio"]).await {
        child.write("not json\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\n").await;
        child.request(2, "prompts/list", json!({})).await;
        for _ in 0..2 {
            let answer = child.read().await;
            assert_eq!((code(&answer), answer.get("id")), (-32700, None), "{answer}");
        }
        let answer = child.read().await;
        assert_eq!(answer["id"], 2);
        assert!(answer["result"]["prompts"].is_array(), "{answer}");

        child.write("{oops}\n").await;
        assert_eq!(code(&child.read().await), -32700);
        if child.is_session() {
            child.end_quietly().await;
            continue;
        }
        let initialize = json!({
            "jsonrpc": "2.0", "id": 3, "method": "initialize",
            "params": {
                "protocolVersion": "2025-11-25", "capabilities": {},
                "clientInfo": { "name": "t", "version": "0" },
            },
        });
        child.write(format!("{initialize}\n")).await;
        let answer = child.read().await;
        assert_eq!(answer["id"], 3);
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{answer}");
        child.end_quietly().await;
    }
}

/// BASE-04: whoever waits for an id gets it back.
#[tokio::test]
async fn b10_an_invalid_frame_is_answered_with_its_id() {
    for mut child in Child::in_both(&["--stdio"]).await {
        for (line, id, codes) in [
            (r#"{"id":99,"method":"tools/list"}"#, 99, &[-32600][..]),
            (
                r#"{"jsonrpc":"2.0","id":6,"method":"tools/list","params":[1]}"#,
                6,
                &[-32600, -32602],
            ),
            (r#"{"jsonrpc":"2.0","id":7}"#, 7, &[-32600]),
        ] {
            child.write(format!("{line}\n")).await;
            let answer = child.read().await;
            assert_eq!(answer["id"], id, "{answer}");
            assert!(codes.contains(&code(&answer)), "{answer}");
        }
        child.end_quietly().await;
    }
}

/// Transports, Messages: UTF-8, and nothing that is lost on the way.
#[tokio::test]
async fn b11_text_arrives_byte_for_byte_or_not_at_all() {
    for mut child in Child::in_both(&["--stdio"]).await {
        child.write(b"\xEF\xBB\xBF").await;
        child.request(1, "prompts/list", json!({})).await;
        let answer = child.read().await;
        assert!(answer["result"].is_object() || code(&answer) == -32700, "{answer}");

        let mut bytes = call(2, "echo", json!({ "text": "#" })).to_string().into_bytes();
        let hash = bytes.iter().position(|byte| *byte == b'#').unwrap();
        bytes[hash] = 0xFF;
        bytes.push(b'\n');
        child.write(bytes).await;
        assert_eq!(code(&child.read().await), -32700);

        let surrogate = call(3, "echo", json!({ "text": "#" })).to_string().replace('#', "\\ud800");
        child.write(format!("{surrogate}\n")).await;
        let answer = child.read().await;
        assert!(matches!(code(&answer), -32700 | -32602), "{answer}");

        let text = "über — 日本 🎉 \u{2028}";
        child.write(format!("{}\n", call(4, "echo", json!({ "text": text })))).await;
        let answer = child.read().await;
        assert_eq!(answer["result"]["content"][0]["text"], text);
        child.end_quietly().await;
    }
}

/// Long lines are whole, and a line beyond the bound is an error and no end.
#[tokio::test]
async fn b13_long_messages_are_whole_and_keep_nobody_waiting() {
    const LONG: usize = 1024 * 1024;
    for mut child in Child::in_both(&["--stdio"]).await {
        for round in 0..4 {
            let size = if round % 2 == 0 { LONG } else { 8 * LONG };
            let text = "x".repeat(size);
            child.write(format!("{}\n", call(100 + round, "echo", json!({ "text": text })))).await;
            child.write(format!("{}\n", call(round, "add", json!({ "a": 1, "b": 2 })))).await;
            let mut seen = Vec::new();
            for _ in 0..2 {
                let answer = child.read().await;
                match answer["id"].as_u64() {
                    Some(id) if id == round => {
                        assert_eq!(answer["result"]["content"][0]["text"], "3");
                    }
                    Some(_) => {
                        let echoed = answer["result"]["content"][0]["text"].as_str().unwrap();
                        assert_eq!(echoed.len(), size);
                    }
                    None => assert_eq!((code(&answer), size), (-32700, 8 * LONG), "{answer}"),
                }
                seen.push(answer["id"].clone());
            }
            assert_ne!(seen[0], seen[1]);
        }
        child.end_quietly().await;
    }
}

/// BASE-09: a slow call keeps nobody waiting.
#[tokio::test]
async fn b15_a_slow_call_keeps_nobody_waiting() {
    for mut child in Child::in_both(&["--stdio"]).await {
        let since = Instant::now();
        child.write(format!("{}\n", call(1, "slow", json!({ "ms": 3_000 })))).await;
        child.request(2, "tools/list", json!({})).await;
        child.write(format!("{}\n", call(3, "add", json!({ "a": 1, "b": 2 })))).await;
        let mut quick = vec![child.read().await["id"].clone(), child.read().await["id"].clone()];
        if child.is_session() {
            child.request(4, "ping", json!({})).await;
            assert_eq!(child.read().await["id"], 4);
            // The calls of a session run side by side.
            quick.sort_by_key(Value::as_u64);
        }
        assert_eq!(quick, [2, 3]);
        assert!(since.elapsed() < Duration::from_secs(3), "{:?}", since.elapsed());
        let answer = child.read().await;
        assert_eq!(answer["id"], 1);
        assert_eq!(answer["result"]["content"][0]["text"], "done");
        child.end_quietly().await;
    }
}

/// STDIO-02, STDIO-03: the standard output carries messages alone, whatever the program and its
/// libraries write.
#[tokio::test]
async fn b16_nothing_but_messages_reaches_the_standard_output() {
    for mut child in Child::in_both(&["--stdio", "--log", "trace"]).await {
        let level = json!({ "io.modelcontextprotocol/logLevel": "debug" });
        for (id, tool) in [(1, "noisy"), (2, "stray"), (3, "panics")] {
            child.request(id, "tools/call", json!({ "name": tool, "_meta": level })).await;
        }
        let mut answers = Vec::new();
        let mut messages = 0;
        while answers.len() < 3 {
            let message = child.read().await;
            if message.get("method").is_some() {
                messages += 1;
            } else {
                answers.push(message);
            }
        }
        // A session that has set no level is told from `info` on, and its calls run side by side.
        assert_eq!(messages, if child.is_session() { 7 } else { 8 });
        answers.sort_by_key(|answer| answer["id"].as_u64());
        assert_eq!(answers[1]["result"]["content"][0]["text"], "stray");
        assert_eq!(code(&answers[2]), -32603);
        assert!(!answers[2].to_string().contains("hunter2"), "{}", answers[2]);
        let log = child.end_quietly().await;
        for line in ["a stray line", "a line of the server's own log", "hunter2"] {
            assert!(log.contains(line), "{line:?} is not in the log:\n{log}");
        }
    }
}

/// stdio, framing: a line ends with a line feed; a carriage return before it is none of the
/// message, a line without anything is no message, and a header line is one that is no JSON.
#[tokio::test]
async fn b17_line_ends_blank_lines_and_headers_are_told_apart() {
    for mut child in Child::in_both(&["--stdio"]).await {
        child.write(format!("{}\r\n", request(1, "prompts/list", json!({})))).await;
        child.write("\n   \n\r\nContent-Length: 71\r\n\r\n").await;
        child.write(format!("{}\n", call(2, "add", json!({ "a": 1, "b": 2 })))).await;
        let mut answers = vec![child.read().await, child.read().await, child.read().await];
        if child.is_session() {
            // The calls of a session run beside what is refused at once.
            answers.sort_by_key(|answer| answer["id"].as_u64().map(|id| id == 2));
            answers.swap(0, 1);
        }
        assert_eq!((&answers[0]["id"], &answers[2]["id"]), (&json!(1), &json!(2)));
        assert_eq!((code(&answers[1]), answers[1].get("id")), (-32700, None), "{answers:?}");
        child.end_quietly().await;
    }
}

/// BASE-07, B05: notifications are silent, in a process too.
#[tokio::test]
async fn b05_notifications_are_silent() {
    for mut child in Child::in_both(&["--stdio"]).await {
        for line in [
            r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
            r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo","arguments":{"text":"x"}}}"#,
        ] {
            child.write(format!("{line}\n")).await;
        }
        child.request(1, "prompts/list", json!({})).await;
        assert_eq!(child.read().await["id"], 1);
        child.end_quietly().await;
    }
}

/// STDIO-06, B39: after a cancellation there is no word about the call.
#[tokio::test]
async fn b39_a_cancelled_call_is_never_spoken_of_again() {
    for mut child in Child::in_both(&["--stdio"]).await {
        child.write(format!("{}\n", call(99, "slow", json!({ "ms": 5_000 })))).await;
        let cancel = json!({
            "jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": { "requestId": 99, "reason": "the user gave up" },
        });
        for _ in 0..2 {
            child.write(format!("{cancel}\n")).await;
        }
        child.write(format!("{}\n", call(100, "add", json!({ "a": 1, "b": 2 })))).await;
        assert_eq!(child.read().await["id"], 100);
        // Nothing runs any more, so the end is at once.
        let since = Instant::now();
        child.end_quietly().await;
        assert!(since.elapsed() < Duration::from_secs(4), "{:?}", since.elapsed());
    }
}

/// STDIO-07: the end of the input is the end of the process, with what was asked for answered.
#[tokio::test]
async fn the_end_of_the_input_ends_the_process() {
    let child = Child::start(&["--stdio"]);
    child.end_quietly().await;

    let mut child = Child::start(&["--stdio"]);
    child.request(1, "server/discover", json!({})).await;
    child.read().await;
    let since = Instant::now();
    child.end_quietly().await;
    assert!(since.elapsed() < Duration::from_secs(1), "{:?}", since.elapsed());

    let mut child = Child::start(&["--stdio"]);
    child.write(format!("{}\n", call(1, "slow", json!({ "ms": 200 })))).await;
    let (rest, log, status) = child.end().await;
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert_eq!(rest[0]["result"]["content"][0]["text"], "done");
    assert!(status.success(), "{status}: {log}");

    // A call that would go on is dropped, and what was answered before is read all the same.
    let mut child = Child::start(&["--stdio"]);
    let long = "x".repeat(1_000_000);
    child.write(format!("{}\n", call(1, "slow", json!({ "ms": 60_000 })))).await;
    child.write(format!("{}\n", call(2, "slow", json!({ "ms": 50, "text": long })))).await;
    let since = Instant::now();
    let (rest, log, status) = child.end().await;
    assert!(since.elapsed() < Duration::from_secs(2), "{:?}", since.elapsed());
    assert_eq!(rest.iter().map(|answer| &answer["id"]).collect::<Vec<_>>(), [2]);
    assert!(status.success(), "{status}: {log}");

    // A last line without its end is a line.
    let mut child = Child::start(&["--stdio"]);
    child.write(request(1, "server/discover", json!({})).to_string()).await;
    let (rest, ..) = child.end().await;
    assert_eq!(rest.len(), 1, "{rest:?}");
}

/// BASE-04, B01: ids come back as they were, from a process too.
#[tokio::test]
async fn b01_ids_come_back_as_they_were() {
    for mut child in Child::in_both(&["--stdio"]).await {
        for id in [json!("7"), json!(""), json!(0), json!(-3), json!(9_007_199_254_740_991_i64)] {
            let mut message = request(1, "tools/list", json!({}));
            message["id"] = id.clone();
            child.write(format!("{message}\n")).await;
            assert_eq!(child.read().await["id"], id);
        }
        child.end_quietly().await;
    }
}
