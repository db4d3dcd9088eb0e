//! The file: made on first use, brought up to date, and refused with advice when it is not ours.

use std::{
    fs, io,
    path::Path,
    time::{Duration, Instant},
};

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use super::{Error, Result};

/// Marks the file as a memory, so that another program's database is never written to ("Aqme").
const APPLICATION: i64 = 0x4171_6d65;
/// How long a write waits for another process; longer than any transaction of this program.
const PATIENCE: Duration = Duration::from_secs(5);

/// Up to this size the whole file is checked when it is opened; damage in a larger one is found
/// when it is met.
const CHECKED_BYTES: u64 = 64 * 1024 * 1024;

/// Each step brings the file to the version that is its place in this list, counted from one.
const STEPS: &[&str] = &[r#"
    CREATE TABLE note (
        id INTEGER PRIMARY KEY,
        text TEXT NOT NULL,
        digest BLOB NOT NULL UNIQUE,
        source TEXT,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE tag (
        note INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        PRIMARY KEY (note, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX tag_by_name ON tag (name, note);
    CREATE VIRTUAL TABLE word USING fts5 (
        text, tags,
        tokenize = "porter unicode61 remove_diacritics 2 categories 'L* M* N* Co'"
    );
    INSERT INTO word (word, rank) VALUES ('rank', 'bm25(1.0, 2.0)');
    INSERT INTO word (word, rank) VALUES ('secure-delete', 1);
"#];

/// Opens the file for writing, after making, checking and migrating it.
pub(super) fn open_writer(path: &Path) -> Result<Connection> {
    create(path)?;
    let mut connection = connect(path)?;
    claim(&connection, path)?;
    let mode = log_ahead(&connection).map_err(|error| Error::opening(path, error))?;
    if mode != "wal" {
        return Err(Error::file(format!(
            "\"{}\" lies where a write-ahead log cannot; put it on a local disk with --data",
            path.display()
        )));
    }
    migrate(&mut connection).map_err(|error| Error::opening(path, error))?;
    check(&connection, path)?;
    Ok(connection)
}

/// Opens a file that [`open_writer`] has opened before, for reading only.
pub(super) fn open_reader(path: &Path) -> Result<Connection> {
    let connection = connect(path)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

fn connect(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let settings = "PRAGMA synchronous = FULL;
        PRAGMA fullfsync = ON;
        PRAGMA foreign_keys = ON;
        PRAGMA secure_delete = ON;
        PRAGMA trusted_schema = OFF;
        PRAGMA cell_size_check = ON;";
    let open = || {
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(PATIENCE)?;
        connection.execute_batch(settings)?;
        Ok(connection)
    };
    open().map_err(|error| Error::opening(path, error))
}

/// Turns the write-ahead log on, which only the first of all programs has to do.
///
/// If others are at it at the same moment, the database refuses without waiting. An empty
/// transaction does wait for them.
fn log_ahead(connection: &Connection) -> rusqlite::Result<String> {
    let start = Instant::now();
    loop {
        let mode = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0));
        match &mode {
            Err(error) if is_busy(error) && start.elapsed() < PATIENCE => {
                match connection.execute_batch("BEGIN IMMEDIATE; COMMIT") {
                    Err(error) if !is_busy(&error) => return Err(error),
                    _ => {}
                }
            }
            _ => return mode,
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// Makes the file and its directory for this user alone, since a memory is private.
fn create(path: &Path) -> Result<()> {
    if path.is_dir() {
        let shown = path.display();
        return Err(Error::file(format!(
            "\"{shown}\" is a directory; name a file in it with --data"
        )));
    }
    if path.exists() {
        return Ok(());
    }
    if let Some(directory) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(directory).map_err(|e| Error::io("create the directory", directory, e))?;
    }
    let mut options = fs::OpenOptions::new();
    // Never opens a file that is there: closing it again would drop the locks that this process
    // may hold on it.
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            Err(Error::io("create", path, error))
        }
        _ => Ok(()),
    }
}

/// Refuses a database that another program made, or a later version of this one.
fn claim(connection: &Connection, path: &Path) -> Result<()> {
    let pragma = |name: &str| {
        let value = connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0));
        value.map_err(|error| Error::opening(path, error))
    };
    let tables = connection
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0))
        .map_err(|error| Error::opening(path, error))?;
    let (application, version) = (pragma("application_id")?, pragma("user_version")?);
    let shown = path.display();
    if application != APPLICATION && (application != 0 || tables > 0) {
        return Err(Error::file(format!(
            "\"{shown}\" is another program's database; name another file with --data"
        )));
    }
    if usize::try_from(version).is_ok_and(|version| version <= STEPS.len()) {
        return Ok(());
    }
    Err(Error::file(format!(
        "\"{shown}\" was written by a newer version of this program (its schema is {version}, this \
         one knows {}); update the program, or name another file with --data",
        STEPS.len()
    )))
}

/// Takes the steps that are missing, all or none of them.
fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    let steps = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Read inside the transaction: another process may have migrated while this one waited.
    let done: i64 = steps.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let done = usize::try_from(done).unwrap_or_default();
    for step in STEPS.iter().skip(done) {
        steps.execute_batch(step)?;
    }
    if done < STEPS.len() {
        steps.pragma_update(None, "application_id", APPLICATION)?;
        steps.pragma_update(
            None,
            "user_version",
            i64::try_from(STEPS.len()).unwrap_or_default(),
        )?;
    }
    steps.commit()
}

/// Looks for damage before the first answer relies on it, unless that would take seconds.
fn check(connection: &Connection, path: &Path) -> Result<()> {
    if fs::metadata(path).is_ok_and(|file| file.len() > CHECKED_BYTES) {
        return Ok(());
    }
    let verdict = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
    match verdict {
        Ok(verdict) if verdict == "ok" => Ok(()),
        Ok(_) => Err(Error::damaged(path, None)),
        Err(error) => Err(Error::opening(path, error)),
    }
}
