//! What a session may take of a server, and what all sessions may.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use aqueduct::seal::KeyRing;
use aqueduct::server::Handshake;
use aqueduct::store::{Entry, Expected, Memory, Page, Pending, Promise, Put, Scan, Store, Version};
use aqueduct::transport::http::ListenLimits;
use serde_json::{Value, json};

use super::fixture::Fixture;
use super::peer::{PATIENCE, ask, call};
use super::session::{NEWEST, OLDEST, Session, asked, called, events, fixtures, sharing};

/// A store that counts how often settings of sessions are written.
#[derive(Clone, Debug, Default)]
struct Counting(Arc<(Memory, AtomicUsize)>);

impl Counting {
    fn saved(&self) -> usize {
        self.0.1.load(Ordering::SeqCst)
    }
}

impl Store for Counting {
    fn get<'a>(&'a self, key: &'a str) -> Pending<'a, Option<Entry>> {
        self.0.0.get(key)
    }

    fn put<'a>(&'a self, key: &'a str, put: Put) -> Pending<'a, Version> {
        self.0.1.fetch_add(usize::from(key.starts_with("legacy/session/")), Ordering::SeqCst);
        self.0.0.put(key, put)
    }

    fn delete<'a>(&'a self, key: &'a str, expected: Expected) -> Pending<'a, bool> {
        self.0.0.delete(key, expected)
    }

    fn scan<'a>(&'a self, scan: &'a Scan) -> Pending<'a, Page> {
        self.0.0.scan(scan)
    }

    fn promise(&self) -> Promise {
        self.0.0.promise()
    }
}

async fn begin(fixture: &Fixture) -> Session {
    Session::begin(fixture.addr, NEWEST, json!({})).await
}

fn ping() -> Value {
    asked(9, "ping", json!({}))
}

fn watch(id: usize, uri: &str) -> Value {
    asked(id, "resources/subscribe", json!({ "uri": uri }))
}

/// A URI of this length that differs from the others.
fn long(n: usize, length: usize) -> String {
    format!("notes://{n:0width$}", width = length - "notes://".len())
}

/// Asks until it is served.
async fn served(session: &Session, message: &Value) {
    let served = async {
        while session.ask(message).await.status != 200 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, served).await.expect("it is served in the end");
}

/// Is it refused, by a message that says the limit?
async fn is_limited(session: &Session, uri: &str, limit: &str) {
    let answer = session.ask(&watch(1, uri)).await;
    assert_eq!(answer.error(1), (200, -32602), "{limit}");
    let text = answer.json()["error"]["message"].to_string();
    assert!(text.contains(limit), "{text} instead of {limit}");
}

#[tokio::test]
async fn what_a_session_watches_is_bounded_and_the_refusal_says_the_bound() {
    let fixture = Fixture::new().await;
    let session = begin(&fixture).await;
    is_limited(&session, &long(0, 2049), "2048").await;
    for n in 0..32 {
        session.ask(&watch(n, &long(n, 2048))).await.result(n);
    }
    is_limited(&session, "a:b", "65536").await;
    session.ask(&watch(1, &long(0, 2048))).await.result(1);

    let session = begin(&fixture).await;
    for n in 0..256 {
        session.ask(&watch(n, &long(n, 16))).await.result(n);
    }
    is_limited(&session, "a:b", "256").await;
}

#[tokio::test]
async fn what_a_message_or_a_batch_sets_is_saved_once_and_what_is_set_already_is_not() {
    let store = Counting::default();
    let keys = KeyRing::random().expect("randomness");
    let fixture = sharing(&keys, store.clone()).await;
    let session = Session::begin(fixture.addr, OLDEST, json!({})).await;
    let batch: Vec<Value> = (0..64).map(|n| watch(n, &long(n, 2048))).collect();
    let answer = session.ask(&json!(batch)).await;
    let told = events(answer.text());
    let refused = |told: &Value| told["error"]["code"] == -32602;
    assert_eq!(told.iter().filter(|event| event.data["id"].is_number()).count(), 64);
    assert_eq!(told.iter().filter(|event| refused(&event.data)).count(), 32);
    assert_eq!(store.saved(), 1);
    for n in 0..8 {
        session.ask(&watch(n, &long(0, 2048))).await.result(n);
    }
    assert_eq!(store.saved(), 1);
    let unwatch = asked(1, "resources/unsubscribe", json!({ "uri": long(0, 2048) }));
    session.ask(&unwatch).await.result(1);
    assert_eq!(store.saved(), 2);
}

#[tokio::test]
async fn beyond_so_many_sessions_the_quietest_makes_room_and_comes_back_when_used() {
    let fixture = Fixture::with(ListenLimits::new(), |http| http.max_sessions(2)).await;
    let (first, second) = (begin(&fixture).await, begin(&fixture).await);
    let level = asked(1, "logging/setLevel", json!({ "level": "alert" }));
    first.ask(&level).await.result(1);
    first.ask(&watch(2, "notes://welcome")).await.result(2);
    let stream = second.stream(None).await;
    let third = begin(&fixture).await;
    third.ask(&ping()).await.result(9);

    let logs = events(first.ask(&called(3, "noisy", json!({}))).await.text());
    let is_log = |data: &Value| data["method"] == "notifications/message";
    assert_eq!(logs.iter().filter(|event| is_log(&event.data)).count(), 2);
    let other = first.stream(None).await;
    assert_eq!(third.ask(&ping()).await.error(9), (503, -32603));
    second.ask(&ping()).await.result(9);
    drop(other);
    served(&third, &ping()).await;
    drop(stream);
}

#[tokio::test]
async fn calls_of_sessions_leave_half_of_all_places_to_others() {
    let fixture = Fixture::with(ListenLimits::new(), |http| http.max_calls(4)).await;
    let (first, second) = (begin(&fixture).await, begin(&fixture).await);
    for session in [&first, &second] {
        drop(session.open(&called(1, "wait", json!({}))).await);
    }
    fixture.seen.started.reaches(2).await;
    let danger = called(2, "danger", json!({}));
    assert_eq!(first.ask(&danger).await.error(2), (503, -32603));
    first.ask(&ping()).await.result(9);
    begin(&fixture).await;
    fixture.ask(&call(3, "danger", json!({}))).await.result(3);
    assert_eq!(fixture.ran(), 1);
    assert_eq!(second.delete().await, 204);
    served(&first, &danger).await;
}

#[tokio::test]
async fn a_session_runs_so_many_calls_at_once_and_another_is_served() {
    let fixture = Fixture::new().await;
    let (greedy, other) = (begin(&fixture).await, begin(&fixture).await);
    for n in 0..32 {
        drop(greedy.open(&called(n, "wait", json!({}))).await);
    }
    fixture.seen.started.reaches(32).await;
    let danger = called(40, "danger", json!({}));
    assert_eq!(greedy.ask(&danger).await.error(40), (429, -32603));
    assert_eq!(fixture.ran(), 0);
    other.ask(&danger).await.result(40);
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": { "requestId": 0 } });
    assert_eq!(greedy.tell(&cancel).await, 202);
    served(&greedy, &danger).await;
}

#[tokio::test]
async fn a_405_says_the_methods_that_its_allow_header_says() {
    for (handshake, allow) in [
        (Handshake::Sessions, "GET, POST, DELETE"),
        (Handshake::Stateless, "POST"),
        (Handshake::Off, "POST"),
    ] {
        let fixture: Fixture = fixtures(handshake).await;
        for method in ["GET", "DELETE", "PUT"] {
            let head = format!(
                "{method} /mcp HTTP/1.1\r\nHost: {}\r\nAccept: text/event-stream\r\n\r\n",
                fixture.addr
            );
            let answer = ask(fixture.addr, head).await;
            assert_eq!(answer.refused(), (405, -32600), "{method} {handshake:?}");
            assert_eq!(answer.header("allow"), Some(allow), "{method} {handshake:?}");
            let text = answer.json()["error"]["message"].as_str().expect("a text").to_owned();
            for named in ["GET", "POST", "DELETE"] {
                assert_eq!(text.contains(named), allow.contains(named), "{text} {handshake:?}");
            }
        }
    }
}
