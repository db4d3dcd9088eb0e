//! The streams of a session: what rides on them, what breaks them, and how they are taken up again.

use std::collections::BTreeSet;

use aqueduct::prelude::*;
use serde_json::{Value, json};

use super::fixture::Fixture;
use super::session::{
    ALL, MIDDLE, NEWEST, OLDEST, Session, asked, called, event, events, fixtures, message,
};

/// A call that asks for progress.
fn progressing(id: i64, tool: &str, token: &str) -> Value {
    let mut call = called(id, tool, json!({}));
    call["params"]["_meta"]["progressToken"] = json!(token);
    call
}

#[tokio::test]
async fn progress_and_logs_ride_on_the_stream_of_their_call_and_the_answer_comes_last() {
    let fixture = Fixture::new().await;
    for version in ALL {
        let session = Session::begin(fixture.addr, version, json!({})).await;
        let answer = session.ask(&progressing(1, "noisy", "p")).await;
        let all = events(answer.text());
        let said: Vec<&Value> =
            all.iter().map(|event| &event.data).filter(|data| !data.is_null()).collect();
        let of = |method: &str| said.iter().filter(|data| data["method"] == method).count();
        // From `info` on, which is the level of a session that has set none.
        assert_eq!((of("notifications/progress"), of("notifications/message")), (3, 7));
        assert_eq!(said.last().map(|last| &last["id"]), Some(&json!(1)), "{version}");
        assert!(said.iter().all(|data| data["params"]["_meta"].is_null()), "{said:?}");
    }
}

#[tokio::test]
async fn the_level_is_the_sessions_and_a_wrong_one_is_refused() {
    let fixture = Fixture::new().await;
    let session = Session::begin(fixture.addr, NEWEST, json!({})).await;
    let other = Session::begin(fixture.addr, NEWEST, json!({})).await;
    let set = |level: &str| asked(1, "logging/setLevel", json!({ "level": level }));
    assert_eq!(session.ask(&set("error")).await.result(1), json!({}));
    assert_eq!(session.ask(&set("loud")).await.error(1), (200, -32602));
    let logs = async |session: &Session| {
        let answer = session.ask(&called(2, "noisy", json!({}))).await;
        let is_log = |data: &Value| data["method"] == "notifications/message";
        events(answer.text()).iter().filter(|event| is_log(&event.data)).count()
    };
    assert_eq!(logs(&session).await, 4);
    assert_eq!(logs(&other).await, 7);
    assert_eq!(session.ask(&set("debug")).await.result(1), json!({}));
    assert_eq!(logs(&session).await, 8);

    let quiet = super::session::with_tool(Tool::new("x").handler(|| async { "x" })).await;
    let session = Session::begin(quiet.addr, NEWEST, json!({})).await;
    assert_eq!(session.ask(&set("error")).await.error(1), (200, -32601));
}

#[tokio::test]
async fn a_stream_begins_with_where_to_come_back_to_from_the_revision_on_that_knows_it() {
    let fixture = Fixture::new().await;
    for version in ALL {
        let session = Session::begin(fixture.addr, version, json!({})).await;
        let answer = session.ask(&called(1, "noisy", json!({}))).await;
        let all = events(answer.text());
        assert!(all.iter().all(|event| event.id.is_some()), "{all:?}");
        let ids: BTreeSet<_> = all.iter().filter_map(|event| event.id.clone()).collect();
        assert_eq!(ids.len(), all.len());
        let primed = all[0].data.is_null() && all[0].retry.is_some();
        assert_eq!(primed, version == NEWEST, "{version}: {:?}", all[0]);
    }
}

#[tokio::test]
async fn a_broken_connection_cancels_nothing_and_the_rest_is_read_by_another() {
    let fixture = Fixture::new().await;
    for version in [NEWEST, MIDDLE] {
        let started = fixture.seen.started.get();
        let session = Session::begin(fixture.addr, version, json!({})).await;
        let mut stream = session.open(&progressing(1, "wait", "p")).await;
        let last = loop {
            let event = event(&mut stream).await;
            if event.data["method"] == "notifications/progress" {
                break event.id.expect("an id");
            }
        };
        drop(stream);
        fixture.seen.started.reaches(started + 1).await;
        fixture.seen.go.notify_one();
        let mut rest = session.stream(Some(&last)).await;
        let answer = message(&mut rest).await;
        assert_eq!(answer["result"]["content"][0]["text"], "waited", "{answer}");
        rest.until("0\r\n\r\n").await;
        // The end is kept for a while: the client may have lost that as well.
        let mut again = session.stream(Some(&last)).await;
        assert_eq!(message(&mut again).await, answer);
    }
    assert_eq!(fixture.seen.dropped.get(), 0);
}

#[tokio::test]
async fn a_stream_is_its_sessions_alone() {
    let fixture = Fixture::new().await;
    let session = Session::begin(fixture.addr, NEWEST, json!({})).await;
    let other = Session::begin(fixture.addr, NEWEST, json!({})).await;
    let answer = session.ask(&progressing(1, "noisy", "p")).await;
    let first = events(answer.text())[0].id.clone().expect("an id");
    for (session, last) in [(&other, first.as_str()), (&session, "nonsense"), (&session, "a-1")] {
        let answer = session.bare("GET", Some(last)).await.response().await;
        assert_eq!(answer.refused(), (400, -32600), "{last}");
    }
    let mut rest = session.stream(Some(&first)).await;
    assert_eq!(message(&mut rest).await["method"], "notifications/progress");
}

#[tokio::test]
async fn a_handler_may_let_the_connection_go_and_the_client_comes_back() {
    let fixture = fixtures(aqueduct::server::Handshake::Sessions).await;
    let session = Session::begin(fixture.addr, NEWEST, json!({})).await;
    let call = called(1, "test_reconnection", json!({}));
    let all = events(session.ask(&call).await.text());
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(all[0].data.is_null() && all[0].retry.is_some());
    let mut rest = session.stream(all[0].id.as_deref()).await;
    assert_eq!(message(&mut rest).await["id"], 1);
    // A client of an earlier revision would not come back.
    let session = Session::begin(fixture.addr, MIDDLE, json!({})).await;
    let all = events(session.ask(&call).await.text());
    assert_eq!(all.last().map(|event| &event.data["id"]), Some(&json!(1)), "{all:?}");
}

#[tokio::test]
async fn a_cancelled_call_is_dropped_and_its_stream_ends_without_an_answer() {
    let fixture = Fixture::new().await;
    let session = Session::begin(fixture.addr, NEWEST, json!({})).await;
    let other = Session::begin(fixture.addr, NEWEST, json!({})).await;
    let mut stream = session.open(&called("a", "wait", json!({}))).await;
    let mut same = other.open(&called("a", "wait", json!({}))).await;
    fixture.seen.started.reaches(2).await;
    let cancel = |id: Value| {
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled",
                "params": { "requestId": id, "reason": "enough" } })
    };
    assert_eq!(session.tell(&cancel(json!("b"))).await, 202);
    assert_eq!(session.tell(&cancel(json!("a"))).await, 202);
    fixture.seen.dropped.reaches(1).await;
    let rest = stream.until("0\r\n\r\n").await;
    assert!(!rest.contains("result") && !rest.contains("error"), "{rest}");
    // The same id in another session is another call.
    fixture.seen.go.notify_one();
    assert_eq!(message(&mut same).await["result"]["content"][0]["text"], "waited");
    assert_eq!(fixture.seen.dropped.get(), 1);
}

#[tokio::test]
async fn changes_are_told_once_on_the_stream_of_no_call_and_only_what_is_watched() {
    let fixture = Fixture::new().await;
    for version in ALL {
        let session = Session::begin(fixture.addr, version, json!({})).await;
        let watch = asked(1, "resources/subscribe", json!({ "uri": "notes://welcome" }));
        assert_eq!(session.ask(&watch).await.result(1), json!({}));
        // What changes before the stream is there is told when it is.
        fixture.notifier.resource_updated("notes://welcome");
        let mut stream = session.stream(None).await;
        let told = message(&mut stream).await;
        assert_eq!(
            told,
            json!({ "jsonrpc": "2.0", "method": "notifications/resources/updated",
                    "params": { "uri": "notes://welcome" } })
        );
        fixture.notifier.resource_updated("notes://other");
        fixture.notifier.resources_changed();
        assert_eq!(message(&mut stream).await["method"], "notifications/resources/list_changed");
        let unwatch = asked(2, "resources/unsubscribe", json!({ "uri": "notes://welcome" }));
        assert_eq!(session.ask(&unwatch).await.result(2), json!({}));
        session.ask(&called(3, "changes", json!({}))).await.result(3);
        assert_eq!(message(&mut stream).await["method"], "notifications/tools/list_changed");
        assert_eq!(
            session.ask(&asked(4, "resources/subscribe", json!({}))).await.error(4).1,
            -32602
        );
        // A second stream takes the place of the first.
        let mut second = session.stream(None).await;
        stream.until("0\r\n\r\n").await;
        fixture.notifier.tools_changed();
        assert_eq!(message(&mut second).await["method"], "notifications/tools/list_changed");
    }
}

/// GHSA-345p-7cg4-v4c7: clients whose ids and tokens collide never read each other's messages.
#[tokio::test]
async fn sessions_with_colliding_ids_and_tokens_are_isolated() {
    let fixture = Fixture::new().await;
    let clients = 11;
    let mut tasks = Vec::new();
    for nth in 0..clients {
        let version = ALL[nth % ALL.len()];
        let session = Session::begin(fixture.addr, version, json!({})).await;
        tasks.push(tokio::spawn(async move {
            for round in 0..5 {
                let text = format!("{nth}-{round}");
                let echo = session.ask(&called(1, "echo", json!({ "text": text }))).await;
                assert_eq!(echo.result(1)["content"][0]["text"], json!(text));
                let own = format!("token-{nth}");
                let burst = session.ask(&progressing(1, "burst", &own)).await;
                let said = events(burst.text());
                let tokens = said.iter().map(|event| &event.data["params"]["progressToken"]);
                assert!(tokens.filter(|token| !token.is_null()).all(|token| *token == json!(own)));
                assert_eq!(said.last().map(|event| &event.data["id"]), Some(&json!(1)));
            }
        }));
    }
    for task in tasks {
        task.await.expect("nothing was another's");
    }
}

/// ERR-16: a resource that is not there has the code of the revision.
#[tokio::test]
async fn an_error_of_a_call_is_no_status_and_has_the_code_of_its_revision() {
    let fixture = Fixture::new().await;
    for version in ALL {
        let session = Session::begin(fixture.addr, version, json!({})).await;
        let ask = async |method: &str, params: Value| {
            session.ask(&asked(1, method, params)).await.error(1)
        };
        assert_eq!(ask("no/such", json!({})).await, (200, -32601));
        assert_eq!(ask("subscriptions/listen", json!({})).await, (200, -32601));
        assert_eq!(ask("tools/call", json!({ "name": "no" })).await, (200, -32602));
        assert_eq!(ask("tools/call", json!({})).await, (200, -32602));
        assert_eq!(ask("resources/read", json!({ "uri": "x:y" })).await, (200, -32002));
        let missing = session.ask(&asked(2, "resources/read", json!({ "uri": "x:y" }))).await;
        assert_eq!(missing.json()["error"]["data"], json!({ "uri": "x:y" }), "{version}");
        let panics = session.ask(&called(3, "panics", json!({}))).await;
        assert_eq!(panics.error(3), (200, -32603));
    }
}

/// A required argument that is left out is a failure; headers are not looked at in a session.
#[tokio::test]
async fn arguments_must_be_there_and_headers_need_not() {
    let fixture = fixtures(aqueduct::server::Handshake::Sessions).await;
    for version in [NEWEST, OLDEST] {
        let session = Session::begin(fixture.addr, version, json!({})).await;
        let without = session.ask(&called(1, "test_custom_header", json!({}))).await.result(1);
        assert_eq!(without["isError"], true, "{without}");
        let with = called(2, "test_custom_header", json!({ "value": "v" }));
        let with = session.post(&with).header("Mcp-Param-Value", "other").ask(fixture.addr).await;
        assert_eq!(with.result(2)["content"][0]["text"], "v");
    }
}
