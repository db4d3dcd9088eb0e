//! Lists, tags, completions and figures.

use memory::store::{MAX_COMPLETIONS, Memory};

use super::Fresh;

async fn walk(memory: &Memory, limit: u32) -> Vec<String> {
    let (mut titles, mut after) = (Vec::new(), None);
    loop {
        let page = memory.list(after, limit).await.unwrap();
        titles.extend(page.notes.into_iter().map(|note| note.title));
        after = page.next;
        if after.is_none() {
            return titles;
        }
    }
}

#[tokio::test]
async fn pages_of_every_size_hold_every_note_once_newest_first() {
    let fresh = Fresh::new();
    assert!(walk(&fresh.memory, 10).await.is_empty());
    let mut wanted: Vec<String> = Vec::new();
    for n in 0..12 {
        fresh.keep(&format!("note {n}"), &[]).await;
        wanted.insert(0, format!("note {n}"));
    }
    for limit in [1, 5, 6, 12, 13, 100] {
        assert_eq!(walk(&fresh.memory, limit).await, wanted, "{limit}");
    }
    assert!(fresh.memory.list(None, 0).await.unwrap_err().is_invalid());
    assert!(fresh.memory.list(None, 101).await.unwrap_err().is_invalid());
}

#[tokio::test]
async fn a_walk_is_stable_while_notes_come_and_go() {
    let fresh = Fresh::new();
    let mut ids = Vec::new();
    for n in 0..6 {
        ids.push(fresh.keep(&format!("note {n}"), &[]).await);
    }
    let first = fresh.memory.list(None, 2).await.unwrap();
    fresh.keep("note 6", &[]).await;
    // Even the note that is the cursor may go.
    fresh.memory.forget(vec![ids[4], ids[1]]).await.unwrap();
    let second = fresh.memory.list(first.next, 10).await.unwrap();
    let titles: Vec<_> = second.notes.iter().map(|note| note.title.as_str()).collect();
    assert_eq!(titles, ["note 3", "note 2", "note 0"]);
    assert_eq!(second.next, None);
}

#[tokio::test]
async fn a_headline_tells_what_the_note_is() {
    let fresh = Fresh::new();
    let text = format!("Größe {}\nsecond line", "w ".repeat(100));
    let id = fresh.keep(&text, &["b", "a"]).await;
    let page = fresh.memory.list(None, 1).await.unwrap();
    let line = &page.notes[0];
    assert_eq!(line.id, id);
    assert_eq!(line.bytes, u64::try_from(text.len()).unwrap());
    assert_eq!(line.tags, ["a", "b"]);
    assert!(line.title.starts_with("Größe w") && line.title.ends_with('…'));
}

#[tokio::test]
async fn tags_are_counted_and_completed() {
    let fresh = Fresh::new();
    for n in 0..150 {
        let tag = format!("project-{n:03}");
        fresh.keep(&format!("note {n}"), &["all", &tag]).await;
    }
    let tags = fresh.memory.tags().await.unwrap();
    assert_eq!((tags[0].tag.as_str(), tags[0].notes, tags.len()), ("all", 150, 151));

    let many = fresh.memory.complete_tag("Pro").await.unwrap();
    assert_eq!(many.values.len(), usize::try_from(MAX_COMPLETIONS).unwrap());
    assert_eq!(many.total, 150);
    let few = fresh.memory.complete_tag("a").await.unwrap();
    assert_eq!(few.values, ["all"]);
    let inside = fresh.memory.complete_tag("-14").await.unwrap();
    assert_eq!(inside.total, 10);
    assert_eq!(fresh.memory.complete_tag("%").await.unwrap().total, 0);
    assert_eq!(fresh.memory.complete_tag("").await.unwrap().values[0], "all");
}

#[tokio::test]
async fn ids_are_completed_newest_first() {
    let fresh = Fresh::new();
    let one = fresh.keep("one", &[]).await.to_string();
    let two = fresh.keep("two", &[]).await.to_string();
    let (start, _) = one.split_at(3);
    let found = fresh.memory.complete_id(start).await.unwrap();
    assert_eq!((found.values, found.total), (vec![two, one.clone()], 2));
    assert_eq!(fresh.memory.complete_id(&one).await.unwrap().values, [one]);
    assert_eq!(fresh.memory.complete_id("~").await.unwrap().total, 0);
    assert_eq!(fresh.memory.complete_id("").await.unwrap().total, 2);
}

#[tokio::test]
async fn figures_are_those_of_the_file() {
    let fresh = Fresh::new();
    let empty = fresh.memory.stats().await.unwrap();
    assert_eq!((empty.notes, empty.tags, empty.text_bytes, empty.oldest), (0, 0, 0, None));
    fresh.keep("äöü", &["x", "y"]).await;
    let id = fresh.keep("abc", &["x"]).await;
    let stats = fresh.memory.stats().await.unwrap();
    assert_eq!((stats.notes, stats.tags, stats.text_bytes), (2, 2, 9));
    assert_eq!(stats.newest, Some(fresh.memory.get(id).await.unwrap().updated_at));
    assert!(stats.file_bytes >= 4_096);
}
