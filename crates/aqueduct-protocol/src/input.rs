//! Asking the client in mid-call: questions in a result, answers in the retried request.
//!
//! [Multi round-trip requests](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr).

use std::collections::BTreeMap;

use serde::de::{self, Deserializer};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use crate::elicitation::{ElicitRequest, ElicitResult};
use crate::jsonrpc::{RawJson, decoded};
use crate::meta::Meta;
use crate::method;
use crate::record::record;
use crate::result::{ResultType, result_body};
use crate::roots::{ListRootsRequest, ListRootsResult};
use crate::sampling::{CreateMessageRequest, CreateMessageResult};

/// Declares a question: a method and its parameters, without a message around them.
macro_rules! input_request {
    ($(#[$about:meta])* $name:ident = $method:literal, $($params:tt)+) => {
        $crate::record::record! {
            $(#[$about])*
            #[serde(tag = "method", rename = $method)]
            $name {
                /// The parameters.
                params: $($params)+,
            }
        }
    };
}

pub(crate) use input_request;

/// One question.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum InputRequest {
    /// For the user.
    Elicit(ElicitRequest),
    /// For the client's model.
    CreateMessage(Box<CreateMessageRequest>),
    /// For the client's roots.
    ListRoots(ListRootsRequest),
}

/// Questions, each under a key that its answer will have.
pub type InputRequests = BTreeMap<String, InputRequest>;

/// Answers, each under the key of its question.
pub type InputResponses = BTreeMap<String, InputResponse>;

impl InputRequest {
    /// The method that the question would be, were it a request of its own.
    #[must_use]
    pub const fn method(&self) -> &'static str {
        match self {
            Self::Elicit(_) => method::ELICITATION_CREATE,
            Self::CreateMessage(_) => method::SAMPLING_CREATE_MESSAGE,
            Self::ListRoots(_) => method::ROOTS_LIST,
        }
    }
}

impl From<ElicitRequest> for InputRequest {
    fn from(request: ElicitRequest) -> Self {
        Self::Elicit(request)
    }
}

impl From<CreateMessageRequest> for InputRequest {
    fn from(request: CreateMessageRequest) -> Self {
        Self::CreateMessage(Box::new(request))
    }
}

impl From<ListRootsRequest> for InputRequest {
    fn from(request: ListRootsRequest) -> Self {
        Self::ListRoots(request)
    }
}

impl Serialize for InputRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Elicit(request) => request.serialize(serializer),
            Self::CreateMessage(request) => request.serialize(serializer),
            Self::ListRoots(request) => request.serialize(serializer),
        }
    }
}

/// The member that tells questions apart.
#[derive(Deserialize)]
struct Asked {
    method: String,
}

impl<'de> Deserialize<'de> for InputRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = RawJson::deserialize(deserializer)?;
        let Asked { method } = decoded(&raw)?;
        match method.as_str() {
            method::ELICITATION_CREATE => decoded(&raw).map(Self::Elicit),
            method::SAMPLING_CREATE_MESSAGE => decoded(&raw).map(Self::CreateMessage),
            method::ROOTS_LIST => decoded(&raw).map(Self::ListRoots),
            _ => Err(de::Error::custom("not the method of an input request")),
        }
    }
}

/// One answer, kept as JSON until it is known what was asked.
///
/// Answers of different kinds can look alike, so the shape is never asked for the kind.
///
/// ```
/// use aqueduct_protocol::input::InputResponse;
///
/// let response: InputResponse = serde_json::from_str(r#"{"action":"decline"}"#)?;
/// assert!(response.elicit().is_ok() && response.list_roots().is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct InputResponse(RawJson);

impl InputResponse {
    /// An answer: an [`ElicitResult`], a [`CreateMessageResult`] or a [`ListRootsResult`].
    ///
    /// # Errors
    ///
    /// When the value cannot be written as JSON.
    pub fn new(result: &impl Serialize) -> Result<Self, serde_json::Error> {
        RawJson::new(result).map(Self)
    }

    /// The answer as it came.
    #[must_use]
    pub const fn raw(&self) -> &RawJson {
        &self.0
    }

    /// The answer of a user.
    ///
    /// # Errors
    ///
    /// When it is not one.
    pub fn elicit(&self) -> Result<ElicitResult, serde_json::Error> {
        self.0.decode()
    }

    /// The answer of a model.
    ///
    /// # Errors
    ///
    /// When it is not one.
    pub fn create_message(&self) -> Result<CreateMessageResult, serde_json::Error> {
        self.0.decode()
    }

    /// The roots of a client.
    ///
    /// # Errors
    ///
    /// When it is none.
    pub fn list_roots(&self) -> Result<ListRootsResult, serde_json::Error> {
        self.0.decode()
    }
}

impl From<RawJson> for InputResponse {
    fn from(raw: RawJson) -> Self {
        Self(raw)
    }
}

record! {
    /// The client is asked something first, and calls again with the answers.
    ///
    /// It has questions, or state, or both; never neither, and never cache members.
    InputRequiredResult {
        /// Which result this is.
        result_type: ResultType = ResultType::InputRequired,
        /// The questions.
        input_requests: Option<InputRequests>,
        /// What the client gives back with the answers; sealed, for it could be tampered with.
        request_state: Option<String>,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

result_body!(InputRequiredResult);

impl Default for InputRequiredResult {
    fn default() -> Self {
        Self::new()
    }
}

impl InputRequiredResult {
    /// These questions.
    #[must_use]
    pub fn asking(requests: InputRequests) -> Self {
        Self::new().input_requests(requests)
    }

    /// No question: the client calls again with this state.
    #[must_use]
    pub fn retry(state: impl Into<String>) -> Self {
        Self::new().request_state(state)
    }
}
