//! Servers made of parts: bundles that depend on the caller, and servers within servers.

use std::time::Duration;

use aqueduct::Server;
use aqueduct::item::{ItemKind, Next, Set, Visibility};
use aqueduct::page::Listing;
use aqueduct::prelude::*;
use aqueduct::prompt::{self, PromptItem, PromptRepo};
use aqueduct::protocol::prompts::GetPromptResult;
use aqueduct::resource::{
    self, AnyResource, ReadResourceResult, ResourceItem, ResourceRepo, Wanted,
};
use aqueduct::server::Extension;
use aqueduct::uri::Variables;
use serde_json::{Value, json};

use super::peer::{Peer, on_each, stateless};

/// Whom the client says that it is; a stand-in for a principal.
fn caller(ctx: &Context) -> String {
    ctx.client_info().map(|client| client.name).unwrap_or_default()
}

fn from(client: &str, mut params: Value) -> Value {
    params["_meta"]["io.modelcontextprotocol/clientInfo"] =
        json!({ "name": client, "version": "1" });
    params
}

/// Names that begin with a prefix, whatever comes after it.
#[derive(Clone)]
struct Shelf(&'static str);

impl ResourceRepo for Shelf {
    fn prefix(&self) -> &str {
        self.0
    }

    async fn list(&self, _: Option<&str>, _: &Context) -> Result<Listing<ResourceItem>> {
        Ok(Listing::new([ResourceItem::new(format!("{}1", self.0), "one")]))
    }

    async fn read(&self, wanted: &Wanted, _: &Context) -> Result<ReadResourceResult> {
        Ok(ReadResourceResult::text(&wanted.uri, "shelf"))
    }
}

impl PromptRepo for Shelf {
    fn prefix(&self) -> &str {
        self.0
    }

    async fn list(&self, _: Option<&str>, _: &Context) -> Result<Listing<PromptItem>> {
        Ok(Listing::new([PromptItem::new(format!("{}1", self.0))]))
    }

    async fn get(&self, name: &str, _: &Variables, _: &Context) -> Result<GetPromptResult> {
        match name.strip_prefix(self.0) {
            Some("1") => Ok(GetPromptResult::new(vec![PromptMessage::user(name)])),
            _ => Err(Error::not_found("the repository was asked for a foreign name").into()),
        }
    }
}

/// Brings everything to those who are called "friend", and nothing to others.
struct Friends;

impl Extension for Friends {
    async fn tools(&self, ctx: &Context) -> Result<Vec<Tool>, Error> {
        Ok(Vec::from_iter(
            (caller(ctx) == "friend").then(|| Tool::new("t").handler(|| async { "t" })),
        ))
    }

    async fn prompts(&self, ctx: &Context) -> Result<Vec<Prompt>, Error> {
        Ok(Vec::from_iter(
            (caller(ctx) == "friend").then(|| Prompt::new("p").handler(|| async { "p" })),
        ))
    }

    async fn prompt_repos(&self, ctx: &Context) -> Result<Vec<prompt::SharedRepo>, Error> {
        Ok(Vec::from_iter(
            (caller(ctx) == "friend").then(|| prompt::SharedRepo::new(Shelf("shelf-"))),
        ))
    }

    async fn resources(&self, ctx: &Context) -> Result<Vec<AnyResource>, Error> {
        if caller(ctx) != "friend" {
            return Ok(Vec::new());
        }
        Ok(vec![
            Resource::new("a://b", "b").handler(|| async { "b" }).into(),
            ResourceTemplate::new("t://{x}", "t").handler(|| async { "t" }).into(),
        ])
    }

    async fn resource_repos(&self, ctx: &Context) -> Result<Vec<resource::SharedRepo>, Error> {
        Ok(Vec::from_iter(
            (caller(ctx) == "friend").then(|| resource::SharedRepo::new(Shelf("shelf://"))),
        ))
    }
}

#[tokio::test]
async fn what_an_extension_brings_depends_on_who_asks() {
    let server = || Server::new("extended", "1").extension(Friends);
    let lists = [
        ("tools/list", "tools", "name", &["t"][..]),
        ("prompts/list", "prompts", "name", &["p", "shelf-1"]),
        ("resources/list", "resources", "uri", &["a://b", "shelf://1"]),
        ("resources/templates/list", "resourceTemplates", "uriTemplate", &["t://{x}"]),
    ];
    let calls = [
        ("tools/call", json!({ "name": "t" })),
        ("prompts/get", json!({ "name": "p" })),
        ("prompts/get", json!({ "name": "shelf-1" })),
        ("resources/read", json!({ "uri": "a://b" })),
        ("resources/read", json!({ "uri": "t://x" })),
        ("resources/read", json!({ "uri": "shelf://1" })),
    ];
    stateless(server, async |peer: &mut Peer| {
        for (method, member, key, all) in lists {
            let said = peer.request(method, from("friend", json!({}))).await;
            let items = said.result()[member].as_array().unwrap();
            let names: Vec<_> = items.iter().map(|item| item[key].as_str().unwrap()).collect();
            assert_eq!(names, all);
            let said = peer.request(method, from("stranger", json!({}))).await;
            assert_eq!(said.result()[member], json!([]));
        }
        for (method, params) in &calls {
            peer.request(method, from("friend", params.clone())).await.result();
            peer.request(method, from("stranger", params.clone())).await.is_error(-32602, 200);
        }
    })
    .await;
}

/// An extension that brings one kind of items makes no promise of others.
#[tokio::test]
async fn the_capabilities_follow_the_kinds_of_an_extension() {
    struct Tools;
    impl Extension for Tools {
        fn kinds(&self) -> &[ItemKind] {
            &[ItemKind::Tool]
        }
    }
    stateless(
        || Server::new("extended", "1").extension(Tools),
        async |peer: &mut Peer| {
            let said = peer.request("server/discover", json!({})).await;
            let capabilities = &said.result()["capabilities"];
            assert_eq!(capabilities["tools"], json!({ "listChanged": true }));
            assert!(
                capabilities.get("prompts").is_none() && capabilities.get("resources").is_none()
            );
        },
    )
    .await;
}

/// What a server is called, as its state.
struct Named(&'static str);

/// What only the outer server has.
struct Outer(&'static str);

fn part(name: &'static str) -> Server {
    let tool = |tool: &'static str| {
        Tool::new(tool).handler(|named: State<Named>, outer: State<Outer>| async move {
            format!("{} in {}", named.0.0, outer.0.0)
        })
    };
    let scheme = name;
    Server::new(name, "1")
        .state(Named(name))
        .timeout(Duration::from_millis(20))
        .visibility(Visibility::by(|item, _| item.name != "hidden"))
        .item_layer(|next: Next| async move {
            assert!(!next.item().name.contains('_'), "the layer sees {}", next.item().name);
            next.run().await
        })
        .tools([tool("who"), tool("hidden")])
        .tool(Tool::new("slow").handler(std::future::pending::<String>))
        .tool_provider(Set::from_iter([tool("extra"), tool("hidden")]))
        .prompt(
            Prompt::new("who")
                .argument(PromptArgument::new("a"))
                .complete("a", |named: State<Named>| async move { vec![named.0.0] })
                .handler(|named: State<Named>| async move { named.0.0 }),
        )
        .prompt_repo(Shelf("shelf-"))
        .resource(
            Resource::new(format!("{scheme}://who"), "who")
                .handler(|named: State<Named>| async move { named.0.0 }),
        )
}

fn whole() -> Server {
    Server::new("whole", "1")
        .mount("a_", part("a"))
        .mount("b_", Server::new("middle", "1").mount("c_", part("c")))
        .tool(Tool::new("who").handler(|| async { "whole" }))
        .state(Outer("whole"))
}

#[tokio::test]
async fn a_mounted_server_serves_under_its_prefix_with_its_own_state_and_rules() {
    on_each(whole, async |peer: &mut Peer| {
        let said = peer.request("tools/list", json!({})).await;
        let tools = said.result()["tools"].as_array().unwrap();
        let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(
            names,
            ["who", "a_who", "a_slow", "b_c_who", "b_c_slow", "a_extra", "b_c_extra"]
        );
        for (name, text) in [
            ("who", "whole"),
            ("a_who", "a in whole"),
            ("b_c_who", "c in whole"),
            ("a_extra", "a in whole"),
            ("b_c_extra", "c in whole"),
        ] {
            assert_eq!(peer.call(name, json!({})).await.text(), text);
        }
        for name in ["a_hidden", "b_c_hidden", "c_who", "hidden", "slow"] {
            let said = peer.call(name, json!({})).await;
            // What is suggested is one of those that are there.
            let near = match name {
                "c_who" => "; did you mean \"who\"?",
                "slow" => "; did you mean \"a_slow\"?",
                _ => "",
            };
            let message = format!("no tool {name:?}{near}");
            assert_eq!(said.is_error(-32602, 200)["message"], message);
        }
        // The mounted server's timeout is that of its tools.
        let said = peer.call("a_slow", json!({})).await;
        assert_eq!(said.is_error(-32603, 200)["message"], "timed out after 20 ms");

        let said = peer.request("prompts/list", json!({})).await;
        let prompts = said.result()["prompts"].as_array().unwrap();
        let names: Vec<_> = prompts.iter().map(|prompt| prompt["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["a_who", "b_c_who", "b_c_shelf-1", "a_shelf-1"]);
        for (name, text) in [("b_c_who", "c"), ("a_shelf-1", "shelf-1"), ("b_c_shelf-1", "shelf-1")]
        {
            let said = peer.request("prompts/get", json!({ "name": name })).await;
            assert_eq!(said.result()["messages"][0]["content"]["text"], text);
        }
        let reference = json!({
            "ref": { "type": "ref/prompt", "name": "a_who" },
            "argument": { "name": "a", "value": "" },
        });
        let said = peer.request("completion/complete", reference).await;
        assert_eq!(said.result()["completion"]["values"], json!(["a"]));

        for (uri, text) in [("a://who", "a"), ("c://who", "c")] {
            let said = peer.request("resources/read", json!({ "uri": uri })).await;
            assert_eq!(said.result()["contents"][0]["text"], text);
        }
    })
    .await;
}

/// What does not go together is refused when the server is built, and both sides are named.
#[test]
fn a_conflict_of_mounted_servers_names_both() {
    let tool = |name: &'static str| Tool::new(name).handler(|| async { "" });
    let prompt = |name: &'static str| Prompt::new(name).handler(|| async { "" });
    let resource = |uri: &'static str| Resource::new(uri, "r").handler(|| async { "" });
    let inner = |name: &'static str| {
        Server::new(name, "1")
            .tool(tool("t"))
            .prompt(prompt("p"))
            .resource(resource("a://b"))
            .resource_repo(Shelf("shelf://"))
    };
    let outer = Server::new("outer", "1")
        .tool(tool("x_t"))
        .mount("x_", inner("left"))
        .mount("y_", inner("right"))
        .mount("y_", Server::new("third", "1").prompt(prompt("p")));
    let error = outer.build().unwrap_err();
    let mut problems = error.problems().to_vec();
    problems.sort();
    assert_eq!(
        problems,
        [
            "prompt \"y_p\" is there twice, from the mounted server \"right\" and from the mounted \
             server \"third\"",
            "resource \"a://b\" is there twice, from the mounted server \"left\" and from the \
             mounted server \"right\"",
            "tool \"x_t\" is there twice, from this server and from the mounted server \"left\"; \
             rename one with .named(…)",
            "two resource repositories have the prefix \"shelf://\", from the mounted server \
             \"left\" and from the mounted server \"right\"; only one could ever answer",
        ]
    );
    let needy =
        Server::new("needy", "1").tool(Tool::new("t").handler(|_: State<Named>| async { "" }));
    let error = Server::new("outer", "1").mount("n_", needy).build().unwrap_err();
    assert!(error.problems()[0].starts_with("tool \"n_t\" asks for State<"), "{error}");
}
