//! Equality of JSON values as JSON Schema means it: `1` equals `1.0`, the order of members is nothing.

use std::cmp::Ordering;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use serde_json::{Map, Number, Value};

use super::number::{self, Exact};

/// Whether two values are equal; numbers by their value.
pub(super) fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            number::compare(left, right) == Ordering::Equal
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(a, b)| equal(a, b))
        }
        (Value::Object(left), Value::Object(right)) => members_equal(left, right),
        _ => left == right,
    }
}

/// How many values a value consists of; what comparing or hashing it costs.
pub(super) fn size(value: &Value) -> u64 {
    match value {
        Value::Array(items) => 1 + items.iter().map(size).sum::<u64>(),
        Value::Object(map) => 1 + map.values().map(size).sum::<u64>(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 1,
    }
}

/// The positions of the first two equal items.
///
/// Few items are compared pairwise without allocating.
/// Many are ordered by a hash with a random key, so that nobody can prepare an array which takes
/// quadratic time.
pub(super) fn duplicate(items: &[Value]) -> Option<(usize, usize)> {
    const PAIRWISE: usize = 12;
    if items.len() <= PAIRWISE {
        return items.iter().enumerate().find_map(|(index, item)| {
            let earlier = items.iter().take(index).position(|other| equal(other, item))?;
            Some((earlier, index))
        });
    }
    let keys = RandomState::new();
    let mut hashed: Vec<(u64, usize, &Value)> =
        items.iter().enumerate().map(|(index, item)| (hash(&keys, item), index, item)).collect();
    hashed.sort_unstable_by_key(|(hash, index, _)| (*hash, *index));
    hashed.windows(2).find_map(|pair| match pair {
        [(left, first, a), (right, second, b)] if left == right && equal(a, b) => {
            Some((*first, *second))
        }
        _ => None,
    })
}

fn members_equal(left: &Map<String, Value>, right: &Map<String, Value>) -> bool {
    left.len() == right.len()
        && left.iter().all(|(key, a)| right.get(key).is_some_and(|b| equal(a, b)))
}

/// Equal values hash alike; members are summed, so their order does not matter.
fn hash(keys: &RandomState, value: &Value) -> u64 {
    let mut hasher = keys.build_hasher();
    match value {
        Value::Null => 0_u8.hash(&mut hasher),
        Value::Bool(flag) => (1_u8, flag).hash(&mut hasher),
        Value::Number(number) => (2_u8, number_key(number)).hash(&mut hasher),
        Value::String(text) => (3_u8, text).hash(&mut hasher),
        Value::Array(items) => {
            4_u8.hash(&mut hasher);
            for item in items {
                hash(keys, item).hash(&mut hasher);
            }
        }
        Value::Object(map) => {
            let sum = map.iter().fold(0_u64, |sum, (key, member)| {
                sum.wrapping_add(keys.hash_one((key, hash(keys, member))))
            });
            (5_u8, sum).hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// The exact value, so that different numbers get different keys and equal ones the same.
fn number_key(number: &Number) -> (i128, u64) {
    match number::exact(number) {
        Exact::Integer(integer) => (integer, 0),
        Exact::Double(double) => (0, double.to_bits()),
    }
}
