//! Checks of times to live.

use std::time::Duration;

use super::{Checked, Subject, holds, refused, same};
use crate::store::{Expected, Put, Scan};

/// Short, for stores whose clock cannot be turned; long enough for a write to be done meanwhile.
const SHORT: Duration = Duration::from_millis(400);
const LONG: Duration = Duration::from_secs(3600);
/// After this a short time is over for certain.
const OVER: Duration = Duration::from_millis(450);

pub(super) async fn an_entry_is_gone_when_its_time_is_over(subject: Subject) -> Checked {
    let store = subject.store;
    store.put("p/short", Put::new("1").ttl(SHORT)).await?;
    store.put("p/long", Put::new("2").ttl(LONG)).await?;
    store.put("p/ever", Put::new("3")).await?;
    let page = store.scan(&Scan::prefix("p/")).await?;
    same("how many there are before", &page.entries.len(), &3)?;
    let left = store.get("p/short").await?.and_then(|entry| entry.ttl).unwrap_or_default();
    holds("what is left of a short time is no longer than it", left <= SHORT && !left.is_zero())?;
    let left = store.get("p/long").await?.and_then(|entry| entry.ttl).unwrap_or_default();
    holds("what is left of an hour is about an hour", left <= LONG && left > LONG / 2)?;
    (subject.pass)(OVER).await;
    same("an entry whose time is over", &store.get("p/short").await?, &None)?;
    let page = store.scan(&Scan::prefix("p/")).await?;
    let keys: Vec<_> = page.entries.iter().map(|(key, _)| key.as_str()).collect();
    same("a scan after it", &keys, &vec!["p/ever", "p/long"])?;
    let gone = store.delete("p/short", Expected::Any).await?;
    same("deleting what has expired", &gone, &false)
}

pub(super) async fn a_put_starts_the_time_anew(subject: Subject) -> Checked {
    let store = subject.store;
    store.put("longer", Put::new("1").ttl(SHORT)).await?;
    store.put("longer", Put::new("2").ttl(LONG)).await?;
    store.put("ever", Put::new("1").ttl(SHORT)).await?;
    store.put("ever", Put::new("2")).await?;
    store.put("shorter", Put::new("1").ttl(LONG)).await?;
    store.put("shorter", Put::new("2").ttl(SHORT)).await?;
    (subject.pass)(OVER).await;
    holds("a longer time counts", store.get("longer").await?.is_some())?;
    let ever = store.get("ever").await?;
    same(
        "the value of what stays",
        &ever.as_ref().map(|one| one.value.clone()),
        &Some("2".into()),
    )?;
    same("the time of what stays", &ever.and_then(|one| one.ttl), &None)?;
    same("what got a shorter time", &store.get("shorter").await?, &None)
}

pub(super) async fn what_has_expired_is_absent(subject: Subject) -> Checked {
    let store = subject.store;
    let old = store.put("a", Put::new("1").ttl(SHORT)).await?;
    let zero = store.put("zero", Put::new("1").ttl(Duration::ZERO)).await;
    holds("no time at all is the shortest there is", zero.is_ok())?;
    (subject.pass)(OVER).await;
    let late = store.put("a", Put::new("2").expected(old)).await;
    let error = refused("a put at the version of what has expired", late)?;
    holds("that is a conflict", error.is_conflict())?;
    same("the version in the way", &error.current(), &None)?;
    let new = store.put("a", Put::new("3").expected(Expected::Absent)).await?;
    holds("a write after an expiry has a greater version", new > old)?;
    same("no time at all is over", &store.get("zero").await?, &None)
}
