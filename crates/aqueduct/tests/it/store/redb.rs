//! The store in one file, from outside: restarts, kills, locks, what it refuses to open.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use aqueduct::store::contract::{self, Subject, Violations};
use aqueduct::store::{Clock, Durability, Put, Redb, Store};

/// A folder that goes with the test, and a file in it.
fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("store.redb");
    (folder, path)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redb_meets_the_contract() -> Result<(), Violations> {
    contract::check(|| async {
        let (folder, path) = place();
        let clock = Clock::manual();
        let store = Arc::new(Redb::open_by(&path, clock.clone()).await.expect("a store"));
        let opened = clock.clone();
        let reopen = move || {
            let (path, clock) = (folder.path().join("store.redb"), opened.clone());
            async move {
                let store = Redb::open_by(path, clock).await.expect("the same store");
                Arc::new(store) as Arc<dyn Store>
            }
        };
        // No peer: one file is for one process.
        Subject::new(store.clone()).bus(store).clock(clock).reopen(reopen)
    })
    .await
}

/// Says in which file the other process writes, in the environment of the other process alone.
const ROLE: &str = "AQUEDUCT_TEST_REDB_WRITER";

/// This test binary again, in the role of a process that writes until it is killed.
fn writer(path: &Path) -> Child {
    Command::new(std::env::current_exe().expect("this binary"))
        .args(["--exact", "store::redb::the_role_of_the_other_process", "--nocapture"])
        .env(ROLE, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the other process")
}

/// The numbers that the other process said were acknowledged, the first `count` of them.
fn acknowledged(child: &mut Child, count: usize) -> Vec<String> {
    let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let lines = lines.map(|line| line.expect("a line"));
    let numbers = lines.filter_map(|line| line.strip_prefix("written ").map(str::to_owned));
    numbers.take(count).collect()
}

/// Does nothing unless the environment gives it the role.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_role_of_the_other_process() {
    let Some(path) = std::env::var_os(ROLE) else { return };
    let store = Redb::open(PathBuf::from(path)).await.expect("a store");
    for number in 0_u64.. {
        store.put(&format!("p/{number}"), Put::new("x")).await.expect("a write");
        let mut out = std::io::stdout().lock();
        // Whoever reads may be gone before the kill comes.
        let _gone = writeln!(out, "\nwritten {number}").and_then(|()| out.flush());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_survives_a_kill() {
    let (_folder, path) = place();
    let mut expected = Vec::new();
    for count in [3, 20, 57] {
        let mut child = writer(&path);
        expected.extend(acknowledged(&mut child, count));
        child.kill().expect("a kill");
        child.wait().expect("its end");
        let store = Redb::open(&path).await.expect("the same store");
        for number in &expected {
            let entry = store.get(&format!("p/{number}")).await.expect("a read");
            assert!(entry.is_some(), "{number} was acknowledged and is gone");
        }
    }
    assert_eq!(expected.len(), 80);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_of_another_process_is_named() {
    let (_folder, path) = place();
    let mut child = writer(&path);
    assert_eq!(acknowledged(&mut child, 1).len(), 1);
    let error = Redb::open(&path).await.expect_err("the file is taken");
    child.kill().expect("a kill");
    child.wait().expect("its end");
    assert!(error.is_unavailable(), "{error:?}");
    let text = error.to_string();
    assert!(text.contains(&path.display().to_string()), "{text}");
    assert!(text.contains("open in another process"), "{text}");
}

#[tokio::test]
async fn what_is_no_store_is_refused_with_the_mend() {
    let (folder, path) = place();
    let missing = folder.path().join("no").join("store.redb");
    let error = Redb::open(&missing).await.expect_err("no folder");
    assert!(error.is_invalid() && error.to_string().contains("make it first"), "{error:?}");
    let error = Redb::open(folder.path()).await.expect_err("a folder");
    assert!(error.is_invalid() && error.to_string().contains("name a file in it"), "{error:?}");
    std::fs::write(&path, vec![b'x'; 10_000]).expect("a file");
    let error = Redb::open(&path).await.expect_err("some other file");
    assert!(error.is_corrupt() && error.to_string().contains("name another file"), "{error:?}");
    assert_eq!(std::fs::read(&path).expect("a file"), vec![b'x'; 10_000]);
}

#[cfg(unix)]
#[tokio::test]
async fn a_new_file_is_its_owners_alone_and_promises_to_be_synced() {
    let (_folder, path) = place();
    let store = Redb::open(&path).await.expect("a store");
    assert_eq!(store.promise().durability, Durability::Synced);
    let metadata = std::fs::metadata(&path).expect("a file");
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o777, 0o600);
}

#[tokio::test]
async fn redb_opens_by_its_address() {
    let (_folder, path) = place();
    let address = format!("redb:{}", path.display());
    let backend = aqueduct::store::open(&address).await.expect("a store");
    backend.store.put("a", Put::new("x")).await.expect("a write");
    assert_eq!(backend.store.promise().store, "redb");
}
