//! A session over several processes: what they share is keys and a store.

use std::sync::Arc;

use aqueduct::seal::KeyRing;
use aqueduct::store::{Entry, Expected, Memory, Page, Pending, Promise, Put, Scan, Store, Version};
use serde_json::{Value, json};

use super::session::{NEWEST, Session, asked, called, event, events, message, sharing};

/// One store for several servers, as a store outside of the process is.
#[derive(Clone, Debug, Default)]
struct Shared(Arc<Memory>);

impl Store for Shared {
    fn get<'a>(&'a self, key: &'a str) -> Pending<'a, Option<Entry>> {
        self.0.get(key)
    }

    fn put<'a>(&'a self, key: &'a str, put: Put) -> Pending<'a, Version> {
        self.0.put(key, put)
    }

    fn delete<'a>(&'a self, key: &'a str, expected: Expected) -> Pending<'a, bool> {
        self.0.delete(key, expected)
    }

    fn scan<'a>(&'a self, scan: &'a Scan) -> Pending<'a, Page> {
        self.0.scan(scan)
    }

    fn promise(&self) -> Promise {
        self.0.promise()
    }
}

fn keys() -> KeyRing {
    KeyRing::random().expect("randomness")
}

#[tokio::test]
async fn a_session_goes_on_at_another_process_when_the_first_is_gone() {
    let (keys, store) = (keys(), Shared::default());
    let first = sharing(&keys, store.clone()).await;
    let second = sharing(&keys, store).await;
    let session = Session::begin(first.addr, NEWEST, json!({})).await;
    let level = asked(1, "logging/setLevel", json!({ "level": "alert" }));
    session.ask(&level).await.result(1);
    let watch = asked(2, "resources/subscribe", json!({ "uri": "notes://welcome" }));
    session.ask(&watch).await.result(2);
    let answer = session.ask(&called(3, "noisy", json!({}))).await;
    let told = events(answer.text());
    drop(first.abort());

    let moved = Session { addr: second.addr, ..session };
    let echo = moved.ask(&called(4, "echo", json!({ "text": "here" }))).await;
    assert_eq!(echo.result(4)["content"][0]["text"], "here");
    let logs = events(moved.ask(&called(5, "noisy", json!({}))).await.text());
    let is_log = |data: &Value| data["method"] == "notifications/message";
    assert_eq!(logs.iter().filter(|event| is_log(&event.data)).count(), 2);
    let mut stream = moved.stream(None).await;
    // The first event says that the stream is there.
    event(&mut stream).await;
    second.notifier.resource_updated("notes://welcome");
    assert_eq!(message(&mut stream).await["params"]["uri"], "notes://welcome");
    // What was answered before and perhaps lost on the way is there to be read.
    let mut rest = moved.stream(told[0].id.as_deref()).await;
    assert_eq!(message(&mut rest).await, told[1].data);
}

#[tokio::test]
async fn a_session_that_ended_at_one_process_has_ended_at_all() {
    let (keys, store) = (keys(), Shared::default());
    let first = sharing(&keys, store.clone()).await;
    let second = sharing(&keys, store).await;
    let session = Session::begin(first.addr, NEWEST, json!({})).await;
    assert_eq!(session.delete().await, 204);
    let moved = Session { addr: second.addr, ..session };
    assert_eq!(moved.ask(&asked(1, "ping", json!({}))).await.error(1), (404, -32600));
}
