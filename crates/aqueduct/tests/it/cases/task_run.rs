//! How tasks are run: by whichever process holds the lease, and what becomes of them when it dies.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use aqueduct::prelude::*;
use aqueduct::server::TaskOptions;
use aqueduct::store::{Backend, Clock, Memory};
use aqueduct::testing::TestClient;
use aqueduct::tool::{Recover, TaskSupport};
use aqueduct::{Principal, Server};
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::task::EXTENSION;

const LEASE: Duration = Duration::from_secs(30);

/// What several processes share: a store, a clock, and the world outside.
struct World {
    backend: Backend,
    clock: Clock,
    outside: Arc<Outside>,
}

#[derive(Default)]
struct Outside {
    effects: AtomicU32,
    once: AtomicU32,
    begun: Notify,
    go: Notify,
}

impl World {
    fn new() -> Self {
        let clock = Clock::manual();
        let backend = Backend::new(Memory::new().clock(clock.clone()));
        Self { backend, clock, outside: Arc::default() }
    }

    /// A process, whose tool does something outside, says that it has begun, and waits.
    fn node(&self, recover: Recover, options: TaskOptions) -> TestClient {
        let outside = Arc::clone(&self.outside);
        let work = Tool::new("work").task(TaskSupport::Optional).recover(recover).handler(
            move |ctx: Context| {
                let outside = Arc::clone(&outside);
                async move {
                    let task = ctx.task().expect("a task");
                    outside.effects.fetch_add(1, Ordering::SeqCst);
                    ctx.once("effect", async || {
                        outside.once.fetch_add(1, Ordering::SeqCst);
                        Ok::<_, ToolError>(())
                    })
                    .await?;
                    outside.begun.notify_one();
                    outside.go.notified().await;
                    Ok::<_, ToolError>(format!("run {} of {}", task.attempt(), task.id()))
                }
            },
        );
        let server = Server::new("node", "1")
            .backend(self.backend.clone())
            .tasks(options.lease(LEASE).clock(self.clock.clone()))
            .tool(work);
        client(server)
    }
}

fn client(server: Server) -> TestClient {
    let capabilities = json!({ "extensions": { EXTENSION: {} }, "elicitation": {} });
    let capabilities = serde_json::from_value(capabilities).expect("capabilities");
    TestClient::new(server).expect("in order").capabilities(capabilities)
}

async fn create(client: &TestClient) -> String {
    let params = json!({ "name": "work", "arguments": {} });
    let created = client.request("tools/call", params).await.expect("a task").result;
    created["taskId"].as_str().unwrap_or_else(|| panic!("no task: {created}")).to_owned()
}

async fn get(client: &TestClient, id: &str) -> Value {
    client.request("tasks/get", json!({ "taskId": id })).await.expect("the task").result
}

async fn ended(client: &TestClient, id: &str) -> Value {
    for _ in 0..2_000 {
        let task = get(client, id).await;
        if task["status"] != "working" {
            return task;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it goes on for ever: {}", get(client, id).await)
}

/// TASK-05, TASK-09: a task whose process has died is run again elsewhere where its tool says so,
/// under the same id, and what was done once is not done again.
#[tokio::test]
async fn a_task_outlives_its_process() {
    let world = World::new();
    let first = world.node(Recover::Rerun, TaskOptions::new());
    let id = create(&first).await;
    world.outside.begun.notified().await;
    drop(first);

    let second = world.node(Recover::Rerun, TaskOptions::new());
    assert_eq!(get(&second, &id).await["status"], "working");
    // Nobody takes it while the lease lasts.
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(world.outside.effects.load(Ordering::SeqCst), 1);
    world.clock.advance(LEASE + Duration::from_secs(1));
    world.outside.begun.notified().await;
    world.outside.go.notify_one();
    let done = ended(&second, &id).await;
    assert_eq!(done["result"]["content"][0]["text"], format!("run 2 of {id}"), "{done}");
    assert_eq!(world.outside.effects.load(Ordering::SeqCst), 2);
    assert_eq!(world.outside.once.load(Ordering::SeqCst), 1);
}

/// TASK-08, TASK-09: every other task fails, so that its handler ran at most once.
#[tokio::test]
async fn a_task_that_may_run_once_fails_when_its_process_dies() {
    let world = World::new();
    let first = world.node(Recover::Fail, TaskOptions::new());
    let id = create(&first).await;
    world.outside.begun.notified().await;
    drop(first);

    let second = world.node(Recover::Fail, TaskOptions::new());
    get(&second, &id).await;
    world.clock.advance(LEASE + Duration::from_secs(1));
    let failed = ended(&second, &id).await;
    assert_eq!(failed["status"], "failed", "{failed}");
    assert_eq!(failed["error"]["code"], -32603);
    let message = failed["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("the server ended while the task ran"), "{message}");
    assert_eq!(world.outside.effects.load(Ordering::SeqCst), 1);
}

/// A task that ends every process that runs it is given up after a number of runs.
#[tokio::test]
async fn a_task_that_kills_its_processes_is_given_up() {
    let world = World::new();
    let options = || TaskOptions::new().attempts(3);
    let mut node = world.node(Recover::Rerun, options());
    let id = create(&node).await;
    for run in 1..=3 {
        world.outside.begun.notified().await;
        assert_eq!(world.outside.effects.load(Ordering::SeqCst), run);
        drop(node);
        node = world.node(Recover::Rerun, options());
        get(&node, &id).await;
        world.clock.advance(LEASE + Duration::from_secs(1));
    }
    let failed = ended(&node, &id).await;
    assert_eq!(failed["status"], "failed", "{failed}");
    let message = failed["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("ended 3 times"), "{message}");
    assert_eq!(world.outside.effects.load(Ordering::SeqCst), 3);
}

/// A process that was only slow loses its task to the one that took it over: it ends once.
#[tokio::test]
async fn whoever_lost_its_lease_writes_no_more() {
    let world = World::new();
    let slow = world.node(Recover::Rerun, TaskOptions::new());
    let id = create(&slow).await;
    world.outside.begun.notified().await;
    world.clock.advance(LEASE + Duration::from_secs(1));
    let quick = world.node(Recover::Rerun, TaskOptions::new());
    get(&quick, &id).await;
    world.outside.begun.notified().await;
    // Both wait for the same word, the slow one first; what it then says counts no more.
    world.outside.go.notify_one();
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(get(&quick, &id).await["status"], "working");
    world.outside.go.notify_one();
    let done = ended(&quick, &id).await;
    assert_eq!(done["result"]["content"][0]["text"], format!("run 2 of {id}"), "{done}");
}

/// TASK-13, TASK-18: a task is there until its time is over, and no longer; its run ends with it.
#[tokio::test]
async fn a_task_is_kept_for_its_time() {
    let world = World::new();
    let node = world.node(Recover::Fail, TaskOptions::new().ttl(Duration::from_secs(100)));
    let id = create(&node).await;
    world.outside.begun.notified().await;
    world.clock.advance(Duration::from_secs(90));
    assert_eq!(get(&node, &id).await["ttlMs"], 100_000);
    world.clock.advance(Duration::from_secs(10));
    let error = node.request("tasks/get", json!({ "taskId": id })).await.expect_err("it is over");
    let aqueduct::testing::TestError::Refused { code, message, .. } = error else {
        panic!("{error}")
    };
    assert_eq!((code, message), (-32602, format!("no task {id:?}")));
}

/// TASK-17: a task of another caller is not there, in the same words as one that never was.
#[tokio::test]
async fn a_task_of_another_is_not_there() {
    let world = World::new();
    let node = world.node(Recover::Fail, TaskOptions::new());
    let issuer = "https://issuer.example";
    let ann = node.clone().principal(Principal::new(issuer, "ann"));
    let id = create(&ann).await;
    world.outside.begun.notified().await;
    let strangers = [
        node.clone(),
        node.clone().principal(Principal::new(issuer, "bob")),
        node.clone().principal(Principal::new("https://issuer.exampl", "eann")),
    ];
    for stranger in &strangers {
        for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
            let mut refusals = Vec::new();
            for id in [id.as_str(), "AAAAAAAAAAAAAAAAAAAAAA"] {
                let params = json!({ "taskId": id, "inputResponses": {} });
                let refused = stranger.request(method, params).await.expect_err("refused");
                refusals.push(refused.to_string().replace(id, "ID"));
            }
            assert_eq!(refusals[0], refusals[1]);
        }
    }
    // Scopes change from token to token; who it is does not.
    let again = node.clone().principal(Principal::new(issuer, "ann").scopes(["other"]));
    assert_eq!(get(&again, &id).await["status"], "working");
}

/// A caller has so many tasks under way, and gets their places back.
#[tokio::test]
async fn a_caller_has_so_many_tasks_under_way() {
    let world = World::new();
    let node = world.node(Recover::Fail, TaskOptions::new().per_principal(2).total(3));
    let named = |name: &str| node.clone().principal(Principal::new("i", name));
    let (ann, bob, cy) = (named("ann"), named("bob"), named("cy"));
    let call = json!({ "name": "work", "arguments": {} });
    let first = create(&ann).await;
    create(&ann).await;
    let refused = ann.request("tools/call", call.clone()).await.expect_err("too many");
    assert!(refused.to_string().contains("2 tasks of this caller"), "{refused}");
    create(&bob).await;
    let refused = cy.request("tools/call", call).await.expect_err("too many");
    assert!(refused.to_string().contains("on this server"), "{refused}");
    ann.request("tasks/cancel", json!({ "taskId": first })).await.expect("ended");
    create(&ann).await;
}

/// What does not fit into this process waits for its turn.
#[tokio::test]
async fn tasks_wait_for_their_turn() {
    let world = World::new();
    let node = world.node(Recover::Fail, TaskOptions::new().concurrency(1));
    let (first, second) = (create(&node).await, create(&node).await);
    world.outside.begun.notified().await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(world.outside.effects.load(Ordering::SeqCst), 1);
    world.outside.go.notify_one();
    ended(&node, &first).await;
    world.outside.begun.notified().await;
    world.outside.go.notify_one();
    assert_eq!(ended(&node, &second).await["status"], "completed");
}
