//! HTTP headers that repeat parts of the body, held against it (SEP-2243).
//!
//! The header map is read here and not in the transport, because these checks come between others
//! that only the dispatcher can make. Over a transport without headers all of them pass.

use std::borrow::Cow;

use aqueduct_protocol::header;
use http::{HeaderMap, HeaderName};
use serde_json::Value;

use crate::context::{Mirrored, Request};
use crate::error::{Error, Kind};
use crate::schema::x_mcp_header::{HeaderParam, Kind as Type};

/// How long all decoded parameter headers together may be.
const MAX_PARAMS: usize = 8 * 1024;

fn mismatch(message: String) -> Error {
    Error::of(Kind::HeaderMismatch, message)
}

/// Is there no version header where there should be one?
pub(super) fn is_without_version(request: &Request) -> bool {
    matches!(request.head().mirrored(|mirrors| mirrors.version), Some(Mirrored::Absent))
}

/// `MCP-Protocol-Version` is what the metadata says.
pub(super) fn version(request: &Request, named: &str) -> Result<(), Error> {
    let mirrored = request.head().mirrored(|mirrors| mirrors.version);
    plain(mirrored, header::PROTOCOL_VERSION, named, "protocol version of params._meta")
}

/// `Mcp-Method` is the method, letter for letter.
pub(super) fn method(request: &Request) -> Result<(), Error> {
    let mirrored = request.head().mirrored(|mirrors| mirrors.method);
    match request.envelope().known_method() {
        Some(method) => plain(mirrored, header::METHOD, method.as_str(), "method"),
        None => plain(mirrored, header::METHOD, &request.method(), "method"),
    }
}

/// A header whose value is never encoded.
fn plain(mirrored: Option<Mirrored<'_>>, name: &str, body: &str, what: &str) -> Result<(), Error> {
    match mirrored {
        None => Ok(()),
        Some(Mirrored::Once(value)) if value.trim_ascii() == body.as_bytes() => Ok(()),
        Some(Mirrored::Once(value)) => Err(mismatch(format!(
            "the {name} header says {:?}, but the {what} is {body:?}",
            String::from_utf8_lossy(value.trim_ascii())
        ))),
        Some(Mirrored::Absent) => {
            Err(mismatch(format!("the {name} header is missing; send {body:?}")))
        }
        Some(Mirrored::Twice) => Err(twice(name)),
    }
}

fn twice(name: &str) -> Error {
    mismatch(format!("the {name} header is there more than once"))
}

/// `Mcp-Name` is what the request is about.
pub(super) fn name(request: &Request, target: &str) -> Result<(), Error> {
    const NAME: &str = header::NAME;
    let value = match request.head().mirrored(|mirrors| mirrors.name) {
        None => return Ok(()),
        Some(Mirrored::Once(value)) => decode(NAME, value)?,
        Some(Mirrored::Absent) => {
            let send = header::encode_value(target);
            return Err(mismatch(format!("the {NAME} header is missing; send {send:?}")));
        }
        Some(Mirrored::Twice) => return Err(twice(NAME)),
    };
    if value == target {
        return Ok(());
    }
    Err(mismatch(format!("the {NAME} header says {value:?}, but the body names {target:?}")))
}

fn decoded<'r>(headers: &'r HeaderMap, name: &HeaderName) -> Result<Option<Cow<'r, str>>, Error> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(twice(name.as_str()));
    }
    decode(name.as_str(), value.as_bytes()).map(Some)
}

fn decode<'r>(name: &str, value: &'r [u8]) -> Result<Cow<'r, str>, Error> {
    header::decode_value(value).map_err(|error| mismatch(format!("the {name} header: {error}")))
}

/// `Mcp-Param-*` are the arguments that the tool's schema marks with `x-mcp-header`.
pub(super) fn params(
    request: &Request,
    params: &[HeaderParam],
    arguments: &str,
) -> Result<(), Error> {
    if params.is_empty() || !request.head().has_mirrors() {
        return Ok(());
    }
    let arguments: Value = serde_json::from_str(arguments).unwrap_or(Value::Null);
    let mut size = 0;
    for param in params {
        let name = format!("{}{}", header::PARAM_PREFIX, param.name.to_ascii_lowercase());
        let Ok(name) = HeaderName::try_from(name) else { continue };
        let value = decoded(request.head().headers(), &name)?;
        size += value.as_ref().map_or(0, |value| value.len());
        if size > MAX_PARAMS {
            return Err(mismatch(format!("the {} headers are too long", header::PARAM_PREFIX)));
        }
        let argument = param.path.iter().try_fold(&arguments, |value, key| value.get(key));
        let path = param.path.join(".");
        match (value, argument) {
            (None, None | Some(Value::Null)) => {}
            (Some(_), None | Some(Value::Null)) => {
                return Err(mismatch(format!(
                    "the {name} header is there, but the argument {path:?} is not"
                )));
            }
            (None, Some(_)) => {
                return Err(mismatch(format!(
                    "the {name} header is missing; it must repeat the argument {path:?}"
                )));
            }
            (Some(value), Some(argument)) => same(&name, &path, &value, argument, param.kind)?,
        }
    }
    Ok(())
}

/// Compares a header with an argument of the declared kind.
///
/// An argument of another kind is left to the check of the arguments, which tells the model.
fn same(
    name: &HeaderName,
    path: &str,
    header: &str,
    argument: &Value,
    kind: Type,
) -> Result<(), Error> {
    let equal = match (kind, argument) {
        (Type::String, Value::String(text)) => header == text,
        (Type::Boolean, Value::Bool(value)) => header == if *value { "true" } else { "false" },
        (Type::Integer, Value::Number(number)) => integers_equal(header, &number.to_string()),
        _ => return Ok(()),
    };
    if equal {
        return Ok(());
    }
    Err(mismatch(format!(
        "the {name} header says {header:?}, but the argument {path:?} is {argument}"
    )))
}

/// Are two decimal numbers the same integer within ±(2^53 − 1)? `42.0` is 42.
fn integers_equal(header: &str, argument: &str) -> bool {
    const SAFE: i64 = (1 << 53) - 1;
    let whole = |text: &str| -> Option<i64> {
        let integer = match text.split_once('.') {
            Some((integer, fraction)) if !fraction.is_empty() => {
                fraction.bytes().all(|digit| digit == b'0').then_some(integer)?
            }
            Some(_) => return None,
            None => text,
        };
        let canonical = integer.strip_prefix('-').unwrap_or(integer);
        let digits = !canonical.is_empty() && canonical.bytes().all(|byte| byte.is_ascii_digit());
        let value = digits.then(|| integer.parse::<i64>().ok())??;
        (-SAFE..=SAFE).contains(&value).then_some(value)
    };
    match (whole(header), whole(argument)) {
        (Some(header), Some(argument)) => header == argument,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_compare_by_value_and_never_by_rounding() {
        for (header, argument, equal) in [
            ("42", "42", true),
            ("42.0", "42", true),
            ("42", "42.0", true),
            ("43", "42", false),
            ("-7", "-7", true),
            ("9007199254740992", "9007199254740993", false),
            ("9007199254740993", "9007199254740993", false),
            ("abc", "42", false),
            ("", "42", false),
            ("+42", "42", false),
            ("4.2e1", "42", false),
            ("42.", "42", false),
        ] {
            assert_eq!(integers_equal(header, argument), equal, "{header} {argument}");
        }
    }
}
