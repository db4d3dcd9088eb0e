//! The builders of `GenMCP`'s page of the stateless revision, example by example.

use aqueduct::prelude::*;
use aqueduct::protocol::capabilities::{ResourcesCapability, ServerCapabilities, ToolsCapability};
use aqueduct::protocol::content::{ImageContent, TextContent};
use aqueduct::protocol::discover::DiscoverResult;
use aqueduct::protocol::icons::Implementation;
use aqueduct::protocol::jsonrpc::JsonObject;
use aqueduct::protocol::meta::Meta;
use aqueduct::protocol::prompts::{GetPromptResult, ListPromptsResult};
use aqueduct::protocol::resources::{
    ListResourceTemplatesResult, ListResourcesResult, Resource as Listed,
};
use aqueduct::protocol::tools::{CallToolResult, ListToolsResult, Tool as ListedTool};
use aqueduct::protocol::version::ProtocolVersion;
use aqueduct::reply;
use aqueduct::resource::{ReadResourceResult, ResourceContents};
use serde::Serialize;
use serde_json::{Value, json};

fn result(built: ToolResult) -> CallToolResult {
    built.into()
}

fn wire(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}

#[test]
fn a_result_of_text_has_no_flag() {
    let built = wire(&result(ToolResult::new().text("42")));
    assert_eq!(
        built,
        json!({ "resultType": "complete", "content": [{ "type": "text", "text": "42" }] })
    );
    let empty = wire(&result(ToolResult::new()));
    assert_eq!(empty, json!({ "resultType": "complete", "content": [] }));
}

#[test]
fn data_is_structured_and_mirrored_as_text() {
    let built = result(ToolResult::new().text("3 rows").data(&json!({ "rows": 3 })).unwrap());
    let built = wire(&built);
    assert_eq!(built["structuredContent"], json!({ "rows": 3 }));
    assert_eq!(built["content"].as_array().unwrap().len(), 2);
    assert_eq!(built["content"][1], json!({ "type": "text", "text": r#"{"rows":3}"# }));
}

#[test]
fn data_alone_has_no_mirror() {
    let built = wire(&result(ToolResult::new().data_only(&json!({ "rows": 3 })).unwrap()));
    assert_eq!(built["structuredContent"], json!({ "rows": 3 }));
    assert_eq!(built["content"], json!([]));
}

#[test]
fn data_may_be_any_json() {
    for value in [json!([1, 2]), json!(7), json!("x"), Value::Null] {
        let built = wire(&result(ToolResult::new().data(&value).unwrap()));
        assert_eq!(built.get("structuredContent"), Some(&value));
    }
}

#[test]
fn a_second_structured_value_is_refused() {
    let one = || ToolResult::new().data(&json!({ "a": 1 })).unwrap();
    let refusals = [one().data(&json!({ "b": 2 })), one().data_only(&json!({ "b": 2 }))];
    for refused in refusals {
        let error = format!("{:?}", refused.unwrap_err());
        assert!(error.contains("this would be the second"), "{error}");
    }
}

#[test]
fn a_failure_stays_a_failure() {
    let built = wire(&result(ToolResult::new().error("boom").text("and more")));
    assert_eq!(built["isError"], true);
    assert_eq!(built["content"][0], json!({ "type": "text", "text": "boom" }));
    assert_eq!(built["content"].as_array().unwrap().len(), 2);

    let silent = wire(&result(ToolResult::new().failed()));
    assert_eq!((&silent["isError"], &silent["content"]), (&json!(true), &json!([])));
}

#[test]
fn kinds_of_content_mix_in_order() {
    let built = ToolResult::new()
        .text("a")
        .image([0xFB], "image/png")
        .content(TextContent::new("b"))
        .audio([0xFB], "audio/wav")
        .embed(ResourceContents::text("a://b", "c"))
        .link("a://d", "d");
    let built = wire(&result(built));
    let kinds: Vec<_> =
        built["content"].as_array().unwrap().iter().map(|one| &one["type"]).collect();
    assert_eq!(kinds, ["text", "image", "text", "audio", "resource", "resource_link"]);
}

#[test]
fn a_block_is_built_by_itself() {
    assert_eq!(reply::text("hello").as_text(), Some("hello"));
    let image = wire(&reply::image(b"hello", "image/png"));
    assert_eq!(image, json!({ "type": "image", "data": "aGVsbG8=", "mimeType": "image/png" }));
    // Base64 that is there already is taken as it is.
    assert_eq!(wire(&ImageContent::new("aGVsbG8=", "image/png")), image);
    let embedded = wire(&reply::embed(ResourceContents::blob("a://b", b"hi")));
    assert_eq!(embedded["resource"], json!({ "uri": "a://b", "blob": "aGk=" }));
    let link = wire(&reply::link("a://b", "b").title("B").size(7));
    assert_eq!(
        link,
        json!({ "type": "resource_link", "uri": "a://b", "name": "b", "title": "B", "size": 7 })
    );
}

#[test]
fn capabilities_are_flags_with_settings() {
    let capabilities = ServerCapabilities::new()
        .tools(ToolsCapability::new())
        .resources(ResourcesCapability::new().subscribe(true));
    assert_eq!(wire(&capabilities), json!({ "tools": {}, "resources": { "subscribe": true } }));
    let logging = ServerCapabilities::new().logging(JsonObject::default());
    assert_eq!(wire(&logging), json!({ "logging": {} }));
}

#[test]
fn a_server_is_discovered_with_its_name_and_what_it_can_do() {
    let info = Implementation::new("MyServer", "1.0.0");
    assert_eq!(wire(&info), json!({ "name": "MyServer", "version": "1.0.0" }));
    let capabilities = ServerCapabilities::new().tools(ToolsCapability::new());
    let result =
        DiscoverResult::of(&info.title("My server"), &[ProtocolVersion::V2026_07_28], capabilities);
    assert_eq!(
        wire(&result),
        json!({
            "resultType": "complete", "supportedVersions": ["2026-07-28"],
            "capabilities": { "tools": {} }, "ttlMs": 0, "cacheScope": "private",
            "_meta": { "io.modelcontextprotocol/serverInfo":
                { "name": "MyServer", "title": "My server", "version": "1.0.0" } },
        })
    );
}

#[test]
fn a_prompt_is_messages_with_roles() {
    let result = GetPromptResult::new(vec![reply::user("hello"), reply::assistant("hi there")])
        .description("greeting");
    assert_eq!(
        wire(&result),
        json!({
            "resultType": "complete", "description": "greeting",
            "messages": [
                { "role": "user", "content": { "type": "text", "text": "hello" } },
                { "role": "assistant", "content": { "type": "text", "text": "hi there" } },
            ],
        })
    );
    // Either role says any kind of content, a link too: the schema has `ContentBlock` there.
    let sound = wire(&reply::assistant(reply::audio(b"hi", "audio/mp3")));
    assert_eq!((&sound["role"], &sound["content"]["data"]), (&json!("assistant"), &json!("aGk=")));
    let link = wire(&reply::user(reply::link("a://b", "b")));
    assert_eq!(link["content"]["type"], "resource_link");
    assert_eq!(wire(&GetPromptResult::new(Vec::new()))["messages"], json!([]));
}

#[test]
fn a_list_has_a_cursor_and_is_not_kept_unless_it_says_so() {
    let unsaid = json!({ "resultType": "complete", "ttlMs": 0, "cacheScope": "private" });
    let with = |name: &str, items: Value| {
        let mut all = unsaid.clone();
        all[name] = items;
        all
    };
    assert_eq!(wire(&ListPromptsResult::new(Vec::new())), with("prompts", json!([])));
    let templates = ListResourceTemplatesResult::new(Vec::new());
    assert_eq!(wire(&templates), with("resourceTemplates", json!([])));
    let tool = ListedTool::new("add", serde_json::from_str(r#"{"type":"object"}"#).unwrap());
    let tool = wire(&ListToolsResult::new(vec![tool]));
    assert_eq!(tool["tools"], json!([{ "name": "add", "inputSchema": { "type": "object" } }]));

    let page = ListResourcesResult::new(vec![Listed::new("a://b", "b")]).next_cursor("next-page");
    let page = wire(&page.cache(CacheHint::public(5_000)));
    assert_eq!(page["nextCursor"], "next-page");
    assert_eq!((&page["ttlMs"], &page["cacheScope"]), (&json!(5_000), &json!("public")));
}

#[test]
fn each_half_of_a_cache_hint_stands_by_itself() {
    let hint = CacheHint::default();
    assert_eq!((hint.ttl_ms, hint.cache_scope), (0, CacheScope::Private));
    assert_eq!(CacheHint::new().ttl_ms(9).cache_scope, CacheScope::Private);
    assert_eq!(CacheHint::new().cache_scope(CacheScope::Public).ttl_ms, 0);
}

#[test]
fn what_is_read_is_one_text_or_several_contents() {
    let one = ReadResourceResult::text("file:///readme.txt", "# Welcome");
    assert_eq!(
        wire(&one),
        json!({
            "resultType": "complete", "ttlMs": 0, "cacheScope": "private",
            "contents": [{ "uri": "file:///readme.txt", "text": "# Welcome" }],
        })
    );
    let blob = wire(&ReadResourceResult::blob("a://b", b"hi").mime_type("x/y"));
    assert_eq!(blob["contents"], json!([{ "uri": "a://b", "blob": "aGk=", "mimeType": "x/y" }]));

    let several = ReadResourceResult::contents(vec![
        ResourceContents::text("file:///a.txt", "first"),
        ResourceContents::blob("file:///b.png", b"hi").mime_type("image/png"),
    ]);
    let several = wire(&several);
    assert_eq!(several["contents"].as_array().unwrap().len(), 2);
    assert_eq!(several["contents"][1]["mimeType"], "image/png");
    assert_eq!(wire(&ReadResourceResult::contents(Vec::new()))["contents"], json!([]));
}

#[test]
fn contents_and_their_result_have_each_their_meta() {
    let meta = |key: &str| {
        let mut meta = Meta::new();
        meta.insert(key, &1).unwrap();
        meta
    };
    let contents =
        ResourceContents::text("a://b", "hi").mime_type("text/plain").meta(meta("inner"));
    assert_eq!(contents.uri(), "a://b");
    let result = wire(&ReadResourceResult::contents(vec![contents]).meta(meta("outer")));
    assert_eq!(result["_meta"], json!({ "outer": 1 }));
    assert_eq!(result["contents"][0]["_meta"], json!({ "inner": 1 }));
    assert_eq!(result["contents"][0]["mimeType"], "text/plain");
}
