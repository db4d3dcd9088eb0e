//! What the memory keeps, and the shapes in which it gives it back.

use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{Error, MAX_SOURCE_BYTES, MAX_TEXT_BYTES, NoteId, Result, Timestamp, tag};

/// One thing worth remembering.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Note {
    /// The id of the note; its resource is `memory:///` followed by the id
    pub id: NoteId,
    /// The whole text
    pub text: String,
    /// The tags, sorted
    pub tags: Vec<String>,
    /// Where the text came from, if that was said
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// When it was first remembered
    pub created_at: Timestamp,
    /// When its text, tags or source last changed
    pub updated_at: Timestamp,
}

/// What [`Memory::remember`](super::Memory::remember) is given.
#[derive(Debug, Clone, Default)]
pub struct NewNote {
    /// The whole text.
    pub text: String,
    /// The tags to find it by.
    pub tags: Vec<String>,
    /// Where the text came from.
    pub source: Option<String>,
}

impl NewNote {
    /// A note to be kept.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The tags to find it by.
    #[must_use]
    pub fn tags<T: Into<String>>(mut self, tags: impl IntoIterator<Item = T>) -> Self {
        self.tags = tags.into_iter().map(Into::into).collect();
        self
    }

    /// Where the text came from.
    #[must_use]
    pub fn source(mut self, source: impl Into<String>) -> Self {
        self.source = Some(source.into());
        self
    }

    pub(super) fn checked(self) -> Result<Self> {
        Ok(Self {
            text: checked_text(&self.text)?,
            tags: tag::normal(&self.tags)?,
            source: self.source.as_deref().map(checked_source).transpose()?.flatten(),
        })
    }
}

/// What [`Memory::update`](super::Memory::update) changes; what is not named stays as it is.
#[derive(Debug, Clone, Default)]
pub struct Change {
    /// The text that replaces the old one.
    pub text: Option<String>,
    /// The tags that replace the old ones.
    pub tags: Option<Vec<String>>,
    /// The source that replaces the old one; an empty one removes it.
    pub source: Option<String>,
    /// The `updated_at` that the caller has seen: a note changed since then is left alone.
    pub unchanged_since: Option<Timestamp>,
}

impl Change {
    /// A change of nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The text that replaces the old one.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }

    /// The tags that replace the old ones.
    #[must_use]
    pub fn tags<T: Into<String>>(mut self, tags: impl IntoIterator<Item = T>) -> Self {
        self.tags = Some(tags.into_iter().map(Into::into).collect());
        self
    }

    /// The source that replaces the old one; an empty one removes it.
    #[must_use]
    pub fn source(mut self, source: impl Into<String>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// The `updated_at` that the caller has seen: a note changed since then is left alone.
    #[must_use]
    pub fn unchanged_since(mut self, seen: Timestamp) -> Self {
        self.unchanged_since = Some(seen);
        self
    }

    pub(super) fn checked(self) -> Result<Self> {
        if self.text.is_none() && self.tags.is_none() && self.source.is_none() {
            return Err(Error::invalid("nothing to change; give text, tags or source"));
        }
        if let Some(source) = &self.source {
            checked_source(source)?;
        }
        Ok(Self {
            text: self.text.as_deref().map(checked_text).transpose()?,
            tags: self.tags.as_deref().map(tag::normal).transpose()?,
            ..self
        })
    }
}

/// What became of a text that was to be remembered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Remembered {
    /// The note as it is kept now
    #[serde(flatten)]
    pub note: Note,
    /// Whether exactly this text was there before; if so, its tags were merged
    pub already_known: bool,
}

/// What became of notes that were to be forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Forgotten {
    /// The notes that are gone now, as they were
    pub forgotten: Vec<Note>,
    /// Ids for which there was no note
    pub unknown: Vec<NoteId>,
}

/// A note as a line in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Headline {
    /// The id of the note
    pub id: NoteId,
    /// How the text begins
    pub title: String,
    /// The tags, sorted
    pub tags: Vec<String>,
    /// The size of the whole text in bytes
    pub bytes: u64,
    /// When the note last changed
    pub updated_at: Timestamp,
}

/// Some of many, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Page {
    /// The notes of this page
    pub notes: Vec<Headline>,
    /// The last id of this page when more follow: the cursor of the next page
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<NoteId>,
}

/// A tag and how much it holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct TagCount {
    /// The tag
    pub tag: String,
    /// How many notes have it
    pub notes: u64,
}

/// Values that begin with, or contain, what was typed so far.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Completed {
    /// The best values first
    pub values: Vec<String>,
    /// How many there are in all
    pub total: u64,
}

/// The memory in figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Stats {
    /// How many notes are kept
    pub notes: u64,
    /// How many different tags they have
    pub tags: u64,
    /// The size of all texts in bytes
    pub text_bytes: u64,
    /// The size of the file in bytes
    pub file_bytes: u64,
    /// When the oldest note was written
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oldest: Option<Timestamp>,
    /// When a note was last written or changed
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newest: Option<Timestamp>,
}

/// What makes two texts the same: every byte of them.
pub(super) fn digest(text: &str) -> Vec<u8> {
    Sha256::digest(text.as_bytes()).to_vec()
}

fn checked_text(text: &str) -> Result<String> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Error::invalid("the text is empty; write what is worth remembering"));
    }
    if text.len() > MAX_TEXT_BYTES {
        return Err(Error::invalid(format!(
            "the text has {} bytes, a note holds {MAX_TEXT_BYTES}; keep a summary, or several notes",
            text.len()
        )));
    }
    if text.contains('\0') {
        return Err(Error::invalid("the text contains a NUL character; leave it out"));
    }
    Ok(text.to_owned())
}

/// An empty source is no source.
fn checked_source(source: &str) -> Result<Option<String>> {
    let source = source.trim();
    if source.len() > MAX_SOURCE_BYTES {
        return Err(Error::invalid(format!(
            "the source has {} bytes; use at most {MAX_SOURCE_BYTES}, such as a URL or a file name",
            source.len()
        )));
    }
    if source.contains('\0') {
        return Err(Error::invalid("the source contains a NUL character; leave it out"));
    }
    Ok((!source.is_empty()).then(|| source.to_owned()))
}
