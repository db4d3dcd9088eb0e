//! What a client that stays does with the fixture server: it is told and asked while a call runs,
//! watches a resource, and comes back for a stream that broke.
//!
//! What the client has seen is asked of it with `interop/seen`, and compared here.

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::client::Reply;
use super::flow::{Session, Step, Verdict, find, items, mentions, text};

/// The revision that has no form for a question to the user.
const WITHOUT_FORMS: &str = "2025-03-26";
const WATCHED: &str = "test://watched-resource";
const LEVELS: &[&str] =
    &["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// The steps over every transport.
pub(super) const TALK: &[Step] = &[
    Step { name: "list everything", run: list_everything },
    Step { name: "call with progress", run: progress },
    Step { name: "call with logs", run: logs },
    Step { name: "call with logs of a level", run: logs_of_a_level },
    Step { name: "ask the user", run: ask_the_user },
    Step { name: "ask the user by hand", run: ask_by_hand },
    Step { name: "ask the user twice", run: ask_twice },
    Step { name: "ask the model", run: ask_the_model },
    Step { name: "ask for roots", run: ask_for_roots },
    Step { name: "watch a resource", run: watch },
    Step { name: "watch it no longer", run: watch_no_longer },
];

/// The steps where a stream can be taken up again.
pub(super) const STREAM: &[Step] = &[
    Step { name: "come back for an answer", run: come_back },
    Step { name: "come back after a break", run: break_off },
];

/// What was seen: once there is something of this method, or up to now.
fn seen(session: &mut Session<'_>, until: Option<&str>) -> Result<Vec<Value>> {
    match session.client.ask("interop/seen", &json!({ "until": until }))? {
        Reply::Result(result) => Ok(items(&result, "events").to_vec()),
        Reply::Error(error) => bail!("what was seen is not told: {error}"),
        Reply::Limit(reason) => bail!("what was seen is not told: {reason}"),
    }
}

/// What was seen, once there is this much of a method: a client may see it behind the answer.
fn gathered(
    session: &mut Session<'_>,
    mut events: Vec<Value>,
    method: &str,
    count: usize,
) -> Result<Vec<Value>> {
    while of(&events, method).len() < count {
        let more = seen(session, Some(method))?;
        if more.is_empty() {
            break;
        }
        events.extend(more);
    }
    Ok(events)
}

/// The parameters of what was seen of a method.
fn of<'a>(events: &'a [Value], method: &str) -> Vec<&'a Value> {
    let is_meant = |event: &&Value| text(event, "method") == method;
    events.iter().filter(is_meant).filter_map(|event| event.get("params")).collect()
}

/// The numbers, the least first: a client may tell in its own order what came in that of the wire.
fn numbers(events: &[&Value], member: &str) -> Vec<f64> {
    let number = |event: &&Value| event.get(member).and_then(Value::as_f64);
    let mut numbers: Vec<_> = events.iter().filter_map(number).collect();
    numbers.sort_by(f64::total_cmp);
    numbers
}

/// Calls a tool of which this text comes back, and gives back what was seen meanwhile.
fn called(
    session: &mut Session<'_>,
    tool: &str,
    arguments: &Value,
    answer: &str,
) -> Result<Vec<Value>> {
    seen(session, None)?;
    let params = json!({ "name": tool, "arguments": arguments });
    session.expect("tools/call", &params, |_, result| {
        ensure!(result.get("isError") != Some(&json!(true)), "the tool failed");
        let first = items(result, "content").first().context("no content")?;
        ensure!(text(first, "text") == answer, "the answer is not {answer:?}");
        Ok(())
    })?;
    seen(session, None)
}

fn list_everything(session: &mut Session<'_>) -> Result<Verdict> {
    let lists = [
        ("tools/list", "tools", "name", "test_tool_with_progress"),
        ("resources/list", "resources", "uri", WATCHED),
        ("resources/templates/list", "resourceTemplates", "uriTemplate", "notes://{name}"),
        ("prompts/list", "prompts", "name", "test_simple_prompt"),
    ];
    for (method, list, member, wanted) in lists {
        session.expect(method, &json!({}), |_, result| {
            find(result.get(list).unwrap_or(&Value::Null), member, wanted).map(drop)
        })?;
    }
    Ok(Verdict::Passed)
}

fn progress(session: &mut Session<'_>) -> Result<Verdict> {
    let answer = "Reported progress three times";
    let events = called(session, "test_tool_with_progress", &json!({}), answer)?;
    let events = gathered(session, events, "notifications/progress", 3)?;
    let progress = of(&events, "notifications/progress");
    let (done, total) = (numbers(&progress, "progress"), numbers(&progress, "total"));
    ensure!(done == [0.0, 50.0, 100.0], "the progress is {done:?}: {events:?}");
    ensure!(total == [100.0; 3], "the total is {total:?}");
    Ok(Verdict::Passed)
}

fn logs(session: &mut Session<'_>) -> Result<Verdict> {
    logged(session, "debug", LEVELS)
}

fn logs_of_a_level(session: &mut Session<'_>) -> Result<Verdict> {
    logged(session, "warning", LEVELS.split_at_checked(3).map_or(&[], |(_, severe)| severe))
}

/// With this level set, a message of each of these levels comes and no other.
fn logged(session: &mut Session<'_>, level: &str, levels: &[&str]) -> Result<Verdict> {
    session.expect("logging/setLevel", &json!({ "level": level }), |_, _| Ok(()))?;
    let events = called(session, "noisy", &json!({}), "noisy")?;
    let events = gathered(session, events, "notifications/message", levels.len())?;
    let messages = of(&events, "notifications/message");
    let mut said: Vec<_> = messages.iter().map(|message| text(message, "level")).collect();
    said.sort_by_key(|said| LEVELS.iter().position(|level| level == said));
    ensure!(said == levels, "the levels are {said:?}, not {levels:?}");
    ensure!(messages.iter().all(|message| text(message, "logger") == "noisy"), "{messages:?}");
    Ok(Verdict::Passed)
}

/// Is there no form for a question to the user? Then the call fails and nobody is asked.
fn refuses_forms(session: &mut Session<'_>, tool: &str, arguments: &Value) -> Result<bool> {
    if session.protocol != WITHOUT_FORMS {
        return Ok(false);
    }
    let params = json!({ "name": tool, "arguments": arguments });
    match session.client.ask("tools/call", &params)? {
        Reply::Error(error) => ensure!(mentions(&error, "elicitation"), "{tool} gave {error}"),
        Reply::Result(result) => {
            ensure!(result.get("isError") == Some(&json!(true)), "{tool} gave {result}");
        }
        Reply::Limit(reason) => bail!("{tool} is not called: {reason}"),
    }
    let events = seen(session, None)?;
    ensure!(of(&events, "elicitation/create").is_empty(), "the client was asked: {events:?}");
    Ok(true)
}

fn ask_the_user(session: &mut Session<'_>) -> Result<Verdict> {
    let tool = "test_streaming_elicitation";
    if refuses_forms(session, tool, &json!({}))? {
        return Ok(Verdict::Passed);
    }
    let events = called(session, tool, &json!({}), "Hello, name of ada!")?;
    let asked = of(&events, "elicitation/create");
    let messages: Vec<_> = asked.iter().map(|asked| text(asked, "message")).collect();
    ensure!(messages == ["What is your name?"], "the user was asked {messages:?}");
    Ok(Verdict::Passed)
}

fn ask_by_hand(session: &mut Session<'_>) -> Result<Verdict> {
    let (tool, arguments) = ("test_elicitation", json!({ "message": "Who is it?" }));
    if refuses_forms(session, tool, &arguments)? {
        return Ok(Verdict::Passed);
    }
    let params = json!({ "name": tool, "arguments": arguments });
    session.expect("tools/call", &params, |_, result| {
        for given in ["username of ada", "email of ada"] {
            ensure!(mentions(result, given), "{given:?} did not arrive");
        }
        Ok(())
    })?;
    let events = seen(session, None)?;
    let asked = of(&events, "elicitation/create");
    ensure!(asked.iter().all(|asked| text(asked, "message") == "Who is it?"), "{asked:?}");
    ensure!(asked.len() == 1, "the user was asked {} times", asked.len());
    Ok(Verdict::Passed)
}

fn ask_twice(session: &mut Session<'_>) -> Result<Verdict> {
    let tool = "test_input_required_result_multi_round";
    if refuses_forms(session, tool, &json!({}))? {
        return Ok(Verdict::Passed);
    }
    let events = called(session, tool, &json!({}), "name of ada likes color of ada")?;
    let asked = of(&events, "elicitation/create").len();
    ensure!(asked == 2, "the user was asked {asked} times");
    Ok(Verdict::Passed)
}

fn ask_the_model(session: &mut Session<'_>) -> Result<Verdict> {
    let answer = "LLM response: the answer of a model";
    let events = called(session, "test_sampling", &json!({ "prompt": "Who are you?" }), answer)?;
    let asked = of(&events, "sampling/createMessage");
    ensure!(asked.len() == 1, "the model was asked {} times", asked.len());
    ensure!(asked.iter().all(|asked| mentions(asked, "Who are you?")), "{asked:?}");
    Ok(Verdict::Passed)
}

fn ask_for_roots(session: &mut Session<'_>) -> Result<Verdict> {
    let tool = "test_input_required_result_list_roots";
    let events = called(session, tool, &json!({}), "2 roots")?;
    let asked = of(&events, "roots/list").len();
    ensure!(asked == 1, "roots were asked for {asked} times");
    Ok(Verdict::Passed)
}

fn touch(session: &mut Session<'_>) -> Result<()> {
    let params = json!({ "name": "test_touch_resource", "arguments": { "uri": WATCHED } });
    session.expect("tools/call", &params, |_, _| Ok(())).map(drop)
}

fn watch(session: &mut Session<'_>) -> Result<Verdict> {
    session.expect("resources/subscribe", &json!({ "uri": WATCHED }), |_, _| Ok(()))?;
    seen(session, None)?;
    touch(session)?;
    let method = "notifications/resources/updated";
    let events = seen(session, Some(method))?;
    let updated: Vec<_> = of(&events, method).iter().map(|event| text(event, "uri")).collect();
    ensure!(updated == [WATCHED], "the updates are {updated:?}: {events:?}");
    Ok(Verdict::Passed)
}

fn watch_no_longer(session: &mut Session<'_>) -> Result<Verdict> {
    session.expect("resources/unsubscribe", &json!({ "uri": WATCHED }), |_, _| Ok(()))?;
    seen(session, None)?;
    touch(session)?;
    // What is told behind it shows that it was not told.
    let params = json!({ "name": "test_trigger_tool_change", "arguments": {} });
    session.expect("tools/call", &params, |_, _| Ok(()))?;
    let events = seen(session, Some("notifications/tools/list_changed"))?;
    ensure!(of(&events, "notifications/tools/list_changed").len() == 1, "{events:?}");
    ensure!(of(&events, "notifications/resources/updated").is_empty(), "{events:?}");
    Ok(Verdict::Passed)
}

fn come_back(session: &mut Session<'_>) -> Result<Verdict> {
    let mark = session.wire.mark()?;
    called(session, "test_reconnection", &json!({}), "Reconnection test completed")?;
    // Only where a connection begins with an id is there something to come back with.
    let is_asked_to = session.protocol == "2025-11-25";
    let is_resumed = session.wire.is_resumed(mark)?;
    ensure!(is_resumed == is_asked_to, "the client came back: {is_resumed}");
    Ok(Verdict::Passed)
}

fn break_off(session: &mut Session<'_>) -> Result<Verdict> {
    let mark = session.wire.mark()?;
    session.wire.break_after("notifications/progress");
    let arguments = json!({ "ms": 900, "text": "it was slow" });
    let events = called(session, "slow", &arguments, "it was slow")?;
    let events = gathered(session, events, "notifications/progress", 3)?;
    let done = numbers(&of(&events, "notifications/progress"), "progress");
    ensure!(done == [1.0, 2.0, 3.0], "the progress is {done:?}");
    ensure!(session.wire.is_resumed(mark)?, "the client did not come back");
    Ok(Verdict::Passed)
}
