//! How a value is shown in a message: short, on one line, with nothing that a terminal obeys.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::{Map, Value};

/// The most characters of a value that a message repeats.
const SHOWN: usize = 40;
/// The most names that a message lists.
pub(super) const NAMES: usize = 8;

/// A value as "got …" says it, with its type where the text alone would mislead.
pub(super) fn got(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the string {}", quote(text)),
        Value::Array(items) => match items.len() {
            0 => "an empty array".to_owned(),
            1 => "an array of 1 item".to_owned(),
            count => format!("an array of {count} items"),
        },
        Value::Object(map) => object(map),
    }
}

/// A value as "got …" says it where the type is not in question.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => quote(text),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => got(value),
    }
}

/// A value as JSON, cut short.
pub(super) fn json(value: &Value) -> String {
    match value {
        Value::String(text) => quote(text),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Array(_) | Value::Object(_) => escape(&cut(&value.to_string(), SHOWN)).into_owned(),
    }
}

/// A string in quotation marks, cut short and with control characters escaped.
pub(super) fn quote(text: &str) -> String {
    quoted(&cut(text, SHOWN))
}

/// A longer string in quotation marks: a pattern or a reference, which must be recognised.
pub(super) fn quote_long(text: &str) -> String {
    quoted(&cut(text, 200))
}

fn quoted(shown: &str) -> String {
    let mut quoted = String::with_capacity(shown.len() + 2);
    quoted.push('"');
    for character in shown.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            other => push_escaped(&mut quoted, other),
        }
    }
    quoted.push('"');
    quoted
}

/// Text without control characters and without the marks that reverse the direction of a line.
pub(super) fn escape(text: &str) -> Cow<'_, str> {
    if !text.chars().any(obeyed) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        push_escaped(&mut escaped, character);
    }
    Cow::Owned(escaped)
}

/// The first `limit` characters, with an ellipsis where something is missing.
pub(super) fn cut(text: &str, limit: usize) -> Cow<'_, str> {
    match text.char_indices().nth(limit) {
        None => Cow::Borrowed(text),
        Some((end, _)) => {
            Cow::Owned(format!("{}…", text.split_at_checked(end).map_or("", |(head, _)| head)))
        }
    }
}

/// Names in quotation marks: all of a few, or the first ones and how many follow.
pub(super) fn list<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    let count = names.len();
    let mut text = names.take(NAMES).map(quote).collect::<Vec<_>>().join(", ");
    if count > NAMES {
        push(&mut text, format_args!(" and {} more", count - NAMES));
    }
    text
}

/// "1 item", "2 items".
pub(super) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Appends formatted text; writing to a `String` cannot fail, so the result is dropped here once.
pub(super) fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).unwrap_or_default();
}

fn object(map: &Map<String, Value>) -> String {
    match map.len() {
        0 => "an empty object".to_owned(),
        1 => format!("an object with the key {}", list(map.keys().map(String::as_str))),
        _ => format!("an object with the keys {}", few(map)),
    }
}

fn few(map: &Map<String, Value>) -> String {
    let mut text = map.keys().take(3).map(|key| quote(key)).collect::<Vec<_>>().join(", ");
    if map.len() > 3 {
        push(&mut text, format_args!(" and {} more", map.len() - 3));
    }
    text
}

fn push_escaped(text: &mut String, character: char) {
    match character {
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        other if obeyed(other) => push(text, format_args!("\\u{{{:x}}}", u32::from(other))),
        other => text.push(other),
    }
}

/// Whether a terminal or a text layout acts on the character instead of showing it.
fn obeyed(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
        )
}
