//! Remembering, changing and forgetting.

use memory::store::{Change, MAX_IDS, MAX_TAGS, MAX_TEXT_BYTES, NewNote, Timestamp};

use super::{Fresh, texts};

#[tokio::test]
async fn a_note_comes_back_as_it_was_given() {
    let fresh = Fresh::new();
    let before = Timestamp::now();
    let new = NewNote::new("  Tea at four.\n").tags(["Habit", "tea"]).source("https://x.example");
    let kept = fresh.memory.remember(new).await.unwrap();
    assert!(!kept.already_known);
    let note = fresh.memory.get(kept.note.id).await.unwrap();
    assert_eq!(note, kept.note);
    assert_eq!(note.text, "Tea at four.");
    assert_eq!(note.tags, ["habit", "tea"]);
    assert_eq!(note.source.as_deref(), Some("https://x.example"));
    assert!(before <= note.created_at && note.created_at == note.updated_at);
}

#[tokio::test]
async fn the_same_text_is_one_note_with_the_tags_of_both() {
    let fresh = Fresh::new();
    let first = fresh.memory.remember(NewNote::new("once").tags(["a"])).await.unwrap().note;
    let again = NewNote::new(" once ").tags(["b"]).source("later");
    let second = fresh.memory.remember(again).await.unwrap();
    assert!(second.already_known);
    assert_eq!(second.note.id, first.id);
    assert_eq!(second.note.tags, ["a", "b"]);
    assert_eq!(second.note.source.as_deref(), Some("later"));
    assert!(second.note.updated_at > first.updated_at);
    // Nothing new: nothing changes, not even the clock.
    let third = fresh.memory.remember(NewNote::new("once").source("other")).await.unwrap();
    assert_eq!(third.note, second.note);
    assert_eq!(fresh.memory.stats().await.unwrap().notes, 1);
    assert_eq!(fresh.find("b").await.total, 1, "the merged tag is searchable");
}

#[tokio::test]
async fn merged_tags_stay_within_the_limit_and_nothing_is_half_done() {
    let fresh = Fresh::new();
    let full: Vec<String> = (0..MAX_TAGS).map(|n| format!("t{n}")).collect();
    let note = fresh.memory.remember(NewNote::new("full").tags(full)).await.unwrap().note;
    let error = fresh.memory.remember(NewNote::new("full").tags(["more"])).await.unwrap_err();
    assert_eq!(error.to_string(), "33 tags are too many; a note has at most 32");
    assert_eq!(fresh.memory.get(note.id).await.unwrap(), note);
}

#[tokio::test]
async fn texts_are_bounded_with_advice() {
    let fresh = Fresh::new();
    let keep = |text: String| fresh.memory.remember(NewNote::new(text));
    assert!(keep("x".repeat(MAX_TEXT_BYTES)).await.is_ok());
    for (text, advice) in [
        ("x".repeat(MAX_TEXT_BYTES + 1), "keep a summary, or several notes"),
        (" \n".to_owned(), "write what is worth remembering"),
        ("a\0b".to_owned(), "leave it out"),
    ] {
        let error = keep(text).await.unwrap_err();
        assert!(error.is_invalid() && error.to_string().contains(advice), "{error}");
    }
}

#[tokio::test]
async fn an_update_changes_what_it_names_and_the_index_follows() {
    let fresh = Fresh::new();
    let id = fresh.keep("the old wording", &["draft"]).await;
    let before = fresh.memory.get(id).await.unwrap();
    let after = fresh.memory.update(id, Change::new().text("a new phrase")).await.unwrap();
    assert_eq!((after.text.as_str(), &after.tags), ("a new phrase", &before.tags));
    assert!(after.updated_at > before.updated_at && after.created_at == before.created_at);
    assert_eq!(fresh.find("wording").await.total, 0);
    assert_eq!(texts(&fresh.find("phrase").await), ["a new phrase"]);

    let tagged = fresh.memory.update(id, Change::new().tags(["final"])).await.unwrap();
    assert_eq!(
        (tagged.text.as_str(), tagged.tags.as_slice()),
        ("a new phrase", &["final".to_owned()][..])
    );
    assert_eq!(fresh.find("draft").await.total, 0);
    assert_eq!(fresh.find("final").await.total, 1);

    let same = fresh.memory.update(id, Change::new().tags(["Final"])).await.unwrap();
    assert_eq!(same, tagged, "what changes nothing leaves the time alone");

    let sourced = fresh.memory.update(id, Change::new().source("s")).await.unwrap();
    assert_eq!(sourced.source.as_deref(), Some("s"));
    assert_eq!(fresh.memory.update(id, Change::new().source("")).await.unwrap().source, None);
}

#[tokio::test]
async fn an_update_of_a_note_that_changed_since_is_refused() {
    let fresh = Fresh::new();
    let id = fresh.keep("v1", &[]).await;
    let seen = fresh.memory.get(id).await.unwrap().updated_at;
    let mine = Change::new().text("v2").unchanged_since(seen);
    fresh.memory.update(id, mine).await.unwrap();
    let late = Change::new().text("v3").unchanged_since(seen);
    let error = fresh.memory.update(id, late).await.unwrap_err();
    assert!(error.is_conflict() && error.to_string().contains("read it again"), "{error}");
    assert_eq!(fresh.memory.get(id).await.unwrap().text, "v2");
}

#[tokio::test]
async fn an_update_to_the_text_of_another_note_names_that_note() {
    let fresh = Fresh::new();
    let (one, two) = (fresh.keep("one", &[]).await, fresh.keep("two", &[]).await);
    let error = fresh.memory.update(two, Change::new().text("one")).await.unwrap_err();
    assert!(error.is_conflict() && error.to_string().contains(&one.to_string()), "{error}");
    assert!(fresh.memory.update(two, Change::new().text("two")).await.is_ok(), "its own text");
}

#[tokio::test]
async fn an_update_of_nothing_is_refused() {
    let fresh = Fresh::new();
    let id = fresh.keep("x", &[]).await;
    let error = fresh.memory.update(id, Change::new()).await.unwrap_err();
    assert_eq!(error.to_string(), "nothing to change; give text, tags or source");
    let gone = "000000000000".parse().unwrap();
    assert!(fresh.memory.update(gone, Change::new().text("y")).await.unwrap_err().is_not_found());
}

#[tokio::test]
async fn forgetting_returns_what_was_and_names_what_was_not() {
    let fresh = Fresh::new();
    let (one, two) = (fresh.keep("one", &["t"]).await, fresh.keep("two", &["t"]).await);
    let gone = "000000000000".parse().unwrap();
    let result = fresh.memory.forget(vec![two, gone, two]).await.unwrap();
    assert_eq!(result.forgotten.len(), 1);
    assert_eq!(result.forgotten[0].text, "two");
    assert_eq!(result.unknown, [gone]);
    assert!(fresh.memory.get(two).await.unwrap_err().is_not_found());
    assert_eq!(texts(&fresh.find("t").await), ["one"]);
    assert_eq!(fresh.memory.tags().await.unwrap()[0].notes, 1);
    assert!(fresh.memory.forget(vec![]).await.unwrap_err().is_invalid());
    assert!(fresh.memory.forget(vec![one; MAX_IDS + 1]).await.unwrap_err().is_invalid());
}

#[tokio::test]
async fn forgotten_text_is_in_no_file_any_more() {
    let fresh = Fresh::new();
    for n in 0..200 {
        fresh.keep(&format!("ordinary note number {n}"), &["ordinary"]).await;
    }
    let secret = "xylophonequartz";
    let id = fresh.keep(&format!("the password is {secret}"), &[&format!("{secret}tag")]).await;
    fresh.find(secret).await;
    assert!(bytes_on_disk(&fresh).windows(secret.len()).any(|w| w == secret.as_bytes()));
    fresh.memory.forget(vec![id]).await.unwrap();
    assert!(!bytes_on_disk(&fresh).windows(secret.len()).any(|w| w == secret.as_bytes()));
    assert_eq!(fresh.find("ordinary").await.total, 200);
}

fn bytes_on_disk(fresh: &Fresh) -> Vec<u8> {
    let files = std::fs::read_dir(fresh.directory.path()).unwrap();
    files.flat_map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_callers_at_once_lose_nothing() {
    let fresh = Fresh::new();
    let callers: Vec<_> = (0..200)
        .map(|n| {
            let memory = fresh.memory.clone();
            tokio::spawn(async move {
                // Every text twice, so that twins race each other too.
                let note = NewNote::new(format!("note {}", n / 2)).tags([format!("by-{n}")]);
                memory.remember(note).await.unwrap().note.id
            })
        })
        .collect();
    for caller in callers {
        caller.await.unwrap();
    }
    let stats = fresh.memory.stats().await.unwrap();
    assert_eq!((stats.notes, stats.tags), (100, 200));
}
