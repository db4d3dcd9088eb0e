//! The low-level form of asking: a result that names its questions and its state.

use std::collections::BTreeMap;
use std::fmt;

use aqueduct_protocol::input::InputRequest;
use aqueduct_protocol::jsonrpc::RawJson;
use serde::Serialize;

use super::question::Question;

/// What a handler needs before it can go on: any requests, and any state to find again.
///
/// Return it from a tool, a prompt or a resource, as a result or as an error; on the next round
/// [`Context::responses`](crate::Context::responses) and
/// [`Context::round_state`](crate::Context::round_state) hold what came of it.
///
/// ```
/// use aqueduct::input::{InputRequired, Question};
/// use aqueduct::prelude::*;
///
/// /// Say who is there.
/// #[tool]
/// async fn roots(ctx: Context) -> Result<String> {
///     match ctx.responses().get("roots").map(|response| response.list_roots()) {
///         Some(Ok(answer)) => Ok(format!("{} roots", answer.roots.len())),
///         _ => Err(InputRequired::new().ask(Question::roots("roots")).into()),
///     }
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use]
pub struct InputRequired {
    pub(super) requests: BTreeMap<String, InputRequest>,
    pub(super) state: Option<RawJson>,
    /// The state could not be written; told when the result is made.
    pub(super) broken: Option<String>,
}

impl InputRequired {
    /// Asks nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks something; a second question of one key takes the place of the first.
    pub fn ask<T>(self, question: Question<T>) -> Self {
        self.request(question.key, question.request)
    }

    /// Asks by a request made by hand.
    pub fn request(mut self, key: impl Into<String>, request: impl Into<InputRequest>) -> Self {
        self.requests.insert(key.into(), request.into());
        self
    }

    /// What the handler wants to find again on the next round; it travels sealed.
    pub fn state(mut self, state: &impl Serialize) -> Self {
        match RawJson::new(state) {
            Ok(state) => self.state = Some(state),
            Err(error) => self.broken = Some(error.to_string()),
        }
        self
    }
}

impl fmt::Display for InputRequired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("input of the client is required")
    }
}

/// An error too, so that `?` and `into` take it where a handler fails.
impl std::error::Error for InputRequired {}
