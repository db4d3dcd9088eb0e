//! The tools and the prompt that ask their client, and those that tell its listeners.

use aqueduct::input::{
    CreateMessageRequestParams, CreateMessageResult, InputRequired, Question, Root,
};
use aqueduct::prelude::*;
use aqueduct::protocol::sampling::{SamplingContent, SamplingMessage};
use serde_json::{Value, json};

#[form]
struct Name {
    /// Your name
    name: String,
}

#[form]
struct Confirmation {
    /// Is it all right?
    ok: bool,
}

#[form]
struct Color {
    /// Your favourite colour
    color: String,
}

#[form]
struct Background {
    /// What the prompt should know
    context: String,
}

/// All tools, in the order in which they are listed.
pub(crate) fn tools() -> [Tool; 11] {
    list![
        test_streaming_elicitation,
        test_trigger_tool_change,
        test_trigger_prompt_change,
        test_input_required_result_elicitation,
        test_input_required_result_sampling,
        test_input_required_result_list_roots,
        test_input_required_result_request_state,
        test_input_required_result_multiple_inputs,
        test_input_required_result_multi_round,
        test_input_required_result_tampered_state,
        test_input_required_result_capabilities,
    ]
}

/// The prompt that asks.
pub(crate) fn prompts() -> [Prompt; 1] {
    list![test_input_required_result_prompt]
}

pub(crate) fn sampling(question: &str) -> CreateMessageRequestParams {
    CreateMessageRequestParams::new(vec![SamplingMessage::user(question)], 100)
}

/// What the model said, as far as it is text.
pub(crate) fn said(result: &CreateMessageResult) -> String {
    match &result.content {
        SamplingContent::One(block) => {
            let block = json!(block);
            block.get("text").and_then(Value::as_str).unwrap_or_default().to_owned()
        }
        SamplingContent::Many(blocks) => json!(blocks).to_string(),
    }
}

/// Asks for a name in the middle of the call
#[tool]
async fn test_streaming_elicitation(ctx: Context) -> Result<String> {
    let answer: Name = ctx.elicit("user_name", "What is your name?").await?;
    Ok(format!("Hello, {}!", answer.name))
}

/// Tells all listeners that the tools have changed
#[tool]
async fn test_trigger_tool_change(ctx: Context) -> &'static str {
    ctx.notify().tools_changed();
    "told that the tools have changed"
}

/// Tells all listeners that the prompts have changed
#[tool]
async fn test_trigger_prompt_change(ctx: Context) -> &'static str {
    ctx.notify().prompts_changed();
    "told that the prompts have changed"
}

/// Asks for a name and greets
#[tool]
async fn test_input_required_result_elicitation(ctx: Context) -> Result<String> {
    let answer: Name = ctx.elicit("user_name", "What is your name?").await?;
    Ok(format!("Hello, {}!", answer.name))
}

/// Asks the model for a capital
#[tool]
async fn test_input_required_result_sampling(ctx: Context) -> Result<String> {
    let params = sampling("What is the capital of France?");
    let result = ctx.sample("capital_question", params).await?;
    Ok(format!("The model said: {}", said(&result)))
}

/// Asks for the roots
#[tool]
async fn test_input_required_result_list_roots(ctx: Context) -> Result<String> {
    let roots: Vec<Root> = ctx.ask(Question::roots("client_roots")).await?;
    Ok(format!("{} roots", roots.len()))
}

/// Asks for a confirmation and carries state
#[tool]
async fn test_input_required_result_request_state(ctx: Context) -> Result<String> {
    let Confirmation { ok } = ctx.elicit("confirm", "Go on?").await?;
    Ok(format!("state-ok, confirmed: {ok}"))
}

/// Asks the user, the model and the client at once
#[tool]
async fn test_input_required_result_multiple_inputs(ctx: Context) -> Result<String> {
    let (name, greeting, roots) = ctx
        .ask_all((
            Question::<Name>::form("user_name", "What is your name?"),
            Question::sample("greeting", sampling("Write a greeting")),
            Question::roots("client_roots"),
        ))
        .await?;
    Ok(format!("{}, {} ({} roots)", said(&greeting), name.name, roots.len()))
}

/// Asks twice, one question after the other
#[tool]
async fn test_input_required_result_multi_round(ctx: Context) -> Result<String> {
    let name: Name = ctx.elicit("step1", "Step 1: what is your name?").await?;
    let colour: Color = ctx.elicit("step2", "Step 2: which colour do you like?").await?;
    Ok(format!("{} likes {}", name.name, colour.color))
}

/// Asks for a confirmation with state that must come back untouched
#[tool]
async fn test_input_required_result_tampered_state(ctx: Context) -> Result<String> {
    let Confirmation { ok } = ctx.elicit("confirm", "Go on?").await?;
    Ok(format!("state-ok, confirmed: {ok}"))
}

/// Asks only what the client says that it can answer
#[tool]
async fn test_input_required_result_capabilities(ctx: Context) -> Result<String> {
    let can = ctx.client_capabilities();
    let responses = ctx.responses();
    let mut required = InputRequired::new();
    let mut asked = 0;
    let mut ask = |wanted: bool, key: &str, next: &dyn Fn(InputRequired) -> InputRequired| {
        if wanted && !responses.contains_key(key) {
            asked += 1;
            required = next(std::mem::take(&mut required));
        }
    };
    ask(can.has_form_elicitation(), "user_name", &|required| {
        required.ask(Question::<Name>::form("user_name", "What is your name?"))
    });
    ask(can.has_sampling(), "greeting", &|required| {
        required.ask(Question::sample("greeting", sampling("Write a greeting")))
    });
    ask(can.has_roots(), "client_roots", &|required| required.ask(Question::roots("client_roots")));
    if asked > 0 {
        return Err(required.into());
    }
    let keys: Vec<&String> = responses.keys().collect();
    Ok(format!("answered: {}", json!(keys)))
}

/// Asks for context before it writes its messages
#[prompt]
async fn test_input_required_result_prompt(ctx: Context) -> Result<String> {
    let Background { context } = ctx.elicit("user_context", "What should the prompt know?").await?;
    Ok(format!("Use this context: {context}"))
}
