//! The tasks extension on the wire: who gets a task, what it says, what may be asked of it.

use std::time::Duration;

use aqueduct::Server;
use aqueduct::input::Question;
use aqueduct::prelude::*;
use aqueduct::tool::TaskSupport;
use serde_json::{Value, json};

use super::peer::{Lines, Peer, Said, in_session, on_each, request, stateless};

pub(crate) const EXTENSION: &str = "io.modelcontextprotocol/tasks";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

#[form]
struct Name {
    name: String,
}

/// Waits until somebody ends it
#[tool(task)]
async fn endless(ctx: Context) {
    ctx.progress((1, 2, "waiting"));
    std::future::pending::<()>().await;
}

/// Greets whoever it is told about
#[tool(task)]
async fn greet(who: String) -> String {
    format!("Hello, {who}!")
}

/// Is never answered at once
#[tool(task = "required")]
async fn job() -> &'static str {
    "done"
}

/// Fails, in words for the model
#[tool(task)]
async fn fails() -> Result<String> {
    Err(ToolError::new("no luck"))
}

/// Breaks
#[tool(task)]
async fn breaks() -> Result<String> {
    Err(Error::internal("a secret").into())
}

/// Panics
#[tool(task)]
async fn panics() -> String {
    panic!("as it was meant to")
}

/// Asks two names, and a third until it is a long one
#[tool(task)]
async fn asks(ctx: Context) -> Result<String> {
    let (first, second) = ctx
        .ask_all((
            Question::<Name>::form("first", "First?"),
            Question::<Name>::form("second", "Second?"),
        ))
        .await?;
    let third: Name = ctx.elicit("third", "Third?").await?;
    Ok(format!("{} {} {}", first.name, second.name, third.name))
}

/// Asks before it becomes a task
#[tool(task = "deferred")]
async fn later(ctx: Context) -> Result<String> {
    let who: Name = ctx.elicit("who", "Who?").await?;
    ctx.defer()?;
    Ok(format!("{} in task: {}", who.name, ctx.task().is_some()))
}

/// Is no task
#[tool]
async fn plain() -> &'static str {
    "plain"
}

fn server() -> Server {
    let tools = list![plain, endless, greet, job, fails, breaks, panics, asks, later];
    Server::new("tasks", "1").tools(tools)
}

/// Metadata of a client that takes tasks and can show forms.
fn takes_tasks() -> Value {
    json!({ CAPABILITIES: { "elicitation": {}, "extensions": { EXTENSION: {} } } })
}

async fn ask(peer: &mut Peer, method: &str, mut params: Value) -> Said {
    params["_meta"] = takes_tasks();
    peer.request(method, params).await
}

async fn create(peer: &mut Peer, tool: &str, arguments: Value) -> String {
    let said = ask(peer, "tools/call", json!({ "name": tool, "arguments": arguments })).await;
    let task = said.result();
    assert_eq!(task["resultType"], "task", "{task}");
    task["taskId"].as_str().expect("an id").to_owned()
}

async fn get(peer: &mut Peer, id: &str) -> Value {
    let said = ask(peer, "tasks/get", json!({ "taskId": id })).await;
    said.result().clone()
}

/// Polls until the task is in this status.
async fn until(peer: &mut Peer, id: &str, status: &str) -> Value {
    for _ in 0..2_000 {
        let task = get(peer, id).await;
        if task["status"] == status {
            return task;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("never {status}: {}", get(peer, id).await)
}

async fn answer(peer: &mut Peer, id: &str, answers: Value) {
    let answers: Value = answers
        .as_object()
        .unwrap()
        .iter()
        .map(|(key, name)| {
            let accepted = json!({ "action": "accept", "content": { "name": name } });
            (key.clone(), accepted)
        })
        .collect::<serde_json::Map<_, _>>()
        .into();
    let said = ask(peer, "tasks/update", json!({ "taskId": id, "inputResponses": answers })).await;
    is_acknowledged(said.result());
}

/// Nothing but that it went well, and whose answer it is.
fn is_acknowledged(result: &Value) {
    assert_eq!(result["resultType"], "complete", "{result}");
    let members: Vec<_> = result.as_object().unwrap().keys().collect();
    assert!(
        members.iter().all(|name| ["_meta", "resultType"].contains(&name.as_str())),
        "{result}"
    );
}

fn keys(task: &Value) -> Vec<&str> {
    task["inputRequests"].as_object().unwrap().keys().map(String::as_str).collect()
}

/// TASK-01, TASK-02, TASK-03: who does not say that he takes tasks gets none, and a tool that is
/// nothing else is not for him; a prompt never is one.
#[tokio::test]
async fn a_task_is_for_those_who_take_tasks() {
    on_each(server, async |peer| {
        assert_eq!(peer.call("greet", json!({ "who": "Ann" })).await.text(), "Hello, Ann!");
        if peer.is_session() {
            return;
        }
        let refused = peer.call("job", json!({})).await;
        let error = refused.is_error(-32021, 400);
        assert_eq!(
            error["data"]["requiredCapabilities"],
            json!({ "extensions": { EXTENSION: {} } })
        );
        // What a handshake revision knows as tasks is no declaration, and its parameter is none.
        let legacy = json!({ CAPABILITIES: { "tasks": { "requests": {} } } });
        let params = json!({ "name": "greet", "arguments": { "who": "Bo" }, "task": { "ttl": 1 },
            "_meta": legacy });
        let said = peer.request("tools/call", params).await;
        assert_eq!(said.result()["resultType"], "complete");
        assert_eq!(said.text(), "Hello, Bo!");
        // Wrong arguments are told at once: there is nothing to wait for.
        let wrong = json!({ "name": "greet", "arguments": { "whom": "Ann" } });
        let said = ask(peer, "tools/call", wrong).await;
        assert_eq!(said.result()["resultType"], "complete");
        assert!(said.failure().contains("whom"), "{}", said.answer);
        create(peer, "greet", json!({ "who": "Ann" })).await;
    })
    .await;
}

/// TASK-04, TASK-05, TASK-07, TASK-09, TASK-18, TASK-19: a task is flat, is there at once, and ends
/// with exactly what the call would have been answered with.
#[tokio::test]
async fn a_task_says_what_belongs_to_its_status() {
    stateless(server, async |peer| {
        let call = json!({ "name": "endless", "arguments": {} });
        let created = ask(peer, "tools/call", call).await.result().clone();
        let has = |task: &Value, names: &[&str]| names.iter().any(|name| task.get(name).is_some());
        let never = ["task", "ttl", "pollInterval", "requestState", "result", "error"];
        assert!(!has(&created, &never) && !has(&created, &["inputRequests"]), "{created}");
        let id = created["taskId"].as_str().unwrap().to_owned();
        for task in [&created, &get(peer, &id).await] {
            assert_eq!(task["status"], "working");
            assert!(task["ttlMs"].is_u64() && task["pollIntervalMs"].is_u64(), "{task}");
            for moment in ["createdAt", "lastUpdatedAt"] {
                let moment = task[moment].as_str().unwrap();
                assert!(moment.len() == 24 && moment.ends_with('Z'), "{moment}");
            }
            assert!(!has(task, &never), "{task}");
        }
        let mut told = get(peer, &id).await;
        while told.get("statusMessage").is_none() {
            tokio::time::sleep(Duration::from_millis(20)).await;
            told = get(peer, &id).await;
        }
        assert_eq!(told["statusMessage"], "waiting (1 of 2)");

        let id = create(peer, "greet", json!({ "who": "Ann" })).await;
        let done = until(peer, &id, "completed").await;
        assert_eq!(done["resultType"], "complete");
        let at_once = peer.call("greet", json!({ "who": "Ann" })).await;
        let mut result = at_once.result().clone();
        result.as_object_mut().unwrap().remove("_meta");
        assert_eq!(done["result"], result);
        assert!(!has(&done, &["error", "inputRequests", "requestState", "ttl"]), "{done}");
        // What is over stays as it is.
        ask(peer, "tasks/cancel", json!({ "taskId": id })).await;
        answer(peer, &id, json!({ "first": "x" })).await;
        assert_eq!(get(peer, &id).await, done);
    })
    .await;
}

/// TASK-08: what a tool could not do is its result; a task fails when the protocol does.
#[tokio::test]
async fn a_failure_of_a_tool_is_a_result_and_a_panic_is_none() {
    stateless(server, async |peer| {
        let id = create(peer, "fails", json!({})).await;
        let done = until(peer, &id, "completed").await;
        assert_eq!(done["result"]["isError"], true);
        assert_eq!(done["result"]["content"][0]["text"], "no luck");
        for tool in ["breaks", "panics"] {
            let id = create(peer, tool, json!({})).await;
            let failed = until(peer, &id, "failed").await;
            assert_eq!(failed["error"]["code"], -32603);
            assert_eq!(failed["error"]["message"], "internal error");
            assert_eq!(failed["statusMessage"], "internal error");
            assert!(failed.get("result").is_none(), "{failed}");
        }
        // No later call pays for it.
        assert_eq!(peer.call("plain", json!({})).await.text(), "plain");
    })
    .await;
}

/// TASK-10, TASK-11: a task waits for all its answers, takes them one by one, and asks anew under
/// a new key.
#[tokio::test]
async fn a_task_asks_and_goes_on_when_it_is_answered() {
    stateless(server, async |peer| {
        let id = create(peer, "asks", json!({})).await;
        let asked = until(peer, &id, "input_required").await;
        assert_eq!(keys(&asked), ["first", "second"]);
        assert_eq!(asked["inputRequests"]["first"]["method"], "elicitation/create");
        assert!(asked.get("requestState").is_none(), "{asked}");
        answer(peer, &id, json!({ "bogus": "x" })).await;
        assert_eq!(keys(&get(peer, &id).await), ["first", "second"]);
        answer(peer, &id, json!({ "first": "Ann" })).await;
        let asked = get(peer, &id).await;
        assert_eq!(
            (asked["status"].as_str(), keys(&asked)),
            (Some("input_required"), vec!["second"])
        );
        // An answer is given once, also when it is given twice.
        answer(peer, &id, json!({ "first": "Other", "second": "Bo" })).await;
        let mut asked = until(peer, &id, "input_required").await;
        assert_eq!(keys(&asked), ["third"]);
        // What does not fit is asked for again, and never under the same key.
        let wrong = json!({ "taskId": id, "inputResponses":
            { "third": { "action": "accept", "content": { "name": 7 } } } });
        is_acknowledged(ask(peer, "tasks/update", wrong).await.result());
        while asked["status"] != "input_required" || keys(&asked) == ["third"] {
            tokio::time::sleep(Duration::from_millis(5)).await;
            asked = get(peer, &id).await;
        }
        assert_eq!(keys(&asked), ["third#2"]);
        answer(peer, &id, json!({ "third#2": "Cy" })).await;
        let done = until(peer, &id, "completed").await;
        assert_eq!(done["result"]["content"][0]["text"], "Ann Bo Cy");
    })
    .await;
}

/// TASK-06: what is asked before the task is asked in rounds, and the task carries no state.
#[tokio::test]
async fn rounds_come_before_the_task() {
    stateless(server, async |peer| {
        let call = json!({ "name": "later", "arguments": {} });
        let asked = ask(peer, "tools/call", call.clone()).await.result().clone();
        assert_eq!(asked["resultType"], "input_required");
        assert!(asked.get("taskId").is_none(), "{asked}");
        let mut again = call;
        again["requestState"] = asked["requestState"].clone();
        again["inputResponses"] =
            json!({ "who": { "action": "accept", "content": { "name": "Ann" } } });
        let created = ask(peer, "tools/call", again.clone()).await.result().clone();
        assert_eq!(created["resultType"], "task", "{created}");
        assert!(created.get("requestState").is_none(), "{created}");
        let done = until(peer, created["taskId"].as_str().unwrap(), "completed").await;
        assert_eq!(done["result"]["content"][0]["text"], "Ann in task: true");
        // The same handler, for a client that takes no tasks.
        again["_meta"] = json!({ CAPABILITIES: { "elicitation": {} } });
        let said = peer.request("tools/call", again).await;
        assert_eq!(said.text(), "Ann in task: false");
    })
    .await;
}

/// TASK-12, CAN-06: a task ends by `tasks/cancel`, as often as it is said, and by nothing else.
#[tokio::test]
async fn a_task_is_ended_by_its_own_method_alone() {
    stateless(server, async |peer| {
        let call = request("77", "tools/call", {
            json!({ "name": "endless", "arguments": {}, "_meta": takes_tasks() })
        });
        let created = peer.send(&call).await;
        let id = created.result()["taskId"].as_str().unwrap().to_owned();
        peer.tell(
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}"#,
        )
        .await;
        assert_eq!(get(peer, &id).await["status"], "working");
        for _ in 0..2 {
            let said = ask(peer, "tasks/cancel", json!({ "taskId": id })).await;
            is_acknowledged(said.result());
            let task = get(peer, &id).await;
            assert_eq!(task["status"], "cancelled");
            assert!(task.get("result").is_none() && task.get("error").is_none(), "{task}");
        }
        let parked = create(peer, "asks", json!({})).await;
        until(peer, &parked, "input_required").await;
        ask(peer, "tasks/cancel", json!({ "taskId": parked })).await;
        let task = get(peer, &parked).await;
        assert_eq!((task["status"].as_str(), task.get("inputRequests")), (Some("cancelled"), None));
    })
    .await;
}

/// TASK-11, TASK-12, TASK-13, TASK-14: who takes no tasks is told so before anybody looks for one;
/// for others what is not there is not there.
#[tokio::test]
async fn a_task_that_is_not_there_is_told_to_those_who_take_tasks() {
    stateless(server, async |peer| {
        let id = create(peer, "endless", json!({})).await;
        let unknown = "AAAAAAAAAAAAAAAAAAAAAA".to_owned();
        for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
            for id in [&id, &unknown] {
                let params = json!({ "taskId": id, "inputResponses": {} });
                peer.request(method, params).await.is_error(-32021, 400);
            }
            for id in [&unknown, "", "x", "../x", &id[1..]] {
                let params = json!({ "taskId": id, "inputResponses": {} });
                let said = ask(peer, method, params).await;
                // An empty header is none.
                let is_refused =
                    if id.is_empty() && peer.is_http() { (-32020, 400) } else { (-32602, 200) };
                assert!([is_refused.0, -32602].contains(&said.code()), "{}", said.answer);
            }
            ask(peer, method, json!({ "inputResponses": {} })).await.is_error(-32602, 400);
            ask(peer, method, json!({ "taskId": 7, "inputResponses": {} }))
                .await
                .is_error(-32602, 400);
        }
        let filter = json!({ "notifications": { "taskIds": [id] } });
        peer.request("subscriptions/listen", filter).await.is_error(-32021, 400);
        ask(peer, "tasks/update", json!({ "taskId": id })).await.is_error(-32602, 400);
        // Answers that are no object answer nothing.
        let none = json!({ "taskId": id, "inputResponses": { "a": null } });
        is_acknowledged(ask(peer, "tasks/update", none).await.result());
    })
    .await;
}

/// TASK-16: the header names the task, on each of the three methods.
#[tokio::test]
async fn the_name_header_is_the_task_s_id() {
    let service = server().build().unwrap();
    let mut peer = Peer::http(service.clone());
    let id = create(&mut peer, "endless", json!({})).await;
    let http = super::peer::Http::new(service);
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let params = json!({ "taskId": id, "inputResponses": {}, "_meta": takes_tasks() });
        let text = request("1", method, params);
        let mut headers = http.headers(&text);
        headers.retain(|(name, _)| name != aqueduct::protocol::header::NAME);
        for wrong in [None, Some("AAAAAAAAAAAAAAAAAAAAAA")] {
            let mut headers = headers.clone();
            if let Some(wrong) = wrong {
                headers.push((aqueduct::protocol::header::NAME.to_owned(), wrong.to_owned()));
            }
            let (status, texts) = http.post(headers, text.as_bytes()).await;
            assert_eq!(status, 400, "{texts:?}");
            let answer: Value = serde_json::from_str(&texts[0]).unwrap();
            assert_eq!(answer["error"]["code"], -32020, "{answer}");
        }
    }
    assert_eq!(get(&mut peer, &id).await["status"], "working");
}

/// TASK-19, TASK-20: what the extension has given up is not there, nothing but its own is below
/// its prefix, and no capability is told under its old name.
#[tokio::test]
async fn what_the_extension_has_given_up_is_not_there() {
    stateless(server, async |peer| {
        for method in ["tasks/result", "tasks/list", "tasks/of_mine"] {
            ask(peer, method, json!({ "taskId": "x" })).await.is_error(-32601, 404);
        }
        let said = peer.request("server/discover", json!({})).await;
        let capabilities = &said.result()["capabilities"];
        assert_eq!(capabilities["extensions"], json!({ EXTENSION: {} }));
        assert!(capabilities.get("tasks").is_none(), "{capabilities}");
    })
    .await;
    // A server that makes no tasks does not say that it does.
    stateless(
        || Server::new("none", "1").tools(list![plain]),
        async |peer| {
            let said = peer.request("server/discover", json!({})).await;
            assert!(said.result()["capabilities"].get("extensions").is_none(), "{}", said.answer);
            ask(peer, "tasks/get", json!({ "taskId": "x" })).await.is_error(-32601, 404);
        },
    )
    .await;
}

/// TASK-21: in a session the extension means nothing, whoever declares it.
#[tokio::test]
async fn in_a_session_the_extension_makes_no_task() {
    in_session(server, async |peer| {
        let call =
            json!({ "name": "greet", "arguments": { "who": "Ann" }, "_meta": takes_tasks() });
        let said = peer.request("tools/call", call).await;
        assert!(said.result().get("taskId").is_none(), "{}", said.answer);
        assert_eq!(said.text(), "Hello, Ann!");
    })
    .await;
}

/// TASK-15: a listener is told of the tasks that it names and may ask for, as `tasks/get` tells
/// them.
#[tokio::test]
async fn a_listener_follows_tasks() {
    let service = server().build().unwrap();
    let mut peer = Peer::memory(service.clone());
    let (mine, other) =
        (create(&mut peer, "asks", json!({})).await, create(&mut peer, "asks", json!({})).await);
    until(&mut peer, &mine, "input_required").await;
    until(&mut peer, &other, "input_required").await;
    let mut lines = Lines::new(service);
    let unknown = "AAAAAAAAAAAAAAAAAAAAAA";
    let filter = json!({ "notifications": { "taskIds": [mine, unknown] }, "_meta": takes_tasks() });
    lines.write(request("\"l\"", "subscriptions/listen", filter).as_bytes()).await;
    let acknowledged: Value = serde_json::from_str(&lines.read().await).unwrap();
    assert_eq!(acknowledged["params"]["notifications"], json!({ "taskIds": [mine] }));
    answer(&mut peer, &other, json!({ "first": "x", "second": "y" })).await;
    answer(&mut peer, &mine, json!({ "first": "Ann", "second": "Bo" })).await;
    let told = loop {
        let told: Value = serde_json::from_str(&lines.read().await).unwrap();
        assert_eq!(told["method"], "notifications/tasks");
        assert_eq!(told["params"]["taskId"], json!(mine), "{told}");
        if told["params"]["inputRequests"].get("third").is_some() {
            break told;
        }
    };
    let mut params = told["params"].clone();
    let meta = params.as_object_mut().unwrap().remove("_meta").unwrap();
    assert_eq!(meta, json!({ "io.modelcontextprotocol/subscriptionId": "l" }));
    let mut got = get(&mut peer, &mine).await;
    for member in ["_meta", "resultType"] {
        got.as_object_mut().unwrap().remove(member);
    }
    assert_eq!(params, got);
    answer(&mut peer, &mine, json!({ "third": "Cy" })).await;
    while serde_json::from_str::<Value>(&lines.read().await).unwrap()["params"]["status"]
        != "completed"
    {}
}

/// TASK-03: the builder says the same as the attribute.
#[tokio::test]
async fn a_tool_made_by_hand_makes_tasks_too() {
    let slow = Tool::new("slow")
        .task(TaskSupport::Required)
        .task_ttl(Duration::from_millis(60_000))
        .poll_interval(Duration::from_millis(50))
        .handler(|| async { "done" });
    let mut peer = Peer::memory(Server::new("t", "1").tool(slow).build().unwrap());
    let call = json!({ "name": "slow", "arguments": {} });
    let created = ask(&mut peer, "tools/call", call).await.result().clone();
    assert_eq!((&created["ttlMs"], &created["pollIntervalMs"]), (&json!(60_000), &json!(50)));
    until(&mut peer, created["taskId"].as_str().unwrap(), "completed").await;
}
