//! The open file, and opening it again after the disk has failed.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use ::redb::backends::FileBackend;
use ::redb::{Database, DatabaseError, ReadTransaction, ReadableDatabase, StorageError};

use crate::store::error::StoreError;

/// Opens the database, at the start and after a failure.
pub(super) type Opener = Box<dyn Fn() -> Result<Database, StoreError> + Send + Sync>;

/// The database, unless it could not be opened again.
pub(super) struct File {
    opener: Opener,
    database: RwLock<Option<Database>>,
}

impl File {
    pub(super) const fn new(opener: Opener) -> Self {
        Self { opener, database: RwLock::new(None) }
    }

    /// Opens the file if it is not open.
    pub(super) fn open(&self) -> Result<(), StoreError> {
        let mut database = self.database.write().unwrap_or_else(PoisonError::into_inner);
        if database.is_none() {
            *database = Some((self.opener)()?);
        }
        Ok(())
    }

    /// Closes the file, once nobody reads it any more.
    pub(super) fn close(&self) {
        // The lock on the file goes with the handle, so it must be gone before the next is opened.
        *self.database.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Reads what has been committed.
    pub(super) fn read<T>(
        &self,
        read: impl FnOnce(&ReadTransaction) -> Result<T, ::redb::Error>,
    ) -> Result<T, StoreError> {
        self.with(|database| {
            let transaction = database.begin_read().map_err(failed)?;
            read(&transaction).map_err(failed)
        })
    }

    /// Does something with the database, which stays open meanwhile.
    pub(super) fn with<T>(
        &self,
        work: impl FnOnce(&Database) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let database = self.database.read().unwrap_or_else(PoisonError::into_inner);
        let Some(database) = &*database else {
            return Err(StoreError::unavailable("the file of the store could not be opened again"));
        };
        work(database)
    }
}

/// A failure that changed nothing.
pub(super) fn failed(error: impl Into<::redb::Error>) -> StoreError {
    let error = error.into();
    if matches!(error, ::redb::Error::Corrupted(_)) {
        return StoreError::corrupt("the file of the store is damaged").source(error);
    }
    StoreError::unavailable("the file of the store could not be read or written").source(error)
}

/// Opens the file at `path`.
pub(super) fn opener(path: PathBuf) -> Opener {
    Box::new(move || {
        let backend = make(&path).and_then(|file| FileBackend::new(file).map_err(io::Error::other));
        let backend = backend.map_err(|error| cannot_make(&path, error))?;
        let database = Database::builder().create_with_backend(backend);
        database.map_err(|error| cannot_open(&path, error))
    })
}

/// Opens or makes the file; its name in the folder must survive a crash too.
fn make(path: &Path) -> io::Result<std::fs::File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        std::fs::File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    Ok(file)
}

fn cannot_make(path: &Path, error: io::Error) -> StoreError {
    let shown = path.display();
    let mend = match error.kind() {
        io::ErrorKind::NotFound => "its folder does not exist; make it first",
        io::ErrorKind::PermissionDenied => "permission denied; let this user write it",
        io::ErrorKind::IsADirectory => "it is a folder; name a file in it",
        _ => "the system refuses it",
    };
    StoreError::invalid(format!("cannot open the store {shown}: {mend}")).source(error)
}

fn cannot_open(path: &Path, error: DatabaseError) -> StoreError {
    let shown = path.display();
    match error {
        DatabaseError::DatabaseAlreadyOpen => StoreError::unavailable(format!(
            "the store {shown} is open in another process; end that one, name another file, or use \
             redis: for many processes"
        )),
        DatabaseError::Storage(StorageError::Io(ref cause))
            if cause.kind() != io::ErrorKind::InvalidData =>
        {
            StoreError::unavailable(format!("the store {shown} could not be read")).source(error)
        }
        _ => StoreError::corrupt(format!(
            "the store {shown} is no redb file of this version, or damaged; name another file"
        ))
        .source(error),
    }
}
