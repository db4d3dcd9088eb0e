//! Numbers: exact comparison across integers and doubles, and `multipleOf` in decimal.

use std::cmp::Ordering;

use serde_json::Number;

use super::SchemaError;
use super::keyword::Keywords;

/// The keywords that constrain a number.
#[derive(Debug, Default)]
pub(super) struct NumberRule {
    /// `minimum`.
    pub(super) minimum: Option<Number>,
    /// `maximum`.
    pub(super) maximum: Option<Number>,
    /// `exclusiveMinimum`.
    pub(super) above: Option<Number>,
    /// `exclusiveMaximum`.
    pub(super) below: Option<Number>,
    /// `multipleOf`.
    pub(super) multiple_of: Option<Number>,
}

impl NumberRule {
    pub(super) fn compile(keywords: Keywords<'_, '_>) -> Result<Option<Self>, SchemaError> {
        let multiple_of = keywords.number("multipleOf")?;
        if let Some(divisor) = multiple_of
            && compare(divisor, &Number::from(0)) != Ordering::Greater
        {
            return Err(keywords.wrong("multipleOf", "a number above 0"));
        }
        let rule = Self {
            minimum: keywords.number("minimum")?.cloned(),
            maximum: keywords.number("maximum")?.cloned(),
            above: keywords.number("exclusiveMinimum")?.cloned(),
            below: keywords.number("exclusiveMaximum")?.cloned(),
            multiple_of: multiple_of.cloned(),
        };
        let constrains = rule.bounds().next().is_some();
        Ok(constrains.then_some(rule))
    }

    pub(super) fn accepts(&self, number: &Number) -> bool {
        let holds = |bound: &Option<Number>, wanted: fn(Ordering) -> bool| {
            bound.as_ref().is_none_or(|bound| wanted(compare(number, bound)))
        };
        holds(&self.minimum, Ordering::is_ge)
            && holds(&self.maximum, Ordering::is_le)
            && holds(&self.above, Ordering::is_gt)
            && holds(&self.below, Ordering::is_lt)
            && self.multiple_of.as_ref().is_none_or(|divisor| is_multiple(number, divisor))
    }

    /// The first keyword that `number` does not meet.
    pub(super) fn failed(&self, number: &Number) -> &'static str {
        let mut failed = self.bounds().filter(|(keyword, bound)| {
            let order = compare(number, bound);
            match *keyword {
                "minimum" => order.is_lt(),
                "maximum" => order.is_gt(),
                "exclusiveMinimum" => order.is_le(),
                "exclusiveMaximum" => order.is_ge(),
                _ => true,
            }
        });
        failed.next().map_or("multipleOf", |(keyword, _)| keyword)
    }

    fn bounds(&self) -> impl Iterator<Item = (&'static str, &Number)> {
        [
            ("minimum", &self.minimum),
            ("maximum", &self.maximum),
            ("exclusiveMinimum", &self.above),
            ("exclusiveMaximum", &self.below),
            ("multipleOf", &self.multiple_of),
        ]
        .into_iter()
        .filter_map(|(keyword, bound)| Some((keyword, bound.as_ref()?)))
    }
}

/// A number with nothing lost: every integer as one, whatever way it was written.
#[derive(Debug, Clone, Copy)]
pub(super) enum Exact {
    /// A whole number.
    Integer(i128),
    /// A fraction, or a double beyond any integer that is compared exactly.
    Double(f64),
}

/// The exact value of a number; `5.0` is the integer 5.
pub(super) fn exact(number: &Number) -> Exact {
    /// 2^100: below it a whole double converts to `i128` without rounding.
    const WHOLE: f64 = 1_267_650_600_228_229_401_496_703_205_376.0;
    if let Some(integer) = number.as_i128() {
        return Exact::Integer(integer);
    }
    let double = number.as_f64().unwrap_or(f64::NAN);
    if double.fract() == 0.0 && double.abs() < WHOLE {
        #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^100")]
        return Exact::Integer(double as i128);
    }
    Exact::Double(double)
}

/// Whether the number has no fraction and was carried exactly.
///
/// A number beyond 64 bits was already rounded by the parser.
/// Taking it for the integer that the peer wrote would be a guess, so it is not an integer here.
pub(super) fn is_integer(number: &Number) -> bool {
    match exact(number) {
        Exact::Integer(integer) => (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&integer),
        Exact::Double(_) => false,
    }
}

/// Orders two numbers by value.
pub(super) fn compare(left: &Number, right: &Number) -> Ordering {
    match (exact(left), exact(right)) {
        (Exact::Integer(a), Exact::Integer(b)) => a.cmp(&b),
        (Exact::Double(a), Exact::Double(b)) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
        (Exact::Integer(a), Exact::Double(b)) => compare_mixed(a, b),
        (Exact::Double(a), Exact::Integer(b)) => compare_mixed(b, a).reverse(),
    }
}

/// Whether `number` is a whole multiple of `divisor`, both taken as the decimals they are written as.
///
/// `19.99` is a multiple of `0.01`, although no double says so.
pub(super) fn is_multiple(number: &Number, divisor: &Number) -> bool {
    let (Some(value), Some(divisor)) = (Decimal::of(number), Decimal::of(divisor)) else {
        return false;
    };
    if divisor.digits == 0 {
        return false;
    }
    if value.digits == 0 {
        return true;
    }
    let shift = value.exponent - divisor.exponent;
    if shift >= 0 {
        let power = power_of_ten(shift.unsigned_abs(), divisor.digits);
        // Both factors are below 2^64, so the product fits.
        return ((value.digits % divisor.digits) * power).is_multiple_of(divisor.digits);
    }
    // A power of ten beyond the digits of the value cannot divide it.
    10_u128
        .checked_pow(shift.unsigned_abs())
        .and_then(|power| power.checked_mul(divisor.digits))
        .is_some_and(|divisor| value.digits.is_multiple_of(divisor))
}

/// The size of a number as digits × 10^exponent; the sign does not matter to divisibility.
struct Decimal {
    digits: u128,
    exponent: i32,
}

impl Decimal {
    /// At most 20 digits: a 64-bit integer or the shortest spelling of a double.
    fn of(number: &Number) -> Option<Self> {
        if let Some(integer) = number.as_i128() {
            return Some(Self { digits: integer.unsigned_abs(), exponent: 0 });
        }
        let spelled = format!("{:e}", number.as_f64()?.abs());
        let (mantissa, exponent) = spelled.split_once('e')?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}").parse().ok()?;
        let places = i32::try_from(fraction.len()).ok()?;
        Some(Self { digits, exponent: exponent.parse::<i32>().ok()? - places })
    }
}

/// 10^exponent modulo `modulus`, which is below 2^64.
fn power_of_ten(exponent: u32, modulus: u128) -> u128 {
    (0..exponent).fold(1 % modulus, |power, _| power * 10 % modulus)
}

fn compare_mixed(integer: i128, double: f64) -> Ordering {
    let whole = double.trunc();
    // A double that is no `Exact::Integer` is beyond every 64-bit integer or has a fraction.
    if whole.abs() >= 1e30 {
        return if whole > 0.0 { Ordering::Less } else { Ordering::Greater };
    }
    #[expect(clippy::cast_possible_truncation, reason = "whole and below 1e30")]
    let whole = whole as i128;
    integer
        .cmp(&whole)
        .then_with(|| 0.0_f64.partial_cmp(&double.fract()).unwrap_or(Ordering::Equal))
}
