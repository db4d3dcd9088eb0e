//! The file: made with care, shared between processes, refused when it is not a memory.

use std::{fs, path::Path};

use memory::store::{Memory, NewNote};
use rusqlite::Connection;

use super::Fresh;

fn refused(path: &Path) -> String {
    let error = Memory::open(path).unwrap_err();
    assert!(error.is_file(), "{error:?}");
    let message = error.to_string();
    assert!(message.contains(&path.display().to_string()), "{message}");
    message
}

#[tokio::test]
async fn directories_are_made_and_only_the_owner_may_read() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a/b/memory.db");
    let memory = Memory::open(&path).unwrap();
    memory.remember(NewNote::new("private")).await.unwrap();
    #[cfg(unix)]
    for (name, mode) in [("a", 0o700), ("a/b/memory.db", 0o600), ("a/b/memory.db-wal", 0o600)] {
        use std::os::unix::fs::PermissionsExt;
        let found = fs::metadata(directory.path().join(name)).unwrap().permissions().mode();
        assert_eq!(found & 0o777, mode, "{name}");
    }
}

#[tokio::test]
async fn a_memory_opens_again_with_all_its_notes() {
    let fresh = Fresh::new();
    let id = fresh.keep("still here", &["t"]).await;
    let path = fresh.memory.path().to_owned();
    let note = fresh.memory.get(id).await.unwrap();
    // A second handle at the same time is a second process as far as the file is concerned.
    let second = Memory::open(&path).unwrap();
    assert_eq!(second.get(id).await.unwrap(), note);
    second.remember(NewNote::new("from the other side")).await.unwrap();
    assert_eq!(fresh.find("other side").await.total, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_writers_wait_for_each_other() {
    let fresh = Fresh::new();
    let second = Memory::open(fresh.memory.path()).unwrap();
    let write = async |memory: &Memory, name: &str| {
        for n in 0..50 {
            memory.remember(NewNote::new(format!("{name} {n}"))).await.unwrap();
        }
    };
    tokio::join!(write(&fresh.memory, "first"), write(&second, "second"));
    assert_eq!(fresh.memory.stats().await.unwrap().notes, 100);
}

#[test]
fn clients_that_start_together_make_one_file() {
    for _ in 0..20 {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("deep/memory.db");
        let gate = std::sync::Barrier::new(8);
        std::thread::scope(|scope| {
            for n in 0..8 {
                let (path, gate) = (&path, &gate);
                scope.spawn(move || {
                    gate.wait();
                    let memory = Memory::open(path).unwrap();
                    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
                    let note = NewNote::new(format!("note {n}"));
                    runtime.block_on(memory.remember(note)).unwrap();
                });
            }
        });
        let notes = "SELECT count(*) FROM note";
        let count = |row: &rusqlite::Row<'_>| row.get::<_, u32>(0);
        assert_eq!(Connection::open(&path).unwrap().query_row(notes, [], count).unwrap(), 8);
    }
}

#[test]
fn other_files_are_refused_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let text = directory.path().join("letter.txt");
    let words = "Dear reader, this is a letter and not a database. ".repeat(40);
    fs::write(&text, &words).unwrap();
    assert!(refused(&text).contains("is not a memory file; move it away or name another"));
    assert_eq!(fs::read_to_string(&text).unwrap(), words);

    let foreign = directory.path().join("foreign.db");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE theirs (x)").unwrap();
    let before = fs::read(&foreign).unwrap();
    assert!(refused(&foreign).contains("another program's database"));
    assert_eq!(fs::read(&foreign).unwrap(), before);

    assert!(refused(directory.path()).contains("is a directory"));
}

#[tokio::test]
async fn a_file_of_a_newer_version_is_refused() {
    let fresh = Fresh::new();
    let path = fresh.memory.path();
    Connection::open(path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let message = refused(path);
    assert!(message.contains("newer version") && message.contains("update the program"));
}

#[tokio::test]
async fn a_damaged_file_is_refused_with_the_way_to_save_it() {
    let fresh = Fresh::new();
    for n in 0..300 {
        fresh.keep(&format!("note {n} {}", "x".repeat(200)), &["t"]).await;
    }
    let path = fresh.directory.path().join("copy.db");
    Connection::open(fresh.memory.path())
        .unwrap()
        .execute("VACUUM INTO ?", [path.to_str()])
        .unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let from = bytes.len() / 3;
    bytes[from..from + 20_000].fill(0xa5);
    fs::write(&path, &bytes).unwrap();
    assert!(refused(&path).contains(".recover"));
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("plain");
    fs::write(&file, "x").unwrap();
    let error = Memory::open(file.join("memory.db")).unwrap_err();
    assert!(error.to_string().contains("cannot create"), "{error}");
}
