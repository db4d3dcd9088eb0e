//! What one caller may take of an endpoint, and what that leaves to others.

use std::sync::Arc;
use std::time::Duration;

use aqueduct::http::{Request, Response, header};
use aqueduct::prelude::*;
use aqueduct::protocol::header as mcp;
use aqueduct::server::{Limits, Rate, Service};
use aqueduct::transport::http::{Body, HttpService, ListenLimits};
use aqueduct::{Principal, Server};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tower_service::Service as _;

use super::fixture::{Fixture, Seen};
use super::peer::{Post, call};
use crate::cases::peer::request;

/// A server whose one tool waits until it is let go, and one that does not.
fn server(go: &Arc<Notify>, limits: Limits) -> HttpService<Service> {
    let go = Arc::clone(go);
    let wait = Tool::new("wait").handler(move || {
        let go = Arc::clone(&go);
        async move {
            go.notified().await;
            "waited"
        }
    });
    let quick = Tool::new("quick").handler(|| async { "quick" });
    let note = Resource::new("notes://a", "a").handler(|| async { "a" });
    let prompt = Prompt::new("plan").handler(|| async { "plan" });
    let server = Server::new("quota", "1").tool(wait).tool(quick).resource(note).prompt(prompt);
    server.limits(limits).build().expect("in order").into_http().port(80)
}

fn caller(name: &str) -> Principal {
    Principal::new("https://issuer.example", name)
}

/// Sends a request as a layer in front of the endpoint passes it on.
fn send(
    http: &HttpService<Service>,
    caller: Option<&Principal>,
    method: &str,
    params: Value,
) -> impl Future<Output = Response<Body>> + use<> {
    let name = params.get("name").or(params.get("uri")).and_then(Value::as_str);
    let mut post = Request::post("http://localhost/mcp")
        .header(header::HOST, "localhost")
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "application/json, text/event-stream")
        .header(mcp::PROTOCOL_VERSION, "2026-07-28")
        .header(mcp::METHOD, method);
    if let Some(name) = name {
        post = post.header(mcp::NAME, name);
    }
    let body = request("1", method, params);
    let mut post = post.body(Full::new(Bytes::from(body))).expect("a request");
    if let Some(caller) = caller {
        post.extensions_mut().insert(caller.clone());
    }
    let answer = http.clone().call(post);
    async move { answer.await.expect("infallible") }
}

fn tool(name: &str) -> Value {
    json!({ "name": name, "arguments": {} })
}

/// The refusal of a caller that asks for too much: 429, in how many seconds, and in what words.
async fn refused(response: Response<Body>) -> (u64, String) {
    assert_eq!(response.status(), 429);
    let wait = response.headers()[header::RETRY_AFTER].to_str().expect("a text").to_owned();
    let text = response.into_body().collect().await.expect("a body").to_bytes();
    let body: Value = serde_json::from_slice(&text).expect("JSON");
    assert_eq!(body["id"], 1, "{body}");
    let error = &body["error"];
    assert_eq!(
        (&error["code"], &error["data"]["reason"]),
        (&json!(-32603), &json!("rate_limited"))
    );
    (wait.parse().expect("whole seconds"), error["message"].as_str().expect("words").to_owned())
}

#[tokio::test]
async fn one_caller_has_so_many_calls_open_and_others_have_theirs() {
    let go = Arc::new(Notify::new());
    let http = server(&go, Limits::new().calls_per_principal(2));
    let (ann, bob) = (caller("ann"), caller("bob"));
    let mut open = tokio::task::JoinSet::new();
    for _ in 0..2 {
        open.spawn(send(&http, Some(&ann), "tools/call", tool("wait")));
    }
    // Both have begun when neither of the tasks has anything more to do.
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    for (method, params) in [
        ("tools/call", tool("quick")),
        ("resources/read", json!({ "uri": "notes://a" })),
        ("prompts/get", json!({ "name": "plan" })),
    ] {
        let (wait, words) = refused(send(&http, Some(&ann), method, params.clone()).await).await;
        assert_eq!(
            (wait, words.as_str()),
            (1, "this caller has 2 calls open; wait until one has ended")
        );
        for other in [Some(&bob), None] {
            assert_eq!(send(&http, other, method, params.clone()).await.status(), 200);
        }
    }
    // What is written down already takes nobody's place.
    assert_eq!(send(&http, Some(&ann), "tools/list", json!({})).await.status(), 200);
    // A call that is dropped leaves its place, and so does one that ends.
    open.abort_all();
    while open.join_next().await.is_some() {}
    for _ in 0..10 {
        assert_eq!(send(&http, Some(&ann), "tools/call", tool("quick")).await.status(), 200);
    }
}

#[tokio::test]
async fn one_caller_calls_so_often_and_others_as_often() {
    let rate = Rate::per_hour(3600).burst(5);
    let http = server(&Arc::default(), Limits::new().rate_per_principal(rate));
    for name in ["ann", "bob"] {
        let caller = caller(name);
        for _ in 0..5 {
            let answer = send(&http, Some(&caller), "tools/call", tool("quick")).await;
            assert_eq!(answer.status(), 200);
        }
        // All kinds of calls are of one rate.
        let read = send(&http, Some(&caller), "resources/read", json!({ "uri": "notes://a" }));
        let (wait, words) = refused(read.await).await;
        assert_eq!(wait, 1);
        assert_eq!(words, "3600 calls in 3600 s, 5 at once are allowed; wait 1 s");
    }
    // Whom nobody has told apart has no rate of his own.
    for _ in 0..20 {
        assert_eq!(send(&http, None, "tools/call", tool("quick")).await.status(), 200);
    }
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let ann = caller("ann");
    assert_eq!(send(&http, Some(&ann), "tools/call", tool("quick")).await.status(), 200);
}

/// The limits hold by themselves: nobody has to ask for them.
#[tokio::test]
async fn one_caller_is_bounded_without_a_word() {
    let limits = Limits::default();
    assert_eq!(limits, Limits::new());
    assert_eq!(limits.rate_per_principal, Rate::per_minute(600));
    let http = server(&Arc::default(), limits);
    let ann = caller("ann");
    let mut answered = 0;
    for _ in 0..1_000 {
        let answer = send(&http, Some(&ann), "tools/call", tool("quick")).await;
        if answer.status() == 429 {
            refused(answer).await;
            break;
        }
        answered += 1;
    }
    assert!((600..700).contains(&answered), "{answered}");
    let open = send(&http, Some(&ann), "subscriptions/listen", json!({ "notifications": {} }));
    assert_eq!(open.await.status(), 200, "listening is no call");
}

/// TOOL-10: the wait stands in the head of the response, in whole seconds.
#[tokio::test]
async fn a_refusal_says_over_http_when_to_come_back() {
    let rare = Tool::new("rare").rate(Rate::per_minute(2)).handler(|| async { "done" });
    let service = Server::new("rates", "1").tool(rare).build().expect("in order");
    let fixture =
        Fixture::of(service, Arc::<Seen>::default(), ListenLimits::new(), |http| http).await;
    let post = Post::of(&call(7, "rare", json!({})));
    for _ in 0..2 {
        post.ask(fixture.addr).await.result(7);
    }
    let answer = post.ask(fixture.addr).await;
    assert_eq!(answer.error(7), (429, -32603));
    let wait: u64 = answer.header("retry-after").expect("it says so").parse().expect("seconds");
    assert!((1..=30).contains(&wait), "{wait}");
    let told = answer.json()["error"]["data"]["retryAfterMs"].as_u64().expect("and more exactly");
    assert!(told <= wait * 1000 && told + 1000 > wait * 1000, "{told} and {wait}");
}
