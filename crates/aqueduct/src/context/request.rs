//! One message of a peer, decoded once, with what its transport knew about it.

use std::borrow::Cow;
use std::fmt;

use aqueduct_protocol::header;
use aqueduct_protocol::jsonrpc::{self, Envelope, MetaKey, Param};
use aqueduct_protocol::version::ProtocolVersion;
use http::{Extensions, HeaderMap};
use serde::de::DeserializeOwned;

use super::Principal;
use crate::error::Error;

/// A request or a notification: its text, where its parts lie, and the head that came with it.
pub struct Request {
    pub(super) text: String,
    pub(super) envelope: Envelope,
    pub(super) head: Head,
}

/// What a transport knows about a message beside its text.
#[derive(Clone, Default)]
pub struct Head {
    pub(super) headers: HeaderMap,
    extensions: Extensions,
    /// There where there are headers, which must mirror the body (SEP-2243).
    pub(super) mirrors: Option<Mirrors>,
    pub(super) negotiated: Option<ProtocolVersion>,
    /// Did it come over a transport that anybody may reach?
    is_http: bool,
}

/// Where the headers stand that repeat a part of the body.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mirrors {
    pub(crate) version: Mirror,
    pub(crate) method: Mirror,
    pub(crate) name: Mirror,
}

/// One of them: its place among the headers, because a copy of the value would be carried along
/// with every call.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Mirror {
    #[default]
    Absent,
    Once(u16),
    /// Two values are two truths.
    Twice,
}

impl Mirror {
    fn see(&mut self, place: usize) {
        *self = match (*self, u16::try_from(place)) {
            (Self::Absent, Ok(place)) => Self::Once(place),
            _ => Self::Twice,
        };
    }
}

impl Mirrors {
    /// Notes the place of a header, if it is one of them.
    pub(crate) fn see(&mut self, name: &str, place: usize) {
        match name {
            header::PROTOCOL_VERSION => self.version.see(place),
            header::METHOD => self.method.see(place),
            header::NAME => self.name.see(place),
            _ => {}
        }
    }
}

/// What a header says that repeats a part of the body.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mirrored<'h> {
    Absent,
    Once(&'h [u8]),
    Twice,
}

impl Head {
    /// A head with HTTP headers, which must mirror the body (SEP-2243).
    #[must_use]
    pub fn http(headers: HeaderMap, extensions: Extensions) -> Self {
        let mut mirrors = Mirrors::default();
        for (place, name) in headers.iter().map(|(name, _)| name.as_str()).enumerate() {
            mirrors.see(name, place);
        }
        Self::of(headers, extensions, mirrors)
    }

    /// A head whose mirrors were found while its headers were looked at anyway.
    pub(crate) fn of(headers: HeaderMap, extensions: Extensions, mirrors: Mirrors) -> Self {
        Self { headers, extensions, mirrors: Some(mirrors), negotiated: None, is_http: true }
    }

    /// A head for a transport without headers.
    #[must_use]
    pub fn bare(extensions: Extensions) -> Self {
        Self { extensions, ..Self::default() }
    }

    /// The headers, without `Authorization` once a server authenticates; empty on stdio.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// What layers before the transport put beside the request.
    #[must_use]
    pub fn extensions(&self) -> &Extensions {
        &self.extensions
    }

    /// What a header says that must repeat the body; `None` on a transport without headers.
    pub(crate) fn mirrored(&self, which: impl FnOnce(&Mirrors) -> Mirror) -> Option<Mirrored<'_>> {
        Some(match which(self.mirrors.as_ref()?) {
            Mirror::Absent => Mirrored::Absent,
            Mirror::Twice => Mirrored::Twice,
            // The map is not changed once it is here, so the place is still the header's.
            Mirror::Once(place) => {
                let value = self.headers.values().nth(usize::from(place));
                value.map_or(Mirrored::Absent, |value| Mirrored::Once(value.as_bytes()))
            }
        })
    }

    pub(crate) fn has_mirrors(&self) -> bool {
        self.mirrors.is_some()
    }

    pub(crate) fn version(&self) -> Option<ProtocolVersion> {
        self.negotiated
    }

    /// May the caller do what needs these scopes?
    ///
    /// Over standard input and output the process that started this one may do everything
    /// (Authorization › Protocol Requirements); over HTTP a caller whom nothing has made sure of
    /// holds no scope.
    pub(crate) fn permits(&self, scopes: &[String]) -> bool {
        match self.principal() {
            Some(caller) => scopes.iter().all(|scope| caller.has_scope(scope)),
            None => scopes.is_empty() || !self.is_http,
        }
    }

    pub(crate) fn principal(&self) -> Option<&Principal> {
        self.extensions.get()
    }
}

/// Reads a value that must be a JSON object.
///
/// serde takes an array of values for a struct too, so that one message would say two things to
/// two readers.
///
/// # Errors
/// In words that follow the name of what is read.
pub(crate) fn object<T: DeserializeOwned>(raw: &str) -> Result<T, String> {
    if !raw.starts_with('{') {
        return Err("is not an object".to_owned());
    }
    serde_json::from_str(raw).map_err(|error| format!("cannot be read: {error}"))
}

impl Request {
    pub(crate) fn new(text: String, envelope: Envelope, head: Head) -> Self {
        Self { text, envelope, head }
    }

    /// A request that was kept as its text, of this caller, in a session of this revision if in
    /// any; without the headers that it came with.
    ///
    /// # Errors
    /// When the text is no request.
    pub(crate) fn restored(
        text: String,
        owner: Option<Principal>,
        negotiated: Option<ProtocolVersion>,
    ) -> Result<Box<Self>, Error> {
        let limits = jsonrpc::Limits::default();
        let envelope = jsonrpc::decode(&text, &limits)
            .map_err(|malformed| Error::internal(malformed.message().to_owned()))?;
        let mut extensions = Extensions::new();
        if let Some(owner) = owner {
            extensions.insert(owner);
        }
        let head = Head { negotiated, ..Head::bare(extensions) };
        Ok(Box::new(Self::new(text, envelope, head)))
    }

    /// The whole message.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The method's name.
    #[must_use]
    pub fn method(&self) -> Cow<'_, str> {
        self.envelope.method(&self.text)
    }

    /// The id as raw JSON; `None` for a notification.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.envelope.id(&self.text)
    }

    /// The whole `params` as raw JSON.
    #[must_use]
    pub fn params(&self) -> Option<&str> {
        self.envelope.params(&self.text)
    }

    /// A member of `params` as raw JSON.
    #[must_use]
    pub fn param(&self, param: Param) -> Option<&str> {
        self.envelope.param(&self.text, param)
    }

    /// A member of `params._meta` as raw JSON.
    #[must_use]
    pub fn meta(&self, key: MetaKey) -> Option<&str> {
        self.envelope.meta(&self.text, key)
    }

    /// What came beside the text.
    #[must_use]
    pub fn head(&self) -> &Head {
        &self.head
    }

    pub(crate) fn envelope(&self) -> &Envelope {
        &self.envelope
    }
}

impl fmt::Debug for Request {
    /// Names the method only: arguments and headers may hold what no log should.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("method", &self.method())
            .field("id", &self.id())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Head").field("headers", &self.headers.len()).finish_non_exhaustive()
    }
}
