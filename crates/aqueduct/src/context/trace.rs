//! The trace that a request belongs to: what W3C trace context says of it.

use std::fmt;

use aqueduct_protocol::jsonrpc::{self, MetaKey};

use super::Request;

/// How long a `tracestate` may be; the recommendation asks for at least 512 to be carried on.
const MAX_STATE: usize = 512;
/// How many members a `tracestate` may have (W3C Trace Context › Tracestate Limits).
const MAX_MEMBERS: usize = 32;
/// How long a `baggage` may be (W3C Baggage › Limits).
const MAX_BAGGAGE: usize = 8 * 1024;

/// The trace that a request belongs to (SEP-414), as far as it is well formed.
///
/// Parts that are malformed are as if they were not there; they fail no request. All of it is the
/// client's word: it tells traces apart and decides about nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TraceContext {
    /// The caller's span.
    pub parent: Option<TraceParent>,
    /// What the caller's tracing systems pass along; only ever there with a parent.
    pub state: Option<String>,
    /// Values of the application that travel with the trace.
    pub baggage: Option<String>,
}

/// The span that a request was made in.
///
/// ```
/// use aqueduct::context::TraceParent;
///
/// let text = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
/// let parent = TraceParent::parse(text).ok_or("malformed")?;
/// assert_eq!(parent.trace_id, "0af7651916cd43dd8448eb211c80319c");
/// assert!(parent.is_sampled());
/// assert_eq!(parent.to_string(), text);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TraceParent {
    /// The trace, 32 digits.
    pub trace_id: String,
    /// The span within the trace, 16 digits.
    pub span_id: String,
    /// The flags; the lowest bit says that the trace is recorded.
    pub flags: u8,
}

impl TraceParent {
    /// Reads a `traceparent`; `None` when it is malformed.
    ///
    /// A later version than 00 is read as far as 00 goes, as the recommendation asks for.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(5, '-');
        let version = hex(parts.next()?, 2)?;
        let trace_id = hex(parts.next()?, 32).filter(|id| !is_zero(id))?;
        let span_id = hex(parts.next()?, 16).filter(|id| !is_zero(id))?;
        let flags = hex(parts.next()?, 2)?;
        if version == "ff" || (version == "00" && parts.next().is_some()) {
            return None;
        }
        Some(Self {
            trace_id: trace_id.to_owned(),
            span_id: span_id.to_owned(),
            flags: u8::from_str_radix(flags, 16).ok()?,
        })
    }

    /// Is the trace recorded?
    #[must_use]
    pub const fn is_sampled(&self) -> bool {
        self.flags & 1 == 1
    }
}

/// As a `traceparent` of version 00.
impl fmt::Display for TraceParent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Flags that version 00 does not know are not passed on.
        write!(f, "00-{}-{}-{:02x}", self.trace_id, self.span_id, self.flags & 1)
    }
}

impl TraceContext {
    /// What a request says of its trace.
    pub(crate) fn of(request: &Request) -> Self {
        let member = |key| request.meta(key).and_then(jsonrpc::string);
        let parent = member(MetaKey::Traceparent).and_then(|text| TraceParent::parse(&text));
        let state = member(MetaKey::Tracestate).filter(|text| is_state(text));
        let baggage = member(MetaKey::Baggage).filter(|text| is_baggage(text));
        Self {
            state: state.filter(|_| parent.is_some()).map(Into::into),
            parent,
            baggage: baggage.map(Into::into),
        }
    }
}

/// So many lower-case hexadecimal digits.
fn hex(text: &str, digits: usize) -> Option<&str> {
    let fits = text.len() == digits
        && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    fits.then_some(text)
}

fn is_zero(digits: &str) -> bool {
    digits.bytes().all(|digit| digit == b'0')
}

/// `key=value` members, separated by commas; empty members are allowed.
fn is_state(text: &str) -> bool {
    let is_key = |key: &str| {
        key.len() <= 256
            && key.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
            && key.bytes().all(|byte| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-*/@".contains(&byte)
            })
    };
    let is_value = |value: &str| {
        (1..=256).contains(&value.len())
            && value.bytes().all(|byte| (0x20..=0x7e).contains(&byte) && byte != b'=')
    };
    let members: Vec<&str> =
        text.split(',').map(|member| member.trim_matches([' ', '\t'])).collect();
    text.len() <= MAX_STATE
        && members.len() <= MAX_MEMBERS
        && members.iter().any(|member| !member.is_empty())
        && members.iter().filter(|member| !member.is_empty()).all(|member| {
            member.split_once('=').is_some_and(|(key, value)| is_key(key) && is_value(value))
        })
}

/// `key=value;property` members, separated by commas.
fn is_baggage(text: &str) -> bool {
    let is_token = |token: &str| {
        let token = token.trim_matches([' ', '\t']);
        !token.is_empty()
            && token
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
    };
    let is_value = |value: &str| {
        let value = value.trim_matches([' ', '\t']);
        value.bytes().all(|byte| byte.is_ascii_graphic() && !b"\",;\\".contains(&byte))
    };
    let is_pair = |pair: &str| {
        pair.split_once('=').is_some_and(|(key, value)| is_token(key) && is_value(value))
    };
    let is_member = |member: &str| {
        let mut parts = member.split(';');
        parts.next().is_some_and(is_pair) && parts.all(|part| is_pair(part) || is_token(part))
    };
    text.len() <= MAX_BAGGAGE && text.split(',').all(is_member)
}

#[cfg(test)]
mod tests {
    use super::{TraceParent, is_baggage, is_state};

    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
    const SPAN: &str = "b7ad6b7169203331";

    #[test]
    fn a_parent_is_read_or_is_none() {
        let check = |text: String, well: bool| {
            assert_eq!(TraceParent::parse(&text).is_some(), well, "{text}");
        };
        check(format!("00-{TRACE}-{SPAN}-01"), true);
        check(format!("00-{TRACE}-{SPAN}-00"), true);
        check(format!("01-{TRACE}-{SPAN}-03"), true);
        check(format!("cc-{TRACE}-{SPAN}-01-what-comes-later"), true);
        check(format!("00-{TRACE}-{SPAN}-01-more"), false);
        check(format!("ff-{TRACE}-{SPAN}-01"), false);
        check(format!("00-{}-{SPAN}-01", TRACE.to_uppercase()), false);
        check(format!("00-{}-{SPAN}-01", "0".repeat(32)), false);
        check(format!("00-{TRACE}-{}-01", "0".repeat(16)), false);
        check(format!("00-{TRACE}-{SPAN}-1"), false);
        check(format!("00-{TRACE}-{SPAN}"), false);
        check(format!("00-{TRACE}é-{SPAN}-01"), false);
        check(format!(" 00-{TRACE}-{SPAN}-01"), false);
        check(String::new(), false);
    }

    #[test]
    fn what_is_passed_on_knows_the_flags_of_its_version_only() {
        let parent = TraceParent::parse(&format!("01-{TRACE}-{SPAN}-ff")).unwrap();
        assert_eq!((parent.is_sampled(), parent.flags), (true, 0xff));
        assert_eq!(parent.to_string(), format!("00-{TRACE}-{SPAN}-01"));
    }

    #[test]
    fn a_state_is_members_within_bounds() {
        for good in ["a=1", "rojo=00f067aa0ba902b7, congo=t61rcWkgMzE", "a@b=x y", "a=1,,b=2"] {
            assert!(is_state(good), "{good}");
        }
        let many = vec!["a=1"; 33].join(",");
        let long = format!("a={}", "x".repeat(512));
        for bad in ["", ",", "a", "=1", "A=1", "a=", "a=1=2", "a=\n", "é=1", &many, &long] {
            assert!(!is_state(bad), "{bad}");
        }
    }

    #[test]
    fn a_baggage_is_members_with_properties_within_bounds() {
        for good in ["a=1", "a=1;p;q=2 , b = x%20y", "userId=alice", "a="] {
            assert!(is_baggage(good), "{good}");
        }
        let long = format!("a={}", "x".repeat(8 * 1024));
        for bad in ["", "a", "a=1,", "a b=1", "a=\"x\"", "a=é", "a=1;;", "a=1\r\nx: y", &long] {
            assert!(!is_baggage(bad), "{bad}");
        }
    }
}
