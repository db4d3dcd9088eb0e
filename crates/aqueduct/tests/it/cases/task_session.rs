//! Tasks in a session: those of 2025-11-25, over the same handlers, and none before it.

use std::time::Duration;

use aqueduct::Server;
use aqueduct::prelude::*;
use serde_json::{Value, json};

use super::peer::{Lines, Peer, Said, in_session};

#[form]
struct Name {
    name: String,
}

/// Greets
#[tool(task)]
async fn greet(who: String) -> String {
    format!("Hello, {who}!")
}

/// Is called as a task only
#[tool(task = "required")]
async fn job() -> Result<String> {
    Err(ToolError::new("no luck"))
}

/// Waits
#[tool(task)]
async fn endless() {
    std::future::pending::<()>().await;
}

/// Asks
#[tool(task)]
async fn asks(ctx: Context) -> Result<String> {
    let who: Name = ctx.elicit("who", "Who?").await?;
    Ok(who.name)
}

/// Is no task
#[tool]
async fn plain() -> &'static str {
    "plain"
}

fn server() -> Server {
    Server::new("tasks", "1").tools(list![plain, greet, job, endless, asks])
}

async fn call(peer: &mut Peer, tool: &str, arguments: Value) -> Said {
    let params = json!({ "name": tool, "arguments": arguments, "task": { "ttl": 60_000 } });
    peer.request("tools/call", params).await
}

async fn about(peer: &mut Peer, method: &str, id: &str) -> Said {
    peer.request(method, json!({ "taskId": id })).await
}

fn id(said: &Said) -> String {
    said.result()["task"]["taskId"].as_str().expect("an id").to_owned()
}

/// TASK-21: a session's tasks are asked for, nested, and waited for; those of the extension are
/// others.
#[tokio::test]
async fn a_session_has_the_tasks_of_its_revision() {
    in_session(server, async |peer| {
        let list = peer.request("tools/list", json!({})).await;
        let support = |name: &str| {
            let tools = list.result()["tools"].as_array().unwrap();
            let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
            tool["execution"]["taskSupport"].clone()
        };
        assert_eq!(support("greet"), "optional");
        assert_eq!(support("job"), "required");
        assert_eq!(support("plain"), Value::Null);

        let created = call(peer, "greet", json!({ "who": "Ann" })).await;
        let task = &created.result()["task"];
        assert!(task["ttl"].is_u64() && task["pollInterval"].is_u64(), "{task}");
        assert!(task.get("ttlMs").is_none() && created.result().get("taskId").is_none(), "{task}");
        let greeted = id(&created);
        let result = about(peer, "tasks/result", &greeted).await;
        assert_eq!(result.text(), "Hello, Ann!");
        let related = &result.result()["_meta"]["io.modelcontextprotocol/related-task"];
        assert_eq!(*related, json!({ "taskId": greeted }));
        let got = about(peer, "tasks/get", &greeted).await;
        assert_eq!(
            (&got.result()["status"], &got.result()["taskId"]),
            (&json!("completed"), &json!(greeted))
        );
        assert!(got.result().get("result").is_none(), "{}", got.answer);
        // What is over cannot be cancelled, as that revision has it.
        assert_eq!(about(peer, "tasks/cancel", &greeted).await.code(), -32602);

        // There a tool that failed is a task that failed.
        let failed = id(&call(peer, "job", json!({})).await);
        assert_eq!(about(peer, "tasks/result", &failed).await.failure(), "no luck");
        assert_eq!(about(peer, "tasks/get", &failed).await.result()["status"], "failed");

        let endless = id(&call(peer, "endless", json!({})).await);
        assert_eq!(about(peer, "tasks/get", &endless).await.result()["status"], "working");
        assert_eq!(about(peer, "tasks/cancel", &endless).await.result()["status"], "cancelled");

        // Without the parameter it is an ordinary call, and what is nothing but a task is none.
        assert_eq!(peer.call("greet", json!({ "who": "Bo" })).await.text(), "Hello, Bo!");
        assert_eq!(peer.call("job", json!({})).await.code(), -32601);
        assert_eq!(call(peer, "plain", json!({})).await.code(), -32601);
        assert_eq!(about(peer, "tasks/get", "AAAAAAAAAAAAAAAAAAAAAA").await.code(), -32602);
        for method in ["tasks/list", "tasks/update"] {
            assert_eq!(about(peer, method, &greeted).await.code(), -32601, "{method}");
        }
    })
    .await;
}

async fn next(lines: &mut Lines) -> Value {
    serde_json::from_str(&lines.read().await).unwrap()
}

async fn write(lines: &mut Lines, message: Value) {
    lines.write(message.to_string().as_bytes()).await;
}

async fn shake(lines: &mut Lines, version: &str) -> Value {
    let initialize = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": version, "capabilities": { "elicitation": {} },
        "clientInfo": { "name": "t", "version": "0" } } });
    write(lines, initialize).await;
    let said = next(lines).await;
    write(lines, json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    said["result"]["capabilities"].clone()
}

/// Tasks are told of in the one revision that has them.
#[tokio::test]
async fn tasks_are_of_one_revision() {
    for (version, has_tasks) in [("2025-11-25", true), ("2025-06-18", false), ("2025-03-26", false)]
    {
        let mut lines = Lines::new(server().build().unwrap());
        let capabilities = shake(&mut lines, version).await;
        assert_eq!(capabilities.get("tasks").is_some(), has_tasks, "{version}: {capabilities}");
        assert!(capabilities.get("extensions").is_none(), "{capabilities}");
        if has_tasks {
            let wanted = json!({ "cancel": {}, "requests": { "tools": { "call": {} } } });
            assert_eq!(capabilities["tasks"], wanted);
            continue;
        }
        let params = json!({ "name": "greet", "arguments": { "who": "Ann" }, "task": {} });
        write(
            &mut lines,
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }),
        )
        .await;
        assert_eq!(next(&mut lines).await["result"]["content"][0]["text"], "Hello, Ann!");
        write(&mut lines, json!({ "jsonrpc": "2.0", "id": 2, "method": "tasks/get", "params": { "taskId": "x" } })).await;
        assert_eq!(next(&mut lines).await["error"]["code"], -32601);
    }
}

/// A task that asks does so where its result is waited for, by a request of its own.
#[tokio::test]
async fn a_task_asks_where_its_result_is_waited_for() {
    let mut lines = Lines::new(server().build().unwrap());
    shake(&mut lines, "2025-11-25").await;
    let params = json!({ "name": "asks", "arguments": {}, "task": {} });
    write(
        &mut lines,
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }),
    )
    .await;
    let id = next(&mut lines).await["result"]["task"]["taskId"].clone();
    write(
        &mut lines,
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tasks/result", "params": { "taskId": id } }),
    )
    .await;
    let asked = next(&mut lines).await;
    assert_eq!(asked["method"], "elicitation/create", "{asked}");
    write(
        &mut lines,
        json!({ "jsonrpc": "2.0", "id": 3, "method": "tasks/get", "params": { "taskId": id } }),
    )
    .await;
    assert_eq!(next(&mut lines).await["result"]["status"], "input_required");
    let accepted = json!({ "action": "accept", "content": { "name": "Ann" } });
    write(&mut lines, json!({ "jsonrpc": "2.0", "id": asked["id"], "result": accepted })).await;
    let result = tokio::time::timeout(Duration::from_secs(20), next(&mut lines)).await.unwrap();
    assert_eq!(
        (&result["id"], &result["result"]["content"][0]["text"]),
        (&json!(2), &json!("Ann"))
    );
}
