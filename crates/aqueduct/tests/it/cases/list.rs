//! Lists: pages, cursors, order, cache hints; prompts and completions.

use aqueduct::Server;
use aqueduct::page::Listing;
use aqueduct::prelude::*;
use aqueduct::prompt::{PromptItem, PromptRepo};
use aqueduct::protocol::prompts::GetPromptResult;
use aqueduct::resource::{ReadResourceResult, ResourceItem, ResourceRepo, Wanted};
use aqueduct::tool::ToolProvider;
use aqueduct::uri::Variables;
use serde_json::{Value, json};

use super::peer::{Peer, Said, fixtures, on_each, stateless};

/// The four lists, with the member that holds the items and the one that names each.
const LISTS: [(&str, &str, &str); 4] = [
    ("tools/list", "tools", "name"),
    ("resources/list", "resources", "uri"),
    ("resources/templates/list", "resourceTemplates", "uriTemplate"),
    ("prompts/list", "prompts", "name"),
];

/// Five of everything, two on a page.
fn paged() -> Server {
    let numbers = || (1..=5).map(|number| number.to_string());
    Server::new("paged", "1")
        .page_size(2)
        .tools(numbers().map(|n| Tool::new(format!("t{n}")).handler(|| async { "t" })))
        .resources(numbers().map(|n| Resource::new(format!("a://{n}"), n).handler(|| async { "" })))
        .resources(
            numbers().map(|n| {
                ResourceTemplate::new(format!("b{n}://{{x}}"), n).handler(|| async { "" })
            }),
        )
        .prompts(numbers().map(|n| Prompt::new(format!("p{n}")).handler(|| async { "p" })))
}

async fn walk(peer: &mut Peer, method: &str, member: &str, key: &str) -> Vec<Vec<String>> {
    let mut pages = Vec::new();
    let mut params = json!({});
    loop {
        let said = peer.request(method, params).await;
        let items = said.result()[member].as_array().unwrap();
        pages.push(items.iter().map(|item| item[key].as_str().unwrap().to_owned()).collect());
        match said.result().get("nextCursor") {
            None => return pages,
            Some(cursor) => {
                // PAG-02: at the end it is absent, neither null nor empty.
                assert_ne!(cursor.as_str().expect("a string"), "");
                params = json!({ "cursor": cursor });
            }
        }
        assert!(pages.len() < 100, "{method} has no end");
    }
}

/// PAG-01, TOOL-02: the pages are the list, in its order, each item once.
#[tokio::test]
async fn the_pages_of_a_list_are_the_list() {
    on_each(paged, async |peer: &mut Peer| {
        for (method, member, key) in LISTS {
            let pages = walk(peer, method, member, key).await;
            assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 1], "{method}");
            let mut sorted: Vec<_> = pages.concat();
            sorted.sort();
            assert_eq!(pages.concat(), sorted, "{method}");
            assert_eq!(walk(peer, method, member, key).await, pages, "{method}");
        }
    })
    .await;
}

/// PAG-02: a cursor that this list did not give is refused.
#[tokio::test]
async fn a_cursor_of_another_list_or_of_nobody_is_refused() {
    on_each(paged, async |peer: &mut Peer| {
        let said = peer.request("tools/list", json!({})).await;
        let good = said.result()["nextCursor"].as_str().unwrap().to_owned();
        for (method, ..) in LISTS {
            let mut wrong = vec!["garbage".to_owned(), String::new(), "=".repeat(5_000)];
            wrong.push(format!("{good}A"));
            wrong.push(good.chars().rev().collect());
            if method != "tools/list" {
                wrong.push(good.clone());
            }
            for cursor in wrong {
                let said = peer.request(method, json!({ "cursor": cursor })).await;
                said.is_error(-32602, 200);
            }
            for cursor in [json!(7), json!(null), json!({}), json!([])] {
                let said = peer.request(method, json!({ "cursor": cursor })).await;
                said.is_error(-32602, 400);
            }
        }
    })
    .await;
}

/// TOOL-02, VER-12: the same list twice is the same, byte for byte, but for the id.
#[tokio::test]
async fn a_list_is_the_same_each_time() {
    on_each(fixtures, async |peer: &mut Peer| {
        for (method, ..) in LISTS {
            let first = peer.request(method, json!({})).await;
            peer.call("danger", json!({})).await.text();
            let second = peer.request(method, json!({})).await;
            let text = |said: &Said| said.texts[0].split_once("result").unwrap().1.to_owned();
            assert_eq!(text(&first), text(&second), "{method}");
        }
        let said = peer.request("tools/list", json!({})).await;
        assert_eq!(said.result()["tools"][0]["name"], "test_simple_text");
    })
    .await;
}

/// CACHE-01, CACHE-02, TOOL-03, RES-07: what may be kept says for how long and by whom, and
/// nothing else does.
#[tokio::test]
async fn b69_cacheable_results_have_their_hints_and_others_do_not() {
    let servers: [fn() -> Server; 2] = [fixtures, paged];
    for server in servers {
        stateless(server, async |peer: &mut Peer| {
            let mut results = vec![peer.request("server/discover", json!({})).await];
            for (method, ..) in LISTS {
                let first = peer.request(method, json!({})).await;
                if let Some(cursor) = first.result().get("nextCursor") {
                    results.push(peer.request(method, json!({ "cursor": cursor })).await);
                }
                results.push(first);
            }
            let list = peer.request("resources/list", json!({})).await;
            let uri = &list.result()["resources"][0]["uri"];
            results.push(peer.request("resources/read", json!({ "uri": uri })).await);
            for said in results {
                assert_eq!(said.result()["ttlMs"], json!(0), "{}", said.answer);
                assert_eq!(said.result()["cacheScope"], "private", "{}", said.answer);
            }
            let tools = peer.request("tools/list", json!({})).await;
            let prompts = peer.request("prompts/list", json!({})).await;
            let name = |list: &Value| list[0]["name"].clone();
            for (method, name) in [
                ("tools/call", name(&tools.result()["tools"])),
                ("prompts/get", name(&prompts.result()["prompts"])),
            ] {
                let said = peer.request(method, json!({ "name": name })).await;
                assert!(said.result().get("ttlMs").is_none(), "{}", said.answer);
                assert!(said.result().get("cacheScope").is_none(), "{}", said.answer);
            }
        })
        .await;
    }
}

/// CACHE-01: what the author says of a list or of a resource arrives.
#[tokio::test]
async fn b69_the_author_s_hints_arrive() {
    let server = || {
        let resource = Resource::new("a://1", "1").cache(CacheHint::private(7));
        paged()
            .list_cache(CacheHint::public(60_000))
            .resource(
                Resource::new("c://1", "1").cache(CacheHint::public(9)).handler(|| async { "" }),
            )
            .resource_repo(Numbers { of: 0, named: resource.uri().to_owned() })
    };
    stateless(server, async |peer: &mut Peer| {
        for method in ["server/discover", "tools/list", "resources/templates/list"] {
            let said = peer.request(method, json!({})).await;
            assert_eq!(said.result()["ttlMs"], 60_000, "{method}");
            assert_eq!(said.result()["cacheScope"], "public", "{method}");
        }
        let said = peer.request("resources/read", json!({ "uri": "c://1" })).await;
        assert_eq!(
            (&said.result()["ttlMs"], &said.result()["cacheScope"]),
            (&json!(9), &json!("public"))
        );
        // A repository that may not be kept makes the whole list so, on each page.
        let pages = peer.request("resources/list", json!({})).await;
        assert_eq!(pages.result()["cacheScope"], "private");
        assert_eq!(pages.result()["ttlMs"], 0);
    })
    .await;
}

/// A repository of as many items as it says, three a page.
struct Numbers {
    of: usize,
    named: String,
}

impl Numbers {
    fn page<T>(&self, cursor: Option<&str>, item: impl Fn(String) -> T) -> Listing<T> {
        let from: usize = cursor.map_or(0, |cursor| cursor.parse().unwrap());
        let to = (from + 3).min(self.of);
        let listing = Listing::new((from..to).map(|n| item(format!("{}{n}", self.named))));
        if to < self.of { listing.next(to.to_string()) } else { listing }
    }
}

impl ResourceRepo for Numbers {
    fn prefix(&self) -> &str {
        &self.named
    }

    async fn list(&self, cursor: Option<&str>, _: &Context) -> Result<Listing<ResourceItem>> {
        Ok(self.page(cursor, |uri| ResourceItem::new(uri, "n")))
    }

    async fn read(&self, wanted: &Wanted, _: &Context) -> Result<ReadResourceResult> {
        Err(wanted.not_found().into())
    }
}

impl PromptRepo for Numbers {
    fn prefix(&self) -> &str {
        &self.named
    }

    async fn list(&self, cursor: Option<&str>, _: &Context) -> Result<Listing<PromptItem>> {
        Ok(self.page(cursor, PromptItem::new))
    }

    async fn get(&self, name: &str, _: &Variables, _: &Context) -> Result<GetPromptResult> {
        Err(Error::not_found(format!("no prompt {name:?}")).into())
    }
}

/// PAG-01: pages that come from several sources are still one list.
#[tokio::test]
async fn pages_of_repositories_and_of_what_was_registered_are_one_list() {
    for (first, second) in [(0, 0), (1, 0), (3, 3), (4, 7), (0, 5), (6, 1)] {
        let server = move || {
            paged()
                .resource_repo(Numbers { of: first, named: "x://".to_owned() })
                .resource_repo(Numbers { of: second, named: "y://long/".to_owned() })
                .prompt_repo(Numbers { of: first, named: "x-".to_owned() })
                .prompt_repo(Numbers { of: second, named: "y-long-".to_owned() })
        };
        on_each(server, async |peer: &mut Peer| {
            for (method, member, key) in [LISTS[1], LISTS[3]] {
                let pages = walk(peer, method, member, key).await;
                let all = pages.concat();
                let mut unique = all.clone();
                unique.sort();
                unique.dedup();
                assert_eq!(unique.len(), all.len(), "{method}: {all:?}");
                assert_eq!(all.len(), 5 + first + second, "{method}: {all:?}");
                let empty = pages.iter().rev().skip(1).any(Vec::is_empty);
                assert!(!empty, "{method}: a page in the middle is empty: {pages:?}");
            }
        })
        .await;
    }
}

/// Tools that depend on who asks.
struct ForCallers;

impl ToolProvider for ForCallers {
    async fn tools(&self, ctx: &Context) -> Result<Vec<Tool>, Error> {
        let count = if ctx.principal().is_some() { 5 } else { 3 };
        let tool = |n| Tool::new(format!("d{n}")).handler(|| async { "d" });
        Ok((0..count).map(tool).collect())
    }
}

/// CACHE-03: a list that depends on who asks is for him alone.
#[tokio::test]
async fn a_list_that_depends_on_the_caller_is_private_and_paged() {
    let server = || paged().list_cache(CacheHint::public(60_000)).tool_provider(ForCallers);
    stateless(server, async |peer: &mut Peer| {
        let pages = walk(peer, "tools/list", "tools", "name").await;
        assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 2, 2]);
        let said = peer.request("tools/list", json!({})).await;
        assert_eq!(said.result()["cacheScope"], "private");
        assert_eq!(peer.call("d2", json!({})).await.text(), "d");
        // What the caller does not see he cannot call, and is told no more than of any other.
        peer.call("d4", json!({})).await.is_error(-32602, 200);
    })
    .await;
}

fn complete(reference: &Value, name: &str, value: &str) -> Value {
    json!({ "ref": reference, "argument": { "name": name, "value": value } })
}

/// CMP-02, CMP-03: a template is named by its text, 100 values are the most, what is not there is
/// an error.
#[tokio::test]
async fn b67_completions_are_bounded_filtered_and_refuse_what_is_not_there() {
    const METHOD: &str = "completion/complete";
    let notes = || json!({ "type": "ref/resource", "uri": "notes://{name}" });
    let review = || json!({ "type": "ref/prompt", "name": "review" });
    on_each(fixtures, async |peer: &mut Peer| {
        let said = peer.request(METHOD, complete(&notes(), "name", "")).await;
        let completion = &said.result()["completion"];
        assert_eq!(completion["values"].as_array().unwrap().len(), 100);
        assert_eq!((&completion["total"], &completion["hasMore"]), (&json!(250), &json!(true)));
        assert_eq!(completion["values"][0], "n0");

        let said = peer.request(METHOD, complete(&notes(), "name", "n24")).await;
        let values = &said.result()["completion"]["values"];
        assert_eq!(values.as_array().unwrap().len(), 11, "{values}");
        assert_ne!(said.result()["completion"]["hasMore"], json!(true));

        let mut params = complete(&review(), "lang", "r");
        params["context"] = json!({ "arguments": { "code": "x" } });
        let said = peer.request(METHOD, params).await;
        assert_eq!(said.result()["completion"]["values"], json!(["rrust", "for x"]));

        // An argument or a resource that nobody completes has no values.
        let nothing = json!([]);
        let said = peer.request(METHOD, complete(&review(), "code", "")).await;
        assert_eq!(said.result()["completion"]["values"], nothing);
        let fixed = json!({ "type": "ref/resource", "uri": "notes://welcome" });
        let said = peer.request(METHOD, complete(&fixed, "name", "")).await;
        assert_eq!(said.result()["completion"]["values"], nothing);

        let refs = [
            (json!({ "type": "ref/resource", "uri": "nope://{x}" }), 200),
            (json!({ "type": "ref/prompt", "name": "nope" }), 200),
            (json!({ "type": "ref/foo", "name": "review" }), 400),
            (json!({ "type": "ref/prompt" }), 400),
            (json!("review"), 400),
        ];
        for (reference, status) in refs {
            let said = peer.request(METHOD, complete(&reference, "lang", "")).await;
            said.is_error(-32602, status);
        }
        peer.request(METHOD, complete(&review(), "nope", "")).await.is_error(-32602, 400);
        for params in [
            json!({ "ref": review() }),
            json!({ "argument": { "name": "lang", "value": "" } }),
            json!({ "ref": review(), "argument": { "name": "lang", "value": 7 } }),
            json!({ "ref": review(), "argument": { "name": "lang" } }),
            json!({ "ref": review(), "argument": [] }),
        ] {
            peer.request(METHOD, params).await.is_error(-32602, 400);
        }
        let mut params = complete(&review(), "lang", "r");
        params["context"] = json!({ "arguments": { "code": 7 } });
        peer.request(METHOD, params).await.is_error(-32602, 400);
    })
    .await;
}

/// PRM-02, PRM-04: arguments are strings, none that is required is missing, none is unknown.
#[tokio::test]
async fn a_prompt_s_arguments_are_checked_first() {
    on_each(fixtures, async |peer: &mut Peer| {
        let get = |arguments: Value| json!({ "name": "review", "arguments": arguments });
        let said = peer.request("prompts/get", get(json!({ "code": "x" }))).await;
        let messages = &said.result()["messages"];
        // PRM-03: the content is one object, not a list.
        let content = json!({ "type": "text", "text": "Review this unknown code:\nx" });
        assert_eq!(messages, &json!([{ "role": "user", "content": content }]));

        for (arguments, named) in [
            (json!({}), "code"),
            (json!({ "lang": "rust" }), "code"),
            (json!({ "code": 1 }), "code"),
            (json!({ "code": null }), "code"),
            (json!({ "code": ["x"] }), "code"),
            (json!({ "code": "x", "zzz": "y" }), "zzz"),
            (json!(["x"]), "arguments"),
            (json!("x"), "arguments"),
        ] {
            let said = peer.request("prompts/get", get(arguments)).await;
            let message = said.is_error(-32602, 400)["message"].as_str().unwrap();
            assert!(message.contains(named), "{message}");
        }
        peer.request("prompts/get", json!({ "name": "review" })).await.is_error(-32602, 400);
        peer.request("prompts/get", json!({ "name": "nope" })).await.is_error(-32602, 200);
        peer.request("prompts/get", json!({})).await.is_error(-32602, 400);
        let zzz = json!({ "name": "test_simple_prompt", "arguments": { "zzz": "y" } });
        let said = peer.request("prompts/get", zzz).await;
        let message = said.is_error(-32602, 400)["message"].as_str().unwrap();
        assert!(message.ends_with("it takes none"), "{message}");
        let simple = json!({ "name": "test_simple_prompt" });
        assert!(peer.request("prompts/get", simple).await.result()["messages"].is_array());
    })
    .await;
}

/// PRM-03: pictures and resources in a prompt are whole.
#[tokio::test]
async fn a_prompt_s_pictures_and_resources_are_whole() {
    on_each(fixtures, async |peer: &mut Peer| {
        let image = json!({ "name": "test_prompt_with_image" });
        let said = peer.request("prompts/get", image).await;
        let content = &said.result()["messages"][0]["content"];
        assert_eq!(
            (&content["type"], &content["mimeType"]),
            (&json!("image"), &json!("image/png"))
        );
        let data = content["data"].as_str().unwrap();
        assert!(aqueduct::protocol::base64::decode(data).unwrap().starts_with(b"\x89PNG"));

        let arguments = json!({ "resourceUri": "test://static-text" });
        let params =
            json!({ "name": "test_prompt_with_embedded_resource", "arguments": arguments });
        let said = peer.request("prompts/get", params).await;
        let resource = &said.result()["messages"][0]["content"]["resource"];
        assert_eq!(resource["uri"], "test://static-text");
        assert_eq!(resource["mimeType"], "text/plain");
        assert!(resource["text"].is_string());
    })
    .await;
}

/// A prompt that fails says nothing of its inside.
#[tokio::test]
async fn a_prompt_that_fails_is_an_internal_error() {
    let server = || {
        Server::new("failing", "1").prompt(
            Prompt::new("p")
                .handler(|| async { std::fs::read_to_string("/var/lib/secret/prompt.txt") }),
        )
    };
    on_each(server, async |peer: &mut Peer| {
        let said = peer.request("prompts/get", json!({ "name": "p" })).await;
        said.is_error(-32603, 200);
        assert!(!said.answer.to_string().contains("secret"), "{}", said.answer);
    })
    .await;
}

/// Nothing, for whoever asks.
struct Nothing;

impl ToolProvider for Nothing {
    async fn tools(&self, _: &Context) -> Result<Vec<Tool>, Error> {
        Ok(Vec::new())
    }
}

/// TOOL-01, RES-01: what is declared is answered, with nothing if there is nothing.
#[tokio::test]
async fn a_source_without_items_is_an_empty_list() {
    let none = |named: &str| Numbers { of: 0, named: named.to_owned() };
    let server = move || {
        Server::new("empty", "1")
            .tool_provider(Nothing)
            .resource_repo(none("a://"))
            .prompt_repo(none(""))
    };
    stateless(server, async |peer: &mut Peer| {
        let said = peer.request("server/discover", json!({})).await;
        for capability in ["tools", "resources", "prompts"] {
            assert!(said.result()["capabilities"][capability].is_object(), "{capability}");
        }
        for (method, member, _) in LISTS {
            let said = peer.request(method, json!({})).await;
            assert_eq!(said.result()[member], json!([]), "{method}");
            assert!(said.result().get("nextCursor").is_none(), "{method}");
        }
        peer.call("x", json!({})).await.is_error(-32602, 200);
        peer.request("prompts/get", json!({ "name": "x" })).await.is_error(-32602, 200);
        let said = peer.request("resources/read", json!({ "uri": "a://x" })).await;
        assert_eq!(said.is_error(-32602, 200)["data"]["uri"], "a://x");
    })
    .await;
}

/// Tools of which some cannot be served.
struct Mixed;

impl ToolProvider for Mixed {
    async fn tools(&self, _: &Context) -> Result<Vec<Tool>, Error> {
        let schema =
            json!({ "$schema": "http://json-schema.org/draft-03/schema#", "type": "object" });
        Ok(vec![
            Tool::new("good").handler(|| async { "good" }),
            Tool::new("not a name").handler(|| async { "bad" }),
            Tool::new("old").input_schema(schema).handler(|| async { "bad" }),
            Tool::new("empty"),
            Tool::new("good").handler(|| async { "another" }),
            Tool::new("t1").handler(|| async { "hidden" }),
            Tool::new("last").handler(|| async { "last" }),
        ])
    }
}

/// B56, B58: a tool that cannot be served takes no other with it.
#[tokio::test]
async fn a_provider_s_tool_that_cannot_be_served_takes_no_other_with_it() {
    let server = || paged().page_size(100).tool_provider(Mixed);
    on_each(server, async |peer: &mut Peer| {
        let pages = walk(peer, "tools/list", "tools", "name").await;
        assert_eq!(pages, [["t1", "t2", "t3", "t4", "t5", "good", "last"]]);
        assert_eq!(peer.call("good", json!({})).await.text(), "good");
        assert_eq!(peer.call("last", json!({})).await.text(), "last");
        assert_eq!(peer.call("t1", json!({})).await.text(), "t");
        for name in ["not a name", "old", "empty"] {
            peer.call(name, json!({})).await.is_error(-32602, 200);
        }
    })
    .await;
}

/// CMP-03: a prompt of a repository is there, though nobody completes its arguments.
#[tokio::test]
async fn a_prompt_of_a_repository_is_completed_with_nothing() {
    let server = || fixtures().prompt_repo(Numbers { of: 2, named: "x-".to_owned() });
    on_each(server, async |peer: &mut Peer| {
        let of = |name: &str| complete(&json!({ "type": "ref/prompt", "name": name }), "a", "");
        let said = peer.request("completion/complete", of("x-1")).await;
        assert_eq!(said.result()["completion"]["values"], json!([]));
        peer.request("completion/complete", of("y-1")).await.is_error(-32602, 200);
    })
    .await;
}

/// What can be listed can be asked for.
#[test]
fn what_is_too_long_to_be_asked_for_cannot_be_registered() {
    let prompt = |length: usize| Prompt::new("p".repeat(length)).handler(|| async { "" });
    let resource = |length: usize| {
        Resource::new(format!("a:{}", "b".repeat(length - 2)), "b").handler(|| async { "" })
    };
    let server = || Server::new("s", "1");
    assert!(server().prompt(prompt(256)).build().is_ok());
    assert!(server().prompt(prompt(257)).build().is_err());
    assert!(server().resource(resource(4096)).build().is_ok());
    assert!(server().resource(resource(4097)).build().is_err());
}
