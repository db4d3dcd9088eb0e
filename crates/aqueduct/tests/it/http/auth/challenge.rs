//! What clients are told, byte for byte.

use std::io::Write;
use std::sync::{Arc, Mutex};

use serde_json::json;

use super::super::peer::{Post, ask, call, request};
use super::{Door, RESOURCE, bearer};

const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource/mcp";
const METADATA: &str =
    r#"resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp""#;

async fn get(door: &Door, method: &str, path: &str) -> super::Response {
    let host = door.addr();
    ask(host, format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
        .await
}

/// AUTH-01, AUTH-02, AUTH-07, AUTH-09: what clients need to find their way is there for anybody.
#[tokio::test]
async fn the_metadata_is_there_for_anybody_under_the_path_of_the_resource() {
    let door = Door::with(|auth| {
        auth.baseline_scopes(["mcp:basic"]).supported_scopes(["files:write"]).root_metadata()
    })
    .await;
    for path in [WELL_KNOWN, "/.well-known/oauth-protected-resource"] {
        let response = get(&door, "GET", path).await;
        assert_eq!(response.status, 200);
        assert_eq!(response.header("cache-control"), Some("public, max-age=3600"));
        assert_eq!(
            response.json(),
            json!({
                "resource": RESOURCE,
                "authorization_servers": [door.idp.issuer()],
                "scopes_supported": ["files:write", "mcp:basic"],
                "bearer_methods_supported": ["header"],
            })
        );
    }
    assert_eq!(get(&door, "POST", WELL_KNOWN).await.status, 405);
    for elsewhere in ["/.well-known/oauth-protected-resource/other", "/mcp/x", "/"] {
        assert_eq!(get(&door, "GET", elsewhere).await.status, 404, "{elsewhere}");
    }
    // Whoever rebinds a name reads nothing here either.
    let foreign = format!("GET {WELL_KNOWN} HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    assert_eq!(ask(door.addr(), foreign).await.status, 403);
}

#[tokio::test]
async fn without_being_asked_for_nothing_is_at_the_root() {
    let door = Door::new().await;
    assert_eq!(get(&door, "GET", "/.well-known/oauth-protected-resource").await.status, 404);
}

/// AUTH-03, AUTH-04, ERR-11: each refusal says what a client can do about it.
#[tokio::test]
async fn each_refusal_is_the_challenge_that_the_specification_gives() {
    let door = Door::with(|auth| auth.baseline_scopes(["mcp:basic"])).await;
    let message = call(1, "open", json!({}));
    let invalid = |said: &str| {
        format!(
            r#"Bearer error="invalid_token", error_description="{said}", {METADATA}, scope="mcp:basic""#
        )
    };
    let token = || door.idp.token(RESOURCE).claim("scope", "mcp:basic");
    let expired = token().time("exp", -31).sign().unwrap();
    let early = token().time("nbf", 60).sign().unwrap();
    let other = token().claim("aud", "https://mcp.example.com/other").sign().unwrap();
    let cases = [
        (None, 401, format!(r#"Bearer {METADATA}, scope="mcp:basic""#)),
        (Some("Basic eDp5".to_owned()), 401, format!(r#"Bearer {METADATA}, scope="mcp:basic""#)),
        (Some(bearer("garbage")), 401, invalid("The access token is invalid")),
        (Some(bearer(&expired)), 401, invalid("The access token expired")),
        (Some(bearer(&early)), 401, invalid("The access token is not yet valid")),
        (Some(bearer(&other)), 401, invalid("The access token is not intended for this resource")),
        (
            Some("Bearer a b".to_owned()),
            400,
            format!(
                r#"Bearer error="invalid_request", error_description="The request must have one Authorization header with one bearer token", {METADATA}, scope="mcp:basic""#
            ),
        ),
        (
            Some(bearer(&door.token("other"))),
            403,
            format!(
                r#"Bearer error="insufficient_scope", scope="mcp:basic", {METADATA}, error_description="The operation needs more scopes""#
            ),
        ),
    ];
    for (presented, status, challenge) in cases {
        let mut post = Post::of(&message);
        if let Some(presented) = &presented {
            post = post.header("Authorization", presented);
        }
        let response = post.ask(door.addr()).await;
        assert_eq!(response.status, status, "{presented:?}");
        assert_eq!(response.header("www-authenticate"), Some(challenge.as_str()));
        assert_eq!(response.header("cache-control"), Some("no-store"));
    }
    assert_eq!(door.entered(), 0);
}

/// AUTH-08: a token in the address is no credential.
#[tokio::test]
async fn a_token_in_the_query_is_not_read() {
    let door = Door::new().await;
    let token = door.token("");
    let body = call(1, "open", json!({})).to_string();
    let host = door.addr();
    let length = body.len();
    let ask = async |headers: &str| {
        let bytes = format!(
            "POST /mcp?access_token={token} HTTP/1.1\r\nHost: {host}\r\n\
             Content-Type: application/json\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
        );
        ask(host, bytes).await.status
    };
    assert_eq!(ask("").await, 401);
    // Two are one too many (RFC 6750, section 3.1).
    assert_eq!(ask(&format!("Authorization: Bearer {token}\r\n")).await, 400);
    assert_eq!(door.entered(), 0);
}

/// AUTH-14: who calls is settled before the body is looked at.
#[tokio::test]
async fn garbage_without_a_token_is_unauthorized_and_with_one_garbage() {
    let door = Door::new().await;
    assert_eq!(Post::raw("{").ask(door.addr()).await.status, 401);
    assert_eq!(
        Post::raw("{").with("Content-Type", "text/plain").ask(door.addr()).await.status,
        401
    );
    let good = bearer(&door.token(""));
    let response = Post::raw("{").header("Authorization", &good).ask(door.addr()).await;
    assert_eq!(response.refused(), (400, -32700));
}

/// BASE-26: over standard input and output the same server asks for no token.
#[tokio::test]
async fn over_stdio_the_environment_settles_who_calls() {
    let entered = Arc::default();
    let client = aqueduct::testing::TestClient::of(super::server(&entered));
    let answer = client.request("tools/call", json!({ "name": "write", "arguments": {} })).await;
    assert!(answer.is_ok(), "{answer:?}");
    assert_eq!(entered.load(std::sync::atomic::Ordering::SeqCst), 1);
}

/// Without anybody who makes sure of callers, what needs a scope is closed over HTTP.
#[tokio::test]
async fn a_scope_that_nobody_checks_is_not_held() {
    let (entered, seen) = (Arc::default(), Arc::default());
    let service = super::server(&entered);
    let limits = aqueduct::transport::http::ListenLimits::new();
    let fixture = super::Fixture::of(service, seen, limits, |http| http).await;
    assert_eq!(fixture.ask(&call(1, "open", json!({}))).await.status, 200);
    assert_eq!(fixture.ask(&call(1, "write", json!({}))).await.error(1), (403, -32600));
    assert_eq!(entered.load(std::sync::atomic::Ordering::SeqCst), 1);
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut log = self.0.lock().map_err(|_| std::io::Error::other("a panic"))?;
        log.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// AUTH-10, HTTP-35: the handler finds who calls, and neither it nor the log finds the token; what a
/// header says of the caller counts for nothing.
#[tokio::test]
async fn the_token_reaches_neither_a_handler_nor_the_log() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let door = Door::new().await;
    let good = door.token("a b");
    let bad = door.idp.token(RESOURCE).time("exp", -100).sign().unwrap();
    let message = call(1, "whoami", json!({}));
    let response = Post::of(&message)
        .header("Authorization", &bearer(&good))
        .header("X-Principal", "mallory")
        .header("Mcp-Param-User", "mallory")
        .ask(door.addr())
        .await;
    let said = response.result(1)["content"][0]["text"].as_str().unwrap().to_owned();
    let issuer = door.idp.issuer();
    assert_eq!(said, format!(r#"Principal("alice" of "{issuer}") ["a", "b"] false"#));
    assert_eq!(door.call(&bad, &message).await.status, 401);
    assert_eq!(door.call(&good, &request(2, "nothing", json!({}))).await.status, 404);
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("refused") && log.contains("expired"), "the audit is there: {log}");
    for token in [&good, &bad] {
        for part in token.split('.') {
            assert!(!log.contains(part), "a part of a token is in the log");
        }
    }
}
