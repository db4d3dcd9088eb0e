//! Methods, media types, origins and hosts: what is decided before a body is read.

use serde_json::json;

use super::fixture::Fixture;
use super::peer::{Peer, Post, Response, VERSION, ask, call, meta, request};
use aqueduct::transport::http::{ListenLimits, Listener};

fn list() -> Post {
    Post::of(&request(1, "tools/list", json!({})))
}

fn danger() -> Post {
    Post::of(&call(1, "danger", json!({})))
}

/// HTTP-07: a type may have parameters, and another type is refused.
#[tokio::test]
async fn b19_a_content_type_may_have_parameters_but_not_be_another() {
    let fixture = Fixture::new().await;
    for kind in [
        "application/json",
        "application/json; charset=utf-8",
        "Application/JSON",
        "application/json;charset=\"UTF-8\"",
        "application/json ; charset=utf-8",
    ] {
        list().with("Content-Type", kind).ask(fixture.addr).await.result(1);
    }
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain; application/json",
        "application/json, text/plain",
        "application/jsonx",
        "application/json-seq",
        "",
    ] {
        let answer = danger().with("Content-Type", kind).ask(fixture.addr).await;
        assert_eq!(answer.refused(), (415, -32600), "{kind}");
    }
    let answer = danger().without("Content-Type").ask(fixture.addr).await;
    assert_eq!(answer.refused(), (415, -32600));
    list().header("Content-Encoding", "Identity").ask(fixture.addr).await.result(1);
    for coding in ["gzip", "identity, gzip", "br", ""] {
        let post = danger().header("Content-Encoding", "identity");
        let answer = post.header("Content-Encoding", coding).ask(fixture.addr).await;
        assert_eq!(answer.refused(), (415, -32600), "{coding}");
    }
    assert_eq!(fixture.ran(), 0);
}

/// HTTP-15, ERR-13: other methods are not allowed, and told which are.
#[tokio::test]
async fn b20_other_methods_are_not_allowed_and_are_told_which_is() {
    let fixture = Fixture::new().await;
    let mut peer = Peer::connect(fixture.addr).await;
    for method in ["GET", "DELETE", "PUT", "PATCH", "OPTIONS", "TRACE", "FOO"] {
        let answer = peer
            .ask(format!(
                "{method} /mcp HTTP/1.1\r\nHost: {}\r\nAccept: text/event-stream\r\n\r\n",
                fixture.addr
            ))
            .await;
        assert_eq!(answer.refused(), (405, -32600), "{method}");
        assert_eq!(answer.header("allow"), Some("GET, POST, DELETE"));
    }
    peer.send(format!("HEAD /mcp HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", fixture.addr))
        .await;
    let head = peer.head().await;
    assert_eq!((head.status, head.header("allow")), (405, Some("GET, POST, DELETE")));
    peer.closed().await;
}

/// HTTP-16: headers of sessions are neither read nor answered.
#[tokio::test]
async fn b20_http16_headers_of_sessions_are_ignored_and_not_answered() {
    let fixture = Fixture::new().await;
    let answer =
        list().header("Mcp-Session-Id", "abc").header("Last-Event-ID", "7").ask(fixture.addr).await;
    answer.result(1);
    assert_eq!(answer.header("mcp-session-id"), None);
}

const ASKED: &str = "authorization,content-type,mcp-protocol-version,mcp-method,mcp-name,\
                     mcp-session-id,mcp-param-region";

fn preflight(fixture: &Fixture, origin: &str) -> String {
    format!(
        "OPTIONS /mcp HTTP/1.1\r\nHost: {}\r\nOrigin: {origin}\r\n\
         Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: {ASKED}\r\n\r\n",
        fixture.addr
    )
}

#[tokio::test]
async fn b21_a_page_of_an_allowed_origin_may_call() {
    let fixture = Fixture::with(ListenLimits::new(), |http| {
        http.allow_origin("https://app.example").expect("it is an origin")
    })
    .await;
    let answer = ask(fixture.addr, preflight(&fixture, "https://app.example")).await;
    assert_eq!((answer.status, answer.text()), (204, ""));
    assert_eq!(answer.header("access-control-allow-origin"), Some("https://app.example"));
    assert_eq!(answer.header("access-control-allow-headers"), Some(ASKED));
    assert_eq!(answer.header("access-control-allow-methods"), Some("POST, GET, DELETE"));
    assert_eq!(answer.header("access-control-allow-credentials"), None);
    assert_eq!(answer.header("vary"), Some("Origin"));

    let answer = ask(fixture.addr, preflight(&fixture, "https://evil.example")).await;
    assert_eq!(answer.refused(), (403, -32600));
    assert_eq!(answer.header("access-control-allow-origin"), None);

    let answer = list().header("Origin", "https://app.example").ask(fixture.addr).await;
    answer.result(1);
    assert_eq!(answer.header("access-control-allow-origin"), Some("https://app.example"));
    let exposed = answer.header("access-control-expose-headers").expect("headers are exposed");
    for name in ["mcp-session-id", "www-authenticate"] {
        assert!(exposed.to_ascii_lowercase().contains(name), "{exposed}");
    }
    assert_eq!(answer.header("vary"), Some("Origin"));
    // Without an origin the answer varies all the same, or a cache would keep the wrong one.
    assert_eq!(list().ask(fixture.addr).await.header("vary"), Some("Origin"));
}

#[tokio::test]
async fn cors_is_off_unless_it_is_asked_for() {
    let fixture = Fixture::new().await;
    let origin = format!("http://{}", fixture.addr);
    let answer = list().header("Origin", &origin).ask(fixture.addr).await;
    answer.result(1);
    let names = answer.headers.iter().map(|(name, _)| name.as_str());
    assert_eq!(names.filter(|name| name.starts_with("access-control")).count(), 0);
    let answer = ask(fixture.addr, preflight(&fixture, &origin)).await;
    assert_eq!(answer.status, 405);
}

/// One request for each status that a client may meet.
async fn refusals(fixture: &Fixture) -> Vec<Response> {
    vec![
        Post::raw("{}").ask(fixture.addr).await,
        danger().header("Origin", "https://evil.example").ask(fixture.addr).await,
        Post::of(&request(1, "foo/bar", json!({}))).ask(fixture.addr).await,
        ask(fixture.addr, format!("GET /mcp HTTP/1.1\r\nHost: {}\r\n\r\n", fixture.addr)).await,
        danger().with("Accept", "text/plain").ask(fixture.addr).await,
        Post::raw(vec![b' '; 2 * 1024 * 1024]).ask(fixture.addr).await,
        danger().with("Content-Type", "text/plain").ask(fixture.addr).await,
    ]
}

#[tokio::test]
async fn b22_every_refusal_is_a_json_rpc_error_with_its_type() {
    let fixture = Fixture::new().await;
    let answers = refusals(&fixture).await;
    let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [400, 403, 404, 405, 406, 413, 415]);
    for answer in answers {
        let body = answer.json();
        assert_eq!(body["jsonrpc"], "2.0", "{body}");
        assert!(body["error"]["code"].is_i64() && body["error"]["message"].is_string(), "{body}");
        let id = (answer.status == 404).then(|| json!(1));
        assert_eq!(body.get("id"), id.as_ref(), "{body}");
    }
    assert_eq!(fixture.ran(), 0);
}

/// HTTP-05, ERR-14: an accepted notification is 202 and empty.
#[tokio::test]
async fn b22_http05_an_accepted_notification_is_202_and_empty() {
    let fixture = Fixture::new().await;
    let body = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled",
                       "params": { "requestId": 1 } });
    let answer =
        Post::raw(body.to_string()).header("MCP-Protocol-Version", VERSION).ask(fixture.addr).await;
    assert_eq!((answer.status, answer.text()), (202, ""));
    assert_eq!(answer.header("content-type"), None);
}

/// HTTP-02, ERR-10: hosts and origins are compared as what they are.
#[tokio::test]
async fn b23_http02_hosts_and_origins_are_compared_as_what_they_are() {
    let fixture = Fixture::new().await;
    let port = fixture.addr.port();
    let discover = || Post::of(&request(1, "server/discover", json!({})));
    for origin in [
        "http://localhost:3000.evil.example".to_owned(),
        format!("http://localhost:{port}.evil.example"),
        "http://127.0.0.1.evil.example".to_owned(),
        "http://localhost@evil.example".to_owned(),
        format!("http://localhost:{port}@evil.example"),
        "null".to_owned(),
        "https://evil.example".to_owned(),
        "http://localhost".to_owned(),
        "http://localhost:1".to_owned(),
        format!("http://0.0.0.0:{port}"),
        format!("http://localhost:{port}/"),
        String::new(),
    ] {
        let answer = discover().header("Origin", &origin).ask(fixture.addr).await;
        assert_eq!(answer.refused(), (403, -32600), "{origin}");
    }
    for host in [
        "127.0.0.1:evil".to_owned(),
        format!("0.0.0.0:{port}"),
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        "localhost".to_owned(),
        format!("localhost:{port}.evil.example"),
        format!("user@localhost:{port}"),
    ] {
        let answer = discover().header("Host", &host).ask(fixture.addr).await;
        assert_eq!(answer.refused(), (403, -32600), "{host}");
    }
    for name in ["localhost", "127.0.0.1", "[::1]", "LOCALHOST", "localhost."] {
        let authority = format!("{name}:{port}");
        discover().header("Host", &authority).ask(fixture.addr).await.result(1);
        let origin = format!("http://{authority}");
        discover().header("Origin", &origin).ask(fixture.addr).await.result(1);
    }
    discover().ask(fixture.addr).await.result(1);
}

/// HTTP-02: the check stands before every method.
#[tokio::test]
async fn b23_the_check_stands_before_every_method() {
    let fixture = Fixture::new().await;
    for method in ["GET", "DELETE", "OPTIONS", "POST"] {
        let answer = ask(
            fixture.addr,
            format!("{method} /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\n"),
        )
        .await;
        assert_eq!(answer.refused(), (403, -32600), "{method}");
    }
}

#[tokio::test]
async fn a_page_of_another_site_is_refused_also_without_an_origin() {
    let fixture = Fixture::new().await;
    let answer = danger().header("Sec-Fetch-Site", "cross-site").ask(fixture.addr).await;
    assert_eq!(answer.refused(), (403, -32600));
    list().header("Sec-Fetch-Site", "same-origin").ask(fixture.addr).await.result(1);
    assert_eq!(fixture.ran(), 0);
}

/// HTTP-03, AUTH-13: other machines are served only under a name.
#[tokio::test]
async fn http03_other_machines_are_served_only_under_a_name() {
    let seen = std::sync::Arc::default();
    let http = super::fixture::service(&seen).into_http();
    let listener = Listener::bind("0.0.0.0:0").await.expect("a port is free");
    let refused = listener.serve_until(http.clone(), std::future::pending()).await;
    let error = refused.expect_err("no host is allowed");
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
    assert!(error.to_string().contains("allow_host"), "{error}");

    for http in [
        http.clone().allow_host("mcp.example.com").expect("it is a host"),
        http.allow_any_host("it is a test"),
    ] {
        let listener = Listener::bind("0.0.0.0:0").await.expect("a port is free");
        listener.serve_until(http, async {}).await.expect("it is served");
    }
}

#[tokio::test]
async fn a_host_that_is_allowed_is_served_and_no_other() {
    let fixture = Fixture::with(ListenLimits::new(), |http| {
        let http = http.allow_host("mcp.example.com").expect("it is a host");
        http.allow_host("other.example:8443").expect("it is a host")
    })
    .await;
    for host in ["mcp.example.com", "MCP.example.com:443", "other.example:8443"] {
        list().header("Host", host).ask(fixture.addr).await.result(1);
    }
    for host in ["other.example", "x.mcp.example.com", "mcp.example.com.evil.example"] {
        let answer = list().header("Host", host).ask(fixture.addr).await;
        assert_eq!(answer.refused(), (403, -32600), "{host}");
    }
}

#[tokio::test]
async fn any_host_is_served_when_somebody_else_has_checked_it() {
    let fixture = Fixture::with(ListenLimits::new(), |http| http.allow_any_host("a test")).await;
    list().header("Host", "anything.example").ask(fixture.addr).await.result(1);
    let answer = danger().header("Origin", "https://anything.example").ask(fixture.addr).await;
    assert_eq!(answer.refused(), (403, -32600));
}

/// HTTP-01: one path is served, others are not found.
#[tokio::test]
async fn http01_other_paths_are_not_found() {
    let fixture = Fixture::new().await;
    for path in ["/", "/mcp/", "/mcpx", "/MCP", "/.well-known/oauth-protected-resource"] {
        let answer = list().path(path).ask(fixture.addr).await;
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
    }
    list().path("/mcp?x=1").ask(fixture.addr).await.result(1);
}

/// HTTP-01: the endpoint is where it was put.
#[tokio::test]
async fn http01_the_endpoint_is_where_it_was_put() {
    for path in ["/api/v1", "api/v1"] {
        let http = super::fixture::service(&std::sync::Arc::default()).into_http();
        let listener = Listener::bind("127.0.0.1:0").await.expect("a port is free").path(path);
        let addr = listener.local_addr().expect("the port is known");
        let task = tokio::spawn(listener.serve_until(http, std::future::pending()));
        list().path("/api/v1").ask(addr).await.result(1);
        assert_eq!(list().ask(addr).await.status, 404);
        task.abort();
    }
}

/// HTTP-07: what is accepted is both, or left unsaid.
#[tokio::test]
async fn http07_accept_is_both_or_unsaid() {
    let fixture = Fixture::new().await;
    list().without("Accept").ask(fixture.addr).await.result(1);
    for accept in [
        "*/*",
        "application/json, text/event-stream",
        "text/event-stream;q=0.5,application/json;q=0.9",
        "application/*, text/*",
        "APPLICATION/JSON, TEXT/EVENT-STREAM",
    ] {
        list().with("Accept", accept).ask(fixture.addr).await.result(1);
    }
    // Who names events first gets them.
    let first = list().with("Accept", "text/event-stream, application/json");
    assert_eq!(first.ask(fixture.addr).await.events().len(), 1);
    let two = list().with("Accept", "application/json").header("Accept", "text/event-stream");
    two.ask(fixture.addr).await.result(1);
    for accept in [
        "text/plain",
        "application/json",
        "text/event-stream",
        "application/json, text/event-stream;q=0",
        "application/json;q=0.0, text/event-stream",
        "",
    ] {
        let answer = danger().with("Accept", accept).ask(fixture.addr).await;
        assert_eq!(answer.refused(), (406, -32600), "{accept}");
    }
    assert_eq!(fixture.ran(), 0);
}

#[tokio::test]
async fn a_request_may_hold_metadata_in_any_order() {
    let fixture = Fixture::new().await;
    let body = format!(
        r#"{{"params":{{"_meta":{}}},"method":"tools/list","id":1,"jsonrpc":"2.0"}}"#,
        meta()
    );
    list().body(&body).ask(fixture.addr).await.result(1);
}
