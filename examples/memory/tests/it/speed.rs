//! Ten thousand notes answer before a person notices.

use std::time::{Duration, Instant};

use memory::store::{Memory, NewNote, Search};

use super::{Dice, Fresh};

const NOTES: usize = 10_000;
const LIMIT: Duration = Duration::from_millis(50);

const WORDS: &[&str] = &[
    "the", "owner", "prefers", "editor", "tea", "project", "meeting", "decided", "release", "bug",
    "server", "memory", "search", "index", "friday", "window", "color", "invoice", "travel",
    "berlin", "garden", "music", "protocol", "client", "token", "cursor", "review", "budget",
    "doctor", "school",
];

async fn fill(memory: &Memory) {
    let mut dice = Dice(3);
    let mut writes = tokio::task::JoinSet::new();
    for n in 0..NOTES {
        let length = 10 + dice.roll(60);
        let words: Vec<_> = (0..length)
            .map(|_| match dice.roll(3) {
                0 => format!("w{}", dice.roll(5_000)),
                _ => WORDS[dice.roll(WORDS.len())].to_owned(),
            })
            .collect();
        let tags = [format!("area-{}", dice.roll(20)), format!("year/{}", dice.roll(9))];
        let note = NewNote::new(format!("{n} {}", words.join(" "))).tags(tags);
        let memory = memory.clone();
        writes.spawn(async move { memory.remember(note).await.unwrap() });
    }
    while let Some(done) = writes.join_next().await {
        done.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_notes_are_searched_within_fifty_milliseconds() {
    let fresh = Fresh::new();
    let start = Instant::now();
    fill(&fresh.memory).await;
    println!("{NOTES} notes written in {:?}", start.elapsed());
    let start = Instant::now();
    let again = Memory::open(fresh.memory.path()).unwrap();
    println!("opened again, with a check of the whole file, in {:?}", start.elapsed());
    assert_eq!(again.stats().await.unwrap().notes, 10_000);
    let search = Search::new;
    for (name, search) in [
        ("newest", search("")),
        ("rare word", search("w4711")),
        ("common word", search("the")),
        ("three common words", search("owner editor tea")),
        ("question", search("which editor does the owner of the garden prefer on friday")),
        ("part of a word", search("eeting")),
        ("signs", search("++")),
        ("beginning", search("w47")),
        ("tag", search("tea").tags(["area-7"])),
        ("tag tree, newest", search("").tags(["year"])),
        ("far page", search("the").offset(5_000).limit(100)),
        ("nothing", search("xyzzy plugh")),
    ] {
        let mut times = Vec::new();
        for _ in 0..5 {
            let start = Instant::now();
            fresh.memory.recall(search.clone()).await.unwrap();
            times.push(start.elapsed());
        }
        times.sort();
        println!("{name}: best {:?}, median {:?}", times[0], times[2]);
        // The fastest run is the one that shared the machine the least.
        assert!(times[0] < LIMIT, "{name}: {times:?}");
    }
}
