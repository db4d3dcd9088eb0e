//! The name of a note: twelve letters that sort by the time of writing.

use std::{borrow::Cow, fmt, ops::RangeInclusive, str::FromStr};

use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Error, Timestamp};

/// Crockford's base 32: no `i`, `l`, `o` or `u`, so that a copied id survives a reader.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const LETTERS: usize = 12;
const BITS_PER_LETTER: u32 = 5;
/// What is left of sixty bits after a millisecond clock that lasts until the year 2109.
const RANDOM_BITS: u32 = 18;

/// The id of a note.
///
/// It is one integer in the file, which is also the row, so that order, paging and search need no
/// second key; people and models see it as twelve letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NoteId(i64);

impl NoteId {
    /// Makes the id for a note written now, always above `last` even if the clock went back.
    pub(super) fn next(now: Timestamp, random: i64, last: Option<Self>) -> Self {
        let clock = now.millis().clamp(0, (1 << 42) - 1) << RANDOM_BITS;
        let fresh = clock | (random & ((1 << RANDOM_BITS) - 1));
        Self(last.map_or(fresh, |last| fresh.max(last.0.saturating_add(1))))
    }

    /// The ids whose letters begin with `prefix`, or nothing if none can.
    pub(super) fn beginning_with(prefix: &str) -> Option<RangeInclusive<Self>> {
        let prefix = prefix.trim();
        let open = u32::try_from(LETTERS.checked_sub(prefix.chars().count())?).ok()?;
        let head = decode(prefix)?;
        let low = head << (open * BITS_PER_LETTER);
        Some(Self(low)..=Self(low | ((1 << (open * BITS_PER_LETTER)) - 1)))
    }
}

/// Reads letters as a number, forgiving case and the letters that look like digits.
fn decode(letters: &str) -> Option<i64> {
    letters.chars().try_fold(0_i64, |sum, letter| {
        let letter = match letter.to_ascii_lowercase() {
            'o' => '0',
            'i' | 'l' => '1',
            other => other,
        };
        let value = ALPHABET.iter().position(|known| char::from(*known) == letter)?;
        Some((sum << BITS_PER_LETTER) | i64::try_from(value).ok()?)
    })
}

impl fmt::Display for NoteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for place in (0..LETTERS).rev() {
            let shift = u32::try_from(place).unwrap_or_default() * BITS_PER_LETTER;
            let value = usize::try_from((self.0 >> shift) & 31).unwrap_or_default();
            let letter = ALPHABET.get(value).copied().unwrap_or(b'0');
            fmt::Write::write_char(f, char::from(letter))?;
        }
        Ok(())
    }
}

impl FromStr for NoteId {
    type Err = Error;

    /// Accepts the bare id and the URI of the note, since a model may hand over either.
    fn from_str(given: &str) -> Result<Self, Error> {
        let id = given.trim();
        let id = id.strip_prefix("memory:///").unwrap_or(id);
        (id.chars().count() == LETTERS).then(|| decode(id)).flatten().map(Self).ok_or_else(|| {
            let shown: String = given.chars().take(40).collect();
            Error::invalid(format!(
                "\"{shown}\" is not the id of a note; an id has {LETTERS} letters and digits, as \
                 recall returns it"
            ))
        })
    }
}

impl Serialize for NoteId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for NoteId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl JsonSchema for NoteId {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "NoteId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "minLength": LETTERS })
    }
}

impl FromSql for NoteId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        i64::column_result(value).map(Self)
    }
}

impl ToSql for NoteId {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> NoteId {
        NoteId::next(Timestamp::from_millis(millis), 12345, None)
    }

    #[test]
    fn an_id_reads_back_as_itself() {
        for millis in [0, 1, 1_767_225_600_000, (1 << 42) - 1] {
            let id = at(millis);
            assert_eq!(id.to_string().len(), LETTERS);
            assert_eq!(id.to_string().parse::<NoteId>().unwrap(), id);
            assert_eq!(id.to_string().to_uppercase().parse::<NoteId>().unwrap(), id);
            assert_eq!(format!("memory:///{id}").parse::<NoteId>().unwrap(), id);
        }
    }

    #[test]
    fn letters_sort_as_time_does() {
        let mut earlier = at(0);
        for millis in (1..2_000_000_000_000).step_by(7_777_777_777) {
            let later = at(millis);
            assert!(earlier < later && earlier.to_string() < later.to_string());
            earlier = later;
        }
    }

    #[test]
    fn a_clock_that_goes_back_still_gives_a_later_id() {
        let last = at(2_000);
        assert!(NoteId::next(Timestamp::from_millis(1_000), 0, Some(last)) > last);
    }

    #[test]
    fn a_prefix_spans_exactly_its_ids() {
        let id = at(1_767_225_600_000);
        let letters = id.to_string();
        for cut in 0..=LETTERS {
            let (prefix, _) = letters.split_at(cut);
            assert!(NoteId::beginning_with(prefix).unwrap().contains(&id), "{prefix}");
        }
        let whole = NoteId::beginning_with(&letters).unwrap();
        assert_eq!(whole.start(), whole.end());
        assert_eq!(NoteId::beginning_with("!"), None);
        assert_eq!(NoteId::beginning_with("0000000000000"), None);
    }

    #[test]
    fn what_is_no_id_is_refused_with_its_shape() {
        for wrong in ["", "abc", "0000000000000", "uuuuuuuuuuuu", "日本語日本語日本語日本語"]
        {
            let error = wrong.parse::<NoteId>().unwrap_err();
            assert!(error.is_invalid() && error.to_string().contains("12 letters"), "{error}");
        }
    }
}
