//! The memory itself: notes in one file, found by words, tags and time.

mod error;
mod id;
mod note;
mod query;
mod read;
mod schema;
mod search;
mod tag;
mod time;
mod worker;
mod write;

use std::{path::PathBuf, sync::Arc};

pub use error::{Error, Result};
pub use id::NoteId;
pub use note::{
    Change, Completed, Forgotten, Headline, NewNote, Note, Page, Remembered, Stats, TagCount,
};
pub use search::{Hit, Matched, Recalled, Search};
pub use time::Timestamp;

use worker::{Readers, Writer};

/// The most bytes of text in one note.
pub const MAX_TEXT_BYTES: usize = 64 * 1024;
/// The most bytes that say where a text came from.
pub const MAX_SOURCE_BYTES: usize = 1024;
/// The most tags on one note.
pub const MAX_TAGS: usize = 32;
/// The most characters in one tag.
pub const MAX_TAG_CHARS: usize = 64;
/// The most bytes in a query.
pub const MAX_QUERY_BYTES: usize = 4 * 1024;
/// The most notes in one answer.
pub const MAX_PAGE: u32 = 100;
/// The most notes that one call forgets.
pub const MAX_IDS: usize = 100;
/// The most notes that one call reads whole.
pub const MAX_READ: usize = 20;
/// The most tags in a list of all tags.
pub const MAX_TAGS_LISTED: u32 = 1_000;
/// The most values of a completion, which the protocol limits.
pub const MAX_COMPLETIONS: u32 = 100;

/// A handle to the memory; clones share one file.
///
/// Several processes may open the same file at once. What a call has answered is on disk: it
/// survives a crash of the process and of the machine.
#[derive(Debug, Clone)]
pub struct Memory(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    writer: Writer,
    readers: Readers,
}

impl Memory {
    /// Opens the file, making it and its directory if there is none.
    ///
    /// # Errors
    /// When the file cannot be made, is damaged, or belongs to another program or a newer version
    /// of this one; the message says what to do.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self> {
        let path = path.into();
        let writer = Writer::start(schema::open_writer(&path)?)?;
        let readers = Readers::new(path.clone());
        Ok(Self(Arc::new(Inner { path, writer, readers })))
    }

    /// The file that holds the notes.
    #[must_use]
    pub fn path(&self) -> &std::path::Path {
        &self.0.path
    }

    /// Keeps a text; one that is already known gains the tags instead of a twin.
    ///
    /// # Errors
    /// When the text is empty or too long, or a tag is not well formed.
    ///
    /// # Cancel safety
    /// Once queued, the note is kept even if the future is dropped.
    pub async fn remember(&self, note: NewNote) -> Result<Remembered> {
        let note = note.checked()?;
        self.0.writer.run(move |connection| write::remember(connection, &note)).await
    }

    /// Finds notes; no query text is an error, and an empty one gives the newest notes.
    ///
    /// # Errors
    /// When a limit is exceeded or a tag is not well formed.
    pub async fn recall(&self, search: Search) -> Result<Recalled> {
        let search = search.checked()?;
        self.0.readers.run(move |connection| search::recall(connection, &search)).await
    }

    /// Reads notes whole, however long they are.
    ///
    /// # Errors
    /// When there are no ids, more than [`MAX_READ`], or one that no note has.
    pub async fn read(&self, ids: Vec<NoteId>) -> Result<Recalled> {
        let ids = checked_ids(ids, MAX_READ)?;
        self.0.readers.run(move |connection| search::read(connection, &ids)).await
    }

    /// Changes the text, the tags or the source of a note.
    ///
    /// # Errors
    /// When there is no such note, it changed since the caller saw it, or another note has the
    /// new text.
    ///
    /// # Cancel safety
    /// Once queued, the change is made even if the future is dropped.
    pub async fn update(&self, id: NoteId, change: Change) -> Result<Note> {
        let change = change.checked()?;
        self.0.writer.run(move |connection| write::update(connection, id, &change)).await
    }

    /// Removes notes for good and returns what they were.
    ///
    /// # Errors
    /// When there are no ids or more than [`MAX_IDS`].
    ///
    /// # Cancel safety
    /// Once queued, the notes are removed even if the future is dropped.
    pub async fn forget(&self, ids: Vec<NoteId>) -> Result<Forgotten> {
        let ids = checked_ids(ids, MAX_IDS)?;
        self.0.writer.run_and_clean(move |connection| write::forget(connection, &ids)).await
    }

    /// Reads one note.
    ///
    /// # Errors
    /// When there is none with this id.
    pub async fn get(&self, id: NoteId) -> Result<Note> {
        let found = self.0.readers.run(move |connection| read::note(connection, id)).await?;
        found.ok_or_else(|| Error::not_found(id))
    }

    /// Reads a page of notes, the newest first, that follow the one `after`.
    ///
    /// # Errors
    /// When the limit is not within 1 and [`MAX_PAGE`].
    pub async fn list(&self, after: Option<NoteId>, limit: u32) -> Result<Page> {
        if !(1..=MAX_PAGE).contains(&limit) {
            return Err(Error::invalid(format!("limit is {limit}; use 1 to {MAX_PAGE}")));
        }
        self.0.readers.run(move |connection| read::page(connection, after, limit)).await
    }

    /// Lists the tags in use, the most used first, at most [`MAX_TAGS_LISTED`].
    ///
    /// # Errors
    /// When the file cannot be read.
    pub async fn tags(&self) -> Result<Vec<TagCount>> {
        self.0.readers.run(|connection| read::tags(connection)).await
    }

    /// Completes a tag.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub async fn complete_tag(&self, value: &str) -> Result<Completed> {
        let value = value.to_owned();
        self.0.readers.run(move |connection| read::complete_tag(connection, &value)).await
    }

    /// Completes the id of a note.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub async fn complete_id(&self, value: &str) -> Result<Completed> {
        let value = value.to_owned();
        self.0.readers.run(move |connection| read::complete_id(connection, &value)).await
    }

    /// Counts notes, tags and bytes.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub async fn stats(&self) -> Result<Stats> {
        self.0.readers.run(|connection| read::stats(connection)).await
    }
}

fn checked_ids(ids: Vec<NoteId>, most: usize) -> Result<Vec<NoteId>> {
    match ids.len() {
        0 => Err(Error::invalid("no ids; name at least one note")),
        count if count > most => {
            Err(Error::invalid(format!("{count} ids are too many; use at most {most}")))
        }
        _ => Ok(ids),
    }
}
