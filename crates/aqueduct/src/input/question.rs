//! One question to the client, and how its answer is read.

use std::marker::PhantomData;

use aqueduct_protocol::capabilities::{
    ClientCapabilities, ElicitationCapability, RootsCapability, SamplingCapability,
};
use aqueduct_protocol::elicitation::{
    ElicitRequest, ElicitRequestFormParams, ElicitRequestParams, ElicitRequestUrlParams,
};
use aqueduct_protocol::input::{InputRequest, InputResponse};
use aqueduct_protocol::roots::{ListRootsRequest, Root};
use aqueduct_protocol::sampling::{
    CreateMessageRequest, CreateMessageRequestParams, CreateMessageResult,
};

use super::answer::{self, Answer, Elicited};
use super::form::Form;
use crate::error::ToolError;

/// A question to the client whose answer is a `T`.
///
/// Ask several at once with [`Context::ask_all`](crate::Context::ask_all): one round instead of
/// many.
#[derive(Clone, Debug)]
pub struct Question<T> {
    pub(super) key: String,
    pub(super) request: InputRequest,
    /// Reads an answer; `None` when it is malformed and must be asked for again.
    pub(super) read: fn(&InputResponse) -> Option<Result<T, Refusal>>,
    /// Why an answer is malformed, in words for who answers again.
    pub(super) explain: fn(&InputResponse) -> Option<String>,
    kind: PhantomData<fn() -> T>,
}

/// An answer that was read well and says no.
pub(super) type Refusal = ToolError;

impl<T> Question<T> {
    fn new(
        key: impl Into<String>,
        request: impl Into<InputRequest>,
        read: fn(&InputResponse) -> Option<Result<T, Refusal>>,
    ) -> Self {
        Self {
            key: key.into(),
            request: request.into(),
            read,
            explain: |_| None,
            kind: PhantomData,
        }
    }
}

impl<T: Elicited> Question<T> {
    /// Asks the user to fill in a form.
    #[must_use]
    pub fn form(key: impl Into<String>, message: impl Into<String>) -> Self {
        let schema = <T::Form as Form>::spec().schema().clone();
        let params = ElicitRequestFormParams::new(message, schema);
        let request = ElicitRequest::new(ElicitRequestParams::Form(params));
        let question = Self::new(key, request, |response| {
            let result = response.elicit().ok()?;
            let answer = answer::of(&result, |result| T::Form::spec().decode(result))?;
            Some(T::from_answer(answer))
        });
        Self { explain: |response| T::Form::spec().explain(&response.elicit().ok()?), ..question }
    }
}

impl Question<Answer<()>> {
    /// Asks the user to visit an address.
    ///
    /// Acceptance means that he will, not that he has done there what is to be done: whether it
    /// is done, the server knows. Never put a secret or who he is into the address.
    #[must_use]
    pub fn visit(
        key: impl Into<String>,
        message: impl Into<String>,
        url: impl Into<String>,
    ) -> Self {
        let params = ElicitRequestUrlParams::new(message, url);
        Self::new(key, ElicitRequest::new(ElicitRequestParams::Url(params)), |response| {
            let result = response.elicit().ok()?;
            answer::of(&result, |_| Some(())).map(Ok)
        })
    }
}

impl Question<CreateMessageResult> {
    /// Asks the client's model.
    #[must_use]
    pub fn sample(key: impl Into<String>, params: CreateMessageRequestParams) -> Self {
        Self::new(key, CreateMessageRequest::new(params), |response| {
            response.create_message().ok().map(Ok)
        })
    }
}

impl Question<Vec<Root>> {
    /// Asks for the directories that the client works in.
    #[must_use]
    pub fn roots(key: impl Into<String>) -> Self {
        Self::new(key, ListRootsRequest::default(), |response| {
            response.list_roots().ok().map(|result| Ok(result.roots))
        })
    }
}

/// Adds to a form's message why the answer before was not taken.
pub(super) fn ask_again(request: &mut InputRequest, why: &str) {
    if let InputRequest::Elicit(request) = request
        && let ElicitRequestParams::Form(params) = &mut request.params
    {
        params.message = format!("{}\n\n{why}", params.message);
    }
}

/// What a client must have declared to be asked this.
pub(super) fn needed(request: &InputRequest) -> ClientCapabilities {
    let needed = ClientCapabilities::default();
    let empty = serde_json::Map::new;
    match request {
        InputRequest::Elicit(request) => {
            let way = ElicitationCapability::default();
            needed.elicitation(match request.params {
                ElicitRequestParams::Url(_) => way.url(empty()),
                _ => way.form(empty()),
            })
        }
        InputRequest::CreateMessage(request) => {
            let way = SamplingCapability::default();
            let tools = request.params.tools.is_some() || request.params.tool_choice.is_some();
            needed.sampling(if tools { way.tools(empty()) } else { way })
        }
        InputRequest::ListRoots(_) => needed.roots(RootsCapability::default()),
        _ => needed,
    }
}
