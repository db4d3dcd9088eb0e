//! What the fixture server understands on its command line.

use serde_json::json;

use super::child::{Child, command};

#[tokio::test]
async fn a_page_is_as_long_as_it_was_told() {
    let mut child = Child::start(&["--stdio", "--page-size", "2", "--modern-only"]);
    child.request(1, "tools/list", json!({})).await;
    let answer = child.read().await;
    assert_eq!(answer["result"]["tools"].as_array().unwrap().len(), 2);
    assert!(answer["result"]["nextCursor"].is_string(), "{answer}");
    child.end_quietly().await;
}

#[tokio::test]
async fn an_argument_that_is_not_known_is_told_with_those_that_are() {
    for arguments in [&["--zzz"][..], &["--page-size", "0"], &["--stdio", "--http", "x"]] {
        let output = command(arguments).output().await.unwrap();
        assert!(!output.status.success());
        assert!(output.stdout.is_empty());
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains(arguments[0]), "{told}");
        assert!(told.contains("--page-size N") && told.contains("--http ADDR"), "{told}");
    }
}

#[tokio::test]
async fn over_http_it_tells_where_it_listens() {
    use tokio::io::{AsyncBufReadExt as _, BufReader};
    for more in [&[][..], &["--keep-alive-ms", "50"]] {
        let arguments = [&["--http", "127.0.0.1:0"], more].concat();
        let mut process = command(&arguments).spawn().unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let line = lines.next_line().await.unwrap().unwrap();
        assert!(line.starts_with("listening on http://127.0.0.1:"), "{line}");
        assert!(line.ends_with("/mcp"), "{line}");
        process.kill().await.unwrap();
    }
}

#[tokio::test]
async fn a_store_that_cannot_be_opened_is_said_with_what_to_write() {
    let folder = std::env::temp_dir().join("no-such-folder").join("store.redb");
    let redb = format!("redb:{}", folder.display());
    for (address, told) in [
        ("nowhere", "--store: the address of the store has no colon; write memory: or redb:PATH"),
        ("file:x", "no store \"file\"; write memory: or redb:PATH or redis://HOST:PORT"),
        (redb.as_str(), "make it first"),
        ("redis://127.0.0.1:1", "127.0.0.1:1"),
    ] {
        let output = command(&["--stdio", "--store", address]).output().await.unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains(told), "{address}: {said}");
        assert!(output.stdout.is_empty());
    }
}
