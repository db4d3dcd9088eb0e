//! Whole messages, for those that build or keep them; the hot path reads an
//! [`Envelope`](super::Envelope) instead.

use std::fmt;

use serde::de::{self, DeserializeOwned, Deserializer, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{RawJson, RequestId, VERSION};
use crate::errors::Error;
use crate::record::record;

/// Any JSON.
pub type JsonValue = Value;
/// A JSON object.
pub type JsonObject = Map<String, Value>;
/// A JSON array.
pub type JsonArray = Vec<Value>;

/// The member `jsonrpc`: `"2.0"`, and nothing else when it is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Version;

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(VERSION)
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(VersionVisitor)
    }
}

struct VersionVisitor;

impl Visitor<'_> for VersionVisitor {
    type Value = Version;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"2.0\"")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Version, E> {
        if text == VERSION {
            Ok(Version)
        } else {
            Err(E::invalid_value(de::Unexpected::Str(text), &self))
        }
    }
}

record! {
    /// A method and its parameters, outside any envelope.
    Request {
        /// The method's name.
        method: String,
        /// Its parameters.
        params: Option<JsonObject>,
    }
}

/// A notification and its parameters, outside any envelope.
pub type Notification = Request;

/// A request, with parameters of a type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct JsonRpcRequest<P = JsonObject> {
    /// `"2.0"`.
    pub jsonrpc: Version,
    /// What the answer repeats.
    pub id: RequestId,
    /// The method's name.
    pub method: String,
    /// Its parameters.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub params: Option<P>,
}

impl<P> JsonRpcRequest<P> {
    /// A request.
    #[must_use]
    pub fn new(id: impl Into<RequestId>, method: impl Into<String>, params: Option<P>) -> Self {
        Self { jsonrpc: Version, id: id.into(), method: method.into(), params }
    }
}

/// A notification, with parameters of a type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct JsonRpcNotification<P = JsonObject> {
    /// `"2.0"`.
    pub jsonrpc: Version,
    /// The notification's name.
    pub method: String,
    /// Its parameters.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub params: Option<P>,
}

impl<P> JsonRpcNotification<P> {
    /// A notification.
    #[must_use]
    pub fn new(method: impl Into<String>, params: Option<P>) -> Self {
        Self { jsonrpc: Version, method: method.into(), params }
    }
}

/// An answer that holds a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct JsonRpcResultResponse<R = JsonObject> {
    /// `"2.0"`.
    pub jsonrpc: Version,
    /// The id of the request.
    pub id: RequestId,
    /// Its result.
    pub result: R,
}

impl<R> JsonRpcResultResponse<R> {
    /// An answer.
    #[must_use]
    pub fn new(id: impl Into<RequestId>, result: R) -> Self {
        Self { jsonrpc: Version, id: id.into(), result }
    }
}

record! {
    /// An answer that holds an error.
    #[derive(Eq)]
    JsonRpcErrorResponse {
        /// `"2.0"`.
        jsonrpc: Version = Version,
        /// The id of the request; absent, never `null`, when it could not be read.
        id: Option<RequestId>,
        /// The error.
        error: Error,
    }
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonRpcResponse {
    /// It went well.
    Result(JsonRpcResultResponse),
    /// It did not.
    Error(JsonRpcErrorResponse),
}

/// Any message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonRpcMessage {
    /// A method and an id.
    Request(JsonRpcRequest),
    /// A method and no id.
    Notification(JsonRpcNotification),
    /// A result or an error.
    Response(JsonRpcResponse),
}

/// Which of the members that tell messages apart are there; an explicit `null` is there too.
#[derive(Deserialize)]
struct Members {
    #[serde(default, deserialize_with = "is_there")]
    id: bool,
    #[serde(default, deserialize_with = "is_there")]
    method: bool,
    #[serde(default, deserialize_with = "is_there")]
    error: bool,
}

fn is_there<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    de::IgnoredAny::deserialize(deserializer).map(|_| true)
}

fn none<T>() -> Option<T> {
    None
}

impl Serialize for JsonRpcResponse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Result(response) => response.serialize(serializer),
            Self::Error(response) => response.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for JsonRpcResponse {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = RawJson::deserialize(deserializer)?;
        let members: Members = decoded(&raw)?;
        if members.error { decoded(&raw).map(Self::Error) } else { decoded(&raw).map(Self::Result) }
    }
}

impl Serialize for JsonRpcMessage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Request(request) => request.serialize(serializer),
            Self::Notification(notification) => notification.serialize(serializer),
            Self::Response(response) => response.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for JsonRpcMessage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = RawJson::deserialize(deserializer)?;
        let members: Members = decoded(&raw)?;
        match (members.method, members.id) {
            (true, true) => decoded(&raw).map(Self::Request),
            (true, false) => decoded(&raw).map(Self::Notification),
            (false, _) => decoded(&raw).map(Self::Response),
        }
    }
}

/// Decodes kept JSON, with the error of the deserializer that it came from.
pub(crate) fn decoded<T: DeserializeOwned, E: de::Error>(raw: &RawJson) -> Result<T, E> {
    raw.decode().map_err(E::custom)
}

/// Declares the typed form of one method's request.
macro_rules! request {
    ($(#[$about:meta])* $name:ident = $method:expr, $params:ty) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub struct $name {
            /// What the answer repeats.
            pub id: $crate::jsonrpc::RequestId,
            /// The parameters.
            pub params: $params,
        }

        impl $name {
            /// The method's name.
            pub const METHOD: &str = $method;

            /// A request.
            #[must_use]
            pub fn new(id: impl Into<$crate::jsonrpc::RequestId>, params: $params) -> Self {
                Self { id: id.into(), params }
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                let (id, params) = (self.id.clone(), Some(&self.params));
                $crate::jsonrpc::JsonRpcRequest::new(id, Self::METHOD, params).serialize(to)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let request = $crate::jsonrpc::JsonRpcRequest::<$params>::deserialize(from)?;
                $crate::jsonrpc::expect_method(&request.method, Self::METHOD)?;
                let params = request.params.ok_or_else(|| {
                    <D::Error as ::serde::de::Error>::missing_field("params")
                })?;
                Ok(Self { id: request.id, params })
            }
        }
    };
}

/// Declares the typed form of one notification.
///
/// With `Option<…>` the parameters may be left out.
macro_rules! notification {
    ($(#[$about:meta])* $name:ident = $method:expr, Option<$params:ty>) => {
        notification!(@common $(#[$about])* $name = $method, Option<$params>);

        impl Default for $name {
            fn default() -> Self {
                Self::new(None)
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                let params = self.params.as_ref();
                $crate::jsonrpc::JsonRpcNotification::new(Self::METHOD, params).serialize(to)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let message = $crate::jsonrpc::JsonRpcNotification::<$params>::deserialize(from)?;
                $crate::jsonrpc::expect_method(&message.method, Self::METHOD)?;
                Ok(Self { params: message.params })
            }
        }
    };

    ($(#[$about:meta])* $name:ident = $method:expr, $params:ty) => {
        notification!(@common $(#[$about])* $name = $method, $params);

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                let params = Some(&self.params);
                $crate::jsonrpc::JsonRpcNotification::new(Self::METHOD, params).serialize(to)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let message = $crate::jsonrpc::JsonRpcNotification::<$params>::deserialize(from)?;
                $crate::jsonrpc::expect_method(&message.method, Self::METHOD)?;
                let params = message.params.ok_or_else(|| {
                    <D::Error as ::serde::de::Error>::missing_field("params")
                })?;
                Ok(Self { params })
            }
        }
    };

    (@common $(#[$about:meta])* $name:ident = $method:expr, $params:ty) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub struct $name {
            /// The parameters.
            pub params: $params,
        }

        impl $name {
            /// The notification's name.
            pub const METHOD: &str = $method;

            /// A notification.
            #[must_use]
            pub fn new(params: $params) -> Self {
                Self { params }
            }
        }
    };
}

pub(crate) use {notification, request};

/// Refuses a message of another method than its type is for.
pub(crate) fn expect_method<E: de::Error>(found: &str, expected: &str) -> Result<(), E> {
    if found == expected {
        return Ok(());
    }
    Err(E::custom(format_args!("expected method {expected:?}, found {found:?}")))
}
