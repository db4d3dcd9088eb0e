//! What each handshake revision has no word for does not reach its clients.

use aqueduct::prelude::*;
use aqueduct::protocol::content::{Annotations, ResourceLink};
use aqueduct::protocol::icons::Icon;
use aqueduct::transport::http::ListenLimits;
use serde_json::{Value, json};

use super::fixture::Fixture;
use super::session::{ALL, MIDDLE, NEWEST, OLDEST, Session, asked, called};

fn icon() -> Icon {
    Icon::new("https://a.example/i.png")
}

/// A server that uses every word that some revision lacks.
async fn wordy() -> Fixture {
    let object = json!({ "type": "object", "properties": { "a": { "type": "integer" } } });
    let annotated = || Annotations::new().last_modified("2026-01-01T00:00:00Z");
    let server = Server::new("wordy", "1")
        .title("Wordy")
        .description("Says much")
        .website("https://a.example/")
        .icon(icon())
        .instructions("Ask")
        .tool(
            Tool::new("object")
                .title("Object")
                .icon(icon())
                .output_schema(object)
                .handler(|| async { ToolResult::new().data(&json!({ "a": 1 })) }),
        )
        .tool(
            Tool::new("list")
                .output_schema(json!({ "type": "array" }))
                .handler(|| async { ToolResult::new().data_only(&json!([1])) }),
        )
        .tool(Tool::new("link").handler(move || async move {
            let link = ResourceLink::new("a://b", "b").title("B").icons(vec![icon()]);
            vec![
                ContentBlock::link(link),
                ContentBlock::text("t").annotations(annotated()).meta(Default::default()),
            ]
        }))
        .resource(Resource::new("a://b", "b").title("B").icon(icon()).handler(|| async { "b" }))
        .prompt(Prompt::new("p").title("P").icon(icon()).handler(|| async { "p" }));
    let service = server.build().expect("the server is in order");
    Fixture::of(service, Default::default(), ListenLimits::new(), |http| http).await
}

/// Whether an item of a list has a member.
fn has(list: &Value, member: &str) -> bool {
    let items = list.as_array().expect("a list");
    items.iter().any(|item| item.get(member).is_some())
}

#[tokio::test]
async fn no_result_has_what_came_with_the_stateless_revision() {
    let fixture = wordy().await;
    for version in ALL {
        let session = Session::begin(fixture.addr, version, json!({})).await;
        for (method, params) in [
            ("ping", json!({})),
            ("tools/list", json!({})),
            ("prompts/list", json!({})),
            ("resources/list", json!({})),
            ("resources/templates/list", json!({})),
            ("resources/read", json!({ "uri": "a://b" })),
            ("prompts/get", json!({ "name": "p" })),
            ("tools/call", json!({ "name": "object" })),
        ] {
            let result = session.ask(&asked(1, method, params)).await.result(1);
            for later in ["resultType", "ttlMs", "cacheScope", "_meta"] {
                assert_eq!(result.get(later), None, "{version} {method}: {result}");
            }
        }
    }
}

#[tokio::test]
async fn icons_are_told_from_2025_11_25_on_and_titles_from_2025_06_18_on() {
    let fixture = wordy().await;
    for version in ALL {
        let session = Session::begin(fixture.addr, version, json!({})).await;
        for (method, list) in
            [("tools/list", "tools"), ("prompts/list", "prompts"), ("resources/list", "resources")]
        {
            let result = session.ask(&asked(1, method, json!({}))).await.result(1);
            assert_eq!(has(&result[list], "icons"), version == NEWEST, "{version} {method}");
            assert_eq!(has(&result[list], "title"), version != OLDEST, "{version} {method}");
        }
        let begun = super::session::initialize(version, &json!({})).to_string();
        let info = super::peer::Post::raw(begun).ask(fixture.addr).await.result(0);
        let info = &info["serverInfo"];
        for (member, is_there) in [
            ("title", version != OLDEST),
            ("icons", version == NEWEST),
            ("description", version == NEWEST),
            ("websiteUrl", version == NEWEST),
        ] {
            assert_eq!(info.get(member).is_some(), is_there, "{version}: {info}");
        }
    }
}

#[tokio::test]
async fn structured_content_is_an_object_or_told_as_text() {
    let fixture = wordy().await;
    for version in ALL {
        let session = Session::begin(fixture.addr, version, json!({})).await;
        let listed = session.ask(&asked(1, "tools/list", json!({}))).await.result(1);
        let schema = |name: &str| {
            let tools = listed["tools"].as_array().expect("tools");
            let tool = tools.iter().find(|tool| tool["name"] == name).expect("the tool");
            tool.get("outputSchema").is_some()
        };
        assert_eq!((schema("object"), schema("list")), (version != OLDEST, false), "{version}");
        let object = session.ask(&called(2, "object", json!({}))).await.result(2);
        assert_eq!(object.get("structuredContent").is_some(), version != OLDEST, "{object}");
        assert_eq!(object["content"][0]["text"], r#"{"a":1}"#);
        let list = session.ask(&called(3, "list", json!({}))).await.result(3);
        assert_eq!(list, json!({ "content": [{ "type": "text", "text": "[1]" }] }), "{version}");
    }
}

#[tokio::test]
async fn content_has_what_the_revision_knows_of_it() {
    let fixture = wordy().await;
    for version in ALL {
        let session = Session::begin(fixture.addr, version, json!({})).await;
        let result = session.ask(&called(1, "link", json!({}))).await.result(1);
        let link = &result["content"][0];
        match version {
            NEWEST => assert!(link["icons"].is_array(), "{link}"),
            MIDDLE => assert_eq!(
                link,
                &json!({ "type": "resource_link", "uri": "a://b", "name": "b", "title": "B" })
            ),
            _ => assert_eq!(link, &json!({ "type": "text", "text": "B: a://b" })),
        }
        let marked = result["content"][1]["annotations"].get("lastModified").is_some();
        assert_eq!(marked, version != OLDEST, "{result}");
    }
}
