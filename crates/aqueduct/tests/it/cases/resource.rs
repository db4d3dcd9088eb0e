//! Reading resources: what a URI names, what is decoded and how often, what is never read.

use std::time::{Duration, Instant};

use aqueduct::Server;
use aqueduct::prelude::*;
use serde_json::json;

use super::peer::{Peer, Said, fixtures, on_each, request};

async fn read(peer: &mut Peer, uri: &str) -> Said {
    peer.request("resources/read", json!({ "uri": uri })).await
}

/// The first text of what was read; the URI must be the one that was asked for.
#[track_caller]
fn text<'s>(said: &'s Said, uri: &str) -> &'s str {
    let contents = &said.result()["contents"][0];
    assert_eq!(contents["uri"], uri);
    assert!(contents.get("blob").is_none(), "{contents}");
    contents["text"].as_str().expect("a text")
}

/// -32602 with the URI that was asked for (SEP-2164), or the same without when it is no URI.
#[track_caller]
fn not_found(said: &Said, uri: &str) {
    let error = &said.answer["error"];
    assert_eq!(said.code(), -32602, "{uri}: {}", said.answer);
    assert!(said.status.is_none_or(|status| matches!(status, 200 | 400)), "{:?}", said.status);
    assert_eq!(error["data"]["uri"], uri, "{}", said.answer);
}

/// RFC 6570, and Resources, Security: a variable is decoded once.
#[tokio::test]
async fn b59_a_variable_is_decoded_once() {
    on_each(fixtures, async |peer: &mut Peer| {
        for (uri, name) in [
            ("notes://hello%20world", "hello world"),
            ("notes://100%2525", "100%25"),
            ("notes://a+b", "a+b"),
            ("notes://caf%C3%A9", "café"),
            ("notes://caf%c3%a9", "café"),
            ("notes://日本", "日本"),
            ("notes://%E6%97%A5%E6%9C%AC", "日本"),
        ] {
            let said = read(peer, uri).await;
            assert_eq!(text(&said, uri), format!("note {name:?}"));
        }
        for uri in ["notes://%zz", "notes://%ff", "notes://%", "notes://%4", "notes://%C3%28"] {
            not_found(&read(peer, uri).await, uri);
        }
    })
    .await;
}

/// RES-04, and Resources, Security 5: nothing outside of the folder is ever read.
#[tokio::test]
async fn b62_an_encoded_traversal_reads_nothing() {
    on_each(fixtures, async |peer: &mut Peer| {
        for path in ["..%2Fsecret.txt", "%2e%2e%2fsecret.txt", "..%5Csecret.txt", "a%00b"] {
            for folder in ["files", "tree"] {
                let uri = format!("docs://{folder}/{path}");
                not_found(&read(peer, &uri).await, &uri);
            }
        }
        for uri in [
            "docs://files/..%2F..%2Fetc%2Fpasswd",
            "docs://files/%2Fetc%2Fpasswd",
            "docs://files/%252e%252e%252fsecret.txt",
            "docs://files/..",
            "docs://files/.",
            "docs://files/",
            "docs://files/sub%2Fbelow.txt",
            "docs://files/sub/below.txt",
            "docs://files/link.txt",
            "docs://tree/%252e%252e%252fsecret.txt",
            "docs://tree/../secret.txt",
            "docs://tree/sub/../../secret.txt",
            "docs://tree/sub/%2e%2e/%2E%2E/secret.txt",
            "docs://tree//etc/passwd",
            "docs://tree/%2Fetc/passwd",
            "docs://tree/link.txt",
            "docs://tree/..",
        ] {
            let said = read(peer, uri).await;
            assert!(!said.answer.to_string().contains("Nobody may read this"), "{uri}");
            not_found(&said, uri);
        }
        let uri = "docs://files/top.txt";
        assert_eq!(text(&read(peer, uri).await, uri), "The top of the docs.\n");
        let uri = "docs://tree/sub/below.txt";
        assert_eq!(text(&read(peer, uri).await, uri), "Below.\n");
    })
    .await;
}

/// RES-06: a template is no pattern of another language, and matching it takes linear time.
#[tokio::test]
async fn b63_a_template_matches_letter_for_letter_and_in_linear_time() {
    on_each(fixtures, async |peer: &mut Peer| {
        for uri in [
            "weather://aXb/paris",
            "weather://a.b/paris/x",
            "weather://a.b/",
            "notes://a/b",
            "shop://items/7/8",
            "shop://items/7?zzz=1",
        ] {
            not_found(&read(peer, uri).await, uri);
        }
        for (uri, expected) in [
            ("weather://a.b/paris", "sun in paris"),
            ("docs://tree/a/b/c.md", "# C\n"),
            ("shop://items/7", "item 7, page None, limit None"),
            ("shop://items/7?limit=5", "item 7, page None, limit Some(5)"),
            ("shop://items/7?limit=5&page=2", "item 7, page Some(2), limit Some(5)"),
            ("tags://list/a/b/c", "a b c"),
            ("tags://list", ""),
            ("menu://list/café/soup", "soup"),
            ("menu://list/caf%C3%A9/soup", "soup"),
        ] {
            assert_eq!(text(&read(peer, uri).await, uri), expected);
        }
        // A number that is none names nothing.
        not_found(&read(peer, "shop://items/7?limit=many").await, "shop://items/7?limit=many");

        for (segments, most) in [(900, 100), (50_000, 1_000)] {
            let long = format!("tags://list{}?", "/tag".repeat(segments));
            let mut best = Duration::MAX;
            for _ in 0..3 {
                let since = Instant::now();
                assert_eq!(read(peer, &long).await.code(), -32602);
                best = best.min(since.elapsed());
            }
            assert!(best.as_millis() < most, "{segments} segments took {best:?}");
        }
    })
    .await;
}

/// RES-02, BASE-24, ERR-05, ERR-16: what is not there is -32602 with its URI, what breaks is -32603
/// without a word of the inside.
#[tokio::test]
async fn b64_a_resource_that_is_not_there_is_told_by_its_uri() {
    on_each(fixtures, async |peer: &mut Peer| {
        for uri in ["notes://missing", "nope://x", "notes://", "test://template//data"] {
            let said = read(peer, uri).await;
            not_found(&said, uri);
            assert!(said.status.is_none_or(|status| status == 200));
        }
        let said = read(peer, "test://broken").await;
        said.is_error(-32603, 200);
        assert!(!said.answer.to_string().contains("secret"), "{}", said.answer);
        for params in [json!({}), json!({ "uri": 7 }), json!({ "uri": null })] {
            peer.request("resources/read", params).await.is_error(-32602, 400);
        }
    })
    .await;
}

/// RES-03: bytes are base64 in the standard alphabet, text is text even when it is empty.
#[tokio::test]
async fn b65_bytes_are_a_blob_and_text_is_text_even_when_it_is_empty() {
    on_each(fixtures, async |peer: &mut Peer| {
        let said = read(peer, "img://logo").await;
        let expected = json!([{ "uri": "img://logo", "mimeType": "image/png", "blob": "++//" }]);
        assert_eq!(said.result()["contents"], expected);

        let said = read(peer, "notes://empty").await;
        let expected = json!([{ "uri": "notes://empty", "mimeType": "text/plain", "text": "" }]);
        assert_eq!(said.result()["contents"], expected);

        let said = read(peer, "notes://untyped").await;
        let expected = json!([{ "uri": "notes://untyped", "text": "no media type" }]);
        assert_eq!(said.result()["contents"], expected);
    })
    .await;
}

/// A resource that holds nothing at all is not told as one that holds an empty list.
#[tokio::test]
async fn empty_contents_are_never_sent() {
    let server = || {
        Server::new("empty", "1").resource(
            Resource::new("a://b", "b")
                .handler(|| async { Vec::<aqueduct::resource::ResourceContents>::new() }),
        )
    };
    on_each(server, async |peer: &mut Peer| not_found(&read(peer, "a://b").await, "a://b")).await;
}

/// RES-05, B60: what is registered is a URI.
#[test]
fn what_is_no_uri_cannot_be_registered() {
    for uri in ["not a uri", "", "no-scheme", "1a://b", "a b://c", "notes://a b", "notes://\n"] {
        let resource = Resource::new(uri, "x").handler(|| async { "" });
        let error = Server::new("s", "1").resource(resource).build().unwrap_err();
        assert!(error.to_string().contains(&format!("{uri:?}")), "{error}");
    }
    for template in ["no-scheme/{x}", "notes://{", "notes://{a}{b}", "notes://{a}/{a}", "{x}"] {
        let resource = ResourceTemplate::new(template, "x").handler(|| async { "" });
        let error = Server::new("s", "1").resource(resource).build().unwrap_err();
        assert!(error.to_string().contains("template"), "{error}");
    }
}

/// RES-01: resources and templates are told apart, and each item has what it was registered with.
#[tokio::test]
async fn resources_are_listed_as_they_were_registered() {
    on_each(fixtures, async |peer: &mut Peer| {
        let list = peer.request("resources/list", json!({})).await;
        let logo = list.result()["resources"].as_array().unwrap().iter();
        let logo: Vec<_> = logo.filter(|item| item["name"] == "logo").collect();
        let expected =
            json!({ "uri": "img://logo", "name": "logo", "mimeType": "image/png", "size": 3 });
        assert_eq!(logo, [&expected]);
        let list = peer.request("resources/templates/list", json!({})).await;
        let first = &list.result()["resourceTemplates"][0];
        let expected = json!({
            "uriTemplate": "test://template/{id}/data",
            "name": "template",
            "description": "Data of an id",
            "mimeType": "application/json",
        });
        assert_eq!(first, &expected);
    })
    .await;
}

/// The header repeats the URI as it was sent, decoded or not.
#[tokio::test]
async fn the_name_header_repeats_the_uri_as_it_was_sent() {
    let http = super::peer::Http::new(fixtures().build().unwrap());
    let body = request("1", "resources/read", json!({ "uri": "notes://hello%20world" }));
    for (name, status) in [
        ("notes://hello%20world", 200),
        ("notes://hello world", 400),
        ("NOTES://hello%20world", 400),
    ] {
        let mut headers = http.headers(&body);
        headers.retain(|(known, _)| known != "mcp-name");
        headers.push(("mcp-name".to_owned(), name.to_owned()));
        assert_eq!(http.post(headers, body.as_bytes()).await.0, status, "{name}");
    }
}
