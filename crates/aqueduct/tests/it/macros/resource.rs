//! `#[resource]`.

use aqueduct::prelude::*;
use serde_json::json;

use super::client;

/// The first thing to read.
#[resource(
    "notes://welcome",
    title = "Welcome",
    mime_type = "text/markdown",
    size = 5,
    icon = "https://example.com/note.png",
    cache_ms = 60_000,
    cache_public
)]
async fn welcome() -> &'static str {
    "# Hi!"
}

async fn topics(Prefix(typed): Prefix) -> Vec<String> {
    vec![format!("{typed}sing")]
}

/// A note on a topic.
#[resource("notes://{topic}/{id}{?lines}", name = "note", cache_ms = 10)]
async fn by_topic(
    #[arg(complete = topics)] topic: &str,
    id: u32,
    #[arg(rename = "lines")] count: Option<u8>,
    names: State<String>,
) -> Result<Option<String>> {
    if topic == "none" {
        return Ok(None);
    }
    Ok(Some(format!("{topic} {id} {count:?} {}", *names)))
}

#[args]
struct Wide {
    a: String,
    b: String,
}

#[resource("wide://{a}/{b}")]
fn wide(Args(wide): Args<Wide>) -> Vec<u8> {
    format!("{}{}", wide.a, wide.b).into_bytes()
}

fn notes() -> aqueduct::testing::TestClient {
    let server = Server::new("test", "1").state("db".to_owned());
    client(server.resources(list![welcome, by_topic, wide]))
}

#[tokio::test]
async fn a_uri_is_a_resource() {
    let notes = notes();
    let answer = notes.request("resources/list", json!({})).await.unwrap();
    assert_eq!(
        answer.result["resources"],
        json!([{
            "uri": "notes://welcome",
            "name": "welcome",
            "title": "Welcome",
            "description": "The first thing to read.",
            "mimeType": "text/markdown",
            "size": 5,
            "icons": [{ "src": "https://example.com/note.png" }],
        }])
    );
    let answer =
        notes.request("resources/read", json!({ "uri": "notes://welcome" })).await.unwrap();
    assert_eq!(answer.result["contents"][0]["text"], "# Hi!");
    assert_eq!(answer.result["contents"][0]["mimeType"], "text/markdown");
    assert_eq!(answer.result["ttlMs"], 60_000);
    assert_eq!(answer.result["cacheScope"], "public");
}

#[tokio::test]
async fn a_template_is_a_template() {
    let notes = notes();
    let answer = notes.request("resources/templates/list", json!({})).await.unwrap();
    let template = &answer.result["resourceTemplates"][0];
    assert_eq!(template["uriTemplate"], "notes://{topic}/{id}{?lines}");
    assert_eq!(template["name"], "note");
    let read = async |uri: &str| notes.request("resources/read", json!({ "uri": uri })).await;
    let answer = read("notes://rust/7?lines=3").await.unwrap();
    assert_eq!(answer.result["contents"][0]["text"], "rust 7 Some(3) db");
    assert_eq!(answer.result["ttlMs"], 10);
    assert_eq!(answer.result["cacheScope"], "private");
    let answer = read("notes://rust/7").await.unwrap();
    assert_eq!(answer.result["contents"][0]["text"], "rust 7 None db");
    for missing in ["notes://none/7", "notes://rust/seven"] {
        let refused = read(missing).await.unwrap_err();
        assert!(refused.to_string().contains("resource not found"), "{refused}");
    }
    let answer = read("wide://x/y").await.unwrap();
    assert_eq!(answer.result["contents"][0]["blob"], "eHk=");
}

#[tokio::test]
async fn a_variable_is_completed() {
    let params = json!({
        "ref": { "type": "ref/resource", "uri": "notes://{topic}/{id}{?lines}" },
        "argument": { "name": "topic", "value": "u" },
    });
    let answer = notes().request("completion/complete", params).await.unwrap();
    assert_eq!(answer.result["completion"]["values"], json!(["using"]));
}
