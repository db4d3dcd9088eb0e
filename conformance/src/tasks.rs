//! The tools whose calls go on as tasks.

use std::time::Duration;

use aqueduct::input::Question;
use aqueduct::prelude::*;

/// How long a job takes that is to be seen at work.
const JOB: Duration = Duration::from_secs(1);

#[form]
struct Confirm {
    /// Is it all right?
    confirm: bool,
}

#[form]
struct Name {
    /// Your name
    name: String,
}

/// All of them, in the order in which they are listed.
pub(crate) fn tools() -> [Tool; 6] {
    list![
        slow_compute,
        failing_job,
        protocol_error_job,
        confirm_delete,
        multi_input,
        test_tool_with_task,
    ]
}

/// Computes for some seconds
#[tool(task, poll_interval = "200ms")]
async fn slow_compute(
    /// How many seconds
    #[arg(range = 0.0..=60.0)]
    seconds: f64,
    /// What the result is called
    #[arg(default)]
    label: String,
    ctx: Context,
) -> String {
    ctx.progress((0, 1, "computing"));
    tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
    format!("{label} computed in {seconds} s")
}

/// Works for a second and fails, in words for the model
#[tool(task = "required")]
async fn failing_job() -> Result<String> {
    tokio::time::sleep(JOB).await;
    Err(ToolError::new("the job failed, as it was meant to"))
}

/// Ends with an error of the protocol
#[tool(task)]
async fn protocol_error_job() -> Result<String> {
    Err(Error::internal("the job broke, as it was meant to").into())
}

/// Deletes a file, if the user says so
#[tool(task)]
async fn confirm_delete(
    /// Which file
    filename: String,
    ctx: Context,
) -> Result<String> {
    let answer: Confirm = ctx.elicit("confirm", format!("Delete {filename}?")).await?;
    let what = if answer.confirm { "deleted" } else { "kept" };
    Ok(format!("{filename} is {what}"))
}

/// Asks two questions at once
#[tool(task)]
async fn multi_input(ctx: Context) -> Result<String> {
    let (name, sure) = ctx
        .ask_all((
            Question::<Name>::form("name", "What is your name?"),
            Question::<Confirm>::form("sure", "Are you sure?"),
        ))
        .await?;
    Ok(format!("{}, sure: {}", name.name, sure.confirm))
}

/// Asks for a name, and works in the background once it knows it
#[tool(task = "deferred")]
async fn test_tool_with_task(ctx: Context) -> Result<String> {
    let Name { name } = ctx.elicit("user_name", "What is your name?").await?;
    ctx.defer()?;
    Ok(format!("Hello, {name}!"))
}
