//! Real numbers of the protocol: whole ones are written as integers, as people write them.

use serde::Serializer;

/// Above this not every integer is a float, and the float's own spelling is the honest one.
const EXACT: f64 = 9_007_199_254_740_992.0;

pub(crate) fn write<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if number.fract() == 0.0 && number.abs() <= EXACT {
        serializer.serialize_i64(*number as i64)
    } else {
        serializer.serialize_f64(*number)
    }
}

#[expect(clippy::ref_option, reason = "the shape that serde calls")]
pub(crate) fn write_some<S: Serializer>(
    number: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match number {
        Some(number) => write(number, serializer),
        None => serializer.serialize_none(),
    }
}
