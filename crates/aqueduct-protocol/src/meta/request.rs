//! What a request says about itself and its client, in the types that it is made of.

use serde::de::{self, DeserializeOwned, Deserializer};
use serde::ser::{self, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, Meta, PROGRESS_TOKEN, PROTOCOL_VERSION};
use crate::capabilities::ClientCapabilities;
use crate::icons::Implementation;
use crate::logging::LoggingLevel;
use crate::progress::ProgressToken;

/// The `_meta` of a request.
///
/// ```
/// use aqueduct_protocol::meta::RequestMeta;
/// use aqueduct_protocol::version::ProtocolVersion;
///
/// let meta = RequestMeta::new(ProtocolVersion::LATEST.as_str(), Default::default());
/// let json = serde_json::to_value(&meta)?;
/// assert_eq!(json["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequestMeta {
    /// The revision that the request is written in; a text, for it may be one unknown here.
    pub protocol_version: String,
    /// What the client can do, for this request.
    pub client_capabilities: ClientCapabilities,
    /// Who the client says it is.
    pub client_info: Option<Implementation>,
    /// The least severe log message that the client wants for this request.
    pub log_level: Option<LoggingLevel>,
    /// The token that progress notifications are to carry.
    pub progress_token: Option<ProgressToken>,
    /// Everything else.
    pub extra: Meta,
}

impl RequestMeta {
    /// What no request may leave out.
    #[must_use]
    pub fn new(
        protocol_version: impl Into<String>,
        client_capabilities: ClientCapabilities,
    ) -> Self {
        Self {
            protocol_version: protocol_version.into(),
            client_capabilities,
            client_info: None,
            log_level: None,
            progress_token: None,
            extra: Meta::new(),
        }
    }

    /// Who the client says it is.
    #[must_use]
    pub fn client_info(mut self, client_info: Implementation) -> Self {
        self.client_info = Some(client_info);
        self
    }

    /// The least severe log message that the client wants for this request.
    #[must_use]
    pub const fn log_level(mut self, log_level: LoggingLevel) -> Self {
        self.log_level = Some(log_level);
        self
    }

    /// The token that progress notifications are to carry.
    #[must_use]
    pub fn progress_token(mut self, progress_token: impl Into<ProgressToken>) -> Self {
        self.progress_token = Some(progress_token.into());
        self
    }

    /// Everything else.
    #[must_use]
    pub fn extra(mut self, extra: Meta) -> Self {
        self.extra = extra;
        self
    }
}

impl Serialize for RequestMeta {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut all = self.extra.as_map().clone();
        put::<_, S::Error>(&mut all, PROTOCOL_VERSION, Some(&self.protocol_version))?;
        put::<_, S::Error>(&mut all, CLIENT_CAPABILITIES, Some(&self.client_capabilities))?;
        put::<_, S::Error>(&mut all, CLIENT_INFO, self.client_info.as_ref())?;
        put::<_, S::Error>(&mut all, LOG_LEVEL, self.log_level.as_ref())?;
        put::<_, S::Error>(&mut all, PROGRESS_TOKEN, self.progress_token.as_ref())?;
        all.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RequestMeta {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut all = Map::deserialize(deserializer)?;
        Ok(Self {
            protocol_version: required(&mut all, PROTOCOL_VERSION)?,
            client_capabilities: required(&mut all, CLIENT_CAPABILITIES)?,
            client_info: take(&mut all, CLIENT_INFO)?,
            log_level: take(&mut all, LOG_LEVEL)?,
            progress_token: take(&mut all, PROGRESS_TOKEN)?,
            extra: Meta::of_wire(all),
        })
    }
}

fn put<T: Serialize, E: ser::Error>(
    all: &mut Map<String, Value>,
    key: &str,
    value: Option<&T>,
) -> Result<(), E> {
    if let Some(value) = value {
        all.insert(key.to_owned(), serde_json::to_value(value).map_err(E::custom)?);
    }
    Ok(())
}

fn take<T: DeserializeOwned, E: de::Error>(
    all: &mut Map<String, Value>,
    key: &str,
) -> Result<Option<T>, E> {
    let Some(value) = all.remove(key) else { return Ok(None) };
    match serde_json::from_value(value) {
        Ok(value) => Ok(Some(value)),
        Err(error) => Err(E::custom(format_args!("{key}: {error}"))),
    }
}

fn required<T: DeserializeOwned, E: de::Error>(
    all: &mut Map<String, Value>,
    key: &'static str,
) -> Result<T, E> {
    take(all, key)?.ok_or_else(|| E::missing_field(key))
}
