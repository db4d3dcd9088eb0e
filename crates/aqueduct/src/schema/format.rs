//! The formats that can be asserted, each by the syntax that its RFC gives.

use std::net::{Ipv4Addr, Ipv6Addr};

/// A format of JSON Schema 2020-12 (Validation, section 7.3).
#[derive(Debug, Clone, Copy)]
pub(super) struct Format {
    name: &'static str,
    example: &'static str,
    accepts: fn(&str) -> bool,
}

/// Name, an example for the reader, and the test.
///
/// `regex` is absent on purpose: compiling a peer's pattern costs more than its length.
const FORMATS: &[Format] = &[
    Format { name: "date-time", example: "2026-01-31T09:30:00Z", accepts: date_time },
    Format { name: "date", example: "2026-01-31", accepts: date },
    Format { name: "time", example: "09:30:00Z", accepts: time },
    Format { name: "duration", example: "P3DT12H", accepts: duration },
    Format { name: "email", example: "ann@example.com", accepts: email },
    Format { name: "hostname", example: "example.com", accepts: hostname },
    Format { name: "ipv4", example: "192.0.2.1", accepts: ipv4 },
    Format { name: "ipv6", example: "2001:db8::1", accepts: ipv6 },
    Format { name: "uri", example: "https://example.com/a", accepts: uri },
    Format { name: "uri-reference", example: "/a?b=c", accepts: uri_reference },
    Format { name: "uuid", example: "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", accepts: uuid },
    Format { name: "json-pointer", example: "/a/0", accepts: json_pointer },
];

impl Format {
    pub(super) fn named(name: &str) -> Option<Self> {
        FORMATS.iter().find(|format| format.name == name).copied()
    }

    pub(super) fn name(self) -> &'static str {
        self.name
    }

    pub(super) fn example(self) -> &'static str {
        self.example
    }

    pub(super) fn accepts(self, text: &str) -> bool {
        (self.accepts)(text)
    }
}

/// RFC 3339 `date-time`.
fn date_time(text: &str) -> bool {
    text.split_once(['T', 't']).is_some_and(|(day, clock)| date(day) && time(clock))
}

/// RFC 3339 `full-date`, with the days that the month has.
fn date(text: &str) -> bool {
    let mut parts = text.split('-');
    let (Some(year), Some(month), Some(day), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let (Some(year), Some(month), Some(day)) = (digits(year, 4), digits(month, 2), digits(day, 2))
    else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    (1..=days).contains(&day)
}

/// RFC 3339 `full-time`; a leap second is 23:59:60 in UTC.
fn time(text: &str) -> bool {
    let Some((clock, zone)) =
        text.find(['Z', 'z', '+', '-']).and_then(|at| text.split_at_checked(at))
    else {
        return false;
    };
    let Some(offset) = offset_minutes(zone) else { return false };
    let (whole, fraction) = match clock.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (clock, None),
    };
    if fraction.is_some_and(|f| f.is_empty() || !f.bytes().all(|b| b.is_ascii_digit())) {
        return false;
    }
    let mut parts = whole.split(':').map(|part| digits(part, 2));
    let (Some(Some(hour)), Some(Some(minute)), Some(Some(second)), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    if hour > 23 || minute > 59 {
        return false;
    }
    let day = 24 * 60;
    let utc = (i64::from(hour * 60 + minute) - offset).rem_euclid(day);
    second < 60 || (second == 60 && utc == day - 1)
}

fn offset_minutes(zone: &str) -> Option<i64> {
    if matches!(zone, "Z" | "z") {
        return Some(0);
    }
    let (sign, rest) = match zone.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, zone.strip_prefix('+')?),
    };
    let (hours, minutes) = rest.split_once(':')?;
    let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2)?);
    (hours < 24 && minutes < 60).then(|| sign * i64::from(hours * 60 + minutes))
}

/// ISO 8601 durations as RFC 3339 appendix A spells them.
fn duration(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('P') else { return false };
    let (days, clock) = match rest.split_once('T') {
        Some((days, clock)) => (days, Some(clock)),
        None => (rest, None),
    };
    if let Some(weeks) = days.strip_suffix('W') {
        return clock.is_none() && !weeks.is_empty() && weeks.bytes().all(|b| b.is_ascii_digit());
    }
    let clock_holds = clock.is_none_or(|clock| !clock.is_empty() && units(clock, "HMS"));
    clock_holds && units(days, "YMD") && !(days.is_empty() && clock.is_none())
}

/// Numbers with units, the units being neighbours in their order.
fn units(text: &str, order: &str) -> bool {
    let mut last: Option<usize> = None;
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let Some((number, tail)) = rest.split_at_checked(end) else { return false };
        let mut after = tail.chars();
        let place = after.next().and_then(|unit| order.find(unit));
        match place {
            Some(place) if !number.is_empty() && last.is_none_or(|last| place == last + 1) => {
                last = Some(place);
            }
            _ => return false,
        }
        rest = after.as_str();
    }
    true
}

/// An address with a plain local part or a quoted one, and a host.
fn email(text: &str) -> bool {
    let Some((local, host)) = text.rsplit_once('@') else { return false };
    let quoted = local.len() > 2 && local.starts_with('"') && local.ends_with('"');
    let atom = |part: &str| {
        !part.is_empty()
            && part.chars().all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+/=?^_`{|}~-".contains(c))
    };
    let local_holds = quoted || local.split('.').all(atom);
    let host_holds = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(address) => ipv4(address) || address.strip_prefix("IPv6:").is_some_and(ipv6),
        None => hostname(host),
    };
    local.len() <= 64 && local_holds && host_holds
}

/// RFC 1123 host names.
fn hostname(text: &str) -> bool {
    text.len() <= 253
        && text.split('.').all(|label| {
            (1..=63).contains(&label.len())
                && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
                && !label.starts_with('-')
                && !label.ends_with('-')
        })
}

fn ipv4(text: &str) -> bool {
    text.parse::<Ipv4Addr>().is_ok()
}

fn ipv6(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

/// RFC 3986 `URI`.
fn uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    is_scheme(scheme) && hierarchical(rest)
}

/// RFC 3986 `URI-reference`.
fn uri_reference(text: &str) -> bool {
    if uri(text) {
        return true;
    }
    // A colon in the first segment would make it a scheme.
    let first = text.split(['/', '?', '#']).next().unwrap_or_default();
    !first.contains(':') && hierarchical(text)
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

/// What follows the scheme: authority, path, query, fragment.
fn hierarchical(text: &str) -> bool {
    let (rest, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority_holds, path) = match rest.strip_prefix("//") {
        Some(after) => {
            let end = after.find('/').unwrap_or(after.len());
            let (name, path) = after.split_at_checked(end).unwrap_or((after, ""));
            (authority(name), path)
        }
        None => (true, rest),
    };
    authority_holds && made_of(path, ":@/") && made_of(query, ":@/?") && made_of(fragment, ":@/?")
}

fn authority(text: &str) -> bool {
    let (user, host) = text.rsplit_once('@').unwrap_or(("", text));
    let host_holds = match host.strip_prefix('[') {
        Some(literal) => literal.split_once(']').is_some_and(|(address, port)| {
            (ipv6(address) || address.starts_with(['v', 'V']))
                && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port))
        }),
        None => match host.split_once(':') {
            Some((name, port)) => made_of(name, "") && is_port(port),
            None => made_of(host, ""),
        },
    };
    made_of(user, ":") && host_holds
}

fn is_port(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

/// Unreserved characters, sub-delimiters, percent escapes, and what else the place allows.
fn made_of(text: &str, more: &str) -> bool {
    let allowed =
        |c: char| c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=%".contains(c) || more.contains(c);
    let escapes_hold = text.split('%').skip(1).all(|after| {
        after.get(..2).is_some_and(|pair| pair.bytes().all(|b| b.is_ascii_hexdigit()))
    });
    text.chars().all(allowed) && escapes_hold
}

fn uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// RFC 6901.
fn json_pointer(text: &str) -> bool {
    (text.is_empty() || text.starts_with('/'))
        && text.split('~').skip(1).all(|after| after.starts_with(['0', '1']))
}

/// A number of exactly so many digits.
fn digits(text: &str, count: usize) -> Option<u32> {
    (text.len() == count && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}
