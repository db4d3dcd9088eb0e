//! Checks of many writers at once, in one node and in two.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::{Broken, Checked, Subject, holds, same};
use crate::store::{Expected, Put, Scan, Store};

/// Runs one future for each writer, the other node's handle taken in turn if there is one.
async fn together<T, F, Fut>(subject: &Subject, writers: usize, write: F) -> Result<Vec<T>, Broken>
where
    T: Send + 'static,
    F: Fn(usize, Arc<dyn Store>) -> Fut,
    Fut: Future<Output = Result<T, Broken>> + Send + 'static,
{
    let mut running = JoinSet::new();
    for number in 0..writers {
        let peer = subject.peer.as_ref().filter(|_| number % 2 == 1);
        running.spawn(write(number, Arc::clone(peer.unwrap_or(&subject.store))));
    }
    let mut outcomes = Vec::new();
    while let Some(outcome) = running.join_next().await {
        outcomes.push(outcome.map_err(|error| Broken(format!("panicked: {error}")))??);
    }
    Ok(outcomes)
}

pub(super) async fn one_of_many_takes_an_absent_key(subject: Subject) -> Checked {
    for round in 0..5 {
        let won = together(&subject, 16, |number, store| async move {
            let put = Put::new(format!("{number}")).expected(Expected::Absent);
            match store.put(&format!("key/{round}"), put).await {
                Ok(_) => Ok(true),
                Err(error) if error.is_conflict() => Ok(false),
                Err(error) => Err(error.into()),
            }
        });
        let won = won.await?.into_iter().filter(|won| *won).count();
        same("how many of 16 took the key", &won, &1)?;
    }
    Ok(())
}

pub(super) async fn no_increment_is_lost(subject: Subject) -> Checked {
    const WRITERS: usize = 8;
    const EACH: usize = 10;
    together(&subject, WRITERS, |_, store| async move {
        for _ in 0..EACH {
            increment(&*store).await?;
        }
        Ok(())
    })
    .await?;
    let count = subject.store.get("count").await?.map(|entry| entry.value);
    same("the count", &count, &Some(format!("{}", WRITERS * EACH).into()))
}

async fn increment(store: &dyn Store) -> Checked {
    loop {
        let entry = store.get("count").await?;
        let text = entry.as_ref().map(|entry| String::from_utf8_lossy(&entry.value).into_owned());
        let count: usize = text.map_or(Ok(0), |text| text.parse()).unwrap_or(0);
        let expected = entry.map_or(Expected::Absent, |entry| entry.version.into());
        let put = Put::new(format!("{}", count + 1)).expected(expected);
        match store.put("count", put).await {
            Ok(_) => return Ok(()),
            Err(error) if error.is_conflict() => tokio::task::yield_now().await,
            Err(error) => return Err(error.into()),
        }
    }
}

pub(super) async fn a_reader_never_sees_half_a_write(subject: Subject) -> Checked {
    together(&subject, 6, |number, store| async move {
        for round in 0..10_u8 {
            // Each value is one byte over and over; its length tells which.
            let byte = u8::try_from(number).unwrap_or_default() * 10 + round;
            let length = 1_000 + usize::from(byte);
            store.put("p/whole", Put::new(vec![byte; length])).await?;
            let read = store.get("p/whole").await?.map(|entry| entry.value);
            let page = store.scan(&Scan::prefix("p/")).await?;
            let scanned = page.entries.into_iter().map(|(_, entry)| entry.value);
            for value in read.into_iter().chain(scanned) {
                let first = value.first().copied().unwrap_or_default();
                let is_whole = value.len() == 1_000 + usize::from(first)
                    && value.iter().all(|byte| *byte == first);
                holds("a value is one that was put", is_whole)?;
            }
        }
        Ok(())
    })
    .await?;
    Ok(())
}

pub(super) async fn nodes_see_each_other_at_once(subject: Subject) -> Checked {
    let Some(peer) = &subject.peer else { return Ok(()) };
    for round in 0..20 {
        let key = format!("p/{round:02}");
        let version = subject.store.put(&key, Put::new("here")).await?;
        let seen = peer.get(&key).await?.map(|entry| entry.version);
        same("the version that the other node sees", &seen, &Some(version))?;
        let later = peer.put(&key, Put::new("there").expected(version)).await?;
        holds("a later write of another node has a greater version", later > version)?;
        let seen = subject.store.get(&key).await?.map(|entry| entry.value);
        same("the value that the other node put", &seen, &Some("there".into()))?;
        let page = subject.store.scan(&Scan::prefix("p/")).await?;
        same("how many a scan meets", &page.entries.len(), &(round + 1))?;
    }
    Ok(())
}
