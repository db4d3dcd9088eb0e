//! The attributes, seen from the client.

use aqueduct::prelude::*;
use aqueduct::testing::TestClient;
use serde_json::json;

/// Search the catalogue.
#[tool(read_only)]
async fn search(
    /// Words to look for
    query: String,
    #[arg(default = 20, range = 1..=100)] limit: u32,
    db: State<Vec<String>>,
) -> Result<Json<Vec<String>>> {
    let hits = db.iter().filter(|title| title.contains(&query));
    Ok(Json(hits.take(limit as usize).cloned().collect()))
}

#[tokio::test]
async fn a_function_is_a_tool() {
    let books = vec!["rust".to_owned(), "rusty".to_owned(), "go".to_owned()];
    let server = Server::new("t", "1").state(books).tools(list![search]);
    let client = TestClient::new(server).unwrap();
    let result = client.call_tool("search", json!({"query": "rust", "limit": 1})).await.unwrap();
    assert_eq!(result.content[0].as_text(), Some(r#"["rust"]"#));
}
