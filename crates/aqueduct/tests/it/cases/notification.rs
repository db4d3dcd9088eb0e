//! What a call says before it answers, and how it is cancelled.

use std::time::Duration;

use aqueduct::Server;
use aqueduct::prelude::*;
use serde_json::{Value, json};

use super::peer::{Http, Lines, Peer, Said, fixtures, on_each, request, stateless};

fn progress(said: &Said) -> Vec<&Value> {
    let of = |value: &&Value| value["method"] == "notifications/progress";
    said.notifications.iter().filter(of).map(|value| &value["params"]).collect()
}

fn levels(said: &Said) -> Vec<&str> {
    let of = |value: &&Value| value["method"] == "notifications/message";
    let messages = said.notifications.iter().filter(of);
    messages.map(|value| value["params"]["level"].as_str().unwrap()).collect()
}

/// PROG-01, LOG-02, LOG-03, LOG-04, LOG-05: nothing that the request did not ask for.
#[tokio::test]
async fn b42_a_call_says_only_what_its_request_asks_for() {
    stateless(fixtures, async |peer: &mut Peer| {
        let noisy = |meta: Value| json!({ "name": "noisy", "_meta": meta });
        let plain = peer.request("tools/call", noisy(json!({}))).await;
        assert!(plain.notifications.is_empty(), "{:?}", plain.notifications);

        let said = peer.request("tools/call", noisy(json!({ "progressToken": "p" }))).await;
        assert_eq!(progress(&said).len(), 3);
        assert!(progress(&said).iter().all(|params| params["progressToken"] == "p"));
        assert!(levels(&said).is_empty());

        let level = |level: &str| json!({ "io.modelcontextprotocol/logLevel": level });
        let said = peer.request("tools/call", noisy(level("warning"))).await;
        assert_eq!(levels(&said), ["warning", "error", "critical", "alert", "emergency"]);
        assert!(progress(&said).is_empty());

        let said = peer.request("tools/call", noisy(level("debug"))).await;
        assert_eq!(
            levels(&said),
            ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
        );
        for message in &said.notifications {
            assert_eq!(message["params"]["logger"], "noisy");
            assert!(message["params"]["data"].is_string());
        }
        for wrong in [json!("loud"), json!("WARNING"), json!(3), json!(null)] {
            let meta = json!({ "io.modelcontextprotocol/logLevel": wrong });
            peer.request("tools/call", noisy(meta)).await.is_error(-32602, 400);
        }
    })
    .await;
}

/// LOG-01: who sends log messages says so.
#[tokio::test]
async fn a_server_that_logs_declares_it_and_one_that_does_not_is_silent() {
    stateless(fixtures, async |peer: &mut Peer| {
        let said = peer.request("server/discover", json!({})).await;
        assert_eq!(said.result()["capabilities"]["logging"], json!({}));
    })
    .await;
    let quiet = || {
        let tool = Tool::new("t").handler(|ctx: Context| async move {
            ctx.log(LoggingLevel::Error, "nobody declared me");
            "t"
        });
        Server::new("quiet", "1").tool(tool)
    };
    stateless(quiet, async |peer: &mut Peer| {
        let said = peer.request("server/discover", json!({})).await;
        assert!(said.result()["capabilities"].get("logging").is_none());
        let meta = json!({ "io.modelcontextprotocol/logLevel": "debug" });
        let said = peer.request("tools/call", json!({ "name": "t", "_meta": meta })).await;
        assert!(said.notifications.is_empty(), "{:?}", said.notifications);
        assert_eq!(said.text(), "t");
    })
    .await;
}

/// PROG-02: the token comes back as the value and the type that it was; PROG-03: progress grows.
#[tokio::test]
async fn a_progress_token_keeps_its_type() {
    on_each(fixtures, async |peer: &mut Peer| {
        for token in [json!(0), json!("0"), json!(""), json!(-7), json!("a\"b"), json!("日本")] {
            let meta = json!({ "progressToken": token });
            let said = peer.request("tools/call", json!({ "name": "burst", "_meta": meta })).await;
            let progress = progress(&said);
            assert!(progress.iter().all(|params| params["progressToken"] == token));
            let values: Vec<_> =
                progress.iter().map(|params| params["progress"].as_f64().unwrap()).collect();
            assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{values:?}");
            assert_eq!(values.last(), Some(&50.0));
        }
        for token in [json!(1.5), json!(true), json!(null), json!([]), json!({})] {
            let meta = json!({ "progressToken": token });
            let said = peer.request("tools/call", json!({ "name": "now", "_meta": meta })).await;
            said.is_error(-32602, 400);
        }
    })
    .await;
}

/// PROG-04: all progress comes before the answer, and nothing after it.
#[tokio::test]
async fn b43_progress_comes_before_the_answer() {
    on_each(fixtures, async |peer: &mut Peer| {
        for _ in 0..100 {
            let meta = json!({ "progressToken": 1 });
            let said = peer.request("tools/call", json!({ "name": "burst", "_meta": meta })).await;
            let values: Vec<_> =
                progress(&said).iter().map(|params| params["progress"].as_u64().unwrap()).collect();
            assert_eq!(values, (1..=50).collect::<Vec<_>>());
            assert_eq!(said.text(), "burst");
        }
    })
    .await;
}

/// PROG-06: two calls at once, each with its own token.
#[tokio::test]
async fn progress_of_two_calls_is_told_apart() {
    let mut lines = Lines::new(fixtures().build().unwrap());
    for id in [1, 2] {
        let meta = json!({ "progressToken": id });
        let arguments = json!({ "ms": 30, "text": id.to_string() });
        let params = json!({ "name": "slow", "arguments": arguments, "_meta": meta });
        lines.write(request(&id.to_string(), "tools/call", params).as_bytes()).await;
    }
    let mut seen = [0, 0];
    let mut open = 2;
    while open > 0 {
        let value: Value = serde_json::from_str(&lines.read().await).unwrap();
        if let Some(token) = value["params"]["progressToken"].as_u64() {
            seen[usize::try_from(token).unwrap() - 1] += 1;
        } else {
            assert_eq!(value["result"]["content"][0]["text"], value["id"].to_string());
            open -= 1;
        }
    }
    assert_eq!(seen, [3, 3]);
    lines.end().await;
}

/// BASE-09, STDIO-10: a slow call keeps nobody waiting.
#[tokio::test]
async fn b15_a_slow_call_keeps_nobody_waiting() {
    let mut lines = Lines::new(fixtures().build().unwrap());
    let slow = json!({ "name": "slow", "arguments": { "ms": 600_000 } });
    lines.write(request("1", "tools/call", slow).as_bytes()).await;
    lines.write(request("2", "tools/list", json!({})).as_bytes()).await;
    let add = json!({ "name": "add", "arguments": { "a": 1, "b": 2 } });
    lines.write(request("3", "tools/call", add).as_bytes()).await;
    assert_eq!(lines.answer().await.answer["id"], 2);
    assert_eq!(lines.answer().await.answer["id"], 3);
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    lines.write(cancel.as_bytes()).await;
    lines.end().await;
}

async fn happened(lines: &mut Lines, mark: &str) -> u64 {
    lines.write(request("\"state\"", "tools/call", json!({ "name": "state" })).as_bytes()).await;
    let said = lines.answer().await;
    assert_eq!(said.answer["id"], "state", "{}", said.answer);
    said.result()["structuredContent"][mark].as_u64().unwrap()
}

/// STDIO-06, CAN-01, CAN-02, CAN-03: a cancelled call is dropped and never spoken of again; a
/// cancellation that fits no call is ignored.
#[tokio::test]
async fn b39_a_cancelled_call_is_dropped_and_never_answered() {
    let mut lines = Lines::new(fixtures().build().unwrap());
    let slow = json!({
        "name": "slow", "arguments": { "ms": 600_000 }, "_meta": { "progressToken": "t" },
    });
    lines.write(request("99", "tools/call", slow.clone()).as_bytes()).await;
    assert_eq!(happened(&mut lines, "slow_started").await, 1);
    let cancelled = |params: Value| {
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params })
            .to_string()
    };
    for params in [
        json!({}),
        json!({ "requestId": "99" }),
        json!({ "requestId": 12345 }),
        json!({ "requestId": null }),
        json!({ "requestId": [99] }),
        json!({ "reason": "no id" }),
    ] {
        lines.write(cancelled(params).as_bytes()).await;
    }
    assert_eq!(happened(&mut lines, "slow_dropped").await, 0);
    for _ in 0..2 {
        let params = json!({ "requestId": 99, "reason": "the user gave up" });
        lines.write(cancelled(params).as_bytes()).await;
    }
    while happened(&mut lines, "slow_dropped").await == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(happened(&mut lines, "slow_ended").await, 0);
    // The id is free again.
    lines.write(request("99", "tools/call", json!({ "name": "now" })).as_bytes()).await;
    assert_eq!(lines.answer().await.answer["id"], 99);
    lines.end().await;
}

/// CAN-04: a cancellation that races the answer leaves one answer or none.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancellation_that_races_the_answer_leaves_one_or_none() {
    let mut lines = Lines::new(fixtures().build().unwrap());
    for id in 0..500 {
        let slow = json!({ "name": "slow", "arguments": { "ms": id % 4 } });
        lines.write(request(&id.to_string(), "tools/call", slow).as_bytes()).await;
        let cancel = json!({
            "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id },
        });
        lines.write(cancel.to_string().as_bytes()).await;
    }
    lines.write(request("\"last\"", "server/discover", json!({})).as_bytes()).await;
    let mut seen = std::collections::HashSet::new();
    loop {
        let said = lines.answer().await;
        if said.answer["id"] == "last" {
            break;
        }
        assert!(seen.insert(said.answer["id"].as_u64().unwrap()), "{}", said.answer);
        assert_eq!(said.text(), "done");
    }
    lines.end().await;
}

/// BASE-09: an id may not be used twice at the same time, because nobody could tell the answers
/// apart.
#[tokio::test]
async fn an_id_that_is_in_use_is_refused() {
    let mut lines = Lines::new(fixtures().build().unwrap());
    let slow = json!({ "name": "slow", "arguments": { "ms": 60 } });
    lines.write(request("1", "tools/call", slow).as_bytes()).await;
    lines.write(request("1", "tools/list", json!({})).as_bytes()).await;
    let refused = lines.answer().await;
    refused.is_error(-32600, 400);
    assert_eq!(lines.answer().await.text(), "done");
    lines.end().await;
}

/// PROG-05: a flood of progress is thinned, and its end arrives.
#[tokio::test]
async fn a_flood_of_progress_is_thinned() {
    let server = || {
        let tool = Tool::new("flood").handler(|ctx: Context| async move {
            for step in 1..=10_000 {
                ctx.progress(step);
            }
            "flooded"
        });
        Server::new("flood", "1").tool(tool)
    };
    on_each(server, async |peer: &mut Peer| {
        let meta = json!({ "progressToken": 1 });
        let said = peer.request("tools/call", json!({ "name": "flood", "_meta": meta })).await;
        let progress = progress(&said);
        assert!(progress.len() <= 100, "{}", progress.len());
        assert_eq!(progress.last().unwrap()["progress"], 10_000);
        assert_eq!(said.text(), "flooded");
    })
    .await;
}

/// CAN-01, HTTP-14: over HTTP the end of the connection is the cancellation, before the answer has
/// begun and after.
#[tokio::test]
async fn a_client_that_goes_away_cancels_its_call() {
    let http = Http::new(fixtures().build().unwrap());
    let slow = |meta: Value| {
        let arguments = json!({ "ms": 300, "text": "never" });
        request("1", "tools/call", json!({ "name": "slow", "arguments": arguments, "_meta": meta }))
    };
    let body = slow(json!({}));
    let waiting = http.start(http.headers(&body), body.as_bytes());
    let gone = tokio::time::timeout(Duration::from_millis(20), waiting).await;
    assert!(gone.is_err(), "the call should have been running");

    let body = slow(json!({ "progressToken": 1 }));
    let response = http.start(http.headers(&body), body.as_bytes()).await;
    assert_eq!(response.status(), 200);
    drop(response);

    let state = request("2", "tools/call", json!({ "name": "state" }));
    let (_, texts) = http.post(http.headers(&state), state.as_bytes()).await;
    let answer: Value = serde_json::from_str(&texts[0]).unwrap();
    let happened = &answer["result"]["structuredContent"];
    assert_eq!(happened["slow_started"], 2, "{happened}");
    assert_eq!(happened["slow_dropped"], 2, "{happened}");
}

/// HTTP-05, CAN-03: over HTTP `notifications/cancelled` is accepted and cancels nothing.
#[tokio::test]
async fn a_cancellation_that_is_posted_cancels_nothing() {
    let http = Http::new(fixtures().build().unwrap());
    let slow = json!({ "name": "slow", "arguments": { "ms": 60 } });
    let body = request("5", "tools/call", slow);
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}"#;
    let (served, cancelled) = tokio::join!(
        http.post(http.headers(&body), body.as_bytes()),
        http.post(http.headers(cancel), cancel.as_bytes()),
    );
    assert_eq!(cancelled, (202, Vec::new()));
    assert!(served.1[0].contains("done"), "{:?}", served.1);
}

/// Transports, contract 5: who does not read is not read from either, and nothing is lost by it.
#[tokio::test]
async fn a_client_that_does_not_read_is_not_read_from() {
    const COUNT: usize = 100;
    let mut lines = Lines::new(fixtures().build().unwrap());
    let text = "x".repeat(64 * 1024);
    let echo = |id: usize| {
        let params = json!({ "name": "echo", "arguments": { "text": text } });
        request(&id.to_string(), "tools/call", params)
    };
    let mut sent = 0;
    while sent < COUNT {
        let line = echo(sent);
        let write = lines.write(line.as_bytes());
        // A line that is written in part would be broken, so what is pending is written on below.
        tokio::pin!(write);
        if tokio::time::timeout(Duration::from_millis(300), &mut write).await.is_err() {
            break;
        }
        sent += 1;
    }
    // About 256 KiB of answers may wait, and what the pair of streams holds.
    assert!(sent < COUNT / 2, "{sent} requests of 64 KiB were taken");
}

/// TOOL-10, CMP-03: more calls than a server runs at once are refused, each by its id, and
/// the others go on.
#[tokio::test]
async fn too_many_calls_at_once_are_refused_by_their_ids() {
    let mut lines = Lines::new(fixtures().build().unwrap());
    for id in 0..300 {
        let slow = json!({ "name": "slow", "arguments": { "ms": 600_000 } });
        lines.write(request(&id.to_string(), "tools/call", slow).as_bytes()).await;
    }
    for id in 256..300 {
        let said = lines.answer().await;
        assert_eq!(said.answer["id"], id);
        let message = said.is_error(-32603, 503)["message"].as_str().unwrap();
        assert!(message.contains("256"), "{message}");
    }
    for id in 0..256 {
        let cancel = json!({
            "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id },
        });
        lines.write(cancel.to_string().as_bytes()).await;
    }
    // What was refused did not run.
    assert_eq!(happened(&mut lines, "slow_started").await, 256);
    lines.end().await;
}
