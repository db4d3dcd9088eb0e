//! What only this store can be asked: shared syncs, failing disks, collection.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use ::redb::backends::FileBackend;
use ::redb::{Database, StorageBackend};
use tokio::task::JoinSet;

use super::*;
use crate::store::contract::{self, Subject, Violations};

/// A disk that counts its syncs and fails when it is told to.
#[derive(Clone, Debug, Default)]
struct Disk {
    syncs: Arc<AtomicU32>,
    fails_next_sync: Arc<AtomicBool>,
    fails_next_write: Arc<AtomicBool>,
    holds_syncs: Arc<AtomicBool>,
}

#[derive(Debug)]
struct OnDisk {
    file: FileBackend,
    disk: Disk,
}

fn fail_once(flag: &AtomicBool) -> io::Result<()> {
    if flag.swap(false, Ordering::SeqCst) {
        Err(io::Error::other("the disk fails"))
    } else {
        Ok(())
    }
}

impl StorageBackend for OnDisk {
    fn len(&self) -> io::Result<u64> {
        self.file.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.file.read(offset, out)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.file.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        while self.disk.holds_syncs.load(Ordering::SeqCst) {
            std::thread::park_timeout(Duration::from_millis(1));
        }
        fail_once(&self.disk.fails_next_sync)?;
        self.file.sync_data()?;
        self.disk.syncs.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        fail_once(&self.disk.fails_next_write)?;
        self.file.write(offset, data)
    }

    fn close(&self) -> io::Result<()> {
        self.file.close()
    }
}

impl Disk {
    async fn open(&self, path: &Path, clock: Clock, collect_every: Duration) -> Redb {
        let disk = self.clone();
        let at = path.to_owned();
        let opener: Opener = Box::new(move || {
            let options = std::fs::OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&at)
                .unwrap();
            let file = FileBackend::new(options).unwrap();
            Database::builder()
                .create_with_backend(OnDisk { file, disk: disk.clone() })
                .map_err(|error| StoreError::unavailable("not open").source(error))
        });
        Redb::start(path.to_owned(), opener, clock, collect_every).await.unwrap()
    }
}

/// A folder that goes with the test, and a file in it.
fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.redb");
    (folder, path)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failing_sync_is_within_the_contract() -> Result<(), Violations> {
    contract::check(|| async {
        let (folder, path) = place();
        let disk = Disk::default();
        let store = disk.open(&path, Clock::system(), COLLECT_EVERY).await;
        Subject::new(Arc::new(store)).fault(move || {
            let _lives = &folder;
            disk.fails_next_sync.store(true, Ordering::SeqCst);
        })
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failing_write_is_within_the_contract() -> Result<(), Violations> {
    contract::check(|| async {
        let (folder, path) = place();
        let disk = Disk::default();
        let store = disk.open(&path, Clock::system(), COLLECT_EVERY).await;
        Subject::new(Arc::new(store)).fault(move || {
            let _lives = &folder;
            disk.fails_next_write.store(true, Ordering::SeqCst);
        })
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_answer_comes_before_its_sync_and_no_reader_sees_what_is_not_synced() {
    let (_folder, path) = place();
    let disk = Disk::default();
    let store = disk.open(&path, Clock::system(), COLLECT_EVERY).await;
    disk.holds_syncs.store(true, Ordering::SeqCst);
    let mut put = store.put("a", Put::new("x"));
    let early = tokio::time::timeout(Duration::from_millis(200), &mut put).await;
    assert!(early.is_err(), "answered before the sync: {early:?}");
    assert_eq!(store.get("a").await.unwrap(), None);
    disk.holds_syncs.store(false, Ordering::SeqCst);
    put.await.unwrap();
    assert!(store.get("a").await.unwrap().is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_failure_reads_go_on_though_nobody_writes() {
    let (_folder, path) = place();
    let disk = Disk::default();
    let store = disk.open(&path, Clock::system(), COLLECT_EVERY).await;
    store.put("a", Put::new("x")).await.unwrap();
    disk.fails_next_sync.store(true, Ordering::SeqCst);
    assert!(store.put("b", Put::new("x")).await.unwrap_err().is_uncertain());
    for _ in 0..1_000 {
        if store.get("a").await.is_ok_and(|entry| entry.is_some()) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the file was not opened again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_writes_share_a_sync_and_one_alone_has_its_own() {
    let (_folder, path) = place();
    let disk = Disk::default();
    let store = Arc::new(disk.open(&path, Clock::system(), COLLECT_EVERY).await);
    let before = disk.syncs.load(Ordering::SeqCst);
    store.put("alone", Put::new("x")).await.unwrap();
    let after = disk.syncs.load(Ordering::SeqCst);
    assert!(after > before, "the answer came without a sync");

    let mut running = JoinSet::new();
    for number in 0..400 {
        let store = Arc::clone(&store);
        running.spawn(async move { store.put(&format!("p/{number}"), Put::new("x")).await });
    }
    while let Some(outcome) = running.join_next().await {
        outcome.unwrap().unwrap();
    }
    let syncs = disk.syncs.load(Ordering::SeqCst) - after;
    assert!(syncs < 100, "400 writes at once took {syncs} syncs");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_has_expired_leaves_the_file_though_nobody_writes() {
    let (_folder, path) = place();
    let clock = Clock::manual();
    let store = Disk::default().open(&path, clock.clone(), Duration::from_millis(5)).await;
    for number in 0..300 {
        let put = Put::new("x").ttl(Duration::from_secs(1));
        store.put(&format!("p/{number}"), put).await.unwrap();
    }
    clock.advance(Duration::from_secs(1));
    let count = || async { store.read(record::count).await.unwrap() };
    // Each round of the writer's thread removes a part of them.
    for _ in 0..1_000 {
        if count().await == (0, 0) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("{:?} are left", count().await);
}
