//! Callers that whatever stands in front of the endpoint has told apart.

use aqueduct::http::{Request, header};
use aqueduct::prelude::*;
use aqueduct::protocol::header as mcp;
use aqueduct::server::Service;
use aqueduct::{Principal, Server};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use serde_json::{Value, json};
use tower_service::Service as _;

use crate::cases::peer::request;

#[form]
struct Name {
    name: String,
}

fn service() -> Service {
    let ask = Tool::new("ask").handler(|ctx: Context| async move {
        let who: Name = ctx.elicit("who", "Who?").await?;
        Ok::<_, ToolError>(who.name)
    });
    let status =
        Prompt::new("status").argument(PromptArgument::new("project")).handler(|| async { "?" });
    let status = status.complete("project", |ctx: Context| async move {
        let is_insider = ctx.principal().is_some_and(|caller| caller.has_scope("secret:read"));
        if is_insider { vec!["apollo", "manhattan"] } else { vec!["apollo"] }
    });
    Server::new("callers", "1").tool(ask).prompt(status).build().expect("in order")
}

/// Sends a request as a layer in front of the endpoint passes it on.
async fn send(service: &Service, caller: Option<&Principal>, method: &str, params: Value) -> Value {
    let name = params.get("name").and_then(Value::as_str).map(ToOwned::to_owned);
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
    let answer = service.clone().into_http().port(80).call(post).await.expect("infallible");
    let text = answer.into_body().collect().await.expect("a body").to_bytes();
    serde_json::from_slice(&text).expect("JSON")
}

fn caller(name: &str) -> Principal {
    Principal::new("https://issuer.example", name)
}

/// ELI-07, MRTR-08: the answer to a question is taken from the caller whom it was put to.
#[tokio::test]
async fn an_answer_of_another_caller_is_refused() {
    let service = service();
    let params = || {
        let can = json!({ "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} } });
        json!({ "name": "ask", "arguments": {}, "_meta": can })
    };
    let (ann, bob) = (caller("ann"), caller("bob"));
    let asked = send(&service, Some(&ann), "tools/call", params()).await;
    let mut retry = params();
    retry["requestState"] = asked["result"]["requestState"].clone();
    assert!(retry["requestState"].is_string(), "{asked}");
    retry["inputResponses"] =
        json!({ "who": { "action": "accept", "content": { "name": "Ann" } } });
    for other in [Some(&bob), None] {
        let refused = send(&service, other, "tools/call", retry.clone()).await;
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
    }
    let answered = send(&service, Some(&ann), "tools/call", retry).await;
    assert_eq!(answered["result"]["content"][0]["text"], "Ann", "{answered}");
}

/// CMP-04: what is suggested depends on what the caller may know.
#[tokio::test]
async fn a_suggestion_is_for_those_who_may_know_it() {
    let service = service();
    let params = json!({
        "ref": { "type": "ref/prompt", "name": "status" },
        "argument": { "name": "project", "value": "" },
    });
    let insider = caller("ann").scopes(["secret:read"]);
    for (caller, values) in [
        (Some(&insider), json!(["apollo", "manhattan"])),
        (Some(&caller("bob")), json!(["apollo"])),
        (None, json!(["apollo"])),
    ] {
        let said = send(&service, caller, "completion/complete", params.clone()).await;
        assert_eq!(said["result"]["completion"]["values"], values, "{said}");
    }
}
