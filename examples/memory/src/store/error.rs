//! What can go wrong in the memory, said so that a model or its owner can act on it.

use std::{fmt, io, path::Path};

use rusqlite::ErrorCode;

/// A result of the memory.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure with a message for whoever asked and a source for the log.
#[derive(Debug)]
pub struct Error {
    kind: Kind,
    message: String,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Invalid,
    NotFound,
    Conflict,
    Busy,
    File,
    Internal,
}

impl Error {
    /// What was asked for cannot be done as asked; the message says what would be right.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::of(Kind::Invalid, message)
    }

    /// There is no note with this id.
    pub fn not_found(id: impl fmt::Display) -> Self {
        Self::of(Kind::NotFound, format!("no note \"{id}\"; recall finds notes and their ids"))
    }

    /// The note is not as the caller believes, or another note stands in the way.
    pub fn conflict(message: impl Into<String>) -> Self {
        Self::of(Kind::Conflict, message)
    }

    /// The file is missing, damaged, foreign or newer than this program.
    pub fn file(message: impl Into<String>) -> Self {
        Self::of(Kind::File, message)
    }

    /// A fault of this program.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::of(Kind::Internal, message)
    }

    /// Whether the caller asked for something that is never possible.
    #[must_use]
    pub fn is_invalid(&self) -> bool {
        self.kind == Kind::Invalid
    }

    /// Whether the note does not exist.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        self.kind == Kind::NotFound
    }

    /// Whether the note changed in the meantime or its text exists already.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        self.kind == Kind::Conflict
    }

    /// Whether the file cannot be used as a memory.
    #[must_use]
    pub fn is_file(&self) -> bool {
        self.kind == Kind::File
    }

    /// Whether trying again later may help.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.kind == Kind::Busy
    }

    pub(super) fn io(doing: &str, path: &Path, error: io::Error) -> Self {
        let message = format!("cannot {doing} \"{}\": {error}", path.display());
        Self { source: Some(Box::new(error)), ..Self::of(Kind::File, message) }
    }

    /// Names the file in an error that was raised while opening it.
    pub(super) fn opening(path: &Path, error: rusqlite::Error) -> Self {
        let shown = path.display();
        let message = match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => format!(
                "\"{shown}\" is not a memory file; move it away or name another file with --data"
            ),
            Some(ErrorCode::DatabaseCorrupt) => return Self::damaged(path, Some(error)),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                format!("\"{shown}\" is locked by another program; end it or try again")
            }
            _ => format!("cannot open \"{shown}\": {error}"),
        };
        Self { source: Some(Box::new(error)), ..Self::of(Kind::File, message) }
    }

    /// Says how to save what is left of a damaged file.
    pub(super) fn damaged(path: &Path, error: Option<rusqlite::Error>) -> Self {
        let shown = path.display();
        let message = format!(
            "the memory file \"{shown}\" is damaged; stop every program that uses it, keep a \
             copy, and save what can be read with: sqlite3 \"{shown}\" .recover | sqlite3 new.db"
        );
        let source = error.map(|error| Box::new(error) as Box<_>);
        Self { source, ..Self::of(Kind::File, message) }
    }

    /// The same words for another caller that the failure concerns; the first has the source.
    pub(super) fn again(&self) -> Self {
        Self::of(self.kind, self.message.as_str())
    }

    fn of(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), source: None }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        let (kind, message) = match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                (Kind::Busy, "another program is writing to the memory; try again")
            }
            Some(ErrorCode::DiskFull) => {
                (Kind::File, "the disk is full; nothing was kept, free some space and try again")
            }
            Some(ErrorCode::ReadOnly) => (Kind::File, "the memory file may not be written to"),
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => (
                Kind::File,
                "the memory file is damaged; stop every program that uses it, keep a copy, and \
                 save what can be read with the .recover command of sqlite3",
            ),
            _ => (Kind::Internal, "the memory failed; the log says why"),
        };
        Self { source: Some(Box::new(error)), ..Self::of(kind, message) }
    }
}
