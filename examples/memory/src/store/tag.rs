//! The grammar of tags, and errors that say which tag would have been right.

use std::{collections::BTreeSet, sync::LazyLock};

use regex::Regex;

use super::{Error, MAX_TAG_CHARS, MAX_TAGS, Result};

/// What may not stand in a tag; letters of any script keep their combining marks.
#[expect(clippy::expect_used, reason = "the pattern is a constant that every test compiles")]
static FOREIGN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[^\p{L}\p{M}\p{N}/_-]+").expect("a valid pattern"));

/// Brings tags into the one form that is stored: trimmed, lower case, sorted, each once.
pub(super) fn normal(tags: &[String]) -> Result<Vec<String>> {
    let tags = tags.iter().map(|tag| one(tag)).collect::<Result<BTreeSet<_>>>()?;
    if tags.len() > MAX_TAGS {
        return Err(too_many(tags.len()));
    }
    Ok(tags.into_iter().collect())
}

/// The answer to more tags than a note may have.
pub(super) fn too_many(count: usize) -> Error {
    Error::invalid(format!("{count} tags are too many; a note has at most {MAX_TAGS}"))
}

fn one(given: &str) -> Result<String> {
    let tag = given.trim().to_lowercase();
    let length = tag.chars().count();
    if length > MAX_TAG_CHARS {
        let start: String = tag.chars().take(20).collect();
        return Err(Error::invalid(format!(
            "the tag that begins \"{start}\" has {length} characters; use at most {MAX_TAG_CHARS}"
        )));
    }
    let right = corrected(&tag);
    if right == tag && !tag.is_empty() {
        return Ok(tag);
    }
    let fault = fault(&tag);
    if right.is_empty() {
        return Err(Error::invalid(format!(
            "tag \"{tag}\" {fault}; a tag is made of letters, digits, \"-\", \"_\" and \"/\""
        )));
    }
    Err(Error::invalid(format!("tag \"{tag}\" {fault}; use \"{right}\"")))
}

fn fault(tag: &str) -> String {
    match FOREIGN.find(tag).and_then(|found| found.as_str().chars().next()) {
        _ if tag.is_empty() => "is empty".to_owned(),
        Some(' ') => "contains a space".to_owned(),
        Some(other) => format!("contains {:?}", other.to_string()),
        None => "has an empty part between slashes".to_owned(),
    }
}

fn corrected(tag: &str) -> String {
    let parts = tag.split('/').map(|part| {
        if FOREIGN.is_match(part) {
            FOREIGN.replace_all(part, "-").trim_matches('-').to_owned()
        } else {
            part.to_owned()
        }
    });
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(tags: &[&str]) -> Result<Vec<String>> {
        normal(&tags.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn tags_are_trimmed_lower_cased_sorted_and_kept_once() {
        assert_eq!(check(&[" Work ", "alpha", "WORK"]).unwrap(), ["alpha", "work"]);
        assert_eq!(check(&["Straße", "東京", "हिन्दी", "a/b_c-2"]).unwrap().len(), 4);
    }

    #[test]
    fn a_wrong_tag_is_answered_with_the_right_one() {
        for (given, message) in [
            ("a b", r#"tag "a b" contains a space; use "a-b""#),
            ("#work", r##"tag "#work" contains "#"; use "work""##),
            ("a, b!", r#"tag "a, b!" contains ","; use "a-b""#),
            ("a//b/", r#"tag "a//b/" has an empty part between slashes; use "a/b""#),
            ("a\tb", r#"tag "a	b" contains "\t"; use "a-b""#),
        ] {
            assert_eq!(check(&[given]).unwrap_err().to_string(), message);
        }
        let error = check(&["  "]).unwrap_err().to_string();
        assert!(error.starts_with(r#"tag "" is empty; a tag is made of letters"#), "{error}");
    }

    #[test]
    fn every_correction_is_itself_a_tag() {
        for given in ["a b", "#x", "-- y --", "ü/ /z", "🚀 go", "a.b.c", "\"quoted\""] {
            let right = corrected(&given.to_lowercase());
            assert_eq!(one(&right).unwrap(), right, "{given}");
        }
    }

    #[test]
    fn length_and_number_are_bounded() {
        let long = "x".repeat(MAX_TAG_CHARS + 1);
        assert!(check(&[&long]).unwrap_err().to_string().contains("at most 64"));
        let many: Vec<String> = (0..=MAX_TAGS).map(|n| format!("t{n}")).collect();
        assert!(normal(&many).unwrap_err().to_string().contains("33 tags are too many"));
    }
}
