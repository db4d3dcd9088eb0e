//! A question of a handler as a request of its own to the client, and what comes back.

use std::time::Duration;

use aqueduct_protocol::cancellation::{CancelledNotification, CancelledNotificationParams};
use aqueduct_protocol::elicitation::{ElicitRequestParams, ElicitResult};
use aqueduct_protocol::input::InputRequest;
use aqueduct_protocol::jsonrpc::{JsonRpcRequest, RawJson, RequestId};
use aqueduct_protocol::legacy::ElicitUrlParams;
use aqueduct_protocol::method;
use aqueduct_protocol::tools::CallToolResult;
use aqueduct_protocol::version::ProtocolVersion;
use serde::Serialize;

use super::form;
use super::live::{Answered, Asked};
use super::outlet::Outlet;
use crate::call::Reply;
use crate::error::{Error, shorten};

/// Why a question has no answer.
#[derive(Debug)]
pub(super) enum Unanswered {
    /// The client's revision has no form for it.
    Unknown(String),
    /// The client answered with an error.
    Refused(String),
    /// It took too long, or nobody is left to answer.
    Late,
    /// Too many questions are open.
    Full,
    /// It cannot be written.
    Broken(Error),
}

impl From<Error> for Unanswered {
    fn from(error: Error) -> Self {
        Self::Broken(error)
    }
}

impl Unanswered {
    /// What becomes of the call: the model learns why, where there is one that called a tool.
    pub(super) fn into_reply(self, method: &str) -> Reply {
        let message = match self.into_message() {
            Ok(message) => message,
            Err(error) => return Reply::Error(error),
        };
        if method == method::TOOLS_CALL {
            return Reply::Result(CallToolResult::error(message).into());
        }
        Reply::Error(Error::internal(message))
    }

    /// What becomes of a request that waits for a task: the task goes on waiting.
    pub(super) fn into_error(self) -> Error {
        self.into_message().map_or_else(|error| error, Error::internal)
    }

    fn into_message(self) -> Result<String, Error> {
        Ok(match self {
            Self::Unknown(what) => format!("the client cannot be asked: {what}"),
            Self::Refused(message) => format!("the client refused: {}", shorten(&message)),
            Self::Late => "the client did not answer in time".to_owned(),
            Self::Full => "too many questions to the client are open".to_owned(),
            Self::Broken(error) => return Err(error),
        })
    }
}

/// The question as a message.
pub(super) fn request(
    id: &str,
    question: InputRequest,
    version: ProtocolVersion,
) -> Result<Vec<u8>, Unanswered> {
    let method = question.method();
    match question {
        InputRequest::Elicit(request) => match request.params {
            ElicitRequestParams::Form(params) => {
                let params = form::trimmed(params, version).map_err(Unanswered::Unknown)?;
                message(id, method, Some(&params))
            }
            ElicitRequestParams::Url(params) => {
                // The id of the question is one that no other elicitation of the session has.
                message(id, method, Some(&ElicitUrlParams::new(params.message, id, params.url)))
            }
            _ => Err(Unanswered::Unknown("it knows no such elicitation".to_owned())),
        },
        InputRequest::CreateMessage(request) => {
            message(id, method, Some(&form::plain(request.params, version)))
        }
        InputRequest::ListRoots(request) => message(id, method, request.params.as_ref()),
        _ => Err(Unanswered::Unknown("it knows no such question".to_owned())),
    }
}

fn message<P: Serialize>(
    id: &str,
    method: &str,
    params: Option<&P>,
) -> Result<Vec<u8>, Unanswered> {
    let message = JsonRpcRequest::new(id, method, params);
    serde_json::to_vec(&message).map_err(|error| Unanswered::Broken(Error::internal(error)))
}

/// Waits for the client's answer, in the form that the handler's next round finds it in.
pub(super) async fn answer<O: Outlet>(
    mut asked: Asked,
    method: &str,
    time: Duration,
    outlet: &O,
) -> Result<RawJson, Unanswered> {
    let answer = tokio::time::timeout(time, asked.answer()).await;
    asked.close().await;
    match answer {
        Ok(Ok(Answered::Result(result))) => Ok(result),
        // A user who is not asked has not agreed; the handler knows what to do then.
        Ok(Ok(Answered::Error(_))) if method == method::ELICITATION_CREATE => {
            RawJson::new(&ElicitResult::decline()).map_err(|error| Error::internal(error).into())
        }
        Ok(Ok(Answered::Error(message))) => Err(Unanswered::Refused(message)),
        Ok(Err(_)) => Err(Unanswered::Late),
        Err(_) => {
            let params = CancelledNotificationParams::new(RequestId::from(asked.id.as_str()));
            let cancelled = CancelledNotification::new(params.reason("it took too long"));
            if let Ok(frame) = serde_json::to_vec(&cancelled) {
                outlet.say(frame).await;
            }
            Err(Unanswered::Late)
        }
    }
}
