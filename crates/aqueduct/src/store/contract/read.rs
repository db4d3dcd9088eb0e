//! Checks of scans: order, bounds, pages.

use std::collections::BTreeSet;

use super::{Broken, Checked, Subject, holds, same};
use crate::store::limit::MAX_PAGE_BYTES;
use crate::store::{Expected, Put, Scan, Store};

async fn fill(store: &dyn Store, keys: &[&str]) -> Checked {
    for key in keys {
        store.put(key, Put::new((*key).to_owned())).await?;
    }
    Ok(())
}

/// The keys of one page.
async fn keys(store: &dyn Store, scan: Scan) -> Result<Vec<String>, Broken> {
    let page = store.scan(&scan).await?;
    Ok(page.entries.into_iter().map(|(key, _)| key).collect())
}

pub(super) async fn a_scan_is_in_the_order_of_bytes(subject: Subject) -> Checked {
    let store = &*subject.store;
    let mut wanted = ["p/", "p/10", "p/9", "p/A", "p/Z", "p/a", "p/a/b", "p/b", "p/ä", "p/€"];
    fill(store, &["p/€", "p/b", "p/Z", "p/10", "p/ä", "p/", "p/a/b", "p/9", "p/A", "p/a"]).await?;
    wanted.sort_unstable();
    let page = store.scan(&Scan::prefix("p/")).await?;
    let got: Vec<_> = page.entries.iter().map(|(key, _)| key.as_str()).collect();
    same("the keys", &got, &wanted.to_vec())?;
    same("where to go on", &page.next, &None)?;
    for (key, entry) in &page.entries {
        same(&format!("the value of {key}"), &entry.value, &key.clone().into())?;
        let alone = store.get(key).await?;
        same(&format!("the entry of {key}"), &Some(entry), &alone.as_ref())?;
    }
    Ok(())
}

pub(super) async fn a_scan_keeps_to_its_prefix_and_bounds(subject: Subject) -> Checked {
    let store = &*subject.store;
    fill(store, &["a", "a/1", "a/2", "a/3", "a0", "b/1", "a\u{10ffff}", "*", "a*/1", "[a]/1"])
        .await?;
    let cases: &[(Scan, &[&str])] = &[
        (Scan::prefix("a/"), &["a/1", "a/2", "a/3"]),
        (Scan::prefix("a"), &["a", "a*/1", "a/1", "a/2", "a/3", "a0", "a\u{10ffff}"]),
        (Scan::prefix("a*/"), &["a*/1"]),
        (Scan::prefix("[a]"), &["[a]/1"]),
        (Scan::prefix("c"), &[]),
        (Scan::prefix("a/").from("a/2"), &["a/2", "a/3"]),
        (Scan::prefix("a/").after("a/2"), &["a/3"]),
        (Scan::prefix("a/").until("a/2"), &["a/1"]),
        (Scan::prefix("a/").from("a/2").until("a/3"), &["a/2"]),
        (Scan::prefix("a/").from("a/3").until("a/2"), &[]),
        (Scan::prefix("a/").until("A"), &[]),
        (Scan::prefix("a/").from("b"), &[]),
    ];
    for (scan, wanted) in cases {
        same(&format!("{scan:?}"), &keys(store, scan.clone()).await?, &owned(wanted))?;
    }
    let all = keys(store, Scan::prefix("")).await?;
    same("how many there are with the empty prefix", &all.len(), &10)
}

fn owned(keys: &[&str]) -> Vec<String> {
    keys.iter().map(|key| (*key).to_owned()).collect()
}

pub(super) async fn pages_meet_every_entry_once(subject: Subject) -> Checked {
    let store = &*subject.store;
    let wanted: Vec<_> = (0..25).map(|number| format!("p/{number:02}")).collect();
    for key in &wanted {
        store.put(key, Put::new("x")).await?;
    }
    for limit in [1, 7, 24, 25, 26] {
        let mut got = Vec::new();
        let mut scan = Scan::prefix("p/").limit(limit);
        loop {
            let page = store.scan(&scan).await?;
            holds("a page keeps to its limit", page.entries.len() <= limit)?;
            got.extend(page.entries.into_iter().map(|(key, _)| key));
            let Some(next) = page.next else { break };
            holds("a scan comes to its end", got.len() < wanted.len())?;
            scan = Scan::prefix("p/").limit(limit).after(next);
        }
        same(&format!("the keys in pages of {limit}"), &got, &wanted)?;
    }
    Ok(())
}

pub(super) async fn a_page_of_long_values_ends_early(subject: Subject) -> Checked {
    let store = &*subject.store;
    // A little short of the half, because a store that encrypts counts what that adds.
    let each = MAX_PAGE_BYTES / 2 - 1024;
    for key in ["p/1", "p/2", "p/3"] {
        store.put(key, Put::new(vec![b'x'; each])).await?;
    }
    let page = store.scan(&Scan::prefix("p/")).await?;
    same("how many fit into a page", &page.entries.len(), &2)?;
    let rest = Scan::prefix("p/").after(page.next.unwrap_or_default());
    same("the rest", &keys(store, rest).await?, &owned(&["p/3"]))?;
    store.put("p/2", Put::new(vec![b'y'; MAX_PAGE_BYTES])).await?;
    let page = store.scan(&Scan::prefix("p/").after("p/1")).await?;
    same("an entry as long as a page is one alone", &page.entries.len(), &1)
}

pub(super) async fn pages_go_on_while_entries_come_and_go(subject: Subject) -> Checked {
    let store = &*subject.store;
    fill(store, &["p/2", "p/4", "p/6", "p/8"]).await?;
    let mut met = Vec::new();
    let mut scan = Scan::prefix("p/").limit(1);
    for round in 0..10 {
        let page = store.scan(&scan).await?;
        met.extend(page.entries.into_iter().map(|(key, _)| key));
        match round {
            // Before the place, at the place, and behind it.
            0 => fill(store, &["p/1", "p/5"]).await?,
            1 => {
                store.delete("p/4", Expected::Any).await?;
                store.delete("p/6", Expected::Any).await?;
            }
            _ => {}
        }
        let Some(next) = page.next else { break };
        scan = Scan::prefix("p/").limit(1).after(next);
    }
    let once: BTreeSet<_> = met.iter().collect();
    same("how often each was met", &once.len(), &met.len())?;
    same("what was met", &met, &owned(&["p/2", "p/4", "p/5", "p/8"]))
}
