//! `_meta`: what rides along with a message without being part of it.
//!
//! [Basic › `_meta`](https://modelcontextprotocol.io/specification/2026-07-28/basic).

mod key;
mod request;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::icons::Implementation;
use crate::jsonrpc::RequestId;

pub use key::{KeyError, check_extension, check_key, is_reserved};
pub use request::RequestMeta;

/// The member itself.
pub const MEMBER: &str = "_meta";
/// The revision that a request is written in.
pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// What the client can do, for this request.
pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// Who the client says it is.
pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// The least severe log message that the client wants for this request.
pub const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
/// Who the server is, in every result.
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// The listen request that a notification belongs to.
pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
/// 2025-11-25: the task that a message belongs to.
pub const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";
/// The token that progress notifications are to carry.
pub const PROGRESS_TOKEN: &str = "progressToken";
/// W3C trace context (SEP-414).
pub const TRACEPARENT: &str = "traceparent";
/// W3C trace context, the vendors' part (SEP-414).
pub const TRACESTATE: &str = "tracestate";
/// W3C baggage (SEP-414).
pub const BAGGAGE: &str = "baggage";

/// A `_meta` object.
///
/// ```
/// use aqueduct_protocol::meta::Meta;
///
/// let mut meta = Meta::new();
/// meta.insert("com.example/region", &"eu")?;
/// assert_eq!(meta.get::<String>("com.example/region").as_deref(), Some("eu"));
/// assert!(meta.insert("dev.mcp/x", &1).is_err());
/// # Ok::<(), aqueduct_protocol::meta::KeyError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Meta(Map<String, Value>);

impl Meta {
    /// An empty object.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The members as they came from a peer, or as the protocol itself makes them.
    pub(crate) const fn of_wire(members: Map<String, Value>) -> Self {
        Self(members)
    }

    /// Sets a value of the application's own.
    ///
    /// # Errors
    ///
    /// When the key is not one by the protocol's grammar, is reserved for the protocol, or when
    /// the value cannot be written as JSON.
    pub fn insert(
        &mut self,
        key: impl Into<String>,
        value: &(impl Serialize + ?Sized),
    ) -> Result<(), KeyError> {
        let key = key.into();
        check_key(&key)?;
        if is_reserved(&key) {
            return Err(KeyError::Reserved);
        }
        self.insert_reserved(key, value)
    }

    /// Sets a value under any key, one of the protocol's included.
    ///
    /// # Errors
    ///
    /// When the value cannot be written as JSON.
    pub fn insert_reserved(
        &mut self,
        key: impl Into<String>,
        value: &(impl Serialize + ?Sized),
    ) -> Result<(), KeyError> {
        let value = serde_json::to_value(value).map_err(|_| KeyError::Value)?;
        self.0.insert(key.into(), value);
        Ok(())
    }

    /// The value of a key as a type; `None` when it is absent or of another type.
    #[must_use]
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        self.0.get(key).and_then(|value| T::deserialize(value).ok())
    }

    /// Who the server is, if a result says so.
    #[must_use]
    pub fn server_info(&self) -> Option<Implementation> {
        self.get(SERVER_INFO)
    }

    /// The listen request that a notification belongs to.
    #[must_use]
    pub fn subscription_id(&self) -> Option<RequestId> {
        self.get(SUBSCRIPTION_ID)
    }

    /// The value of a key.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    /// Whether there is a value under a key.
    #[must_use]
    pub fn contains_key(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// Removes a key and returns its value.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        self.0.remove(key)
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many keys it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The keys and values.
    #[must_use]
    pub const fn as_map(&self) -> &Map<String, Value> {
        &self.0
    }

    /// The keys and values.
    #[must_use]
    pub fn into_map(self) -> Map<String, Value> {
        self.0
    }
}

/// By the same rules as [`Meta::insert`]; what comes from a peer is read by serde, as it is.
impl TryFrom<Map<String, Value>> for Meta {
    type Error = KeyError;

    fn try_from(map: Map<String, Value>) -> Result<Self, KeyError> {
        for key in map.keys() {
            check_key(key)?;
            if is_reserved(key) {
                return Err(KeyError::Reserved);
            }
        }
        Ok(Self(map))
    }
}
