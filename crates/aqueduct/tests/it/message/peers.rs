//! `docs/messages.md`: what a model and an author are told here, and elsewhere.
//!
//! `UPDATE=1` writes the page; without it the page is compared. Our words come from calls that
//! are made here and from the cases of `tests/ui`, those of the others were read off their
//! servers in November 2026: rmcp 3.11, tower-mcp 0.25, turbomcp 4.0, `FastMCP` 4.2, TypeScript 2.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use aqueduct::prelude::*;
use aqueduct::testing::{TestClient, TestError};
use serde_json::{Value, json};

/// Greet somebody.
#[tool]
async fn greet(
    /// Whom to greet
    name: String,
    n: Option<i64>,
) -> String {
    format!("Hello, {name}! {n:?}")
}

/// A bad call, and what rmcp, tower-mcp, turbomcp, `FastMCP` and TypeScript say to it.
const CALLS: &[(&str, &str, &str, [&str; 5])] = &[
    (
        "`name` is missing",
        "greet",
        "{}",
        [
            "failed to deserialize parameters: missing field `name`",
            "Invalid input: missing field `name`",
            "\"name\" is a required property",
            "1 validation error, with an address to read",
            "name: Invalid input: expected string, received undefined",
        ],
    ),
    (
        "`name` is 5",
        "greet",
        r#"{"name":5}"#,
        [
            "no path",
            "no path",
            "5 is not of type \"string\", no path",
            "path and tool",
            "path and tool",
        ],
    ),
    (
        "an unknown key",
        "greet",
        r#"{"name":"Ann","nmae":"Ann"}"#,
        ["ignored", "ignored", "refused, named", "refused, named", "ignored"],
    ),
    (
        "a text for an integer",
        "greet",
        r#"{"name":"Ann","n":"2"}"#,
        ["error", "error", "error", "coerced", "error"],
    ),
    (
        "an unknown tool",
        "great",
        "{}",
        [
            "-32602 \"tool not found\", no name",
            "-32602 with the name",
            "a result with isError",
            "a result with isError",
            "-32602 with the name",
        ],
    ),
];

/// A mistake of an author, the case of `tests/ui` and its words, and what rmcp, tower-mcp and
/// turbomcp say to it.
const MISTAKES: &[(&str, &str, &str, [&str; 3])] = &[
    (
        "an argument's type has no schema",
        "argument-type/not-decodable.rs",
        "mark a type of your own with `#[args]`",
        ["points at the parameter", "closures: good; extractors: two errors", "points at it"],
    ),
    (
        "a plain `name: String`",
        "",
        "",
        ["`IntoToolRoute` is not satisfied, at another line", "not possible", "works"],
    ),
    (
        "`?` on an `anyhow::Error`",
        "return-type/anyhow.rs",
        "write `.map_err(ToolError::wrap)?`",
        ["`IntoToolRoute` again", "`?` cannot convert", "an error on the `#[server]` line"],
    ),
    (
        "a guard across an await",
        "future/not-send.rs",
        "await occurs here, with `held` maybe used later",
        ["points at the await", "the same", "the same, headed elsewhere"],
    ),
    ("a `&str` argument", "", "", ["no", "no", "asks for a lifetime on the impl"]),
    (
        "a plain struct is returned",
        "return-type/not-an-answer.rs",
        "wrap a value that serialises in `Json(…)`",
        ["no", "no", "wants `Json<T>`"],
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn client() -> TestClient {
    TestClient::new(Server::new("greeter", "1.2.3").tools(list![greet])).unwrap()
}

/// What a call is answered with, in one line.
async fn said(tool: &str, arguments: &str) -> String {
    let arguments: Value = serde_json::from_str(arguments).unwrap();
    let text = match client().call_tool(tool, arguments).await {
        Ok(result) => result.content[0].as_text().unwrap().to_owned(),
        Err(TestError::Refused { code, message, .. }) => format!("{code} {message}"),
        Err(error) => error.to_string(),
    };
    text.replace('\n', " ")
}

async fn page() -> String {
    let mut page = "\
# Messages, here and elsewhere

Our words are those of calls that a test makes, and of the cases of `crates/aqueduct/tests/ui`; `UPDATE=1 cargo nextest run -p aqueduct --all-features the_page_of_messages` writes this page.
Those of the others were read off their servers in November 2026: rmcp 3.11, tower-mcp 0.25, turbomcp 4.0, FastMCP 4.2, TypeScript 2.

## What a model is told of a bad call

| call | Aqueduct | rmcp | tower-mcp | turbomcp | FastMCP | TypeScript |
|---|---|---|---|---|---|---|
"
    .to_owned();
    for (case, tool, arguments, others) in CALLS {
        let ours = said(tool, arguments).await;
        writeln!(page, "| {case} | `{ours}` | {} |", others.join(" | ")).unwrap();
    }
    let discovered = client().request("server/discover", json!({})).await.unwrap().result;
    let name = &discovered["_meta"]["io.modelcontextprotocol/serverInfo"]["name"];
    writeln!(
        page,
        "| the server's name | asked for: `{name}` | \"rmcp\" 3.11.0 | its own unless said | asked for | version is its own | asked for |"
    )
    .unwrap();
    page.push_str(
        "\n## What an author is told\n\n| mistake | Aqueduct | rmcp | tower-mcp | turbomcp |\n|---|---|---|---|---|\n",
    );
    for (mistake, case, words, others) in MISTAKES {
        let ours = if case.is_empty() {
            "no mistake: it works".to_owned()
        } else {
            let text = std::fs::read_to_string(root().join("tests/ui/fail").join(case)).unwrap();
            assert!(
                text.lines().any(|line| line.contains("//~") && line.contains(words)),
                "{case}"
            );
            format!("at the word itself: {words} (`tests/ui/fail/{case}`)")
        };
        writeln!(page, "| {mistake} | {ours} | {} |", others.join(" | ")).unwrap();
    }
    page
}

#[tokio::test]
async fn the_page_of_messages_is_what_the_server_says() {
    let path = root().join("../../docs/messages.md");
    let page = page().await;
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let stands = std::fs::read_to_string(&path).unwrap();
    let differ = stands.lines().zip(page.lines()).find(|(old, new)| old != new);
    assert!(stands == page, "UPDATE=1 rewrites docs/messages.md, which differs in {differ:?}");
}

/// A plain text and a borrowed one are arguments, which two of the rows claim.
#[tool]
async fn plain(name: String, word: &str) -> String {
    format!("{name}{word}")
}

#[tokio::test]
async fn plain_and_borrowed_texts_are_arguments() {
    let client = TestClient::new(Server::new("plain", "1").tools(list![plain])).unwrap();
    let result = client.call_tool("plain", json!({ "name": "a", "word": "b" })).await.unwrap();
    assert_eq!(result.content[0].as_text(), Some("ab"));
}

#[test]
fn the_smallest_server_is_as_short_as_its_page_says() {
    let page = std::fs::read_to_string(root().join("src/docs/guide/hello.md")).unwrap();
    let code = page.split("```").nth(1).unwrap().lines().skip(1);
    let lines = code.filter(|line| !line.trim().is_empty() && !line.starts_with("// ")).count();
    assert!(page.contains(&format!("| Aqueduct | {lines} |")), "{lines}");
    // The table is in order.
    let counts: Vec<usize> = page
        .lines()
        .filter_map(|line| line.split('|').nth(2)?.trim().trim_start_matches("about ").parse().ok())
        .collect();
    assert!(counts.len() == 9 && counts.is_sorted(), "{counts:?}");
}
