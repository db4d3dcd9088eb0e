//! Whether the messages that a client's model is to be sent are in an order that models take.

use std::collections::BTreeSet;

use aqueduct_protocol::content::Role;
use aqueduct_protocol::sampling::{SamplingMessage, SamplingMessageContentBlock as Block};

/// What is wrong with a conversation, if anything is.
///
/// What a model asked of tools is answered by the very next message, all of it and nothing else
/// ([Sampling](https://modelcontextprotocol.io/specification/2026-07-28/client/sampling)
/// › Message content constraints). A client may refuse the rest, and providers do.
pub(super) fn problem(messages: &[SamplingMessage]) -> Option<String> {
    let mut asked = BTreeSet::new();
    for (nth, message) in messages.iter().enumerate() {
        let found = match message.role {
            Role::User => answers(message, &std::mem::take(&mut asked)),
            _ if !asked.is_empty() => Some("the results of tools must come before it".to_owned()),
            _ => asks(message, &mut asked),
        };
        if let Some(found) = found {
            return Some(format!("message {nth} for the client's model: {found}"));
        }
    }
    let open = asked.first()?;
    Some(format!("the messages for the client's model end before the result of {open:?}"))
}

/// Notes what the model asks of tools.
fn asks<'m>(message: &'m SamplingMessage, asked: &mut BTreeSet<&'m str>) -> Option<String> {
    for block in message.content.blocks() {
        match block {
            Block::ToolUse(ask) if !asked.insert(&ask.id) => {
                return Some(format!("the id {:?} is there twice", ask.id));
            }
            Block::ToolResult(_) => return Some("the result of a tool is the user's".to_owned()),
            _ => {}
        }
    }
    None
}

/// Holds the results of tools against what was asked of them.
fn answers(message: &SamplingMessage, asked: &BTreeSet<&str>) -> Option<String> {
    let mut given = BTreeSet::new();
    let mut others = 0;
    for block in message.content.blocks() {
        match block {
            Block::ToolUse(_) => return Some("asking for a tool is the assistant's".to_owned()),
            Block::ToolResult(result) if !asked.contains(&*result.tool_use_id) => {
                return Some(format!("nothing asked for the result of {:?}", result.tool_use_id));
            }
            Block::ToolResult(result) if !given.insert(&*result.tool_use_id) => {
                return Some(format!("the result of {:?} is there twice", result.tool_use_id));
            }
            Block::ToolResult(_) => {}
            _ => others += 1,
        }
    }
    if let Some(open) = asked.difference(&given).next() {
        return Some(format!("the result of {open:?} is missing"));
    }
    (!given.is_empty() && others > 0)
        .then(|| "results of tools stand in a message of their own".to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[track_caller]
    fn check(messages: Value, wanted: Option<&str>) {
        let messages: Vec<SamplingMessage> = serde_json::from_value(messages).unwrap();
        let found = problem(&messages);
        match wanted {
            None => assert_eq!(found, None),
            Some(wanted) => assert!(found.as_deref().unwrap_or("").contains(wanted), "{found:?}"),
        }
    }

    #[test]
    fn what_was_asked_of_tools_is_answered_next_and_alone() {
        let text = json!({ "type": "text", "text": "hm" });
        let ask = |id: &str| json!({ "type": "tool_use", "id": id, "name": "t", "input": {} });
        let result = |id: &str| json!({ "type": "tool_result", "toolUseId": id, "content": [] });
        let user = |content: Value| json!({ "role": "user", "content": content });
        let assistant = |content: Value| json!({ "role": "assistant", "content": content });
        let asks = assistant(json!([text, ask("a"), ask("b")]));
        let both = json!([result("b"), result("a")]);
        check(json!([user(text.clone()), asks, user(both.clone()), assistant(text.clone())]), None);
        check(json!([user(text.clone()), user(text.clone())]), None);
        for (messages, wanted) in [
            (json!([asks]), "end before the result of \"a\""),
            (json!([asks, assistant(text.clone())]), "must come before"),
            (json!([asks, user(text.clone())]), "the result of \"a\" is missing"),
            (json!([asks, user(result("a"))]), "the result of \"b\" is missing"),
            (json!([asks, user(json!([result("b"), result("a"), text]))]), "of their own"),
            (json!([asks, user(json!([result("a"), result("a")]))]), "twice"),
            (json!([user(result("c"))]), "nothing asked for"),
            (json!([user(ask("a"))]), "the assistant's"),
            (json!([assistant(result("a"))]), "the user's"),
            (json!([assistant(json!([ask("a"), ask("a")]))]), "twice"),
        ] {
            check(messages, Some(wanted));
        }
    }
}
