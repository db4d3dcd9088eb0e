//! What a good token is not enough for.

use aqueduct::item::Visibility;
use serde_json::{Value, json};

use super::super::peer::{Post, call, request};
use super::super::session::{ALL, asked, called, initialize};
use super::{Door, RESOURCE, bearer};

/// The scopes that a 403 names.
#[track_caller]
fn named(response: &super::Response) -> &str {
    assert_eq!(response.status, 403, "{}", response.text());
    let challenge = response.header("www-authenticate").expect("a challenge");
    assert!(challenge.starts_with(r#"Bearer error="insufficient_scope", scope=""#), "{challenge}");
    let (_, rest) = challenge.split_once("scope=\"").expect("scopes");
    rest.split_once('"').expect("an end").0
}

/// AUTH-03, AUTH-04, AUTH-14, ERR-12: one answer names all scopes of the operation, before anything runs.
#[tokio::test]
async fn an_operation_names_all_scopes_that_it_needs() {
    let door = Door::with(|auth| auth.baseline_scopes(["mcp:basic"])).await;
    let token = door.token("mcp:basic files:audit");
    let read = |uri: &str| request(1, "resources/read", json!({ "uri": uri }));
    let cases = [
        (call(1, "write", json!({})), "mcp:basic files:write files:audit"),
        (call(1, "sql", json!({ "sql": "SELECT 1" })), "mcp:basic db:read"),
        (call(1, "sql", json!({ "sql": "DROP x" })), "mcp:basic db:read db:write"),
        (request(1, "prompts/get", json!({ "name": "secret" })), "mcp:basic prompts:secret"),
        (read("notes://secret"), "mcp:basic notes:secret"),
        (read("files://x"), "mcp:basic files:read"),
    ];
    for (message, scopes) in cases {
        for accept in ["application/json, text/event-stream", "text/event-stream, application/json"]
        {
            let post = Post::of(&message).with("Accept", accept);
            let response = post.header("Authorization", &bearer(&token)).ask(door.addr()).await;
            assert_eq!(named(&response), scopes);
            assert_eq!(response.json()["error"]["code"], -32600);
        }
    }
    assert_eq!(door.entered(), 0);
    // What only the handler can know it says itself.
    let response = door.call(&token, &call(1, "deep", json!({}))).await;
    assert_eq!(named(&response), "mcp:basic deep:dive");
}

/// CVE-2026-11719: an older revision is no way around it.
#[tokio::test]
async fn scopes_hold_in_every_revision() {
    let door = Door::new().await;
    let low = bearer(&door.token("files:read"));
    for version in ALL {
        let post = Post::raw(initialize(version, &json!({})).to_string());
        let begun = post.header("Authorization", &low).ask(door.addr()).await;
        let id = begun.header("mcp-session-id").expect("a session").to_owned();
        let ask = |message: Value| {
            let post = Post::raw(message.to_string()).header("Authorization", &low);
            let post = post.header("Mcp-Session-Id", &id).header("MCP-Protocol-Version", version);
            let addr = door.addr();
            async move { post.ask(addr).await }
        };
        let write = ask(called(1, "write", json!({}))).await;
        assert_eq!(named(&write), "files:write files:audit", "{version}");
        let secret = ask(asked(2, "resources/read", json!({ "uri": "notes://secret" }))).await;
        assert_eq!(named(&secret), "notes:secret", "{version}");
        assert_eq!(door.entered(), 0);
        let file = ask(asked(3, "resources/read", json!({ "uri": "files://x" }))).await;
        assert_eq!((file.status, door.entered()), (200, 1), "{}", file.text());
        door.entered.store(0, std::sync::atomic::Ordering::SeqCst);
    }
}

/// AUTH-06: a scope is as good as another that implies it.
#[tokio::test]
async fn a_scope_brings_what_it_implies() {
    let door = Door::with(|auth| {
        auth.scope_implies("admin", ["files:write"]).scope_implies("files:write", ["files:audit"])
    })
    .await;
    assert_eq!(door.call(&door.token("admin"), &call(1, "write", json!({}))).await.status, 200);
    let lists = ["files:write,files:audit", "xfiles:write", "FILES:WRITE files:audit", "*", ""];
    for list in lists {
        let response = door.call(&door.token(list), &call(1, "write", json!({}))).await;
        assert_eq!(response.status, 403, "{list}");
    }
    let many: String = (0..1000).map(|n| format!("s{n} ")).collect();
    let response = door.call(&door.token(&many), &call(1, "write", json!({}))).await;
    assert_eq!((response.status, door.entered()), (403, 1));
}

/// AUTH-12, VER-12: the list is of the caller where it is wanted so, and what is not in it is not
/// there.
#[tokio::test]
async fn a_list_can_show_what_is_permitted_and_nothing_else() {
    let entered = std::sync::Arc::default();
    let idp = aqueduct::testing::idp::Idp::start().await.unwrap();
    let auth = aqueduct::auth::ResourceServer::new(RESOURCE)
        .issuer(aqueduct::auth::Issuer::keys(idp.issuer(), idp.jwks().to_string()))
        .build()
        .unwrap();
    let tool = |name: &'static str| aqueduct::prelude::Tool::new(name);
    let service = aqueduct::Server::new("s", "1")
        .visibility(Visibility::permitted())
        .tool(tool("open").handler(|| async { "open" }))
        .tool(tool("write").scopes(["w"]).handler(|| async { "write" }))
        .build()
        .unwrap();
    let limits = aqueduct::transport::http::ListenLimits::new();
    let seen = std::sync::Arc::default();
    let fixture = super::Fixture::of(service, seen, limits, |http| http.auth(auth)).await;
    let door = Door { idp, fixture, entered };
    let names = async |token: String| {
        let list = door.call(&token, &request(1, "tools/list", json!({}))).await.result(1);
        assert_eq!(list["cacheScope"], "private");
        let tools = list["tools"].as_array().unwrap().clone();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(door.token("")).await, ["open"]);
    assert_eq!(names(door.token("w")).await, ["open", "write"]);
    let hidden = door.call(&door.token(""), &call(1, "write", json!({}))).await;
    let nothing = door.call(&door.token(""), &call(1, "wrote", json!({}))).await;
    assert_eq!(
        (hidden.status, hidden.text().replace("write", "wrote")),
        (200, nothing.text().to_owned())
    );
}

/// SUB-14: what is open ends with the token that opened it.
#[tokio::test]
async fn a_listener_ends_when_its_token_does() {
    let door = Door::new().await;
    // It has ended already, within what clocks may differ by, so that a second is left of it.
    let token = door.idp.token(RESOURCE).time("exp", -29).sign().unwrap();
    let filter = json!({ "notifications": { "toolsListChanged": true } });
    let message = request(1, "subscriptions/listen", filter);
    let response = door.call(&token, &message).await;
    let events = response.events();
    let last = events.last().unwrap();
    assert!(events.len() >= 2 && last["result"].is_object(), "{events:?}");
}

/// CMP-04: what is suggested depends on what the token permits.
#[tokio::test]
async fn a_completion_tells_nobody_what_his_token_does_not_permit() {
    let door = Door::new().await;
    let values = async |scopes: &str| {
        let params = json!({
            "ref": { "type": "ref/prompt", "name": "status" },
            "argument": { "name": "project", "value": "" },
        });
        let message = request(1, "completion/complete", params);
        door.call(&door.token(scopes), &message).await.result(1)["completion"]["values"].clone()
    };
    assert_eq!(values("secret").await, json!(["apollo", "manhattan"]));
    assert_eq!(values("").await, json!(["apollo"]));
}

/// ELI-07, MRTR-08: the state of a question opens for him whom the token stands for, and for him
/// with every token of his.
#[tokio::test]
async fn a_question_is_answered_by_its_caller_alone() {
    let door = Door::new().await;
    let ask = async |subject: &str, more: Value| {
        let mut message = call(1, "ask_name", json!({}));
        let capabilities = &mut message["params"]["_meta"];
        capabilities["io.modelcontextprotocol/clientCapabilities"] = json!({ "elicitation": {} });
        if let Value::Object(more) = more {
            for (name, value) in more {
                message["params"][name] = value;
            }
        }
        let token = door.idp.token(RESOURCE).claim("sub", subject).claim("jti", "new");
        door.call(&token.sign().unwrap(), &message).await.json()
    };
    let first = ask("alice", json!({})).await;
    let retry = json!({
        "requestState": first["result"]["requestState"],
        "inputResponses": { "who": { "action": "accept", "content": { "name": "Ann" } } },
    });
    assert_eq!(ask("bob", retry.clone()).await["error"]["code"], -32602);
    assert_eq!(ask("alice", retry).await["result"]["content"][0]["text"], "Ann");
}
