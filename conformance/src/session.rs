//! The tools that ask and tell while they run, most of which the official suite calls in a session.

use std::time::Duration;

use aqueduct::input::{InputRequest, InputRequired, Question, RequestedSchema};
use aqueduct::prelude::*;
use aqueduct::protocol::elicitation::{
    BooleanSchema, ElicitRequest, EnumOption, LegacyTitledEnumSchema, NumberSchema, StringSchema,
    TitledItems, TitledMultiSelectEnumSchema, TitledSingleSelectEnumSchema, UntitledItems,
    UntitledMultiSelectEnumSchema, UntitledSingleSelectEnumSchema,
};
use serde_json::json;

use crate::asking::{said, sampling};

/// How long the stream stays closed before there is something to come back for.
const AWAY: Duration = Duration::from_millis(100);
/// The key of the one question.
const QUESTION: &str = "question";

/// All of them, in the order in which they are listed.
pub(crate) fn tools() -> [Tool; 6] {
    list![
        test_sampling,
        test_elicitation,
        test_elicitation_sep1034_defaults,
        test_elicitation_sep1330_enums,
        test_reconnection,
        test_touch_resource,
    ]
}

/// Asks the client's model
#[tool]
async fn test_sampling(
    /// What the model is asked
    prompt: String,
    ctx: Context,
) -> Result<String> {
    let result = ctx.ask(Question::sample(QUESTION, sampling(&prompt))).await?;
    Ok(format!("LLM response: {}", said(&result)))
}

/// Asks the user for a name and an address
#[tool]
async fn test_elicitation(
    /// What the user is asked
    message: String,
    ctx: Context,
) -> Result<String> {
    let form = RequestedSchema::default()
        .field("username", StringSchema::new().description("User's response"))
        .field("email", StringSchema::new().description("User's email address"));
    answered(&ctx, &message, form)
}

/// Asks with a form whose fields are filled in already
#[tool]
async fn test_elicitation_sep1034_defaults(ctx: Context) -> Result<String> {
    let status = UntitledSingleSelectEnumSchema::new(words(&["active", "inactive", "pending"]));
    let form = RequestedSchema::default()
        .optional("name", StringSchema::new().default("John Doe"))
        .optional("age", NumberSchema::integer().default(30.0))
        .optional("score", NumberSchema::number().default(95.5))
        .optional("status", status.default("active"))
        .optional("verified", BooleanSchema::new().default(true));
    answered(&ctx, "Are these right?", form)
}

/// Asks with every kind of choice
#[tool]
async fn test_elicitation_sep1330_enums(ctx: Context) -> Result<String> {
    let three = || words(&["option1", "option2", "option3"]);
    let titled = || {
        let values = [("value1", "First Option"), ("value2", "Second Option")];
        let values = values.into_iter().chain([("value3", "Third Option")]);
        values.map(|(value, title)| EnumOption::new(value, title)).collect::<Vec<_>>()
    };
    let legacy = LegacyTitledEnumSchema::new(words(&["opt1", "opt2", "opt3"]));
    let legacy = legacy.enum_names(words(&["Option One", "Option Two", "Option Three"]));
    let form = RequestedSchema::default()
        .optional("untitledSingle", UntitledSingleSelectEnumSchema::new(three()))
        .optional("titledSingle", TitledSingleSelectEnumSchema::new(titled()))
        .optional("legacyEnum", legacy)
        .optional("untitledMulti", UntitledMultiSelectEnumSchema::new(UntitledItems::new(three())))
        .optional("titledMulti", TitledMultiSelectEnumSchema::new(TitledItems::new(titled())));
    answered(&ctx, "Choose", form)
}

/// Answers after its stream was closed, where streams can be taken up again
#[tool]
async fn test_reconnection(ctx: Context) -> &'static str {
    ctx.hang_up();
    tokio::time::sleep(AWAY).await;
    "Reconnection test completed"
}

/// Tells all who watch a resource that it has changed
#[tool]
async fn test_touch_resource(
    /// Which resource
    uri: String,
    ctx: Context,
) -> &'static str {
    ctx.notify().resource_updated(uri);
    "told that the resource has changed"
}

/// What the user did with the form, or the question.
fn answered(ctx: &Context, message: &str, form: RequestedSchema) -> Result<String> {
    let answer = ctx.responses().get(QUESTION).and_then(|response| response.elicit().ok());
    let Some(result) = answer else {
        let request = InputRequest::from(ElicitRequest::form(message, form));
        return Err(InputRequired::new().request(QUESTION, request).into());
    };
    Ok(format!("User response: {}", json!(result)))
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}
