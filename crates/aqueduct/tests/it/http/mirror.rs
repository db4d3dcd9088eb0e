//! Headers that repeat parts of the body (SEP-2243).

use serde_json::{Value, json};

use super::fixture::Fixture;
use super::peer::{Post, VERSION, call, meta, request};

fn read(uri: &str) -> Post {
    Post::of(&request(1, "resources/read", json!({ "uri": uri })))
}

fn danger() -> Post {
    Post::of(&call(1, "danger", json!({})))
}

fn echo() -> Post {
    Post::of(&call(1, "echo", json!({ "text": "x" })))
}

fn list() -> Post {
    Post::of(&request(1, "tools/list", json!({})))
}

/// The call of a tool some of whose arguments headers repeat.
fn query(arguments: &Value) -> Post {
    Post::of(&call(1, "region_query", arguments.clone()))
}

const MISMATCH: (u16, i64) = (400, -32020);

/// HTTP-25, HTTP-29: an encoded name is decoded strictly, then compared.
#[tokio::test]
async fn b25_a_name_is_decoded_before_it_is_compared() {
    let fixture = Fixture::new().await;
    let japan = read("notes://日本").with("Mcp-Name", "=?base64?bm90ZXM6Ly/ml6XmnKw=?=");
    let result = japan.ask(fixture.addr).await.result(1);
    assert_eq!(result["contents"][0]["text"], "日本");
    echo().with("Mcp-Name", "=?base64?ZWNobw==?=").ask(fixture.addr).await.result(1);
    for name in ["=?base64?ZGFuZ2Vy?=", "=?base64?%%%?=", "=?BASE64?ZWNobw==?="] {
        let answer = echo().with("Mcp-Name", name).ask(fixture.addr).await;
        assert_eq!(answer.error(1), MISMATCH, "{name}");
    }
    assert_eq!(fixture.ran(), 0);
}

/// HTTP-30: a header that repeats an argument is there when the argument is, and is the same.
#[tokio::test]
async fn b27_a_repeated_argument_must_be_the_argument() {
    let fixture = Fixture::new().await;
    let eu = query(&json!({ "region": "eu-1" }));
    for (post, what) in [
        (eu.clone().header("Mcp-Param-Region", "us-1"), "another"),
        (eu.clone(), "none"),
        (query(&json!({ "region": null })).header("Mcp-Param-Region", "eu-1"), "for null"),
        (query(&json!({})).header("Mcp-Param-Region", "eu-1"), "for nothing"),
        (eu.clone().header("Mcp-Param-Region", "eu-1").header("Mcp-Param-Region", "eu-1"), "twice"),
        (eu.clone().header("Mcp-Param-Region", ""), "empty"),
        (eu.clone().header("Mcp-Param-Region", "eu\u{e9}"), "no ASCII"),
    ] {
        let answer = post.ask(fixture.addr).await;
        assert_eq!(answer.error(1), MISMATCH, "{what}");
    }
    for post in [
        query(&json!({ "region": null })),
        query(&json!({})),
        eu.clone().header("Mcp-Param-Region", "eu-1"),
        eu.clone().header("mcp-param-REGION", "=?base64?ZXUtMQ==?="),
        query(&json!({ "region": "" })).header("Mcp-Param-Region", ""),
        query(&json!({ "region": "é" })).header("Mcp-Param-Region", "=?base64?w6k=?="),
    ] {
        post.ask(fixture.addr).await.result(1);
    }
}

/// HTTP-31: integers are compared by value, booleans as words.
#[tokio::test]
async fn b28_numbers_are_compared_as_numbers() {
    let fixture = Fixture::new().await;
    let limit = |value: &str, header: &str| {
        let call = call(1, "region_query", json!({ "limit": 1 })).to_string();
        let body = call.replace(r#""limit":1"#, &format!(r#""limit":{value}"#));
        query(&json!({})).body(&body).header("Mcp-Param-Limit", header)
    };
    for (value, header) in [("42", "42"), ("42", "42.0"), ("-7", "-7"), ("0", "0")] {
        let result = limit(value, header).ask(fixture.addr).await.result(1);
        assert_ne!(result["isError"], true, "{value} {header}: {result}");
    }
    // The argument is wrong, and that is the model's to hear.
    let result = limit("\"abc\"", "abc").ask(fixture.addr).await.result(1);
    assert_eq!(result["isError"], true, "{result}");
    for (value, header) in [
        ("42", "43"),
        ("42", "abc"),
        ("42", ""),
        ("42", "0x2a"),
        ("9007199254740993", "9007199254740992"),
        ("9007199254740993", "9007199254740993"),
    ] {
        let answer = limit(value, header).ask(fixture.addr).await;
        assert_eq!(answer.error(1), MISMATCH, "{value} {header}");
    }
    let all = |header: &str| query(&json!({ "all": true })).header("Mcp-Param-All", header);
    all("true").ask(fixture.addr).await.result(1);
    for header in ["True", "1", "false", "yes"] {
        assert_eq!(all(header).ask(fixture.addr).await.error(1), MISMATCH, "{header}");
    }
}

/// HTTP-20, ERR-07: without the version header there is a mismatch.
#[tokio::test]
async fn http20_the_version_header_is_needed() {
    let fixture = Fixture::new().await;
    let answer = list().without("MCP-Protocol-Version").ask(fixture.addr).await;
    assert_eq!(answer.error(1), MISMATCH);
    // A client of an earlier revision learns from the message what is served.
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let answer = Post::raw(body.to_string()).ask(fixture.addr).await;
    assert_eq!(answer.error(1), (400, -32600));
    assert!(answer.text().contains(VERSION), "{}", answer.text());
}

/// HTTP-21, HTTP-22, ERR-09: a contradiction comes before a version that is not spoken.
#[tokio::test]
async fn http21_http22_a_contradiction_comes_before_an_unknown_version() {
    let fixture = Fixture::new().await;
    let mut unknown = meta();
    unknown["io.modelcontextprotocol/protocolVersion"] = json!("v999.0.0");
    let unknown = Post::of(&request(1, "tools/list", json!({ "_meta": unknown })));
    assert_eq!(unknown.ask(fixture.addr).await.error(1), MISMATCH);
    let answer = unknown.with("MCP-Protocol-Version", "v999.0.0").ask(fixture.addr).await;
    assert_eq!(answer.error(1), (400, -32022));
    let data = &answer.json()["error"]["data"];
    assert_eq!(data["supported"], json!([VERSION]));
    assert_eq!(data["requested"], "v999.0.0");
    let answer = list().with("MCP-Protocol-Version", "2025-11-25").ask(fixture.addr).await;
    assert_eq!(answer.error(1), MISMATCH);
}

/// HTTP-24, HTTP-27, ERR-07: the method header is the method, letter for letter.
#[tokio::test]
async fn http24_the_method_header_is_the_method_letter_for_letter() {
    let fixture = Fixture::new().await;
    for method in ["TOOLS/LIST", "tools/call", "tools/list/", "", "=?base64?dG9vbHMvbGlzdA==?="] {
        let answer = list().with("Mcp-Method", method).ask(fixture.addr).await;
        assert_eq!(answer.error(1), MISMATCH, "{method}");
    }
    assert_eq!(list().without("Mcp-Method").ask(fixture.addr).await.error(1), MISMATCH);
}

/// HTTP-25, HTTP-27: the name header is the name or the URI of the request.
#[tokio::test]
async fn http25_the_name_header_is_needed_and_must_fit() {
    let fixture = Fixture::new().await;
    for post in [
        danger().without("Mcp-Name"),
        danger().with("Mcp-Name", "echo"),
        danger().with("Mcp-Name", "DANGER"),
        danger().with("Mcp-Name", ""),
        danger().with("Mcp-Name", "danger x"),
        read("notes://welcome").with("Mcp-Name", "notes://other"),
        read("notes://welcome").without("Mcp-Name"),
    ] {
        assert_eq!(post.ask(fixture.addr).await.error(1), MISMATCH);
    }
    assert_eq!(fixture.ran(), 0);
}

/// HTTP-26: names have no case, and space around values is none of them.
#[tokio::test]
async fn http26_names_have_no_case_and_values_no_space_around_them() {
    let fixture = Fixture::new().await;
    let plain = echo().without("Mcp-Name").without("Mcp-Method").without("MCP-Protocol-Version");
    let post = plain
        .header("MCP-NAME", "  echo  ")
        .header("mcp-method", "\ttools/call")
        .header("mCp-PrOtOcOl-vErSiOn", VERSION);
    post.ask(fixture.addr).await.result(1);
}

/// HTTP-27: a header that is there twice is a mismatch.
#[tokio::test]
async fn http27_a_header_that_is_there_twice_is_a_mismatch() {
    let fixture = Fixture::new().await;
    for (name, value) in
        [("MCP-Protocol-Version", VERSION), ("Mcp-Method", "tools/call"), ("Mcp-Name", "danger")]
    {
        assert_eq!(
            danger().header(name, value).ask(fixture.addr).await.error(1),
            MISMATCH,
            "{name}"
        );
    }
    assert_eq!(fixture.ran(), 0);
}

/// HTTP-28: bytes that no header may have are a mismatch.
#[tokio::test]
async fn http28_bytes_that_no_header_may_have_are_a_mismatch() {
    let fixture = Fixture::new().await;
    let answer = Post::of(&call(1, "dangér", json!({}))).ask(fixture.addr).await;
    assert_eq!(answer.error(1), MISMATCH);
    // hyper refuses control characters itself, and without a body.
    let answer = Post::of(&call(1, "dan\u{7f}ger", json!({}))).ask(fixture.addr).await;
    assert_eq!((answer.status, answer.text()), (400, ""));
}

/// HTTP-29: Base64 is strict, and half a mark is text.
#[tokio::test]
async fn http29_base64_is_strict_and_half_a_mark_is_text() {
    let fixture = Fixture::new().await;
    let hello =
        |header: &str| query(&json!({ "region": "Hello" })).header("Mcp-Param-Region", header);
    hello("=?base64?SGVsbG8=?=").ask(fixture.addr).await.result(1);
    for header in [
        "=?base64?SGVsbG8?=",
        "=?base64?SGVs!!!bG8=?=",
        "=?base64?SGVsbG9=?=",
        "=?base64?SGVsbG8=",
        "SGVsbG8=?=",
        "=?BASE64?SGVsbG8=?=",
    ] {
        assert_eq!(hello(header).ask(fixture.addr).await.error(1), MISMATCH, "{header}");
    }
    for literal in ["=?base64?SGVsbG8=", "SGVsbG8=?=", "=?BASE64?SGVsbG8=?="] {
        let post = query(&json!({ "region": literal })).header("Mcp-Param-Region", literal);
        post.ask(fixture.addr).await.result(1);
    }
}

/// HTTP-32: a header that repeats nothing is ignored.
#[tokio::test]
async fn http32_headers_that_repeat_nothing_are_ignored() {
    let fixture = Fixture::new().await;
    echo()
        .header("Mcp-Param-Zzz", "1")
        .header("Mcp-Param-Region", "x")
        .ask(fixture.addr)
        .await
        .result(1);
}

/// HTTP-37: a notification may repeat its method but not contradict it.
#[tokio::test]
async fn http37_a_notification_may_repeat_its_method_but_not_contradict_it() {
    let fixture = Fixture::new().await;
    let body = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled",
                       "params": { "requestId": 1 } });
    let post = Post::raw(body.to_string()).header("MCP-Protocol-Version", VERSION);
    assert_eq!(post.ask(fixture.addr).await.status, 202);
    let named = post.clone().header("Mcp-Method", "notifications/cancelled");
    assert_eq!(named.ask(fixture.addr).await.status, 202);
    let answer = post.clone().header("Mcp-Method", "tools/call").ask(fixture.addr).await;
    assert_eq!(answer.status, 400);
    let answer = named.header("Mcp-Method", "notifications/cancelled").ask(fixture.addr).await;
    assert_eq!(answer.status, 400);
}
