//! Errors as they stand in a message.
//!
//! [Basic › Error responses](https://modelcontextprotocol.io/specification/2026-07-28/basic).

use serde::de::{self, Deserializer};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use crate::capabilities::ClientCapabilities;
use crate::code;
use crate::jsonrpc::{JsonRpcErrorResponse, RawJson, RequestId};
use crate::record::record;

record! {
    /// What an error response holds.
    #[derive(Eq)]
    Error {
        /// The code; one of [`crate::code`], or an application's own outside −32768…−32000.
        code: i32,
        /// One sentence on what is wrong.
        message: String,
        /// What else there is to say, in a form that depends on the code.
        #[serde(default, deserialize_with = "crate::jsonrpc::present")]
        data: Option<RawJson>,
    }
}

/// Declares an error whose code is its type.
macro_rules! coded {
    ($($(#[$about:meta])* $name:ident = $code:expr;)+) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct $name {
            /// One sentence on what is wrong.
            pub message: String,
            /// What else there is to say.
            pub data: Option<RawJson>,
        }

        impl $name {
            /// The error's code.
            pub const CODE: i32 = $code;

            /// An error with nothing but a message.
            #[must_use]
            pub fn new(message: impl Into<String>) -> Self {
                Self { message: message.into(), data: None }
            }

            /// What else there is to say.
            #[must_use]
            pub fn data(mut self, data: RawJson) -> Self {
                self.data = Some(data);
                self
            }
        }

        impl From<$name> for Error {
            fn from(error: $name) -> Self {
                Self { code: $name::CODE, message: error.message, data: error.data }
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Error::from(self.clone()).serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let error = Error::deserialize(deserializer)?;
                expect_code(error.code, Self::CODE)?;
                Ok(Self { message: error.message, data: error.data })
            }
        }
    )+};
}

coded! {
    /// The text is not JSON.
    ParseError = code::PARSE_ERROR;
    /// The JSON is not a message.
    InvalidRequestError = code::INVALID_REQUEST;
    /// No such method here.
    MethodNotFoundError = code::METHOD_NOT_FOUND;
    /// The parameters are wrong, or name something that does not exist.
    InvalidParamsError = code::INVALID_PARAMS;
    /// Something failed that is not the peer's fault.
    InternalError = code::INTERNAL_ERROR;
}

/// Declares an error response whose code is its type, and whose data is of one.
macro_rules! coded_response {
    ($(#[$about:meta])* $name:ident = $code:expr, $data:ty) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct $name {
            /// The id of the request, when it could be read.
            pub id: Option<RequestId>,
            /// One sentence on what is wrong.
            pub message: String,
            /// What a client can act on.
            pub data: $data,
        }

        impl $name {
            /// The error's code.
            pub const CODE: i32 = $code;

            /// A response to the request of this id, if it could be read.
            #[must_use]
            pub fn new(id: Option<RequestId>, message: impl Into<String>, data: $data) -> Self {
                Self { id, message: message.into(), data }
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let data = RawJson::new(&self.data).map_err(serde::ser::Error::custom)?;
                let mut error = Error::new(Self::CODE, self.message.clone());
                error.data = (data.get() != "null").then_some(data);
                let mut response = JsonRpcErrorResponse::new(error);
                response.id.clone_from(&self.id);
                response.serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let JsonRpcErrorResponse { id, error, .. } = Deserialize::deserialize(deserializer)?;
                expect_code(error.code, Self::CODE)?;
                let data = error.data.as_ref().map_or("null", RawJson::get);
                let data = serde_json::from_str(data).map_err(de::Error::custom)?;
                Ok(Self { id, message: error.message, data })
            }
        }
    };
}

coded_response! {
    /// A header of the HTTP request is missing or disagrees with its body.
    HeaderMismatchError = code::HEADER_MISMATCH, Option<RawJson>
}

coded_response! {
    /// The request needs a capability that the client did not declare.
    MissingRequiredClientCapabilityError = code::MISSING_REQUIRED_CLIENT_CAPABILITY,
    MissingRequiredClientCapabilityData
}

coded_response! {
    /// The request is written in a revision that the server does not speak.
    UnsupportedProtocolVersionError = code::UNSUPPORTED_PROTOCOL_VERSION,
    UnsupportedProtocolVersionData
}

record! {
    /// The `data` of [`MissingRequiredClientCapabilityError`].
    #[derive(Eq)]
    MissingRequiredClientCapabilityData {
        /// What the client would have to declare, as it would declare it.
        required_capabilities: ClientCapabilities,
    }
}

record! {
    /// The `data` of [`UnsupportedProtocolVersionError`].
    #[derive(Eq)]
    UnsupportedProtocolVersionData {
        /// The revisions that the server speaks.
        supported: Vec<String>,
        /// The revision that was asked for, as it was asked for.
        requested: String,
    }
}

fn expect_code<E: de::Error>(found: i32, expected: i32) -> Result<(), E> {
    if found == expected {
        return Ok(());
    }
    Err(E::custom(format_args!("expected error code {expected}, found {found}")))
}
