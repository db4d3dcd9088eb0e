//! The repositories of `GenMCP`'s page, example by example, over each channel.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use aqueduct::Server;
use aqueduct::page::Listing;
use aqueduct::prelude::*;
use aqueduct::prompt::{PromptItem, PromptRepo};
use aqueduct::protocol::prompts::GetPromptResult;
use aqueduct::resource::{
    ReadResourceResult, ResourceItem, ResourceRepo, ResourceTemplateItem, Wanted,
};
use aqueduct::uri::Variables;
use serde_json::json;

use crate::cases::peer::{Peer, on_each};

/// One file, by its URI.
struct Readme;

impl ResourceRepo for Readme {
    fn prefix(&self) -> &str {
        "file:///"
    }

    async fn list(&self, _: Option<&str>, _: &Context) -> Result<Listing<ResourceItem>> {
        Ok(Listing::new([ResourceItem::new("file:///readme.txt", "README")]))
    }

    async fn read(&self, wanted: &Wanted, _: &Context) -> Result<ReadResourceResult> {
        match wanted.uri.as_str() {
            uri @ "file:///readme.txt" => Ok(ReadResourceResult::text(uri, "Hello world")),
            "file:///broken.txt" => Err(reply_error("the disk is on fire")),
            _ => Err(wanted.not_found().into()),
        }
    }
}

fn reply_error(message: &'static str) -> ToolError {
    aqueduct::reply::error(message)
}

/// Files by a template whose variable is a path.
struct Config;

impl ResourceRepo for Config {
    fn prefix(&self) -> &str {
        "config:///"
    }

    fn template(&self) -> Option<ResourceTemplateItem> {
        Some(ResourceTemplateItem::new("config:///{+path}", "Config"))
    }

    async fn read(&self, wanted: &Wanted, _: &Context) -> Result<ReadResourceResult> {
        match wanted.variable("path") {
            Some("app/main.json") => Ok(ReadResourceResult::text(&wanted.uri, "{}")),
            _ => Err(wanted.not_found().into()),
        }
    }
}

/// Files whose URIs are taken apart by hand.
struct Parsed(Arc<AtomicUsize>);

impl ResourceRepo for Parsed {
    fn prefix(&self) -> &str {
        "db:"
    }

    fn parse_uri(&self, uri: &str) -> Result<Option<Variables>, Error> {
        self.0.fetch_add(1, Ordering::Relaxed);
        let path = uri.strip_prefix("db:").unwrap_or_default();
        if path.contains("..") {
            return Err(Error::invalid_params("a path has no .."));
        }
        Ok(Some([("path", path)].into_iter().collect()))
    }

    async fn read(&self, wanted: &Wanted, _: &Context) -> Result<ReadResourceResult> {
        let path = wanted.variable("path").unwrap_or("none");
        Ok(ReadResourceResult::text(&wanted.uri, path))
    }
}

fn server() -> Server {
    Server::new("repos", "1").resource_repo(Readme).resource_repo(Config)
}

#[tokio::test]
async fn a_repository_lists_and_reads_what_its_prefix_covers() {
    on_each(server, async |peer: &mut Peer| {
        let list = peer.request("resources/list", json!({})).await;
        let expected = json!([{ "uri": "file:///readme.txt", "name": "README" }]);
        assert_eq!(list.result()["resources"], expected);
        assert!(list.result().get("nextCursor").is_none());

        let read = async |peer: &mut Peer, uri: &str| {
            peer.request("resources/read", json!({ "uri": uri })).await
        };
        let said = read(peer, "file:///readme.txt").await;
        let contents = json!([{ "uri": "file:///readme.txt", "text": "Hello world" }]);
        assert_eq!(said.result()["contents"], contents);
        for missing in ["file:///other.txt", "http://elsewhere"] {
            let said = read(peer, missing).await;
            assert_eq!(said.is_error(-32602, 200)["data"], json!({ "uri": missing }));
        }
        let said = read(peer, "file:///broken.txt").await;
        assert_eq!(said.is_error(-32603, 200)["message"], "the disk is on fire");
    })
    .await;
}

#[tokio::test]
async fn a_repository_reads_by_its_template() {
    on_each(server, async |peer: &mut Peer| {
        let list = peer.request("resources/templates/list", json!({})).await;
        let expected = json!([{ "uriTemplate": "config:///{+path}", "name": "Config" }]);
        assert_eq!(list.result()["resourceTemplates"], expected);
        let good = json!({ "uri": "config:///app/main.json" });
        let said = peer.request("resources/read", good).await;
        assert_eq!(said.result()["contents"][0]["text"], "{}");
        let said = peer.request("resources/read", json!({ "uri": "config:///x" })).await;
        assert_eq!(said.is_error(-32602, 200)["data"], json!({ "uri": "config:///x" }));
    })
    .await;
}

#[tokio::test]
async fn a_repository_takes_uris_apart_in_its_own_way() {
    let asked = Arc::new(AtomicUsize::new(0));
    let server = || Server::new("repos", "1").resource_repo(Parsed(Arc::clone(&asked)));
    on_each(server, async |peer: &mut Peer| {
        let said = peer.request("resources/read", json!({ "uri": "db:a/b" })).await;
        assert_eq!(said.result()["contents"][0]["text"], "a/b");
        let said = peer.request("resources/read", json!({ "uri": "db:../b" })).await;
        assert_eq!(said.is_error(-32602, 400)["message"], "a path has no ..");
    })
    .await;
    assert!(asked.load(Ordering::Relaxed) > 1);
}

/// Whatever its prefix covers, told with that prefix.
struct Under(&'static str);

impl ResourceRepo for Under {
    fn prefix(&self) -> &str {
        self.0
    }

    async fn read(&self, wanted: &Wanted, _: &Context) -> Result<ReadResourceResult> {
        Ok(ReadResourceResult::text(&wanted.uri, self.0))
    }
}

impl PromptRepo for Under {
    fn prefix(&self) -> &str {
        self.0
    }

    async fn list(&self, _: Option<&str>, _: &Context) -> Result<Listing<PromptItem>> {
        Ok(Listing::default())
    }

    async fn get(&self, _: &str, _: &Variables, _: &Context) -> Result<GetPromptResult> {
        Ok(GetPromptResult::new(vec![PromptMessage::user(self.0)]))
    }
}

#[tokio::test]
async fn the_longest_prefix_answers() {
    let server = || {
        Server::new("prefixes", "1")
            .resource_repo(Under("a:"))
            .resource_repo(Under("a:b/"))
            .prompt_repo(Under(""))
            .prompt_repo(Under("long_"))
    };
    on_each(server, async |peer: &mut Peer| {
        for (uri, prefix) in [("a:c", "a:"), ("a:b/c", "a:b/"), ("a:b", "a:")] {
            let said = peer.request("resources/read", json!({ "uri": uri })).await;
            assert_eq!(said.result()["contents"][0]["text"], prefix, "{uri}");
        }
        for (name, prefix) in [("x", ""), ("long_x", "long_"), ("long", "")] {
            let said = peer.request("prompts/get", json!({ "name": name })).await;
            assert_eq!(said.result()["messages"][0]["content"]["text"], prefix, "{name}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_fixed_uri_wins_over_a_template_and_the_first_template_over_the_second() {
    let server = || {
        Server::new("order", "1")
            .resource(ResourceTemplate::new("user://{id}", "first").handler(|| async { "first" }))
            .resource(ResourceTemplate::new("user://{x}", "second").handler(|| async { "second" }))
            .resource(Resource::new("user://me", "me").handler(|| async { "me" }))
    };
    on_each(server, async |peer: &mut Peer| {
        for (uri, text) in [("user://me", "me"), ("user://you", "first")] {
            let said = peer.request("resources/read", json!({ "uri": uri })).await;
            assert_eq!(said.result()["contents"][0]["text"], text, "{uri}");
        }
    })
    .await;
}

#[test]
fn a_tool_without_a_handler_is_named() {
    let server = Server::new("empty", "1")
        .tool(Tool::new("grind"))
        .prompt(Prompt::new("ask"))
        .resource(Resource::new("a://b", "b"));
    let error = server.build().unwrap_err().to_string();
    for named in ["\"grind\"", "\"ask\"", "a://b"] {
        assert!(error.contains(named) && error.contains("no handler"), "{error}");
    }
}
