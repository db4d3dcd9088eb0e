//! What a user answered to a form or to an address: something, or that he does not want to.

use aqueduct_protocol::elicitation::{ElicitAction, ElicitResult};

use super::form::Form;
use crate::error::ToolError;

/// What a user answered, when the handler wants to know of a refusal.
///
/// Ask for the value itself instead, and a refusal ends the tool with a message that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer<T> {
    /// He answered.
    Accepted(T),
    /// He said no.
    Declined,
    /// He went away without a word.
    Cancelled,
}

impl<T> Answer<T> {
    /// The answer, if he gave one.
    #[must_use]
    pub fn accepted(self) -> Option<T> {
        match self {
            Self::Accepted(value) => Some(value),
            Self::Declined | Self::Cancelled => None,
        }
    }
}

/// What [`Context::elicit`](crate::Context::elicit) gives: the form's values, or an [`Answer`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be asked of a user",
    note = "mark a struct of plain fields with `#[form]`, and ask for it or for `Answer` of it"
)]
pub trait Elicited: Sized + Send {
    /// The form that is shown.
    type Form: Form;

    /// From what the user did.
    ///
    /// # Errors
    /// When the handler did not ask to know of a refusal and there is one.
    fn from_answer(answer: Answer<Self::Form>) -> Result<Self, ToolError>;
}

impl<T: Form> Elicited for T {
    type Form = T;

    fn from_answer(answer: Answer<T>) -> Result<T, ToolError> {
        match answer {
            Answer::Accepted(value) => Ok(value),
            Answer::Declined => Err(ToolError::new("the user declined to answer")),
            Answer::Cancelled => Err(ToolError::new("the user cancelled the question")),
        }
    }
}

impl<T: Form> Elicited for Answer<T> {
    type Form = T;

    fn from_answer(answer: Self) -> Result<Self, ToolError> {
        Ok(answer)
    }
}

/// What an elicitation's result says, before the content of a form is looked at.
pub(super) fn of<T>(
    result: &ElicitResult,
    accepted: impl FnOnce(&ElicitResult) -> Option<T>,
) -> Option<Answer<T>> {
    match result.action {
        ElicitAction::Accept => accepted(result).map(Answer::Accepted),
        ElicitAction::Decline => Some(Answer::Declined),
        ElicitAction::Cancel => Some(Answer::Cancelled),
        // An action that this revision does not know is no answer.
        _ => None,
    }
}
