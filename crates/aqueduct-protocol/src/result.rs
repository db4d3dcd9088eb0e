//! What all results have in common.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::input::InputRequiredResult;
use crate::jsonrpc::{RawJson, decoded};
use crate::meta::Meta;
use crate::record::record;

/// The member `resultType`: which of its possible results a method gave.
///
/// It is always written; a result without it, from a handshake revision, is complete.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum ResultType {
    /// The result that the method is for.
    #[default]
    Complete,
    /// The client is asked something first.
    InputRequired,
    /// Tasks extension: the result comes later.
    Task,
    /// A type that some other extension defines.
    Other(String),
}

impl ResultType {
    /// The word on the wire.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Complete => "complete",
            Self::InputRequired => "input_required",
            Self::Task => "task",
            Self::Other(word) => word,
        }
    }
}

impl From<&str> for ResultType {
    fn from(word: &str) -> Self {
        match word {
            "complete" => Self::Complete,
            "input_required" => Self::InputRequired,
            "task" => Self::Task,
            _ => Self::Other(word.to_owned()),
        }
    }
}

impl Serialize for ResultType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ResultType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(WordVisitor)
    }
}

struct WordVisitor;

impl Visitor<'_> for WordVisitor {
    type Value = ResultType;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a result type")
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<ResultType, E> {
        Ok(ResultType::from(word))
    }
}

/// A result of any method.
pub trait ResultBody: Serialize {
    /// What rides along with it.
    fn meta(&self) -> Option<&Meta>;

    /// What rides along with it, to be changed.
    fn meta_mut(&mut self) -> &mut Option<Meta>;
}

/// Implements [`ResultBody`] for results that have the member.
macro_rules! result_body {
    ($($name:ident),+) => {$(
        impl $crate::result::ResultBody for $name {
            fn meta(&self) -> Option<&$crate::meta::Meta> {
                self.meta.as_ref()
            }

            fn meta_mut(&mut self) -> &mut Option<$crate::meta::Meta> {
                &mut self.meta
            }
        }
    )+};
}

pub(crate) use result_body;

record! {
    /// A result that says no more than that it went well.
    #[derive(Default, Eq)]
    EmptyResult {
        /// Which result this is.
        #[serde(default)]
        result_type: ResultType = ResultType::Complete,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

/// What a client answers with: nothing that is its own.
pub type ClientResult = EmptyResult;

result_body!(EmptyResult);

/// The result of a method that may ask the client something first.
///
/// Those are `tools/call`, `prompts/get` and `resources/read`, and no others.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome<R> {
    /// The result that the method is for.
    Complete(R),
    /// The client is asked something first.
    InputRequired(InputRequiredResult),
}

impl<R: Serialize> Serialize for Outcome<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Complete(result) => result.serialize(serializer),
            Self::InputRequired(result) => result.serialize(serializer),
        }
    }
}

impl<'de, R: de::DeserializeOwned> Deserialize<'de> for Outcome<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = RawJson::deserialize(deserializer)?;
        let EmptyResult { result_type, .. } = decoded(&raw)?;
        if result_type == ResultType::InputRequired {
            decoded(&raw).map(Self::InputRequired)
        } else {
            decoded(&raw).map(Self::Complete)
        }
    }
}

impl<R: ResultBody> ResultBody for Outcome<R> {
    fn meta(&self) -> Option<&Meta> {
        match self {
            Self::Complete(result) => result.meta(),
            Self::InputRequired(result) => result.meta.as_ref(),
        }
    }

    fn meta_mut(&mut self) -> &mut Option<Meta> {
        match self {
            Self::Complete(result) => result.meta_mut(),
            Self::InputRequired(result) => &mut result.meta,
        }
    }
}

impl<R> From<InputRequiredResult> for Outcome<R> {
    fn from(result: InputRequiredResult) -> Self {
        Self::InputRequired(result)
    }
}
