//! Finding: words, phrases, beginnings, scripts, tags and time.

use memory::store::{Change, Matched, Search, Timestamp};

use super::{Fresh, texts};

#[tokio::test]
async fn the_best_match_comes_first() {
    let fresh = Fresh::new();
    fresh
        .keep("A long list of many things, among which tea is only mentioned in passing here", &[])
        .await;
    fresh.keep("Tea: green tea, black tea", &[]).await;
    fresh.keep("Coffee", &[]).await;
    let found = fresh.find("tea").await;
    assert_eq!((found.total, found.matched), (2, Matched::EveryWord));
    assert!(found.hits[0].text.starts_with("Tea:"));
}

#[tokio::test]
async fn a_whole_word_is_better_than_its_beginning() {
    let fresh = Fresh::new();
    fresh.keep("the car", &[]).await;
    fresh.keep("the carpet", &[]).await;
    assert_eq!(texts(&fresh.find("car").await), ["the car", "the carpet"]);
}

#[tokio::test]
async fn words_are_found_in_other_forms_and_without_accents() {
    let fresh = Fresh::new();
    fresh.keep("We decided in two meetings at the Café Zürich", &[]).await;
    for query in ["meeting", "MEETINGS", "decide", "cafe", "Zurich", "cafe\u{301}", "decid"] {
        assert_eq!(fresh.find(query).await.total, 1, "{query}");
    }
}

#[tokio::test]
async fn weaker_matches_answer_only_when_there_is_no_full_one() {
    let fresh = Fresh::new();
    fresh.keep("The owner prefers the editor Helix", &[]).await;
    fresh.keep("The owner drinks tea", &[]).await;
    let full = fresh.find("owner tea").await;
    assert_eq!((full.total, full.matched), (1, Matched::EveryWord));
    let part = fresh.find("elix").await;
    assert_eq!((part.total, part.matched), (1, Matched::EveryPart));
    let any = fresh.find("which editor should I open").await;
    assert_eq!((any.total, any.matched), (1, Matched::AnyWord));
    let nothing = fresh.find("zebra").await;
    assert_eq!((nothing.total, nothing.matched), (0, Matched::Nothing));
}

#[tokio::test]
async fn a_phrase_in_quotes_stands_together() {
    let fresh = Fresh::new();
    fresh.keep("green tea", &[]).await;
    fresh.keep("tea in a green cup", &[]).await;
    assert_eq!(fresh.find("green tea").await.total, 2);
    assert_eq!(texts(&fresh.find("\"green tea\"").await), ["green tea"]);
}

#[tokio::test]
async fn scripts_without_spaces_are_found_anywhere_in_a_run() {
    let fresh = Fresh::new();
    fresh.keep("私は東京に住んでいます", &[]).await;
    fresh.keep("서울에서 만나요", &[]).await;
    fresh.keep("ฉันกินข้าวทุกวัน", &[]).await;
    fresh.keep("हिन्दी सीख रहा हूँ", &[]).await;
    fresh.keep("Alice moved to 大阪 in spring", &["引越し"]).await;
    for (query, start) in [
        ("東京", "私は"),
        ("住んで", "私は"),
        ("서울", "서울"),
        ("ข้าว", "ฉัน"),
        ("हिन्दी", "हिन्दी"),
        ("alice 大阪", "Alice"),
        ("大阪", "Alice"),
        ("引越", "Alice"),
    ] {
        let found = fresh.find(query).await;
        assert_eq!((found.total, found.matched), (1, Matched::EveryWord), "{query}");
        assert!(found.hits[0].text.starts_with(start), "{query}");
    }
    assert_eq!(fresh.find("京東").await.total, 0, "the order counts");
}

#[tokio::test]
async fn signs_are_found_as_text() {
    let fresh = Fresh::new();
    fresh.keep("launch 🚀 on friday", &[]).await;
    fresh.keep("a rise of 100% in C++", &[]).await;
    fresh.keep("path a\\b_c", &[]).await;
    for (query, count) in
        [("🚀", 1), ("%", 1), ("++", 1), ("_", 1), ("\\", 1), ("100%", 1), ("?", 0)]
    {
        assert_eq!(fresh.find(query).await.total, count, "{query}");
    }
}

#[tokio::test]
async fn no_query_gives_the_newest_first() {
    let fresh = Fresh::new();
    for n in 0..3 {
        fresh.keep(&format!("note {n}"), &[]).await;
    }
    let found = fresh.find("  ").await;
    assert_eq!(texts(&found), ["note 2", "note 1", "note 0"]);
    assert_eq!(found.matched, Matched::Newest);
}

#[tokio::test]
async fn tags_narrow_and_a_tag_holds_those_below_it() {
    let fresh = Fresh::new();
    fresh.keep("plan a", &["work/aqueduct", "plan"]).await;
    fresh.keep("plan b", &["work", "plan"]).await;
    fresh.keep("plan c", &["workshop", "plan"]).await;
    let find = async |query: &str, tags: &[&str]| {
        let search = Search::new(query).tags(tags.iter().copied());
        let found = fresh.memory.recall(search).await.unwrap();
        let mut texts: Vec<_> = found.hits.into_iter().map(|hit| hit.text).collect();
        texts.sort();
        texts.join(", ")
    };
    assert_eq!(find("plan", &["work"]).await, "plan a, plan b");
    assert_eq!(find("", &["Work"]).await, "plan a, plan b");
    assert_eq!(find("plan", &["work/aqueduct"]).await, "plan a");
    assert_eq!(find("plan", &["work", "plan"]).await, "plan a, plan b");
    assert_eq!(find("plan", &["home"]).await, "");
    let wrong = fresh.memory.recall(Search::new("").tags(["a b"])).await.unwrap_err();
    assert_eq!(wrong.to_string(), r#"tag "a b" contains a space; use "a-b""#);
}

#[tokio::test]
async fn time_narrows_by_the_life_of_a_note() {
    let fresh = Fresh::new();
    let id = fresh.keep("old", &[]).await;
    let created = fresh.memory.get(id).await.unwrap().created_at;
    let changed = fresh.memory.update(id, Change::new().tags(["x"])).await.unwrap().updated_at;
    let total = async |search: Search| fresh.memory.recall(search).await.unwrap().total;
    let shifted = |moment: Timestamp, by: i64| Timestamp::from_millis(moment.millis() + by);
    for query in ["", "old"] {
        let search = Search::new(query);
        assert_eq!(total(search.clone().since(changed)).await, 1);
        assert_eq!(total(search.clone().since(shifted(changed, 1))).await, 0);
        assert_eq!(total(search.clone().until(created)).await, 1);
        assert_eq!(total(search.clone().until(shifted(created, -1))).await, 0);
    }
    let crossed = Search::new("").since(shifted(created, 1)).until(created);
    assert!(fresh.memory.recall(crossed).await.unwrap_err().is_invalid());
}

#[tokio::test]
async fn long_texts_come_as_the_part_that_matches() {
    let fresh = Fresh::new();
    let filler = "lorem ipsum dolor sit amet ".repeat(400);
    fresh.keep(&format!("{filler} the needle lies here {filler}"), &[]).await;
    fresh.keep(&format!("{}東京{}", "あいうえ".repeat(900), "かきくけ".repeat(900)), &[]).await;
    for (query, part, matched) in [
        ("needles", "needle lies here", Matched::EveryWord),
        ("eedle", "needle lies here", Matched::EveryPart),
        ("東京", "東京", Matched::EveryWord),
        ("needle zebra", "needle lies here", Matched::AnyWord),
    ] {
        let found = fresh.find(query).await;
        assert_eq!(found.matched, matched, "{query}");
        let hit = &found.hits[0];
        assert!(hit.excerpt && hit.text.contains(part) && hit.text.len() < 1_200, "{query}");
        assert!(!hit.text.contains('\u{200b}'), "{query}");
    }
}

#[tokio::test]
async fn pages_of_one_search_fit_together() {
    let fresh = Fresh::new();
    for n in 0..25 {
        fresh.keep(&format!("same words, number {n}"), &[]).await;
    }
    for query in ["words", "", "ords, numb", "words absent"] {
        let mut seen = Vec::new();
        let mut offset = Some(0);
        while let Some(start) = offset {
            let search = Search::new(query).limit(7).offset(start);
            let found = fresh.memory.recall(search).await.unwrap();
            assert_eq!(found.total, 25, "{query}");
            seen.extend(found.hits.into_iter().map(|hit| hit.id));
            offset = found.next_offset;
        }
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 25, "{query}");
    }
    let past = fresh.memory.recall(Search::new("words").offset(99)).await.unwrap();
    assert_eq!((past.hits.len(), past.total, past.next_offset), (0, 25, None));
    assert!(fresh.memory.recall(Search::new("").limit(0)).await.unwrap_err().is_invalid());
    assert!(fresh.memory.recall(Search::new("").limit(101)).await.unwrap_err().is_invalid());
}

#[tokio::test]
async fn notes_are_read_whole_by_their_ids() {
    let fresh = Fresh::new();
    let long = "long words ".repeat(2_000);
    let (one, two) = (fresh.keep(&long, &[]).await, fresh.keep("short", &[]).await);
    let found = fresh.memory.read(vec![two, one]).await.unwrap();
    assert_eq!(texts(&found), ["short", long.trim()]);
    assert!(found.hits.iter().all(|hit| !hit.excerpt));
    assert_eq!((found.total, found.matched), (2, Matched::Id));
    let gone = ["000000000000".parse().unwrap(), "000000000001".parse().unwrap()];
    let error = fresh.memory.read(vec![one, gone[0], gone[1]]).await.unwrap_err();
    assert!(error.is_not_found());
    assert!(error.to_string().starts_with(r#"no note "000000000000", "000000000001";"#), "{error}");
    assert!(fresh.memory.read(vec![]).await.unwrap_err().is_invalid());
    assert!(fresh.memory.read(vec![one; 21]).await.unwrap_err().is_invalid());
}
