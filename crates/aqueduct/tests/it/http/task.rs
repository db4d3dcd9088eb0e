//! Tasks over HTTP: whose they are, and who is told of them.

use aqueduct::http::{Request, header};
use aqueduct::prelude::*;
use aqueduct::protocol::header as mcp;
use aqueduct::server::Service;
use aqueduct::transport::http::Body;
use aqueduct::{Principal, Server};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use serde_json::{Value, json};
use tower_service::Service as _;

use super::peer::PATIENCE;
use crate::cases::peer::request;

const NAMED: [(&str, &str); 2] = [("tools/call", "name"), ("tasks/", "taskId")];

fn service() -> Service {
    let wait = Tool::new("wait").task(aqueduct::tool::TaskSupport::Required);
    let wait = wait.handler(|| async { std::future::pending::<String>().await });
    Server::new("waits", "1").tool(wait).build().expect("in order")
}

/// The answer to a request as a layer in front of the endpoint passes it on.
async fn start(service: &Service, caller: Option<&Principal>, method: &str, params: Value) -> Body {
    let member = NAMED.iter().find(|(start, _)| method.starts_with(start));
    let name = member.and_then(|(_, member)| params[*member].as_str()).map(ToOwned::to_owned);
    let mut params = params;
    params["_meta"] = json!({ "io.modelcontextprotocol/clientCapabilities":
        { "extensions": { "io.modelcontextprotocol/tasks": {} } } });
    let mut post = Request::post("http://localhost/mcp")
        .header(header::HOST, "localhost")
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "application/json, text/event-stream")
        .header(mcp::PROTOCOL_VERSION, "2026-07-28")
        .header(mcp::METHOD, method);
    if let Some(name) = name {
        post = post.header(mcp::NAME, name);
    }
    let body = Full::new(Bytes::from(request("\"l\"", method, params)));
    let mut post = post.body(body).expect("a request");
    if let Some(caller) = caller {
        post.extensions_mut().insert(caller.clone());
    }
    service.clone().into_http().port(80).call(post).await.expect("infallible").into_body()
}

async fn send(service: &Service, caller: Option<&Principal>, method: &str, params: Value) -> Value {
    let body = start(service, caller, method, params).await;
    let text = body.collect().await.expect("a body").to_bytes();
    serde_json::from_slice(&text).expect("JSON")
}

/// A stream of events, and what of it is read and not looked at.
struct Events(Body, String);

impl Events {
    async fn next(&mut self) -> Value {
        loop {
            if let Some((event, rest)) = self.1.split_once("\n\n") {
                let data = event.lines().find_map(|line| line.strip_prefix("data: "));
                let event = data.map(|data| serde_json::from_str(data).expect("JSON"));
                self.1 = rest.to_owned();
                match event {
                    Some(event) => return event,
                    None => continue,
                }
            }
            let frame = tokio::time::timeout(PATIENCE, self.0.frame()).await.expect("in time");
            let data = frame.expect("a frame").expect("no failure").into_data().expect("data");
            self.1.push_str(std::str::from_utf8(&data).expect("UTF-8"));
        }
    }
}

async fn create(service: &Service, caller: Option<&Principal>) -> String {
    let created =
        send(service, caller, "tools/call", json!({ "name": "wait", "arguments": {} })).await;
    created["result"]["taskId"].as_str().unwrap_or_else(|| panic!("{created}")).to_owned()
}

/// TASK-13, TASK-17: a task of another caller reads like one that never was.
#[tokio::test]
async fn a_task_of_another_caller_is_not_there() {
    let service = service();
    let (ann, bob) = (Principal::new("i", "ann"), Principal::new("i", "bob"));
    let id = create(&service, Some(&ann)).await;
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        for stranger in [Some(&bob), None] {
            let mut said = Vec::new();
            for id in [id.as_str(), "AAAAAAAAAAAAAAAAAAAAAA"] {
                let params = json!({ "taskId": id, "inputResponses": {} });
                let refused = send(&service, stranger, method, params).await;
                assert_eq!(refused["error"]["code"], -32602, "{refused}");
                said.push(refused.to_string().replace(id, "ID"));
            }
            assert_eq!(said[0], said[1]);
        }
    }
    let mine = send(&service, Some(&ann), "tasks/get", json!({ "taskId": id })).await;
    assert_eq!(mine["result"]["status"], "working", "{mine}");
}

/// TASK-15, TASK-17: a listener is told of his tasks and of no others.
#[tokio::test]
async fn a_listener_follows_his_own_tasks() {
    let service = service();
    let (ann, bob) = (Principal::new("i", "ann"), Principal::new("i", "bob"));
    let (mine, other) = (create(&service, Some(&ann)).await, create(&service, Some(&bob)).await);
    let filter = json!({ "notifications": { "taskIds": [mine, other] } });
    let stream = start(&service, Some(&ann), "subscriptions/listen", filter).await;
    let mut stream = Events(stream, String::new());
    let acknowledged = stream.next().await;
    assert_eq!(acknowledged["params"]["notifications"], json!({ "taskIds": [mine] }));
    assert_eq!(stream.next().await["params"]["status"], "working");
    for (caller, id) in [(&bob, &other), (&ann, &mine)] {
        send(&service, Some(caller), "tasks/cancel", json!({ "taskId": id })).await;
    }
    let told = stream.next().await;
    assert_eq!(
        (&told["method"], &told["params"]["taskId"]),
        (&json!("notifications/tasks"), &json!(mine))
    );
    assert_eq!(told["params"]["status"], "cancelled", "{told}");
    assert_eq!(told["params"]["_meta"], json!({ "io.modelcontextprotocol/subscriptionId": "l" }));
}
