//! Sets that change while the server runs, and tell of it by themselves.

use std::sync::{Arc, OnceLock};

use aqueduct::Server;
use aqueduct::item::{Changes, Set};
use aqueduct::page::Listing;
use aqueduct::prelude::*;
use aqueduct::resource::{AnyResource, ReadResourceResult, ResourceItem, ResourceRepo, Wanted};
use aqueduct::server::Catalog;
use serde_json::{Value, json};

use super::peer::{Lines, Peer, request, stateless};

/// Arms and disarms `danger`, from inside of a call.
#[tool]
async fn arm(on: bool, catalog: State<Catalog>) -> String {
    let known = if on { catalog.enable_tool("danger") } else { catalog.disable_tool("danger") };
    format!("{known} {}", catalog.disable_tool("nothing"))
}

fn switched() -> Server {
    Server::new("switched", "1")
        .list_cache(CacheHint::public(9))
        .tools(list![arm])
        .tool(Tool::new("danger").handler(|| async { "boom" }))
        .tool(Tool::new("last").handler(|| async { "last" }))
        .prompt(Prompt::new("p").handler(|| async { "p" }))
        .resource(Resource::new("a://b", "b").handler(|| async { "b" }))
        .resource(ResourceTemplate::new("t://{x}", "t").handler(|| async { "t" }))
}

async fn names(peer: &mut Peer) -> Value {
    let said = peer.request("tools/list", json!({})).await;
    assert_eq!(said.result()["cacheScope"], "public");
    let tools = said.result()["tools"].as_array().unwrap().clone();
    tools.iter().map(|tool| tool["name"].clone()).collect()
}

#[tokio::test]
async fn a_tool_that_is_switched_off_is_not_there_until_it_is_switched_on() {
    stateless(switched, async |peer: &mut Peer| {
        assert_eq!(names(peer).await, json!(["arm", "danger", "last"]));
        assert_eq!(peer.call("danger", json!({})).await.text(), "boom");
        assert_eq!(peer.call("arm", json!({ "on": false })).await.text(), "true false");
        assert_eq!(names(peer).await, json!(["arm", "last"]));
        let off = peer.call("danger", json!({})).await;
        assert_eq!(off.is_error(-32602, 200)["message"], "no tool \"danger\"");
        peer.call("arm", json!({ "on": true })).await.text();
        assert_eq!(names(peer).await, json!(["arm", "danger", "last"]));
        assert_eq!(peer.call("danger", json!({})).await.text(), "boom");
    })
    .await;
}

#[tokio::test]
async fn prompts_resources_and_templates_are_switched_too() {
    for over in [Peer::memory, Peer::lines, Peer::http] {
        let service = switched().build().unwrap();
        let catalog = service.catalog();
        let mut peer = over(service);
        for (method, params, off, list, member) in [
            (
                "prompts/get",
                json!({ "name": "p" }),
                catalog.disable_prompt("p"),
                "prompts/list",
                "prompts",
            ),
            (
                "resources/read",
                json!({ "uri": "a://b" }),
                catalog.disable_resource("a://b"),
                "resources/list",
                "resources",
            ),
            (
                "resources/read",
                json!({ "uri": "t://x" }),
                catalog.disable_resource("t://{x}"),
                "resources/templates/list",
                "resourceTemplates",
            ),
        ] {
            assert!(off);
            peer.request(method, params).await.is_error(-32602, 200);
            assert_eq!(peer.request(list, json!({})).await.result()[member], json!([]));
        }
        assert!(catalog.enable_prompt("p") && catalog.enable_resource("a://b"));
        assert!(catalog.enable_resource("t://{x}"));
        peer.request("prompts/get", json!({ "name": "p" })).await.result();
        for uri in ["a://b", "t://x"] {
            peer.request("resources/read", json!({ "uri": uri })).await.result();
        }
        peer.end().await;
    }
}

/// A repository that says by itself when it has changed.
#[derive(Clone, Default)]
struct Told(Arc<OnceLock<Changes>>);

impl ResourceRepo for Told {
    fn prefix(&self) -> &str {
        "told://"
    }

    async fn list(&self, _: Option<&str>, _: &Context) -> Result<Listing<ResourceItem>> {
        Ok(Listing::default())
    }

    async fn read(&self, wanted: &Wanted, _: &Context) -> Result<ReadResourceResult> {
        Ok(ReadResourceResult::text(&wanted.uri, "told"))
    }

    fn watch(&self, changes: Changes) {
        self.0.set(changes).unwrap();
    }
}

async fn next(lines: &mut Lines) -> String {
    let message: Value = serde_json::from_str(&lines.read().await).unwrap();
    format!("{} {}", message["method"], message["params"]["uri"]).replace('"', "")
}

/// SUB-06, SUB-07, CACHE-04: each change is told once, as what it is, and what changes nothing is
/// not told.
#[tokio::test]
async fn every_change_of_a_set_is_told_to_those_who_listen() {
    let (tools, prompts, resources) = (Set::new(), Set::new(), Set::<AnyResource>::new());
    let told = Told::default();
    let service = switched()
        .tool_provider(tools.clone())
        .prompt_provider(prompts.clone())
        .resource_provider(resources.clone())
        .resource_repo(told.clone())
        .build()
        .unwrap();
    let (catalog, notifier) = (service.catalog(), service.notifier());
    let mut lines = Lines::new(service);
    let filter = json!({
        "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
        "resourceSubscriptions": ["told://x"],
    });
    let listen = request("1", "subscriptions/listen", json!({ "notifications": filter }));
    lines.write(listen.as_bytes()).await;
    lines.read().await;

    let changed = |what: &str| format!("notifications/{what}/list_changed null");
    catalog.enable_tool("danger");
    tools.remove("nothing");
    catalog.disable_tool("danger");
    assert_eq!(next(&mut lines).await, changed("tools"));
    catalog.disable_prompt("p");
    assert_eq!(next(&mut lines).await, changed("prompts"));
    catalog.disable_resource("t://{x}");
    assert_eq!(next(&mut lines).await, changed("resources"));

    tools.insert(Tool::new("new").handler(|| async { "new" }));
    assert_eq!(next(&mut lines).await, changed("tools"));
    prompts.insert(Prompt::new("new").handler(|| async { "new" }));
    assert_eq!(next(&mut lines).await, changed("prompts"));
    resources.insert(Resource::new("new://x", "x").handler(|| async { "new" }).into());
    assert_eq!(next(&mut lines).await, changed("resources"));
    told.0.get().unwrap().list_changed();
    assert_eq!(next(&mut lines).await, changed("resources"));
    told.0.get().unwrap().resource_updated("told://x");
    assert_eq!(next(&mut lines).await, "notifications/resources/updated told://x");

    notifier.end();
    let said = lines.answer().await;
    assert!(said.notifications.is_empty(), "{:?}", said.notifications);
    lines.end().await;
}

/// What a set holds is served as what was registered by hand.
#[tokio::test]
async fn the_items_of_a_set_are_served_until_they_are_taken_out() {
    for over in [Peer::memory, Peer::lines, Peer::http] {
        let (tools, prompts, resources) = (Set::new(), Set::new(), Set::<AnyResource>::new());
        let service = Server::new("sets", "1")
            .tool_provider(tools.clone())
            .prompt_provider(prompts.clone())
            .resource_provider(resources.clone())
            .build()
            .unwrap();
        let mut peer = over(service);
        let said = peer.request("server/discover", json!({})).await;
        for kind in ["tools", "prompts", "resources"] {
            assert_eq!(said.result()["capabilities"][kind]["listChanged"], true);
        }
        tools.insert(Tool::new("x").handler(|| async { "first" }));
        prompts.insert(Prompt::new("x").handler(|| async { "x" }));
        resources.insert(Resource::new("a://x", "x").handler(|| async { "fixed" }).into());
        resources.insert(ResourceTemplate::new("a://{x}", "x").handler(|| async { "any" }).into());
        assert_eq!(peer.call("x", json!({})).await.text(), "first");
        assert!(tools.insert(Tool::new("x").handler(|| async { "second" })).is_some());
        assert_eq!(peer.call("x", json!({})).await.text(), "second");
        peer.request("prompts/get", json!({ "name": "x" })).await.result();
        for (uri, text) in [("a://x", "fixed"), ("a://y", "any")] {
            let said = peer.request("resources/read", json!({ "uri": uri })).await;
            assert_eq!(said.result()["contents"][0]["text"], text);
        }
        assert!(tools.remove("x").is_some() && prompts.remove("x").is_some());
        resources.replace([]);
        peer.call("x", json!({})).await.is_error(-32602, 200);
        peer.request("prompts/get", json!({ "name": "x" })).await.is_error(-32602, 200);
        peer.request("resources/read", json!({ "uri": "a://x" })).await.is_error(-32602, 200);
        peer.end().await;
    }
}
