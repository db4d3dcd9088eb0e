//! What one caller gets to see of another, and of what the server knows.

use std::time::Duration;

use aqueduct::prelude::*;
use aqueduct::protocol::code;
use aqueduct::testing::TestClient;
use aqueduct::{Principal, Server};
use serde_json::{Value, json};

use super::peer::{Peer, on_each, request, stateless};

const SECRET: &str = "hunter2-correct-horse";

/// Begin to count
#[tool]
async fn begin(lifetime_ms: u64, handles: Handles) -> Result<String> {
    handles.make(&7, Duration::from_millis(lifetime_ms))
}

/// Go on counting
#[tool]
async fn go_on(count: String, handles: Handles) -> Result<String> {
    let count: u32 = handles.open(&count)?;
    Ok(format!("{}", count + 1))
}

/// Open a door
#[tool]
async fn unlock(password: String, headers: Headers, ctx: Context) -> Result<String> {
    ctx.log(LoggingLevel::Debug, "a door is to be opened");
    assert_eq!((password.as_str(), headers.0.len() > 100), (SECRET, false));
    Err(ToolError::new("the door does not open"))
}

fn server() -> Server {
    let projects =
        Prompt::new("status").argument(PromptArgument::new("project")).handler(|| async { "?" });
    let projects = projects.complete("project", |ctx: Context| async move {
        let is_insider = ctx.principal().is_some_and(|caller| caller.has_scope("secret:read"));
        if is_insider { vec!["apollo", "manhattan"] } else { vec!["apollo"] }
    });
    Server::new("trust", "1").logging().tools(list![begin, go_on, unlock]).prompt(projects)
}

async fn ask(client: &TestClient, method: &str, params: Value) -> Value {
    let answer = client.send(&request("1", method, params)).await.answer.unwrap();
    serde_json::from_str::<Value>(&answer).unwrap()["result"].take()
}

/// TOOL-14: a handle is opaque, opens on each channel, and its end is told to the model.
#[tokio::test]
async fn a_handle_is_opaque_and_ends_in_its_time() {
    on_each(server, async |peer: &mut Peer| {
        let handle = peer.call("begin", json!({ "lifetime_ms": 60_000 })).await;
        let (handle, again) =
            (handle.text().to_owned(), peer.call("begin", json!({ "lifetime_ms": 60_000 })).await);
        assert!(handle.len() >= 32 && handle != again.text(), "{handle}");
        assert_eq!(peer.call("go_on", json!({ "count": handle })).await.text(), "8");

        let brief = peer.call("begin", json!({ "lifetime_ms": 1 })).await;
        tokio::time::sleep(Duration::from_millis(5)).await;
        let late = peer.call("go_on", json!({ "count": brief.text() })).await;
        assert!(late.failure().contains("expired"), "{}", late.answer);

        for wrong in ["", "7", &handle[1..], &format!("{handle}A")] {
            let said = peer.call("go_on", json!({ "count": wrong })).await;
            assert!(said.failure().contains("no handle of yours"), "{}", said.answer);
        }
    })
    .await;
}

/// TOOL-14: a handle opens for the caller that it was made for.
#[tokio::test]
async fn a_handle_of_another_caller_does_not_open() {
    let service = server().build().unwrap();
    let caller = |name: &str| {
        TestClient::of(service.clone()).principal(Principal::new("https://issuer.example", name))
    };
    let (alice, bob, nobody) = (caller("alice"), caller("bob"), TestClient::of(service.clone()));
    let begun = json!({ "name": "begin", "arguments": { "lifetime_ms": 60_000 } });
    let begun = ask(&alice, "tools/call", begun).await;
    let handle = &begun["content"][0]["text"];
    let go_on = json!({ "name": "go_on", "arguments": { "count": handle } });
    for other in [&bob, &nobody] {
        assert_eq!(ask(other, "tools/call", go_on.clone()).await["isError"], true);
    }
    assert_eq!(ask(&alice, "tools/call", go_on).await["content"][0]["text"], "8");
}

/// CMP-04: what is suggested depends on what the caller may know.
#[tokio::test]
async fn a_completion_tells_nobody_what_he_may_not_know() {
    let service = server().build().unwrap();
    let params = json!({
        "ref": { "type": "ref/prompt", "name": "status" },
        "argument": { "name": "project", "value": "" },
    });
    let insider = Principal::new("https://issuer.example", "ann").scopes(["secret:read"]);
    let insider = TestClient::of(service.clone()).principal(insider);
    let outsider = Principal::new("https://issuer.example", "bob");
    let outsider = TestClient::of(service.clone()).principal(outsider);
    let all = ask(&insider, "completion/complete", params.clone()).await;
    assert_eq!(all["completion"]["values"], json!(["apollo", "manhattan"]));
    for client in [outsider, TestClient::of(service)] {
        let some = ask(&client, "completion/complete", params.clone()).await;
        assert_eq!(some["completion"]["values"], json!(["apollo"]));
        assert_eq!(some["completion"]["total"], json!(1));
    }
}

/// LOG-06: neither log messages nor errors repeat an argument or a credential.
#[tokio::test]
async fn what_a_caller_keeps_secret_is_in_nothing_that_is_sent() {
    stateless(server, async |peer: &mut Peer| {
        let level = json!({ "io.modelcontextprotocol/logLevel": "debug" });
        let arguments = json!({ "password": SECRET });
        let params = json!({ "name": "unlock", "arguments": arguments, "_meta": level });
        let said = peer.request("tools/call", params).await;
        assert_eq!(said.failure(), "the door does not open");
        assert_eq!(said.notifications.len(), 1, "{:?}", said.notifications);
        let wrong = json!({ "password": { "is": SECRET }, "pasword": SECRET });
        let refused = peer.call("unlock", wrong).await;
        assert!(refused.failure().contains("password"), "{}", refused.answer);
        for text in said.texts.iter().chain(&refused.texts) {
            assert!(!text.contains(SECRET), "{text}");
        }
    })
    .await;
}

/// BASE-25: a handler that runs out of time is the server's own error, and its words say so.
#[tokio::test]
async fn a_time_that_is_over_looks_like_no_error_of_a_peer() {
    let slow = || {
        let slow = Tool::new("slow").description("Wait").handler(|| async {
            tokio::time::sleep(Duration::from_secs(60)).await;
            "late"
        });
        Server::new("slow", "1").tool(slow).timeout(Duration::from_millis(5))
    };
    on_each(slow, async |peer: &mut Peer| {
        let said = peer.call("slow", json!({})).await;
        let error = said.is_error(i64::from(code::INTERNAL_ERROR), 200);
        assert_eq!(error["message"], "timed out after 5 ms");
    })
    .await;
}
