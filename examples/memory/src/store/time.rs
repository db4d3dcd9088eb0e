//! Moments as the memory keeps and shows them: milliseconds in the file, ISO 8601 in UTC outside.

use std::{
    borrow::Cow,
    fmt,
    str::FromStr,
    time::{SystemTime, UNIX_EPOCH},
};

use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::Error;

const DAY: i64 = 86_400_000;

/// A moment, written as `2026-07-28T09:30:00.000Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The moment this is called.
    #[must_use]
    pub fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    /// A moment by its distance from 1970 in milliseconds.
    #[must_use]
    pub fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// The distance from 1970 in milliseconds.
    #[must_use]
    pub fn millis(self) -> i64 {
        self.0
    }

    /// Reads the earliest moment that `text` names: a bare date means its first millisecond.
    ///
    /// # Errors
    /// When `text` is neither a date nor a date with a time.
    pub fn first_of(text: &str) -> Result<Self, Error> {
        read(text).map(|(start, _)| Self(start))
    }

    /// Reads the latest moment that `text` names: a bare date means its last millisecond.
    ///
    /// # Errors
    /// When `text` is neither a date nor a date with a time.
    pub fn last_of(text: &str) -> Result<Self, Error> {
        read(text).map(|(start, span)| Self(start + span - 1))
    }
}

/// The first millisecond that a text names and how many it covers.
fn read(text: &str) -> Result<(i64, i64), Error> {
    parse(text.trim()).ok_or_else(|| {
        let shown: String = text.chars().take(40).collect();
        Error::invalid(format!(
            "\"{shown}\" is not a date; write 2026-07-28 or 2026-07-28T09:30:00Z"
        ))
    })
}

fn parse(text: &str) -> Option<(i64, i64)> {
    let (date, rest) = text.split_at_checked(10)?;
    let mut fields = date.split('-');
    let year = digits(fields.next()?, 4)?;
    let month = digits(fields.next()?, 2)?;
    let day = digits(fields.next()?, 2)?;
    if fields.next().is_some() || !(1..=12).contains(&month) || day < 1 {
        return None;
    }
    let start = days_from_civil(year, month, day);
    if civil_from_days(start) != (year, month, day) {
        return None;
    }
    let start = start * DAY;
    if rest.is_empty() {
        return Some((start, DAY));
    }
    let time = rest.strip_prefix(['T', 't', ' '])?;
    let (time, offset) = zone(time)?;
    let (within, span) = clock(time)?;
    Some((start + within - offset, span))
}

/// Splits the offset from UTC off the end; a time without one is taken as UTC.
fn zone(time: &str) -> Option<(&str, i64)> {
    if let Some(time) = time.strip_suffix(['Z', 'z']) {
        return Some((time, 0));
    }
    let Some(at) = time.rfind(['+', '-']) else {
        return Some((time, 0));
    };
    let (time, offset) = time.split_at_checked(at)?;
    let sign = if offset.starts_with('-') { -1 } else { 1 };
    let offset = offset.trim_start_matches(['+', '-']);
    let (hours, minutes) = offset.split_once(':').or_else(|| offset.split_at_checked(2))?;
    let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2)?);
    (hours < 24 && minutes < 60).then_some((time, sign * (hours * 60 + minutes) * 60_000))
}

/// Milliseconds since midnight, and the span that the precision given leaves open.
fn clock(time: &str) -> Option<(i64, i64)> {
    let mut fields = time.splitn(3, ':');
    let hours = digits(fields.next()?, 2)?;
    let minutes = digits(fields.next()?, 2)?;
    let (seconds, millis, span) = match fields.next() {
        None => (0, 0, 60_000),
        Some(seconds) => match seconds.split_once(['.', ',']) {
            None => (digits(seconds, 2)?, 0, 1_000),
            Some((seconds, fraction)) => (digits(seconds, 2)?, thousandths(fraction)?, 1),
        },
    };
    let fits = hours < 24 && minutes < 60 && seconds < 60;
    fits.then_some((((hours * 60 + minutes) * 60 + seconds) * 1_000 + millis, span))
}

fn thousandths(fraction: &str) -> Option<i64> {
    let plain = (1..=9).contains(&fraction.len()) && fraction.bytes().all(|b| b.is_ascii_digit());
    let three: String = fraction.chars().chain("00".chars()).take(3).collect();
    plain.then(|| three.parse().ok()).flatten()
}

fn digits(text: &str, count: usize) -> Option<i64> {
    let plain = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

/// Days since 1970 in the proleptic Gregorian calendar, counted in years that begin in March so
/// that the leap day comes last.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = civil_from_days(self.0.div_euclid(DAY));
        let within = self.0.rem_euclid(DAY);
        let (hours, minutes) = (within / 3_600_000, within / 60_000 % 60);
        let (seconds, millis) = (within / 1_000 % 60, within % 1_000);
        write!(f, "{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{millis:03}Z")
    }
}

impl FromStr for Timestamp {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::first_of(text)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl JsonSchema for Timestamp {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Timestamp".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date-time" })
    }
}

impl FromSql for Timestamp {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        i64::column_result(value).map(Self)
    }
}

impl ToSql for Timestamp {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments_are_written_as_iso_8601() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_785_231_000_123, "2026-07-28T09:30:00.123Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(Timestamp(millis).to_string(), text);
            assert_eq!(text.parse::<Timestamp>().unwrap(), Timestamp(millis));
        }
    }

    #[test]
    fn every_day_of_eight_centuries_reads_back() {
        for day in -146_097..146_097 {
            let moment = Timestamp(day * DAY + 45_296_789);
            assert_eq!(moment.to_string().parse::<Timestamp>().unwrap(), moment);
        }
    }

    #[test]
    fn a_span_covers_what_its_precision_leaves_open() {
        let check = |text: &str, first: &str, last: &str| {
            assert_eq!(Timestamp::first_of(text).unwrap().to_string(), first, "{text}");
            assert_eq!(Timestamp::last_of(text).unwrap().to_string(), last, "{text}");
        };
        check("2026-07-28", "2026-07-28T00:00:00.000Z", "2026-07-28T23:59:59.999Z");
        check("2026-07-28T09:30", "2026-07-28T09:30:00.000Z", "2026-07-28T09:30:59.999Z");
        check("2026-07-28 09:30:01Z", "2026-07-28T09:30:01.000Z", "2026-07-28T09:30:01.999Z");
        check(
            "2026-07-28T01:30:00.5+02:00",
            "2026-07-27T23:30:00.500Z",
            "2026-07-27T23:30:00.500Z",
        );
        check("2026-07-28T09:30:00-0530", "2026-07-28T15:00:00.000Z", "2026-07-28T15:00:00.999Z");
    }

    #[test]
    fn what_is_no_date_is_refused_with_an_example() {
        for wrong in [
            "",
            "yesterday",
            "2026-02-29",
            "2026-13-01",
            "2026-1-1",
            "2026-07-28T25:00Z",
            "2026-07-28T09:30:00.Z",
            "2026-07-28T09",
            "+026-07-28",
            "2026-07-2８",
            "٢٠٢٦-07-28",
        ] {
            let error = wrong.parse::<Timestamp>().unwrap_err();
            assert!(error.to_string().contains("write 2026-07-28"), "{wrong}: {error}");
        }
    }
}
