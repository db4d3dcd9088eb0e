//! Text that tries to be something else than text.

use memory::store::{Matched, NewNote, Search};

use super::{Dice, Fresh};

const NASTY: &[&str] = &[
    "\"",
    "\"\"",
    "\"\"\"",
    "'",
    "\\",
    "*",
    "**",
    "-",
    "--",
    "+",
    "^",
    ":",
    "(",
    ")",
    "((",
    "{",
    "}",
    "[",
    "]",
    "%",
    "_",
    "?",
    ";",
    "#",
    "/*",
    "*/",
    "AND",
    "OR",
    "NOT",
    "NEAR",
    "NEAR(",
    "NEAR(a b, 2)",
    "text:",
    "tags:",
    "text : a",
    "rank",
    "word",
    "- text : a",
    "a*",
    "*a",
    "\"a\"*",
    "a\" OR \"b",
    "'; DROP TABLE note; --",
    "\0",
    "a\0b",
    "\u{200b}",
    "\u{feff}",
    "\u{202e}",
    "\u{301}",
    "ß",
    "İ",
    "ǅ",
    "ﬁ",
    "🚀",
    "👩\u{200d}👩\u{200d}👧",
    "東",
    "東京",
    "ก",
    "ิ",
    "\u{10ffff}",
    "\u{e000}",
    "𝕬",
    "𞤀",
    "a",
    "tea",
    " ",
    "\t",
    "\n",
    "\r\n",
];

#[tokio::test]
async fn no_query_is_ever_an_error() {
    let fresh = Fresh::new();
    for text in NASTY.iter().filter(|text| !text.trim().is_empty() && !text.contains('\0')) {
        fresh.keep(text, &[]).await;
    }
    for query in NASTY {
        fresh.find(query).await;
    }
    let mut dice = Dice(7);
    for _ in 0..1_500 {
        let pieces = 1 + dice.roll(8);
        let query: String = (0..pieces).map(|_| NASTY[dice.roll(NASTY.len())]).collect();
        let spaced: Vec<_> = (0..pieces).map(|_| NASTY[dice.roll(NASTY.len())]).collect();
        fresh.find(&query).await;
        fresh.find(&spaced.join(" ")).await;
    }
    let wide: String = (0..1_300).filter_map(|n| char::from_u32(n * 857)).take(1_000).collect();
    fresh.find(&wide).await;
}

#[tokio::test]
async fn every_text_is_found_by_itself() {
    let fresh = Fresh::new();
    let mut dice = Dice(11);
    let mut kept = Vec::new();
    while kept.len() < 150 {
        let pieces = 2 + dice.roll(6);
        let text: String = (0..pieces)
            .map(|_| NASTY[dice.roll(NASTY.len())])
            .filter(|piece| !piece.contains(['\0', '"']))
            .collect();
        // Blanks are where a query is taken apart, so they may not be what makes the text.
        let text = format!("{}{}", text.replace(char::is_control, " ").trim(), kept.len());
        let note = fresh.memory.remember(NewNote::new(&text)).await.unwrap().note;
        kept.push((note.id, text));
    }
    for (id, text) in kept {
        let found = fresh.memory.recall(Search::new(&text).limit(100)).await.unwrap();
        assert!(found.hits.iter().any(|hit| hit.id == id), "{text:?} {:?}", found.matched);
        assert_ne!(found.matched, Matched::AnyWord, "{text:?}");
    }
}

#[tokio::test]
async fn a_query_is_bounded() {
    let fresh = Fresh::new();
    fresh.keep("tea", &[]).await;
    fresh.find(&"tea ".repeat(1_024)).await;
    fresh.find(&"\"".repeat(4_096)).await;
    fresh.find(&"a b c d ".repeat(512)).await;
    let error = fresh.memory.recall(Search::new("x".repeat(4_097))).await.unwrap_err();
    assert!(error.is_invalid() && error.to_string().contains("use a few words"), "{error}");
}
