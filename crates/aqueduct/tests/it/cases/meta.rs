//! What each request says about itself: revision, capabilities, the headers that repeat its body.

use aqueduct::Server;
use aqueduct::prelude::*;
use aqueduct::server::Handshake;
use serde_json::{Value, json};

use super::peer::{Headers, Http, META, Peer, fixtures, on_each, request, stateless};

/// The headers of a good request for `body`, changed: `None` takes one away.
fn changed(http: &Http, body: &str, changes: &[(&str, Option<&str>)]) -> Headers {
    let mut headers = http.headers(body);
    for (name, value) in changes {
        headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        headers.extend(value.map(|value| ((*name).to_owned(), value.to_owned())));
    }
    headers
}

struct Case {
    http: Http,
}

impl Case {
    fn new() -> Self {
        Self { http: Http::new(fixtures().build().unwrap()) }
    }

    async fn post(&self, body: &str, changes: &[(&str, Option<&str>)]) -> (u16, Value) {
        let headers = changed(&self.http, body, changes);
        let (status, texts) = self.http.post(headers, body.as_bytes()).await;
        (status, serde_json::from_str(texts.last().expect("a body")).unwrap())
    }

    #[track_caller]
    fn served(told: &(u16, Value)) {
        assert_eq!(told.0, 200, "{}", told.1);
        assert!(told.1["result"]["content"].is_array() || told.1["result"]["contents"].is_array());
        assert_ne!(told.1["result"]["isError"], json!(true), "{}", told.1);
    }

    #[track_caller]
    fn mismatch(told: &(u16, Value)) {
        assert_eq!((told.0, &told.1["error"]["code"]), (400, &json!(-32020)), "{}", told.1);
        assert_eq!(told.1["id"], 1, "{}", told.1);
    }

    /// How often something with a side effect ran.
    async fn ran(&self) -> Value {
        let body = request("1", "tools/call", json!({ "name": "state" }));
        self.post(&body, &[]).await.1["result"]["structuredContent"]["danger"].clone()
    }
}

/// HTTP-25, HTTP-29: Streamable HTTP, Value Encoding: an encoded name is decoded before it is
/// compared.
#[tokio::test]
async fn b25_an_encoded_name_is_decoded_strictly_before_it_is_compared() {
    let case = Case::new();
    let read = request("1", "resources/read", json!({ "uri": "notes://日本" }));
    let encoded = "=?base64?bm90ZXM6Ly/ml6XmnKw=?=";
    Case::served(&case.post(&read, &[("mcp-name", Some(encoded))]).await);

    let echo = request("1", "tools/call", json!({ "name": "echo", "arguments": { "text": "x" } }));
    Case::served(&case.post(&echo, &[("mcp-name", Some("=?base64?ZWNobw==?="))]).await);
    Case::served(&case.post(&echo, &[("mcp-name", Some("  echo\t"))]).await);
    for name in [
        "=?base64?ZGFuZ2Vy?=",
        "=?base64?%%%?=",
        "=?BASE64?ZWNobw==?=",
        "=?base64?ZWNobw?=",
        "=?base64?ZWNobw==",
        "ECHO",
        "",
    ] {
        Case::mismatch(&case.post(&echo, &[("mcp-name", Some(name))]).await);
    }
    Case::mismatch(&case.post(&echo, &[("mcp-name", None)]).await);

    let danger = request("1", "tools/call", json!({ "name": "danger" }));
    Case::mismatch(&case.post(&danger, &[("mcp-name", Some("echo"))]).await);
    assert_eq!(case.ran().await, 0);
}

/// HTTP-30: Streamable HTTP, Server Behavior for Custom Headers.
#[tokio::test]
async fn b27_a_parameter_header_that_contradicts_its_argument_is_refused() {
    let case = Case::new();
    let body = |region: Value| {
        let arguments = json!({ "region": region, "q": "x" });
        request("1", "tools/call", json!({ "name": "region_query", "arguments": arguments }))
    };
    let header = "mcp-param-region";
    let eu = body(json!("eu-1"));
    Case::mismatch(&case.post(&eu, &[(header, Some("us-1"))]).await);
    Case::mismatch(&case.post(&eu, &[(header, None)]).await);
    Case::mismatch(&case.post(&body(Value::Null), &[(header, Some("eu-1"))]).await);
    Case::mismatch(&case.post(&eu, &[(header, Some("=?base64?ZXUtMQ?="))]).await);
    assert_eq!(case.ran().await, 0);

    // No header is expected for null; that the schema has no null is for the model to read.
    let (status, answer) = case.post(&body(Value::Null), &[(header, None)]).await;
    assert_eq!((status, &answer["result"]["isError"]), (200, &json!(true)), "{answer}");
    Case::served(&case.post(&eu, &[(header, Some("=?base64?ZXUtMQ==?="))]).await);
    Case::served(&case.post(&eu, &[("Mcp-Param-REGION", Some(" eu-1 "))]).await);
    assert_eq!(case.ran().await, 2);
}

/// HTTP-31: Streamable HTTP, Server Validation: integers are compared as numbers.
#[tokio::test]
async fn b28_a_mirrored_integer_is_compared_as_one() {
    let case = Case::new();
    let body = |name: &str, value: &str| {
        let arguments: Value = serde_json::from_str(&format!(r#"{{"{name}":{value}}}"#)).unwrap();
        request("1", "tools/call", json!({ "name": "region_query", "arguments": arguments }))
    };
    let limit = "mcp-param-limit";
    for (argument, header) in [("42", "42.0"), ("42", "42"), ("-7", "-7"), ("42.0", "42")] {
        let told = case.post(&body("limit", argument), &[(limit, Some(header))]).await;
        Case::served(&told);
    }
    for (argument, header) in
        [("42", "43"), ("9007199254740993", "9007199254740992"), ("42", "abc"), ("42", "")]
    {
        let told = case.post(&body("limit", argument), &[(limit, Some(header))]).await;
        Case::mismatch(&told);
    }
    // The text is equal, so the headers agree; that it is no integer is for the model to read.
    let (status, answer) = case.post(&body("limit", r#""abc""#), &[(limit, Some("abc"))]).await;
    assert_eq!((status, &answer["result"]["isError"]), (200, &json!(true)), "{answer}");
    assert!(answer["result"]["content"][0]["text"].as_str().unwrap().contains("limit"));

    let exact = "mcp-param-exact";
    Case::served(&case.post(&body("exact", "true"), &[(exact, Some("true"))]).await);
    Case::mismatch(&case.post(&body("exact", "true"), &[(exact, Some("True"))]).await);
    Case::mismatch(&case.post(&body("exact", "true"), &[(exact, Some("false"))]).await);
}

/// STDIO-08: without headers nothing is expected of them.
#[tokio::test]
async fn parameter_headers_are_no_matter_without_headers() {
    on_each(fixtures, async |peer: &mut Peer| {
        let said = peer.call("region_query", json!({ "region": "eu-1", "limit": 3 })).await;
        assert_eq!(said.text(), " within eu-1, 3 at most, exact: false");
    })
    .await;
}

/// BASE-11, BASE-12, ERR-04: metadata that is missing makes the parameters invalid, the client's
/// name is not asked for.
#[tokio::test]
async fn b29_missing_metadata_makes_the_parameters_invalid() {
    const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
    const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
    stateless(fixtures, async |peer: &mut Peer| {
        for params in [
            "",
            r#","params":{}"#,
            r#","params":{"_meta":{}}"#,
            r#","params":{"_meta":null}"#,
            r#","params":{"_meta":[]}"#,
            &format!(r#","params":{{"_meta":{{"{CAPABILITIES}":{{}}}}}}"#),
            &format!(r#","params":{{"_meta":{{"{VERSION}":"2026-07-28"}}}}"#),
            &format!(r#","params":{{"_meta":{{"{VERSION}":"2026-07-28","{CAPABILITIES}":[]}}}}"#),
            &format!(r#","params":{{"_meta":{{"{VERSION}":"2026-07-28","{CAPABILITIES}":null}}}}"#),
            &format!(r#","params":{{"_meta":{{"{VERSION}":20260728,"{CAPABILITIES}":{{}}}}}}"#),
        ] {
            for method in ["tools/list", "server/discover"] {
                let text = format!(r#"{{"jsonrpc":"2.0","id":29,"method":"{method}"{params}}}"#);
                let said = peer.send(&text).await;
                said.is_error(-32602, 400);
                assert_eq!(said.answer["id"], 29, "{text}");
            }
        }
        let without_client_info =
            format!(r#"{{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{{{META}}}}}"#);
        assert!(peer.send(&without_client_info).await.result()["tools"].is_array());
    })
    .await;
}

/// BASE-15: who a client says it is changes nothing, well formed or not.
#[tokio::test]
async fn the_client_s_name_changes_nothing() {
    on_each(fixtures, async |peer: &mut Peer| {
        let mut seen = Vec::new();
        for info in [
            json!({ "name": "a", "version": "1" }),
            json!({ "name": "b", "version": "2", "icons": [], "zzz": 1 }),
            json!("no object"),
            json!(null),
        ] {
            let meta = json!({ "io.modelcontextprotocol/clientInfo": info });
            let said = peer.request("tools/list", json!({ "_meta": meta })).await;
            seen.push(said.result().clone());
        }
        assert!(seen.windows(2).all(|pair| pair[0] == pair[1]));
    })
    .await;
}

/// VER-09: Versioning, Backward Compatibility: who asks for a handshake where there is none is told
/// what is spoken instead.
#[tokio::test]
async fn b31_initialize_is_answered_with_the_versions_that_are_spoken() {
    let modern = || fixtures().handshake(Handshake::Off);
    stateless(modern, async |peer: &mut Peer| {
        for version in ["2026-07-28", "2099-01-01", "2025-11-25"] {
            let text = format!(
                r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{version}","capabilities":{{}},"clientInfo":{{"name":"t","version":"0"}}}}}}"#
            );
            let said = peer.send(&text).await;
            let error = said.is_error(-32022, 400);
            assert_eq!(said.answer["id"], 0);
            assert!(error["message"].as_str().unwrap().contains("2026-07-28"), "{error}");
            assert_eq!(error["data"]["supported"], json!(["2026-07-28"]));
            assert_eq!(error["data"]["requested"], version);
        }
    })
    .await;
}

/// Over HTTP as the clients of those revisions send it, without any header.
#[tokio::test]
async fn b31_initialize_needs_no_header() {
    let case = Case::new();
    let body = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}"#;
    let without = [("mcp-protocol-version", None), ("mcp-method", None)];
    let (status, answer) = case.post(body, &without).await;
    let version = &answer["result"]["protocolVersion"];
    assert_eq!((status, version), (200, &json!("2025-11-25")), "{answer}");
}

/// VER-11, ERR-03: what the revision has removed is unknown to it.
#[tokio::test]
async fn b33_removed_and_unknown_methods_are_not_found() {
    stateless(fixtures, async |peer: &mut Peer| {
        for method in [
            "initialize",
            "ping",
            "logging/setLevel",
            "resources/subscribe",
            "resources/unsubscribe",
            "tasks/result",
            "tasks/list",
            "foo/bar",
            "TOOLS/LIST",
            "",
        ] {
            peer.request(method, json!({})).await.is_error(-32601, 404);
        }
    })
    .await;
}

/// VER-02, ERR-09: a version that is not spoken is refused with those that are.
#[tokio::test]
async fn a_version_that_is_not_spoken_is_refused_with_those_that_are() {
    stateless(fixtures, async |peer: &mut Peer| {
        for version in ["v999.0.0", "2025-11-25", "2026-07-29", ""] {
            let meta = json!({ "io.modelcontextprotocol/protocolVersion": version });
            let said = peer.request("server/discover", json!({ "_meta": meta })).await;
            let error = said.is_error(-32022, 400);
            assert_eq!(error["data"]["requested"], version);
            let discovered = peer.request("server/discover", json!({})).await;
            assert_eq!(error["data"]["supported"], discovered.result()["supportedVersions"]);
        }
    })
    .await;
}

/// VER-03, BASE-08: nothing is remembered from one request to the next.
#[tokio::test]
async fn each_request_is_judged_by_itself() {
    stateless(fixtures, async |peer: &mut Peer| {
        let call = |capabilities: Value| {
            let meta = json!({ "io.modelcontextprotocol/clientCapabilities": capabilities });
            json!({ "name": "test_missing_capability", "_meta": meta })
        };
        for _ in 0..2 {
            let said = peer.request("tools/call", call(json!({ "sampling": {} }))).await;
            assert!(!said.text().is_empty());
            let said = peer.request("tools/call", call(json!({}))).await;
            said.is_error(-32021, 400);
            let meta = json!({ "io.modelcontextprotocol/protocolVersion": "v999.0.0" });
            peer.request("tools/list", json!({ "_meta": meta })).await.is_error(-32022, 400);
        }
    })
    .await;
}

/// BASE-13, ERR-08: what is missing is told as capabilities, which the client can act on.
#[tokio::test]
async fn a_missing_capability_is_named_as_an_object() {
    on_each(fixtures, async |peer: &mut Peer| {
        let said = peer.call("test_missing_capability", json!({})).await;
        let error = said.is_error(-32021, 400);
        assert_eq!(error["data"], json!({ "requiredCapabilities": { "sampling": {} } }));
    })
    .await;
}

/// VER-04, VER-05, PRM-01, CMP-01: a method is served where its capability is declared, and only
/// there.
#[tokio::test]
async fn a_method_is_served_where_its_capability_is_declared() {
    const METHODS: [(&str, &str); 5] = [
        ("tools", "tools/list"),
        ("resources", "resources/list"),
        ("resources", "resources/templates/list"),
        ("prompts", "prompts/list"),
        ("completions", "completion/complete"),
    ];
    let servers: [fn() -> Server; 5] = [
        || Server::new("none", "1"),
        || Server::new("tools", "1").tool(Tool::new("t").handler(|| async { "t" })),
        || {
            let resource = Resource::new("a://b", "b").handler(|| async { "b" });
            Server::new("resources", "1").resource(resource)
        },
        || Server::new("prompts", "1").prompt(Prompt::new("p").handler(|| async { "p" })),
        fixtures,
    ];
    for server in servers {
        stateless(server, async |peer: &mut Peer| {
            let discovered = peer.request("server/discover", json!({})).await;
            let capabilities = &discovered.result()["capabilities"];
            for (capability, method) in METHODS {
                let params = json!({
                    "ref": { "type": "ref/prompt", "name": "review" },
                    "argument": { "name": "lang", "value": "" },
                });
                let said = peer.request(method, params).await;
                if capabilities.get(capability).is_some() {
                    assert!(said.result().is_object(), "{method}");
                } else {
                    said.is_error(-32601, 404);
                }
            }
        })
        .await;
    }
}

/// VER-08: extensions are asked for by their author; VER-13: so is logging.
#[tokio::test]
async fn a_server_advertises_nothing_that_nobody_asked_for() {
    let server = || Server::new("plain", "1").tool(Tool::new("t").handler(|| async { "t" }));
    stateless(server, async |peer: &mut Peer| {
        let discovered = peer.request("server/discover", json!({})).await;
        let capabilities = discovered.result()["capabilities"].as_object().unwrap();
        assert_eq!(capabilities.keys().collect::<Vec<_>>(), ["tools"]);
    })
    .await;
}

/// VER-01, BASE-14: what discovery tells, and who tells it.
#[tokio::test]
async fn discovery_tells_versions_capabilities_and_instructions() {
    let server = || Server::new("told", "1.2.3").title("Told").instructions("Call t.").page_size(1);
    stateless(server, async |peer: &mut Peer| {
        let said = peer.request("server/discover", json!({})).await;
        let expected = json!({
            "resultType": "complete",
            "supportedVersions": ["2026-07-28"],
            "capabilities": {},
            "instructions": "Call t.",
            "ttlMs": 0,
            "cacheScope": "private",
            "_meta": {
                "io.modelcontextprotocol/serverInfo":
                    { "name": "told", "version": "1.2.3", "title": "Told" },
            },
        });
        assert_eq!(said.result(), &expected);
    })
    .await;
}

/// BASE-06, BASE-14: every result says which it is, and who gives it.
#[tokio::test]
async fn every_result_has_its_type_and_the_server_s_name() {
    stateless(fixtures, async |peer: &mut Peer| {
        for (method, params) in [
            ("server/discover", json!({})),
            ("tools/list", json!({})),
            ("tools/call", json!({ "name": "now" })),
            ("tools/call", json!({ "name": "nothing" })),
            ("tools/call", json!({ "name": "echo", "arguments": {} })),
            ("tools/call", json!({ "name": "test_error_handling" })),
            ("tools/call", json!({ "name": "chart" })),
            ("resources/list", json!({})),
            ("resources/templates/list", json!({})),
            ("resources/read", json!({ "uri": "notes://welcome" })),
            ("resources/read", json!({ "uri": "ui://chart/view.html" })),
            ("prompts/list", json!({})),
            ("prompts/get", json!({ "name": "test_simple_prompt" })),
            (
                "completion/complete",
                json!({
                    "ref": { "type": "ref/resource", "uri": "notes://{name}" },
                    "argument": { "name": "name", "value": "" },
                }),
            ),
        ] {
            let said = peer.request(method, params).await;
            let result = said.result();
            assert_eq!(result["resultType"], "complete", "{method}: {result}");
            let info = &result["_meta"]["io.modelcontextprotocol/serverInfo"];
            assert_eq!(info, &json!({ "name": "conformance", "version": "1.0.0" }), "{method}");
        }
    })
    .await;
}

/// MRTR-12, SECURITY: an array is no object, though serde would read the members from it in their
/// order.
#[tokio::test]
async fn an_array_is_never_taken_for_an_object() {
    stateless(fixtures, async |peer: &mut Peer| {
        for capabilities in
            [json!([{}, {}, {}, {}, {}]), json!({ "elicitation": [null, null] }), json!(7)]
        {
            let meta = json!({ "io.modelcontextprotocol/clientCapabilities": capabilities });
            let said = peer.request("tools/list", json!({ "_meta": meta })).await;
            let error = said.is_error(-32602, 400);
            assert!(error["message"].as_str().unwrap().contains("object"), "{error}");
        }
        let reference = json!(["ref/prompt", "review"]);
        let typed = json!({ "name": "lang", "value": "p" });
        let completed = json!({ "ref": reference, "argument": typed });
        peer.request("completion/complete", completed).await.is_error(-32602, 400);
        let filter = json!({ "notifications": [true, true, true, []] });
        peer.request("subscriptions/listen", filter).await.is_error(-32602, 400);
    })
    .await;
}

/// PROG-01: a token of as many characters as there may be is one.
#[tokio::test]
async fn a_progress_token_is_measured_without_its_quotes() {
    on_each(fixtures, async |peer: &mut Peer| {
        for (length, good) in [(256, true), (257, false)] {
            let meta = json!({ "progressToken": "t".repeat(length) });
            let said = peer.request("tools/list", json!({ "_meta": meta })).await;
            assert_eq!(said.answer.get("result").is_some(), good, "{length}");
        }
    })
    .await;
}

/// B48, B54: a number that is an integer to a schema and not to the handler's type is named with
/// its place and the way to write it.
#[tokio::test]
async fn a_whole_number_with_a_fraction_is_named_with_its_place() {
    let add = || {
        let add = Tool::new("add")
            .handler(|Args(both): Args<Both>| async move { (both.a + both.b).to_string() });
        Server::new("adding", "1").tool(add)
    };
    on_each(add, async |peer: &mut Peer| {
        let said = peer.call("add", json!({ "a": 1.0, "b": 2 })).await;
        assert_eq!(said.failure(), "add: 1 problem\n- /a: write 1, not 1.0");
        let said = peer.call("add", json!({ "a": 1, "b": 1e30 })).await;
        assert!(said.failure().starts_with("add: 1 problem\n- /b: "), "{}", said.answer);
        assert_eq!(peer.call("add", json!({ "a": 1, "b": 2 })).await.text(), "3");
    })
    .await;
}

/// Two integers
#[args]
struct Both {
    /// The one
    a: i64,
    /// The other
    b: i64,
}
