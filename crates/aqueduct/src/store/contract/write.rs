//! Checks of single entries: put, get, delete, and their versions.

use bytes::Bytes;

use super::{Checked, Subject, holds, refused, same};
use crate::store::limit::{MAX_KEY_BYTES, MAX_VALUE_BYTES};
use crate::store::{Expected, Put, Version};

pub(super) async fn what_was_put_comes_back(subject: Subject) -> Checked {
    let store = subject.store;
    same("an entry that was never put", &store.get("a").await?, &None)?;
    let version = store.put("a", Put::new("one")).await?;
    let entry = store.get("a").await?;
    same("the value", &entry.as_ref().map(|one| one.value.clone()), &Some("one".into()))?;
    same("the version", &entry.as_ref().map(|one| one.version), &Some(version))?;
    same("the time to live", &entry.and_then(|one| one.ttl), &None)?;
    same("deleting it", &store.delete("a", Expected::Any).await?, &true)?;
    same("what was deleted", &store.get("a").await?, &None)?;
    same("deleting it again", &store.delete("a", Expected::Any).await?, &false)
}

pub(super) async fn a_put_takes_the_place_of_what_was_there(subject: Subject) -> Checked {
    let store = subject.store;
    let first = store.put("a", Put::new("a long value to begin with")).await?;
    let second = store.put("a", Put::new("short")).await?;
    holds("a later write has a greater version", second > first)?;
    let value = store.get("a").await?.map(|entry| entry.value);
    same("the value", &value, &Some("short".into()))?;
    store.put("b", Put::new("other")).await?;
    let value = store.get("a").await?.map(|entry| entry.value);
    same("the value after a put to another key", &value, &Some("short".into()))
}

pub(super) async fn a_write_happens_only_at_the_expected_version(subject: Subject) -> Checked {
    let store = subject.store;
    let first = store.put("a", Put::new("1").expected(Expected::Absent)).await?;
    let again = store.put("a", Put::new("2").expected(Expected::Absent)).await;
    let error = refused("a put to an absent key that is there", again)?;
    same("the version in the way", &error.current(), &Some(first))?;
    let second = store.put("a", Put::new("2").expected(first)).await?;
    let late = store.put("a", Put::new("3").expected(first)).await;
    let error = refused("a put at an old version", late)?;
    holds("that is a conflict", error.is_conflict())?;
    same("the version in the way", &error.current(), &Some(second))?;
    let nothing = store.put("b", Put::new("1").expected(first)).await;
    let error = refused("a put at a version of a key that is not there", nothing)?;
    holds("that is a conflict", error.is_conflict())?;
    same("the version of nothing", &error.current(), &None)?;
    same("what a refused put left", &store.get("b").await?, &None)?;
    let value = store.get("a").await?.map(|entry| entry.value);
    same("the value after refused puts", &value, &Some("2".into()))
}

pub(super) async fn a_delete_happens_only_at_the_expected_version(subject: Subject) -> Checked {
    let store = subject.store;
    let first = store.put("a", Put::new("1")).await?;
    let second = store.put("a", Put::new("2")).await?;
    let late = store.delete("a", first.into()).await;
    holds(
        "a delete at an old version is a conflict",
        refused("a delete at an old version", late)?.is_conflict(),
    )?;
    same("deleting it", &store.delete("a", second.into()).await?, &true)?;
    let gone = store.delete("a", second.into()).await;
    holds(
        "a delete of what is gone is a conflict",
        refused("a delete of what is gone", gone)?.is_conflict(),
    )?;
    same("deleting if absent", &store.delete("a", Expected::Absent).await?, &false)
}

pub(super) async fn a_version_never_comes_back(subject: Subject) -> Checked {
    let store = subject.store;
    let mut last = Version::new(0);
    for round in 0..20 {
        let version = store.put("a", Put::new(format!("{round}"))).await?;
        holds("a write after a delete has a greater version", version > last)?;
        last = version;
        store.delete("a", version.into()).await?;
        let stale = store.put("a", Put::new("stale").expected(version)).await;
        refused("a put at the version of what was deleted", stale)?;
    }
    Ok(())
}

pub(super) async fn any_bytes_are_a_value_and_any_text_a_key(subject: Subject) -> Checked {
    let store = subject.store;
    let every_byte: Bytes = (0..=u8::MAX).collect();
    let keys = ["a", "a b", "a/b:c{d}*?[e]\\", "ä€𝄞", "\u{1}\r\n\t\"", "\u{10ffff}"];
    for key in keys {
        store.put(key, Put::new(every_byte.clone())).await?;
        let value = store.get(key).await?.map(|entry| entry.value);
        same(&format!("the value under {key:?}"), &value, &Some(every_byte.clone()))?;
    }
    store.put("empty", Put::new("")).await?;
    let value = store.get("empty").await?.map(|entry| entry.value);
    same("an empty value", &value, &Some(Bytes::new()))?;
    for key in keys {
        same(&format!("deleting {key:?}"), &store.delete(key, Expected::Any).await?, &true)?;
    }
    Ok(())
}

pub(super) async fn the_longest_are_kept_and_longer_ones_refused(subject: Subject) -> Checked {
    let store = subject.store;
    let longest = Bytes::from(vec![b'x'; MAX_VALUE_BYTES]);
    store.put("a", Put::new(longest.clone())).await?;
    let kept = store.get("a").await?.is_some_and(|entry| entry.value == longest);
    holds("the longest value comes back", kept)?;
    let key = "k".repeat(MAX_KEY_BYTES);
    store.put(&key, Put::new("1")).await?;
    holds("the longest key is found", store.get(&key).await?.is_some())?;
    let longer = store.put("a", Put::new(vec![b'y'; MAX_VALUE_BYTES + 1024])).await;
    let error = refused("a value that is too long", longer)?;
    holds("that is too large", error.is_too_large())?;
    let kept = store.get("a").await?.is_some_and(|entry| entry.value == longest);
    holds("a refused value leaves the old one", kept)?;
    let long = "k".repeat(MAX_KEY_BYTES + 1);
    let error = refused("a key that is too long", store.put(&long, Put::new("1")).await)?;
    holds("that is too large", error.is_too_large())?;
    let error = refused("reading it", store.get(&long).await)?;
    holds("that is too large", error.is_too_large())?;
    let error = refused("an empty key", store.put("", Put::new("1")).await)?;
    holds("that is invalid", error.is_invalid())
}
