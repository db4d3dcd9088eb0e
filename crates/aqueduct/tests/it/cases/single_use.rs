//! States that are good for one use, marked in a store.

use std::sync::Arc;

use aqueduct::Server;
use aqueduct::prelude::*;
use aqueduct::seal::KeyRing;
use aqueduct::store::{
    Expected, Memory, Page, Pending, Promise, Put, Scan, Store, StoreError, Version,
};
use aqueduct::testing::TestClient;
use serde_json::{Value, json};

use super::peer::{Peer, request};

const KEYS: &str = "1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

#[form]
struct Name {
    name: String,
}

async fn ask(ctx: Context) -> Result<String> {
    let who: Name = ctx.elicit("who", "Who?").await?;
    Ok(who.name)
}

fn server() -> Server {
    Server::new("asking", "1")
        .keys(KeyRing::parse(KEYS).unwrap())
        .tool(Tool::new("ask").handler(ask))
        .prompt(Prompt::new("ask").handler(ask))
        .resource(Resource::new("a://ask", "ask").handler(ask))
}

/// A request for what asks, on its first round or with an answer to a state.
fn round(target: (&str, &str), state: Option<&Value>) -> Value {
    let (key, name) = target;
    let mut params = json!({ key: name });
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({ "elicitation": {} });
    if let Some(state) = state {
        params["requestState"] = state.clone();
        let accepted = json!({ "action": "accept", "content": { "name": "Ann" } });
        params["inputResponses"] = json!({ "who": accepted });
    }
    params
}

const TARGETS: [(&str, (&str, &str)); 3] = [
    ("tools/call", ("name", "ask")),
    ("prompts/get", ("name", "ask")),
    ("resources/read", ("uri", "a://ask")),
];

/// MRTR-09, MRTR-11, BASE-09, BASE-10: a state is good for one use where that is asked for, on
/// whichever process.
#[tokio::test]
async fn a_state_is_used_once_on_whichever_process_shares_the_store() {
    for single in [true, false] {
        let store: Arc<dyn Store> = Arc::new(Memory::new());
        let service = || {
            let server = server();
            let server =
                if single { server.store(Arc::clone(&store)).single_use_state() } else { server };
            server.build().unwrap()
        };
        for over in [Peer::memory, Peer::lines, Peer::http] {
            let (mut here, mut there) = (over(service()), over(service()));
            for (method, target) in TARGETS {
                let first = here.request(method, round(target, None)).await;
                let state = &first.result()["requestState"];
                let said = there.request(method, round(target, Some(state))).await;
                assert_eq!(said.result()["resultType"], "complete", "{method}");
                for peer in [&mut here, &mut there] {
                    let again = peer.request(method, round(target, Some(state))).await;
                    if single {
                        again.is_error(-32602, 400);
                    } else {
                        assert_eq!(again.result()["resultType"], "complete", "{method}");
                    }
                }
                // A new call has a state of its own.
                let anew = here.request(method, round(target, None)).await;
                let state = &anew.result()["requestState"];
                here.request(method, round(target, Some(state))).await.result();
            }
            here.end().await;
            there.end().await;
        }
    }
}

/// Of many that bring the same state at once one is served.
#[tokio::test(flavor = "multi_thread")]
async fn of_many_at_once_one_is_served() {
    let service = server().store(Arc::new(Memory::new())).single_use_state().build().unwrap();
    let client = TestClient::of(service);
    let send = |params: Value| {
        let client = client.clone();
        async move {
            let answer = client.send(request("1", "tools/call", params)).await.answer.unwrap();
            serde_json::from_str::<Value>(&answer).unwrap()
        }
    };
    let target = ("name", "ask");
    let first = send(round(target, None)).await;
    let state = first["result"]["requestState"].clone();
    let all: Vec<_> = (0..32).map(|_| tokio::spawn(send(round(target, Some(&state))))).collect();
    let mut served = 0;
    for one in all {
        served += usize::from(one.await.unwrap().get("result").is_some());
    }
    assert_eq!(served, 1);
}

/// A store that never answers well.
#[derive(Debug)]
struct Broken;

impl Store for Broken {
    fn get<'a>(&'a self, _: &'a str) -> Pending<'a, Option<aqueduct::store::Entry>> {
        Box::pin(async { Err(StoreError::unavailable("it is gone")) })
    }

    fn put<'a>(&'a self, _: &'a str, _: Put) -> Pending<'a, Version> {
        Box::pin(async { Err(StoreError::unavailable("it is gone")) })
    }

    fn delete<'a>(&'a self, _: &'a str, _: Expected) -> Pending<'a, bool> {
        Box::pin(async { Err(StoreError::unavailable("it is gone")) })
    }

    fn scan<'a>(&'a self, _: &'a Scan) -> Pending<'a, Page> {
        Box::pin(async { Err(StoreError::unavailable("it is gone")) })
    }

    fn promise(&self) -> Promise {
        Memory::new().promise()
    }
}

/// What cannot be marked is not served, and a call that brings no state needs no store.
#[tokio::test]
async fn a_state_that_cannot_be_marked_is_not_used() {
    let service = server().store(Arc::new(Broken)).single_use_state().build().unwrap();
    let mut peer = Peer::memory(service);
    let (method, target) = TARGETS[0];
    let first = peer.request(method, round(target, None)).await;
    let state = &first.result()["requestState"];
    let said = peer.request(method, round(target, Some(state))).await;
    assert_eq!(said.is_error(-32603, 200)["message"], "internal error");
}
