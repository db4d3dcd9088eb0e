//! Who may talk to this endpoint at all: the Host and the Origin of a request.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use http::{HeaderValue, Uri, Version};

use super::fields::{Fields, Seen};

/// A host and perhaps a port, parsed, so that it is compared as what it is and never as text.
///
/// ```
/// use aqueduct::transport::http::Authority;
///
/// let local: Authority = "LocalHost:8000".parse().unwrap();
/// assert_eq!(local.to_string(), "localhost:8000");
/// assert!("127.0.0.1:evil".parse::<Authority>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Authority {
    host: String,
    port: Option<u16>,
}

/// A text that is no host with a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostError(String);

impl HostError {
    pub(super) fn of(text: &str) -> Self {
        Self(crate::error::shorten(text))
    }
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?} is not a host such as \"example.com:8000\" or an origin such as \"https://example.com\"",
            self.0
        )
    }
}

impl std::error::Error for HostError {}

impl fmt::Display for Authority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.host)?;
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

impl std::str::FromStr for Authority {
    type Err = HostError;

    fn from_str(text: &str) -> Result<Self, HostError> {
        let wrong = || HostError(crate::error::shorten(text));
        let (host, port) = if text.starts_with('[') {
            let (inside, behind) = text.split_once(']').ok_or_else(wrong)?;
            let address = inside.strip_prefix('[').ok_or_else(wrong)?;
            let address: Ipv6Addr = address.parse().map_err(|_| wrong())?;
            let port = match behind.strip_prefix(':') {
                Some(port) => Some(port),
                None if behind.is_empty() => None,
                None => return Err(wrong()),
            };
            (format!("[{address}]"), port)
        } else {
            let (host, port) = match text.split_once(':') {
                Some((host, port)) => (host, Some(port)),
                None => (text, None),
            };
            (name(host).ok_or_else(wrong)?, port)
        };
        let port = match port {
            None => None,
            Some(port) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => {
                Some(port.parse().map_err(|_| wrong())?)
            }
            Some(_) => return Err(wrong()),
        };
        Ok(Self { host, port })
    }
}

/// A host name in lower case and without the dot at its end; a second dot there is no name's.
fn name(host: &str) -> Option<String> {
    let host = host.strip_suffix('.').unwrap_or(host);
    let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_');
    let has_labels = host.split('.').all(|label| !label.is_empty());
    (has_labels && host.bytes().all(fits)).then(|| host.to_ascii_lowercase())
}

impl Authority {
    fn is_loopback(&self) -> bool {
        if self.host == "localhost" {
            return true;
        }
        let bare = self.host.trim_start_matches('[').trim_end_matches(']');
        match bare.parse::<IpAddr>() {
            Ok(IpAddr::V4(address)) => address == Ipv4Addr::LOCALHOST,
            Ok(IpAddr::V6(address)) => address == Ipv6Addr::LOCALHOST,
            Err(_) => false,
        }
    }

    /// Is `self` what an allowed entry stands for? An entry without a port stands for all ports.
    fn fits(&self, allowed: &Self, default_port: u16) -> bool {
        let port = self.port.unwrap_or(default_port);
        self.host == allowed.host && allowed.port.is_none_or(|allowed| allowed == port)
    }
}

/// Why a request is turned away before anything of it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Host,
    Origin,
    Ambiguous,
}

/// The hosts and origins that may talk to an endpoint.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guard {
    /// The port that is listened on, when that is known; loopback names must come with it.
    port: Option<u16>,
    /// The texts of Host that are let in as they stand.
    usual: Vec<String>,
    pub(crate) hosts: Vec<Authority>,
    /// Why every host is let in, when it is.
    pub(super) any_host: Option<&'static str>,
    pub(super) origins: Vec<Origin>,
}

/// An origin: scheme, host and port (RFC 6454).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    secure: bool,
    authority: Authority,
}

impl Origin {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (scheme, rest) = text.split_once("://")?;
        let secure = match scheme.to_ascii_lowercase().as_str() {
            "https" => true,
            "http" => false,
            _ => return None,
        };
        let authority: Authority = rest.parse().ok()?;
        let port = authority.port.or(Some(if secure { 443 } else { 80 }));
        Some(Self { secure, authority: Authority { port, ..authority } })
    }
}

impl Guard {
    /// Looks at what browsers cannot forge, before anything else of the request counts.
    ///
    /// A page on another site reaches a server on this machine by rebinding its own name to it
    /// (then Host is wrong) or by a plain cross-site request (then Origin is).
    pub(super) fn check(
        &self,
        uri: &Uri,
        version: Version,
        fields: &Fields<'_>,
    ) -> Result<(), Refusal> {
        // Since HTTP/2 the authority stands in the target, and Host may be left out.
        let may_lack_host = version >= Version::HTTP_2;
        let host = match (fields.host, uri.authority()) {
            (Seen::Once(host), None) if self.is_usual(host) => return self.check_origin(fields),
            (Seen::Once(host), _) => host.to_str().map_err(|_| Refusal::Host)?,
            (Seen::Never, Some(authority)) if may_lack_host => authority.as_str(),
            (Seen::Never | Seen::Twice, _) => return Err(Refusal::Ambiguous),
        };
        let host: Authority = host.parse().map_err(|_| Refusal::Host)?;
        if let Some(target) = uri.authority() {
            // An absolute target that disagrees with Host would be two truths.
            let target: Authority = target.as_str().parse().map_err(|_| Refusal::Host)?;
            if target != host {
                return Err(Refusal::Host);
            }
        }
        if !self.host_fits(&host) {
            return Err(Refusal::Host);
        }
        self.check_origin(fields)
    }

    /// Lets loopback names in that come with this port only.
    pub(super) fn listen_on(&mut self, port: u16) {
        self.port = Some(port);
        self.usual = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}")).to_vec();
    }

    /// Is it what nearly every client of this machine sends? Then nothing has to be parsed.
    fn is_usual(&self, host: &HeaderValue) -> bool {
        self.usual.iter().any(|usual| usual.as_bytes() == host.as_bytes())
    }

    fn host_fits(&self, host: &Authority) -> bool {
        if self.any_host.is_some() || self.hosts.iter().any(|allowed| host.fits(allowed, 80)) {
            return true;
        }
        let port_fits = self.port.is_none_or(|port| host.port.unwrap_or(80) == port);
        host.is_loopback() && port_fits
    }

    fn check_origin(&self, fields: &Fields<'_>) -> Result<(), Refusal> {
        let origin = match fields.origin {
            Seen::Never => {
                let is_cross =
                    matches!(fields.fetch_site, Seen::Once(site) if site == "cross-site");
                return if is_cross { Err(Refusal::Origin) } else { Ok(()) };
            }
            Seen::Once(origin) => origin,
            Seen::Twice => return Err(Refusal::Ambiguous),
        };
        let origin = origin.to_str().ok().and_then(Origin::parse).ok_or(Refusal::Origin)?;
        let own = origin.authority.is_loopback()
            && self.port.is_none_or(|port| origin.authority.port == Some(port));
        if own || self.origins.contains(&origin) { Ok(()) } else { Err(Refusal::Origin) }
    }

    /// Is there a host beside the loopback names?
    pub(super) fn names_host(&self) -> bool {
        self.any_host.is_some() || !self.hosts.is_empty()
    }

    /// The value of Origin, when it is one that was allowed by name.
    pub(super) fn allowed_origin<'h>(&self, fields: &Fields<'h>) -> Option<&'h HeaderValue> {
        let Seen::Once(value) = fields.origin else { return None };
        let origin = Origin::parse(value.to_str().ok()?)?;
        self.origins.contains(&origin).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, header};

    use super::*;

    fn check(guard: &Guard, host: &str, origin: Option<&str>) -> Result<(), Refusal> {
        let headers = headers(host, origin);
        guard.check(&Uri::from_static("/mcp"), Version::HTTP_11, &Fields::read(&headers))
    }

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        headers
    }

    #[test]
    fn foreign_hosts_and_origins_are_refused_however_they_are_spelled() {
        let mut guard = Guard::default();
        guard.listen_on(8000);
        for host in
            ["127.0.0.1:8000", "localhost:8000", "LOCALHOST:8000", "[::1]:8000", "localhost.:8000"]
        {
            assert_eq!(check(&guard, host, None), Ok(()), "{host}");
        }
        for host in [
            "127.0.0.1:evil",
            "0.0.0.0:8000",
            "evil.example",
            "127.0.0.1:8001",
            "localhost:8000.evil.example",
            "127.0.0.1.evil.example:8000",
            "user@localhost:8000",
            "[::1",
            "",
        ] {
            assert!(check(&guard, host, None).is_err(), "{host}");
        }
        for origin in ["http://localhost:8000", "http://127.0.0.1:8000", "http://[::1]:8000"] {
            assert_eq!(check(&guard, "localhost:8000", Some(origin)), Ok(()), "{origin}");
        }
        for origin in [
            "http://localhost:8000.evil.example",
            "http://127.0.0.1.evil.example",
            "http://localhost@evil.example",
            "null",
            "https://evil.example",
            "http://localhost:3000",
            "file://",
        ] {
            let refused = check(&guard, "localhost:8000", Some(origin));
            assert_eq!(refused, Err(Refusal::Origin), "{origin}");
        }
    }

    #[test]
    fn an_allowed_origin_is_exact() {
        let guard = Guard {
            origins: vec![Origin::parse("https://app.example").unwrap()],
            ..Guard::default()
        };
        assert_eq!(check(&guard, "localhost", Some("https://app.example:443")), Ok(()));
        for origin in ["http://app.example", "https://app.example:8443", "https://x.app.example"] {
            assert!(check(&guard, "localhost", Some(origin)).is_err(), "{origin}");
        }
    }
}
