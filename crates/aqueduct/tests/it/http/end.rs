//! How a listener goes to its end.

use serde_json::json;

use super::fixture::Fixture;
use super::peer::call;

#[tokio::test]
async fn a_call_is_served() {
    let mut fixture = Fixture::new().await;
    let answer = fixture.ask(&call(1, "echo", json!({ "text": "hi" }))).await;
    assert_eq!(answer.result(json!(1))["content"][0]["text"], "hi");
    fixture.stop();
    fixture.ended().await;
}
