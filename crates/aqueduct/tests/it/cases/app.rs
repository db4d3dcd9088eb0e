//! Pages of MCP Apps: what a tool says of its page, how the page is read, what is refused.

use aqueduct::Server;
use aqueduct::prelude::*;
use aqueduct::reply;
use aqueduct::server::{App, Csp, Permissions};
use serde_json::{Value, json};

use super::peer::{Peer, in_session, on_each, stateless};

const PAGE: &str = "<!doctype html><title>Map</title><p>A map";
const MIME_TYPE: &str = "text/html;profile=mcp-app";

/// The weather, on a map.
#[tool(ui = "ui://weather/map", read_only)]
fn weather() -> Json<u8> {
    Json(21)
}

/// Turn the map.
#[tool(ui = "ui://weather/map", app_only)]
fn turn() -> &'static str {
    "turned"
}

/// Ask for the weather of tomorrow.
#[tool(model_only)]
fn tomorrow(ctx: &Context) -> String {
    format!("shows apps: {}", ctx.shows_apps())
}

fn map() -> App {
    App::new("ui://weather/map", "Weather map", PAGE)
        .description("Where the sun is")
        .csp(
            Csp::default()
                .connect_domains(vec!["https://api.example.com".to_owned()])
                .frame_domains(vec!["https://*.example.com".to_owned()]),
        )
        .permissions(Permissions::default().geolocation().clipboard_write())
        .domain("weather.example.com")
        .prefers_border(false)
        .cache(CacheHint::public(1000))
}

fn server() -> Server {
    let terse = ToolResult::new().data_only(&json!({ "sun": true }));
    let terse = terse.expect("one structured value");
    Server::new("weather", "1")
        .tools(list![weather, turn, tomorrow])
        .tool(Tool::new("terse").ui("ui://weather/live/1").handler(move || {
            let terse = terse.clone();
            async move { terse }
        }))
        .app(map())
        .resource(
            ResourceTemplate::new("ui://weather/live/{id}", "live")
                .mime_type(MIME_TYPE)
                .handler(|| async { reply::app_html(PAGE) }),
        )
}

fn page_meta() -> Value {
    json!({ "ui": {
        "csp": {
            "connectDomains": ["https://api.example.com"],
            "frameDomains": ["https://*.example.com"],
        },
        "permissions": { "geolocation": {}, "clipboardWrite": {} },
        "domain": "weather.example.com",
        "prefersBorder": false,
    } })
}

/// APP-04: both spellings, and for whom a tool is; APP-01: the same whatever the client declares.
#[tokio::test]
async fn a_tool_names_its_page_in_both_spellings() {
    on_each(server, async |peer: &mut Peer| {
        let said = peer.request("tools/list", json!({})).await;
        let meta = |at: usize| said.result()["tools"][at]["_meta"].clone();
        let uri = "ui://weather/map";
        assert_eq!(meta(0), json!({ "ui": { "resourceUri": uri }, "ui/resourceUri": uri }));
        let ui = json!({ "resourceUri": uri, "visibility": ["app"] });
        assert_eq!(meta(1), json!({ "ui": ui, "ui/resourceUri": uri }));
        assert_eq!(meta(2), json!({ "ui": { "visibility": ["model"] } }));
        assert_eq!(peer.call("turn", json!({})).await.text(), "turned");
    })
    .await;
}

/// APP-02, APP-03, APP-05: every page that a tool names can be read, with its media type and what
/// it says of itself, beside the contents and in the list.
#[tokio::test]
async fn every_page_that_a_tool_names_is_read() {
    on_each(server, async |peer: &mut Peer| {
        let said = peer.request("tools/list", json!({})).await;
        let tools = said.result()["tools"].as_array().expect("tools").clone();
        let pages: Vec<_> =
            tools.iter().filter_map(|tool| tool["_meta"]["ui/resourceUri"].as_str()).collect();
        assert_eq!(pages.len(), 3);
        for uri in pages {
            let said = peer.request("resources/read", json!({ "uri": uri })).await;
            let contents = said.result()["contents"].as_array().expect("contents").clone();
            let [page] = &contents[..] else { panic!("{contents:?}") };
            assert_eq!((&page["uri"], &page["mimeType"]), (&json!(uri), &json!(MIME_TYPE)));
            assert_eq!(page["text"], PAGE);
            let has_more = uri == "ui://weather/map";
            assert_eq!(page.get("_meta"), has_more.then(page_meta).as_ref());
            if has_more && !peer.is_session() {
                assert_eq!(said.result()["ttlMs"], 1000);
            }
        }
        let said = peer.request("resources/list", json!({})).await;
        let listed = &said.result()["resources"][0];
        assert_eq!((&listed["name"], &listed["title"]), (&json!("map"), &json!("Weather map")));
        assert_eq!(listed["_meta"], page_meta());
        assert_eq!(listed["size"], PAGE.len());
    })
    .await;
}

/// APP-06: who sees no page is told all the same.
#[tokio::test]
async fn a_tool_with_a_page_tells_those_who_see_none() {
    on_each(server, async |peer: &mut Peer| {
        assert_eq!(peer.call("weather", json!({})).await.text(), "21");
        let said = peer.call("terse", json!({})).await;
        assert_eq!(said.text(), r#"{"sun":true}"#);
        assert_eq!(said.result()["structuredContent"], json!({ "sun": true }));
    })
    .await;
}

/// APP-01: a server with pages says so, also in a handshake; a client says so with each request.
#[tokio::test]
async fn who_has_pages_says_so() {
    let id = "io.modelcontextprotocol/ui";
    stateless(server, async |peer: &mut Peer| {
        let said = peer.request("server/discover", json!({})).await;
        assert_eq!(said.result()["capabilities"]["extensions"], json!({ id: {} }));
        let mut asked = async |mime_type: &str| {
            let settings = json!({ id: { "mimeTypes": [mime_type] } });
            let meta = json!({
                "io.modelcontextprotocol/clientCapabilities": { "extensions": settings },
            });
            let params = json!({ "name": "tomorrow", "arguments": {}, "_meta": meta });
            peer.request("tools/call", params).await.text().to_owned()
        };
        assert_eq!(asked(MIME_TYPE).await, "shows apps: true");
        assert_eq!(asked("text/html").await, "shows apps: false");
        assert_eq!(peer.call("tomorrow", json!({})).await.text(), "shows apps: false");
    })
    .await;
    in_session(server, async |peer: &mut Peer| {
        let initialize = json!({ "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "t", "version": "0" } });
        if !peer.is_http() {
            return;
        }
        let said = peer.request("initialize", initialize).await;
        assert_eq!(said.result()["capabilities"]["extensions"], json!({ id: {} }));
    })
    .await;
}

#[track_caller]
fn refuses(server: Server, told: &[&str]) {
    let error = server.build().expect_err("it is refused");
    assert_eq!(error.problems().len(), told.len(), "{error}");
    for (problem, told) in error.problems().iter().zip(told) {
        assert!(problem.contains(told), "{problem:?} does not say {told:?}");
    }
}

/// APP-03, APP-07: what no host could show is refused when the server is built.
#[test]
fn a_wrong_page_is_refused_with_what_to_do() {
    let empty = || Server::new("s", "1");
    let tool = |uri: &str| Tool::new("t").ui(uri).handler(|| async { "" });
    refuses(empty().tool(tool("ui://a/b")), &["no resource serves its page \"ui://a/b\"; add one"]);
    refuses(empty().tool(tool("https://a/b")), &["tool \"t\": ui: \"https://a/b\" is no address"]);
    refuses(empty().tool(tool("ui://")), &["names no page"]);
    refuses(empty().app_html("ui://a/b", "<p>"), &["begin it with <!doctype html>"]);
    refuses(empty().app_html("https://a/b", PAGE), &["begin it with ui://", "begins with ui://"]);
    let csp = Csp::default().resource_domains(vec!["https://a; script-src *".to_owned()]);
    refuses(empty().app(map().csp(csp)), &["which is no origin"]);
    let plain = Resource::new("ui://a/b", "b").handler(|| async { "" });
    refuses(empty().resource(plain.clone()), &["kept for pages of MCP Apps"]);
    refuses(empty().resource(plain.mime_type("text/html")), &["kept for pages of MCP Apps"]);
    let template = ResourceTemplate::new("ui://a/{b}", "b").handler(|| async { "" });
    refuses(empty().resource(template), &["kept for pages of MCP Apps"]);
    let elsewhere = Resource::new("a://b", "b").mime_type(MIME_TYPE).handler(|| async { "" });
    refuses(empty().resource(elsewhere), &["whose address begins with ui://"]);
    let mut meta = aqueduct::protocol::meta::Meta::new();
    meta.insert("ui", &json!({})).expect("a key");
    let twice = tool("ui://a/b").meta(meta);
    refuses(empty().tool(twice).app_html("ui://a/b", PAGE), &["_meta says \"ui\""]);
    assert!(empty().tool(tool("ui://a/b")).app_html("ui://a/b", PAGE).build().is_ok());
}
