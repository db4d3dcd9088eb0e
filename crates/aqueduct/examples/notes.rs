//! Notes: tools, resources and a prompt that share a state, and listeners that are told of changes.

use std::collections::BTreeMap;
use std::sync::Mutex;

use aqueduct::prelude::*;
use aqueduct::reply;

type Notes = Mutex<BTreeMap<String, String>>;

/// Keep a note.
#[tool]
async fn keep(
    /// What to find it by
    #[arg(pattern = "^[a-z]+$", length = 1..=20)]
    name: String,
    /// What it says
    text: String,
    notes: State<Notes>,
    ctx: Context,
) -> Result<String> {
    let mut all = notes.lock().map_err(|_| ToolError::new("the notes are lost"))?;
    let uri = format!("notes://{name}");
    all.insert(name, text);
    ctx.notify().resource_updated(&uri);
    Ok(format!("kept as {uri}"))
}

/// A note.
#[resource("notes://{name}", mime_type = "text/plain")]
async fn note(name: &str, notes: State<Notes>) -> Option<String> {
    notes.lock().ok()?.get(name).cloned()
}

/// Sum up a note.
#[prompt]
async fn summary(
    /// Which note
    name: String,
    notes: State<Notes>,
) -> Result<Vec<PromptMessage>> {
    let all = notes.lock().map_err(|_| ToolError::new("the notes are lost"))?;
    let Some(text) = all.get(&name) else {
        return Err(Error::not_found(format!("no note {name:?}")).into());
    };
    Ok(vec![reply::system("Be brief."), reply::user(format!("Sum up: {text}"))])
}

#[tokio::main]
async fn main() -> Result<()> {
    Server::new("notes", "1.0.0")
        .state(Notes::default())
        .tools(list![keep])
        .resources(list![note])
        .prompts(list![summary])
        .run()
        .await
}
