//! The messages of a prompt.

use aqueduct_protocol::content::{Annotations, ContentBlock, Role};
use aqueduct_protocol::prompts::PromptMessage;

/// A message of the user.
#[must_use]
pub fn user(content: impl Into<ContentBlock>) -> PromptMessage {
    PromptMessage::user(content.into())
}

/// A message of the assistant.
#[must_use]
pub fn assistant(content: impl Into<ContentBlock>) -> PromptMessage {
    PromptMessage::assistant(content.into())
}

/// Instructions for the model, which the user need not see.
///
/// The specification knows two roles, `user` and `assistant`, and clients refuse a prompt that has
/// another (`Role` of the schema).
/// So this is a message of the user whose annotation says that it is meant for the assistant.
///
/// ```
/// use aqueduct::reply;
///
/// let message = serde_json::to_value(reply::system("Be brief.")).unwrap();
/// assert_eq!(message["role"], "user");
/// assert_eq!(message["content"]["annotations"]["audience"][0], "assistant");
/// ```
#[must_use]
pub fn system(text: impl Into<String>) -> PromptMessage {
    let for_the_model = Annotations::new().audience(vec![Role::Assistant]);
    PromptMessage::user(ContentBlock::text(text).annotations(for_the_model))
}
