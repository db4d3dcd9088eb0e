//! What a client may read and list: each note at `memory:///{id}`, and the tags in use.

use aqueduct::{
    page::Listing,
    prelude::*,
    protocol::content::Annotations,
    resource::{ReadResourceResult, ResourceContents, ResourceItem, ResourceRepo, Wanted},
};

use crate::store::{Completed, Headline, Memory, NoteId};

const PREFIX: &str = "memory:///";
const TEMPLATE: &str = "memory:///{id}";
pub(crate) const TAGS: &str = "memory:///tags";
/// What kind of contents a note has.
pub(crate) const TEXT: &str = "text/plain";

/// The notes as a list that goes on for as many pages as there are.
#[derive(Debug, Clone)]
pub struct Notes {
    memory: Memory,
    page_size: u32,
}

impl Notes {
    /// The notes of this memory, so many in a page.
    #[must_use]
    pub fn new(memory: Memory, page_size: u32) -> Self {
        Self { memory, page_size }
    }
}

impl ResourceRepo for Notes {
    fn prefix(&self) -> &str {
        PREFIX
    }

    async fn list(&self, cursor: Option<&str>, _: &Context) -> Result<Listing<ResourceItem>> {
        let after = cursor.map(str::parse).transpose()?;
        let page = self.memory.list(after, self.page_size).await?;
        let listing = Listing::new(page.notes.into_iter().map(item));
        Ok(match page.next {
            Some(next) => listing.next(next.to_string()),
            None => listing,
        })
    }

    async fn read(&self, wanted: &Wanted, _: &Context) -> Result<ReadResourceResult> {
        let note = note(&self.memory, &wanted.uri).await?;
        note.ok_or_else(|| wanted.not_found().into())
    }
}

/// A note in the list: its id is its name, its first line what people see.
fn item(note: Headline) -> ResourceItem {
    let item = ResourceItem::new(uri(note.id), note.id.to_string())
        .title(note.title)
        .mime_type(TEXT)
        .size(note.bytes)
        .annotations(Annotations::new().last_modified(note.updated_at.to_string()));
    if note.tags.is_empty() { item } else { item.description(note.tags.join(", ")) }
}

/// Where a note is read.
pub(crate) fn uri(id: NoteId) -> String {
    format!("{PREFIX}{id}")
}

/// The text of the note at a URI; a URI that is no id names nothing.
async fn note(memory: &Memory, uri: &str) -> Result<Option<ReadResourceResult>> {
    let Ok(id) = uri.parse::<NoteId>() else {
        return Ok(None);
    };
    match memory.get(id).await {
        Ok(note) => {
            let contents = ResourceContents::text(uri, note.text).mime_type(TEXT);
            Ok(Some(ReadResourceResult::new(vec![contents])))
        }
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[args]
struct Named {
    /// The id of a note
    id: String,
}

/// The template that tells clients how to ask for a note whose id they know.
#[must_use]
pub fn template() -> ResourceTemplate {
    ResourceTemplate::new(TEMPLATE, "note")
        .title("A note")
        .description("The whole text of one note, by its id")
        .mime_type(TEXT)
        .handler(read)
        .complete("id", ids)
}

async fn read(
    Args(named): Args<Named>,
    memory: State<Memory>,
) -> Result<Option<ReadResourceResult>> {
    note(&memory, &format!("{PREFIX}{}", named.id)).await
}

async fn ids(Prefix(typed): Prefix, memory: State<Memory>) -> Result<Completions> {
    Ok(completions(memory.complete_id(&typed).await?))
}

/// The tags in use.
#[must_use]
pub fn tags() -> Resource {
    Resource::new(TAGS, "tags")
        .title("Tags")
        .description("The tags in use and how many notes each has, the most used first")
        .mime_type("application/json")
        .handler(tags_in_use)
}

async fn tags_in_use(memory: State<Memory>) -> Result<String> {
    Ok(serde_json::to_string(&memory.tags().await?)?)
}

/// What the store completed, in the framework's words.
pub(crate) fn completions(completed: Completed) -> Completions {
    Completions::new(completed.values).total(completed.total)
}
