//! Reading one schema object: each keyword in its shape, or an error that names it.

use serde_json::{Map, Number, Value};

use super::SchemaError;
use super::number;

/// The keywords of one schema object and the place it stands at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keywords<'p, 's> {
    map: &'s Map<String, Value>,
    pointer: &'p str,
    /// One bit of 64 for each keyword that is there: some forty are asked for, and few are there.
    bits: u64,
}

/// The bit of a keyword, which some others have too.
#[inline]
fn bit(keyword: &str) -> u64 {
    let bytes = keyword.as_bytes();
    let last = bytes.last().copied().unwrap_or_default();
    let third = bytes.get(2).copied().unwrap_or_default();
    1 << ((bytes.len() * 5 + usize::from(last) * 3 + usize::from(third)) & 63)
}

impl<'p, 's> Keywords<'p, 's> {
    pub(super) fn new(map: &'s Map<String, Value>, pointer: &'p str) -> Self {
        let bits = map.keys().fold(0, |bits, keyword| bits | bit(keyword));
        Self { map, pointer, bits }
    }

    pub(super) fn pointer(&self) -> &'p str {
        self.pointer
    }

    /// The keyword's value, whatever its shape.
    #[inline]
    pub(super) fn get(&self, keyword: &str) -> Option<&'s Value> {
        if self.bits & bit(keyword) == 0 { None } else { self.map.get(keyword) }
    }

    /// The error that a keyword is not `expected`.
    pub(super) fn wrong(&self, keyword: &str, expected: &str) -> SchemaError {
        let value = self.map.get(keyword).unwrap_or(&Value::Null);
        SchemaError::keyword(self.pointer, keyword, expected, value)
    }

    pub(super) fn number(&self, keyword: &str) -> Result<Option<&'s Number>, SchemaError> {
        self.shaped(keyword, "a number", Value::as_number)
    }

    pub(super) fn count(&self, keyword: &str) -> Result<Option<u64>, SchemaError> {
        self.shaped(keyword, "a whole number of at least 0", |value| {
            match number::exact(value.as_number()?) {
                number::Exact::Integer(integer) => u64::try_from(integer).ok(),
                number::Exact::Double(_) => None,
            }
        })
    }

    pub(super) fn flag(&self, keyword: &str) -> Result<Option<bool>, SchemaError> {
        self.shaped(keyword, "true or false", Value::as_bool)
    }

    pub(super) fn text(&self, keyword: &str) -> Result<Option<&'s str>, SchemaError> {
        self.shaped(keyword, "a string", Value::as_str)
    }

    pub(super) fn array(&self, keyword: &str) -> Result<Option<&'s [Value]>, SchemaError> {
        self.shaped(keyword, "an array", |value| Some(value.as_array()?.as_slice()))
    }

    pub(super) fn object(
        &self,
        keyword: &str,
    ) -> Result<Option<&'s Map<String, Value>>, SchemaError> {
        self.shaped(keyword, "an object", Value::as_object)
    }

    /// An array of different strings.
    pub(super) fn names(&self, keyword: &str) -> Result<Option<Vec<String>>, SchemaError> {
        self.shaped(keyword, NAMES, names)
    }

    /// An object whose members are arrays of different strings.
    pub(super) fn name_lists(
        &self,
        keyword: &str,
    ) -> Result<Vec<(String, Vec<String>)>, SchemaError> {
        let Some(map) = self.object(keyword)? else { return Ok(Vec::new()) };
        map.iter()
            .map(|(name, value)| {
                let list = names(value).ok_or_else(|| {
                    let place = format!("{}/{keyword}", self.pointer);
                    SchemaError::keyword(&place, name, NAMES, value)
                })?;
                Ok((name.clone(), list))
            })
            .collect()
    }

    fn shaped<T>(
        &self,
        keyword: &str,
        expected: &str,
        read: impl FnOnce(&'s Value) -> Option<T>,
    ) -> Result<Option<T>, SchemaError> {
        let Some(value) = self.get(keyword) else { return Ok(None) };
        match read(value) {
            Some(read) => Ok(Some(read)),
            None => Err(SchemaError::keyword(self.pointer, keyword, expected, value)),
        }
    }
}

const NAMES: &str = "an array of different strings";

fn names(value: &Value) -> Option<Vec<String>> {
    let items = value.as_array()?;
    let names: Vec<String> =
        items.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<_>>()?;
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort_unstable();
    sorted.dedup();
    (sorted.len() == names.len()).then_some(names)
}

/// A JSON pointer one step further down.
pub(super) fn below(pointer: &str, segment: &str) -> String {
    let mut longer = String::with_capacity(pointer.len() + segment.len() + 1);
    longer.push_str(pointer);
    push_segment(&mut longer, segment);
    longer
}

/// Appends one step to a JSON pointer (RFC 6901).
pub(super) fn push_segment(pointer: &mut String, segment: &str) {
    pointer.push('/');
    if !segment.contains(['~', '/']) {
        pointer.push_str(segment);
        return;
    }
    for character in segment.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}
