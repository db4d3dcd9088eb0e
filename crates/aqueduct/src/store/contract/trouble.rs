//! Checks of what is there after a restart, and after something went wrong.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;

use super::{Broken, Checked, Subject, holds, same};
use crate::store::{Put, Scan, Store, StoreError, Version};

/// How long a store may take until it serves again.
const RECOVERY: Duration = Duration::from_secs(5);
const WRITERS: usize = 8;

pub(super) async fn what_was_acknowledged_is_there_after_opening_again(
    subject: Subject,
) -> Checked {
    let Some((store, reopen, pass)) = subject.into_reopened() else { return Ok(()) };
    let mut versions = Vec::new();
    for number in 0..20 {
        let put = Put::new(format!("{number}")).ttl(Duration::from_secs(3600));
        versions.push(store.put(&format!("p/{number:02}"), put).await?);
    }
    store.put("short", Put::new("x").ttl(Duration::from_millis(200))).await?;
    drop(store);
    let store = reopen().await;
    pass(Duration::from_millis(250)).await;
    let page = store.scan(&Scan::prefix("p/")).await?;
    let found: Vec<_> = page.entries.iter().map(|(_, entry)| entry.version).collect();
    same("the versions after opening again", &found, &versions)?;
    holds("times to live go on", page.entries.iter().all(|(_, entry)| entry.ttl.is_some()))?;
    same("what has expired meanwhile", &store.get("short").await?, &None)
}

pub(super) async fn versions_go_on_after_opening_again(subject: Subject) -> Checked {
    let Some((store, reopen, _)) = subject.into_reopened() else { return Ok(()) };
    let before = store.put("a", Put::new("1")).await?;
    store.delete("a", before.into()).await?;
    drop(store);
    let after = reopen().await.put("a", Put::new("2")).await?;
    holds("a version never comes back, not after a restart either", after > before)
}

/// What became of a write.
enum Outcome {
    Done(Version),
    Undone,
    Unknown,
}

fn outcome(result: Result<Version, StoreError>) -> Result<Outcome, Broken> {
    match result {
        Ok(version) => Ok(Outcome::Done(version)),
        Err(error) if error.is_unavailable() => Ok(Outcome::Undone),
        Err(error) if error.is_uncertain() => Ok(Outcome::Unknown),
        Err(error) => Err(Broken(format!("a fault came out as {error:?}"))),
    }
}

pub(super) async fn a_fault_loses_nothing_that_was_acknowledged(subject: Subject) -> Checked {
    let Some(fault) = subject.fault else { return Ok(()) };
    let mut faults = 0_usize;
    for round in 0..5 {
        fault();
        let mut running = JoinSet::new();
        for number in 0..WRITERS {
            let store = Arc::clone(&subject.store);
            running.spawn(async move {
                let key = format!("p/{round}/{number}");
                let result = store.put(&key, Put::new(key.clone())).await;
                (key, result)
            });
        }
        let mut outcomes = BTreeMap::new();
        while let Some(done) = running.join_next().await {
            let (key, result) = done.map_err(|error| Broken(format!("panicked: {error}")))?;
            outcomes.insert(key, outcome(result)?);
        }
        serves(&*subject.store).await?;
        for (key, outcome) in outcomes {
            let entry = subject.store.get(&key).await?;
            match outcome {
                Outcome::Done(version) => {
                    same(
                        "a write that was acknowledged",
                        &entry.map(|one| one.version),
                        &Some(version),
                    )?;
                }
                Outcome::Undone => {
                    faults += 1;
                    same("a write that did not happen", &entry, &None)?;
                }
                Outcome::Unknown => {
                    faults += 1;
                    let value = entry.map(|entry| entry.value);
                    let is_whole = value.is_none_or(|value| value == key);
                    holds("a write that may have happened did so whole or not at all", is_whole)?;
                }
            }
        }
    }
    holds("a fault makes a write fail", faults > 0)
}

pub(super) async fn a_store_serves_again_after_a_fault(subject: Subject) -> Checked {
    let Some(fault) = subject.fault else { return Ok(()) };
    subject.store.put("a", Put::new("before")).await?;
    for round in 0..5 {
        fault();
        outcome(subject.store.put("b", Put::new(format!("{round}"))).await)?;
        serves(&*subject.store).await?;
        let kept = subject.store.get("a").await?.map(|entry| entry.value);
        same("what was there before", &kept, &Some("before".into()))?;
        let page = subject.store.scan(&Scan::prefix("a")).await?;
        same("a scan after the fault", &page.entries.len(), &1)?;
    }
    Ok(())
}

/// Tries until a write is done.
async fn serves(store: &dyn Store) -> Checked {
    let again = async {
        loop {
            match store.put("probe", Put::new("x")).await {
                Ok(_) => return,
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    };
    let served = tokio::time::timeout(RECOVERY, again).await;
    served.map_err(|_| Broken(format!("it did not serve again within {RECOVERY:?}")))
}
