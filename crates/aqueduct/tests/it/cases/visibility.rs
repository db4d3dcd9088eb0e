//! Visibility: what a caller does not see is not there for him, in any way that he could tell.

use aqueduct::Server;
use aqueduct::item::{ItemKind, Set, Visibility};
use aqueduct::page::Listing;
use aqueduct::prelude::*;
use aqueduct::prompt::{PromptItem, PromptRepo};
use aqueduct::protocol::prompts::GetPromptResult;
use aqueduct::resource::{AnyResource, ReadResourceResult, ResourceItem, ResourceRepo, Wanted};
use aqueduct::uri::Variables;
use serde_json::{Value, json};

use super::peer::{Lines, Peer, request, stateless};

/// Does the client say that it is this one?
fn is(ctx: &Context, name: &str) -> bool {
    ctx.client_info().is_some_and(|client| client.name == name)
}

/// A repository of one public and one hidden item.
struct Two;

impl ResourceRepo for Two {
    fn prefix(&self) -> &str {
        "repo://"
    }

    async fn list(&self, _: Option<&str>, _: &Context) -> Result<Listing<ResourceItem>> {
        Ok(Listing::new(["repo://open", "repo://secret"].map(|uri| ResourceItem::new(uri, "item"))))
    }

    async fn read(&self, wanted: &Wanted, _: &Context) -> Result<ReadResourceResult> {
        match wanted.uri.as_str() {
            "repo://open" | "repo://secret" => Ok(ReadResourceResult::text(&wanted.uri, "held")),
            _ => Err(wanted.not_found().into()),
        }
    }
}

impl PromptRepo for Two {
    fn prefix(&self) -> &str {
        "repo-"
    }

    async fn list(&self, _: Option<&str>, _: &Context) -> Result<Listing<PromptItem>> {
        Ok(Listing::new(["repo-open", "repo-secret"].map(PromptItem::new)))
    }

    async fn get(&self, name: &str, _: &Variables, _: &Context) -> Result<GetPromptResult> {
        match name {
            "repo-open" | "repo-secret" => Ok(GetPromptResult::new(Vec::new())),
            _ => Err(Error::not_found(format!("no prompt {name:?}")).into()),
        }
    }
}

/// For each kind of item one that all see, one of a tag, one with a rule of its own, and one that
/// a provider brings; only the client "admin" sees the others.
fn guarded() -> Server {
    let tool = |name: &'static str| Tool::new(name).handler(move || async move { name });
    let prompt = |name: &'static str| {
        Prompt::new(name)
            .argument(PromptArgument::new("a"))
            .complete("a", || async { vec!["value"] })
            .handler(move || async move { name })
    };
    let fixed = |uri: &'static str| Resource::new(uri, "r").handler(move || async move { uri });
    let template = |uri: &'static str| {
        ResourceTemplate::new(uri, "t")
            .complete("x", || async { vec!["value"] })
            .handler(|| async { "t" })
    };
    let admin = |ctx: &Context| is(ctx, "admin");
    Server::new("guarded", "1")
        .visibility(Visibility::tagged("admin", admin))
        .visibility(Visibility::by(|item, ctx| !item.name.ends_with("secret") || is(ctx, "admin")))
        .tools([tool("open"), tool("tagged").tag("admin"), tool("own").visible_to(admin)])
        .tool_provider(Set::from_iter([tool("provided"), tool("provided-secret")]))
        .prompts([prompt("open"), prompt("tagged").tag("admin"), prompt("own").visible_to(admin)])
        .prompt_provider(Set::from_iter([prompt("provided"), prompt("provided-secret")]))
        .prompt_repo(Two)
        .resources([
            fixed("a://open"),
            fixed("a://tagged").tag("admin"),
            fixed("a://own").visible_to(admin),
        ])
        .resources([
            template("open://{x}"),
            template("tagged://{x}").tag("admin"),
            template("own://{x}").visible_to(admin),
        ])
        .resource_provider(Set::<AnyResource>::from_iter([
            fixed("b://provided").into(),
            fixed("b://secret").into(),
            template("provided://{x}").into(),
            template("provided://{x}/secret").into(),
        ]))
        .resource_repo(Two)
}

/// The request as this client makes it.
fn from(client: &str, mut params: Value) -> Value {
    params["_meta"]["io.modelcontextprotocol/clientInfo"] =
        json!({ "name": client, "version": "1" });
    params
}

async fn names(
    peer: &mut Peer,
    client: &str,
    method: &str,
    member: &str,
    key: &str,
) -> Vec<String> {
    let said = peer.request(method, from(client, json!({}))).await;
    assert_eq!(said.result()["cacheScope"], "private", "{method}");
    let items = said.result()[member].as_array().unwrap();
    items.iter().map(|item| item[key].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_list_has_what_the_caller_sees() {
    stateless(guarded, async |peer: &mut Peer| {
        for (method, member, key, seen, all) in [
            (
                "tools/list",
                "tools",
                "name",
                &["open", "provided"][..],
                &["open", "tagged", "own", "provided", "provided-secret"][..],
            ),
            (
                "prompts/list",
                "prompts",
                "name",
                &["open", "provided", "repo-open"],
                &[
                    "open",
                    "tagged",
                    "own",
                    "provided",
                    "provided-secret",
                    "repo-open",
                    "repo-secret",
                ],
            ),
            (
                "resources/list",
                "resources",
                "uri",
                &["a://open", "b://provided", "repo://open"],
                &[
                    "a://open",
                    "a://tagged",
                    "a://own",
                    "b://provided",
                    "b://secret",
                    "repo://open",
                    "repo://secret",
                ],
            ),
            (
                "resources/templates/list",
                "resourceTemplates",
                "uriTemplate",
                &["open://{x}", "provided://{x}"],
                &[
                    "open://{x}",
                    "tagged://{x}",
                    "own://{x}",
                    "provided://{x}",
                    "provided://{x}/secret",
                ],
            ),
        ] {
            assert_eq!(names(peer, "guest", method, member, key).await, seen, "{method}");
            assert_eq!(names(peer, "admin", method, member, key).await, all, "{method}");
        }
    })
    .await;
}

/// TOOL-10, RES-04, PRM-04: hidden is unknown: the same error as for a name that was never there,
/// but for the name.
#[tokio::test]
async fn what_is_hidden_is_answered_as_what_is_not_there() {
    let complete = |kind: &str, key: &str, of: &str, argument: &str| {
        json!({
            "ref": { "type": kind, key: of },
            "argument": { "name": argument, "value": "" },
        })
    };
    stateless(guarded, async |peer: &mut Peer| {
        for (method, target, hidden, unknown) in [
            ("tools/call", "name", "tagged", "nothing"),
            ("tools/call", "name", "own", "nothing"),
            ("tools/call", "name", "provided-secret", "nothing"),
            ("prompts/get", "name", "tagged", "nothing"),
            ("prompts/get", "name", "own", "nothing"),
            ("prompts/get", "name", "provided-secret", "nothing"),
            ("prompts/get", "name", "repo-secret", "nothing"),
            ("resources/read", "uri", "a://tagged", "nothing://x"),
            // As near to what is seen, so that the same is suggested.
            ("resources/read", "uri", "a://own", "a://opn"),
            ("resources/read", "uri", "b://secret", "nothing://x"),
            ("resources/read", "uri", "tagged://x", "nothing://x"),
            ("resources/read", "uri", "own://x", "nothing://x"),
            ("resources/read", "uri", "provided://x/secret", "nothing://x"),
            ("resources/read", "uri", "repo://secret", "nothing://x"),
        ] {
            let wanted = json!({ target: hidden });
            peer.request(method, from("admin", wanted.clone())).await.result();
            let said = peer.request(method, from("guest", wanted)).await;
            let other = peer.request(method, from("guest", json!({ target: unknown }))).await;
            let hidden_error = said.answer["error"].to_string().replace(hidden, unknown);
            assert_eq!(hidden_error, other.answer["error"].to_string(), "{method} {hidden}");
            assert_eq!(said.status, other.status);
            said.is_error(-32602, 200);
        }
        for (kind, key, hidden, unknown, argument) in [
            ("ref/prompt", "name", "tagged", "nothing", "a"),
            ("ref/prompt", "name", "provided-secret", "nothing", "a"),
            ("ref/resource", "uri", "own://{x}", "nothing", "x"),
            ("ref/resource", "uri", "provided://{x}/secret", "nothing", "x"),
        ] {
            let method = "completion/complete";
            let wanted = complete(kind, key, hidden, argument);
            let said = peer.request(method, from("admin", wanted.clone())).await;
            assert_eq!(said.result()["completion"]["values"], json!(["value"]), "{hidden}");
            let said = peer.request(method, from("guest", wanted)).await;
            let other = complete(kind, key, unknown, argument);
            let other = peer.request(method, from("guest", other)).await;
            let hidden_error = said.answer["error"].to_string().replace(hidden, unknown);
            assert_eq!(hidden_error, other.answer["error"].to_string(), "{hidden}");
        }
    })
    .await;
}

/// A change of what a caller sees between two pages neither skips nor repeats what he sees on
/// both.
#[tokio::test]
async fn a_cursor_stays_right_when_the_visible_set_changes() {
    let numbers = || (1..=6).map(|number| format!("t{number}"));
    for hand_made in [true, false] {
        let server = || {
            let tools = numbers().map(|name| Tool::new(name).handler(|| async { "t" }));
            let server = Server::new("paged", "1")
                .page_size(2)
                .visibility(Visibility::by(|item, ctx| item.name != "t1" || is(ctx, "admin")));
            match hand_made {
                true => server.tools(tools),
                false => server.tool_provider(Set::from_iter(tools)),
            }
        };
        stateless(server, async |peer: &mut Peer| {
            for (first, second, pages) in [
                ("admin", "guest", [["t1", "t2"], ["t3", "t4"]]),
                ("guest", "admin", [["t2", "t3"], ["t4", "t5"]]),
            ] {
                let page = peer.request("tools/list", from(first, json!({}))).await;
                let next = json!({ "cursor": page.result()["nextCursor"] });
                let other = peer.request("tools/list", from(second, next)).await;
                let named = [page, other].map(|said| {
                    let tools = said.result()["tools"].clone();
                    [0, 1].map(|nth| tools[nth]["name"].as_str().unwrap().to_owned())
                });
                assert_eq!(named, pages, "{hand_made}");
            }
        })
        .await;
    }
}

/// What everybody sees is listed by pages that were written ahead, and by others only when a rule
/// concerns it.
#[tokio::test]
async fn a_rule_that_concerns_nothing_leaves_the_list_as_public_as_it_was() {
    let server = || {
        Server::new("open", "1")
            .list_cache(CacheHint::public(1_000))
            .visibility(Visibility::tagged("admin", |_: &Context| false))
            .tool(Tool::new("open").tag("other").handler(|| async { "open" }))
    };
    stateless(server, async |peer: &mut Peer| {
        let said = peer.request("tools/list", json!({})).await;
        assert_eq!(said.result()["cacheScope"], "public");
        assert_eq!(said.result()["ttlMs"], 1_000);
    })
    .await;
}

/// Rules see what the author said of an item.
#[tokio::test]
async fn a_rule_sees_kind_tags_hints_and_meta() {
    let server = || {
        let mut meta = aqueduct::protocol::meta::Meta::new();
        meta.insert("com.example/hidden", &true).unwrap();
        Server::new("ruled", "1")
            .visibility(Visibility::by(|item, _| {
                let hints = item.hints.clone().unwrap_or_default();
                let marked = item.meta.as_ref().and_then(|meta| meta.get("com.example/hidden"));
                item.kind == ItemKind::Tool
                    && !item.has_tag("off")
                    && hints.destructive_hint != Some(true)
                    && marked != Some(true)
            }))
            .tool(Tool::new("seen").tag("on").handler(|| async { "" }))
            .tool(Tool::new("tagged").tag("off").handler(|| async { "" }))
            .tool(Tool::new("hinted").destructive(true).handler(|| async { "" }))
            .tool(Tool::new("marked").meta(meta).handler(|| async { "" }))
            .prompt(Prompt::new("seen").handler(|| async { "" }))
    };
    stateless(server, async |peer: &mut Peer| {
        let seen = names(peer, "x", "tools/list", "tools", "name").await;
        assert_eq!(seen, ["seen"]);
        assert!(names(peer, "x", "prompts/list", "prompts", "name").await.is_empty());
    })
    .await;
}

/// Whoever may not see a resource hears nothing of its changes either.
#[tokio::test]
async fn a_listener_hears_nothing_of_what_it_does_not_see() {
    let service = guarded().build().unwrap();
    let notifier = service.notifier();
    let mut lines = Lines::new(service);
    let filter = json!({ "resourceSubscriptions": ["a://own", "repo://secret", "a://open"] });
    for (id, client) in [("1", "guest"), ("2", "admin")] {
        let params = from(client, json!({ "notifications": filter }));
        lines.write(request(id, "subscriptions/listen", params).as_bytes()).await;
        let said: Value = serde_json::from_str(&lines.read().await).unwrap();
        // What is not there may come to be, so the acknowledgement tells nothing.
        assert_eq!(
            said["params"]["notifications"]["resourceSubscriptions"].as_array().unwrap().len(),
            3
        );
    }
    for uri in ["a://own", "repo://secret", "a://open"] {
        notifier.resource_updated(uri);
    }
    notifier.end();
    let mut told = Vec::new();
    for _ in 0..2 {
        for message in lines.answer().await.notifications {
            let id = &message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
            told.push(format!("{id} {}", message["params"]["uri"].as_str().unwrap()));
        }
    }
    told.sort();
    assert_eq!(told, ["1 a://open", "2 a://open", "2 a://own", "2 repo://secret"]);
    lines.end().await;
}
