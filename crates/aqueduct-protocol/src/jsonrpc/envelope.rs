//! From a text to a message's envelope: which kind it is, and where its known members stand.

use std::borrow::Cow;

use super::known::{MetaKey, Param, Slot};
use super::scan::{Failure, Found, Scanner};
use super::text::string;
use super::{Limits, Malformed, Span, VERSION};
use crate::method::Method;

/// What a message is, by the members that it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A method and an id: it is answered.
    Request,
    /// A method and no id: it is never answered.
    Notification,
    /// A result or an error.
    Response,
}

/// A message that [`decode`] accepted, without its text.
///
/// It holds places, not text, so that it can be kept beside the text that it was read from;
/// each question takes that text.
#[derive(Clone, Debug)]
pub struct Envelope {
    slots: [Span; Slot::COUNT],
    kind: Kind,
    method: Option<Method>,
    meta: Presence,
}

/// Whether `params._meta` is there, and an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    Absent,
    Object,
    Other,
}

impl Envelope {
    /// What the message is.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The raw JSON of the id, to be echoed byte for byte.
    #[must_use]
    pub fn id<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.get(text, Slot::ID)
    }

    /// The method's name; empty for a response.
    #[must_use]
    pub fn method<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.get(text, Slot::METHOD).and_then(string).unwrap_or_default()
    }

    /// The method, when it is one that this crate knows.
    #[must_use]
    pub const fn known_method(&self) -> Option<Method> {
        self.method
    }

    /// The raw JSON object of the parameters.
    #[must_use]
    pub fn params<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.get(text, Slot::PARAMS)
    }

    /// The raw JSON of a member of the parameters, whatever its type.
    #[must_use]
    pub fn param<'t>(&self, text: &'t str, param: Param) -> Option<&'t str> {
        self.get(text, Slot::param(param))
    }

    /// The raw JSON of a member of `params._meta`, whatever its type.
    #[must_use]
    pub fn meta<'t>(&self, text: &'t str, key: MetaKey) -> Option<&'t str> {
        self.get(text, Slot::meta(key))
    }

    /// Whether `params._meta` is an object.
    #[must_use]
    pub fn has_meta(&self) -> bool {
        self.meta == Presence::Object
    }

    /// Whether `params._meta` is there and not an object: invalid parameters, not an invalid
    /// message.
    #[must_use]
    pub fn meta_is_malformed(&self) -> bool {
        self.meta == Presence::Other
    }

    /// The raw JSON object of a response's result.
    #[must_use]
    pub fn result<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.get(text, Slot::RESULT)
    }

    /// The raw JSON object of a response's error.
    #[must_use]
    pub fn error<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.get(text, Slot::ERROR)
    }

    fn get<'t>(&self, text: &'t str, slot: Slot) -> Option<&'t str> {
        self.slots.get(slot.index()).and_then(|span| span.get(text))
    }
}

/// Reads one message: one pass, no copy, and for an ordinary message no allocation.
///
/// The whole text is checked against RFC 8259 and the rules of a message.
/// Unknown members are tolerated at every level; a name that occurs twice in one object is not,
/// nor is a known name in other letters' case.
///
/// # Errors
///
/// [`code::PARSE_ERROR`](crate::code::PARSE_ERROR) for a text that is not JSON (a byte order mark,
/// a lone surrogate and bytes after the message count as that), and
/// [`code::INVALID_REQUEST`](crate::code::INVALID_REQUEST) for JSON that is not a message or
/// exceeds `limits`.
/// Only the latter ever has an id.
/// An integer id has no fraction, no exponent and 64 bits; `-0` is refused, being a second
/// spelling of `0`.
///
/// ```
/// use aqueduct_protocol::code;
/// use aqueduct_protocol::jsonrpc::{Limits, MetaKey, decode};
///
/// let text = r#"{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"_meta":{
///     "io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
/// let envelope = decode(text, &Limits::default())?;
/// assert_eq!(envelope.meta(text, MetaKey::ProtocolVersion), Some("\"2026-07-28\""));
///
/// let text = r#"{"id":5,"method":"tools/list"}"#;
/// let malformed = decode(text, &Limits::default()).unwrap_err();
/// assert_eq!((malformed.code(), malformed.id(text)), (code::INVALID_REQUEST, Some("5")));
/// # Ok::<(), aqueduct_protocol::jsonrpc::Malformed>(())
/// ```
pub fn decode(text: &str, limits: &Limits) -> Result<Envelope, Malformed> {
    if u32::try_from(text.len()).is_err() {
        return Err(Malformed::invalid("longer than 4 GiB", Span::ABSENT));
    }
    let mut scanner = Scanner::new(text, limits);
    scanner.run();
    let Scanner { failure, mut found, .. } = scanner;
    let id = usable_id(&found, text, limits);
    let refused = |why| Malformed::invalid(why, id.unwrap_or_default());
    match failure {
        Some(Failure::NotJson { what, at }) => {
            return Err(Malformed::parse(format!("not JSON: {what} at byte {at}")));
        }
        Some(Failure::Limit(why)) => return Err(refused(format!("message refused: {why}").into())),
        None => {}
    }
    if let Some(why) = root_fault(text) {
        return Err(refused(Cow::Borrowed(why)));
    }
    if let Some(why) = found.refusal.take() {
        return Err(refused(why));
    }
    let kind = kind(&found, text, limits, id).map_err(refused)?;
    let meta = match found.span(Slot::param(Param::Meta)).get(text) {
        None => Presence::Absent,
        Some(raw) if raw.starts_with('{') => Presence::Object,
        Some(_) => Presence::Other,
    };
    let method = found.span(Slot::METHOD).get(text).and_then(known_method);
    Ok(Envelope { slots: found.slots, kind, method, meta })
}

fn known_method(raw: &str) -> Option<Method> {
    // No known name has a letter that must be escaped, so nearly each stands as it is.
    let plain = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    plain.and_then(Method::parse).or_else(|| Method::parse(&string(raw)?))
}

fn root_fault(text: &str) -> Option<&'static str> {
    match text.trim_start().as_bytes().first() {
        Some(b'{') => None,
        Some(b'[') => Some("batches are not part of this revision; send one message at a time"),
        _ => Some("a message must be an object"),
    }
}

/// The id if there is one that may be echoed: `Some(ABSENT)` when there is none at all, `None`
/// when there is one and it is no id.
fn usable_id(found: &Found, text: &str, limits: &Limits) -> Option<Span> {
    let span = found.span(Slot::ID);
    let Some(raw) = span.get(text) else { return Some(span) };
    let good = match raw.strip_prefix('"') {
        // The closing quote is the one byte that is not the id's own.
        Some(inside) => inside.len() <= usize::from(limits.id) + 1,
        None => raw != "-0" && raw.len() <= usize::from(limits.id) && raw.parse::<i64>().is_ok(),
    };
    (good && !found.two_ids).then_some(span)
}

fn kind(
    found: &Found,
    text: &str,
    limits: &Limits,
    id: Option<Span>,
) -> Result<Kind, Cow<'static, str>> {
    let member = |slot: Slot| found.span(slot).get(text);
    let Some(id) = id else {
        let most = limits.id;
        return Err(format!("id must be a string or an integer, of at most {most} bytes").into());
    };
    match member(Slot::VERSION) {
        None => return Err("member `jsonrpc` is missing".into()),
        // The usual spelling is one comparison; another is read before it is judged.
        Some(r#""2.0""#) => {}
        Some(version) if string(version).as_deref() != Some(VERSION) => {
            return Err("member `jsonrpc` must be \"2.0\"".into());
        }
        Some(_) => {}
    }
    if member(Slot::PARAMS).is_some_and(|params| !params.starts_with('{')) {
        return Err("params must be an object".into());
    }
    match (member(Slot::METHOD), member(Slot::RESULT), member(Slot::ERROR)) {
        (None, None, None) => Err("a message needs a method, a result or an error".into()),
        (Some(method), None, None) => {
            let Some(inside) = method.strip_prefix('"') else {
                return Err("method must be a string".into());
            };
            if inside.len() > usize::from(limits.method) + 1 {
                return Err(format!("method longer than {} bytes", limits.method).into());
            }
            Ok(if id.is_absent() { Kind::Notification } else { Kind::Request })
        }
        (None, Some(result), None) if !result.starts_with('{') => {
            Err("result must be an object".into())
        }
        (None, Some(_), None) if id.is_absent() => Err("a result needs an id".into()),
        (None, None, Some(error)) if !error.starts_with('{') => {
            Err("error must be an object".into())
        }
        (None, Some(_), None) | (None, None, Some(_)) => Ok(Kind::Response),
        _ => Err("a message has one of method, result and error".into()),
    }
}
