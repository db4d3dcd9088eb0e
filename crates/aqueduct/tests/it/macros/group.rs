//! `#[tools]` on an `impl` block.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use aqueduct::prelude::*;
use serde_json::json;

use super::{client, of_tools, said};

#[derive(Default)]
struct Notes {
    texts: Mutex<BTreeMap<String, String>>,
}

impl Notes {
    fn open() -> Result<Self> {
        Ok(Self::default())
    }
}

#[tools(prefix = "notes_")]
impl Notes {
    const GREETING: &str = "hello";

    /// Keep a note.
    #[tool(idempotent)]
    async fn put(
        &self,
        /// What it is called
        name: String,
        #[arg(default = Self::GREETING.to_owned())] text: String,
    ) -> Result<String> {
        let mut texts = self.texts.lock().map_err(|_| ToolError::new("poisoned"))?;
        texts.insert(name, text);
        Ok(texts.len().to_string())
    }

    #[aqueduct::tool(name = "read")]
    fn get(&self, name: &str, ctx: &Context) -> Option2 {
        let _ = ctx.wants_progress();
        Option2(self.find(name))
    }

    #[tool]
    async fn shared(self: Arc<Self>) -> String {
        Arc::strong_count(&self).to_string()
    }

    #[tool]
    async fn nothing() -> Json<Vec<u8>> {
        Json(Vec::new())
    }

    /// Sum up a note.
    #[prompt]
    async fn sum_up(&self, #[arg(complete = Self::names)] name: String) -> String {
        format!("Sum up: {}", self.find(&name).unwrap_or_default())
    }

    #[resource("notes://{name}")]
    async fn note(&self, name: String) -> Option<String> {
        self.find(&name)
    }

    /// Not marked, so it stays as it is.
    fn find(&self, name: &str) -> Option<String> {
        self.texts.lock().ok()?.get(name).cloned()
    }

    async fn names(Prefix(typed): Prefix) -> Vec<String> {
        vec![format!("{typed}…")]
    }
}

/// An answer of the application's own.
struct Option2(Option<String>);

impl aqueduct::tool::IntoToolOutput for Option2 {
    fn into_tool_output(self) -> Result<aqueduct::protocol::tools::CallToolResult> {
        self.0.unwrap_or_else(|| "nothing".to_owned()).into_tool_output()
    }
}

#[tokio::test]
async fn methods_share_their_value() {
    let client = of_tools(Notes::open().unwrap().into_tools());
    assert_eq!(
        client.tool_names().await.unwrap(),
        ["notes_put", "notes_read", "notes_shared", "notes_nothing"]
    );
    assert_eq!(said(&client, "notes_put", json!({ "name": "a" })).await, "1");
    assert_eq!(said(&client, "notes_put", json!({ "name": "b", "text": "x" })).await, "2");
    assert_eq!(said(&client, "notes_read", json!({ "name": "a" })).await, "hello");
    assert_eq!(said(&client, "notes_read", json!({ "name": "c" })).await, "nothing");
    assert_eq!(said(&client, "notes_nothing", json!({})).await, "[]");
}

#[tokio::test]
async fn a_group_offers_more_than_tools() {
    let notes = Arc::new(Notes::default());
    let test = client(
        Server::new("test", "1")
            .tools(notes.to_tools())
            .prompts(notes.to_prompts())
            .resources(notes.to_resources()),
    );
    said(&test, "notes_put", json!({ "name": "a", "text": "b" })).await;
    assert_eq!(notes.find("a").as_deref(), Some("b"));
    let arguments = [("name".to_owned(), "a".to_owned())].into();
    let prompt = test.get_prompt("notes_sum_up", arguments).await.unwrap();
    assert!(format!("{prompt:?}").contains("Sum up: b"), "{prompt:?}");
    let read = test.request("resources/read", json!({ "uri": "notes://a" })).await.unwrap();
    assert_eq!(read.result["contents"][0]["text"], "b");
    let completed = json!({
        "ref": { "type": "ref/prompt", "name": "notes_sum_up" },
        "argument": { "name": "name", "value": "x" },
    });
    let completed = test.request("completion/complete", completed).await.unwrap();
    assert_eq!(completed.result["completion"]["values"], json!(["x…"]));
}

#[tokio::test]
async fn a_value_of_one_kind_is_made_into_it() {
    assert_eq!(Notes::default().into_prompts().len(), 1);
    assert_eq!(Notes::default().into_resources().len(), 1);
    let notes = Notes::default();
    assert_eq!(notes.put("n".to_owned(), "t".to_owned()).await.unwrap(), "1");
}
