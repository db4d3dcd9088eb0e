//! The only file that writes to standard output and standard error.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
    process::ExitCode,
};

use serde_json::{Value, json};

use crate::{
    args::Kind,
    failure::Failure,
    request::{Answer, Shape},
};

const TOOL_ERROR: u8 = 1;
const NO_ANSWER: u8 = 2;
const USAGE: u8 = 3;

/// Prints what clap has to say: help and version are answers, the rest is misuse.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    let misuse = error.use_stderr();
    if error.print().is_err() {
        return ExitCode::from(NO_ANSWER);
    }
    if misuse { ExitCode::from(USAGE) } else { ExitCode::SUCCESS }
}

/// Prints an answer, for people or as JSON.
pub(crate) fn answer(answer: &Answer, json: bool) -> ExitCode {
    let text = if json { format!("{}\n", answer.result) } else { human(answer) };
    if io::stdout().lock().write_all(text.as_bytes()).is_err() {
        return ExitCode::from(NO_ANSWER);
    }
    let is_error = answer.result.get("isError") == Some(&Value::Bool(true));
    if answer.shape == Shape::ToolResult && is_error {
        return ExitCode::from(TOOL_ERROR);
    }
    ExitCode::SUCCESS
}

/// Prints why there is no answer; a refusal is data, so `--json` puts it on standard output.
pub(crate) fn failure(failure: &Failure, json: bool) -> ExitCode {
    if json && let Failure::Refused(error) = failure {
        // Standard output may be gone; the exit code tells all the same.
        let _sent =
            io::stdout().lock().write_all(format!("{}\n", json!({ "error": error })).as_bytes());
        return ExitCode::from(NO_ANSWER);
    }
    let (code, message) = match failure {
        Failure::Usage(message) => (USAGE, message.clone()),
        Failure::Refused(error) => {
            (NO_ANSWER, format!("the server refused: {} ({})", error.message, error.code.0))
        }
        Failure::Transport(error) => (NO_ANSWER, format!("{error:#}")),
    };
    let _sent = io::stderr().lock().write_all(plain(&format!("aqueduct: {message}\n")).as_bytes());
    ExitCode::from(code)
}

fn human(answer: &Answer) -> String {
    let mut out = String::new();
    let result = &answer.result;
    match answer.shape {
        Shape::List(kind) => list(&mut out, kind, result),
        Shape::ToolResult => tool_result(&mut out, result),
        Shape::Contents => {
            for contents in items(result, "contents") {
                line(&mut out, &contents_text(contents));
            }
        }
        Shape::Messages => {
            for message in items(result, "messages") {
                let text = message.get("content").map(block_text).unwrap_or_default();
                line(&mut out, &format!("{}: {text}", text_of(message, "role")));
            }
        }
        Shape::Completion => {
            for value in result.get("completion").map(|it| items(it, "values")).unwrap_or_default()
            {
                line(&mut out, value.as_str().unwrap_or_default());
            }
        }
        Shape::Server => server(&mut out, result),
    }
    plain(&out)
}

fn list(out: &mut String, kind: Kind, result: &Value) {
    let (member, name) = match kind {
        Kind::Tools => ("tools", "name"),
        Kind::Resources => ("resources", "uri"),
        Kind::Templates => ("resourceTemplates", "uriTemplate"),
        Kind::Prompts => ("prompts", "name"),
    };
    for item in items(result, member) {
        let mut head = text_of(item, name).to_owned();
        match kind {
            Kind::Tools => head.push_str(&tool_parameters(item)),
            Kind::Prompts => head.push_str(&prompt_parameters(item)),
            Kind::Resources | Kind::Templates => {}
        }
        let summary = match text_of(item, "description") {
            "" => text_of(item, "title"),
            description => description.lines().next().unwrap_or_default(),
        };
        line(out, format!("{head}  {summary}").trim_end());
    }
}

/// `(text, tags?)`, as the input schema has it.
fn tool_parameters(tool: &Value) -> String {
    let schema = tool.get("inputSchema").unwrap_or(&Value::Null);
    let required = items(schema, "required");
    let names = schema.get("properties").and_then(Value::as_object).map(|properties| {
        let names = properties.keys().map(|name| {
            let is_required = required.iter().any(|it| it.as_str() == Some(name));
            if is_required { name.clone() } else { format!("{name}?") }
        });
        names.collect::<Vec<_>>().join(", ")
    });
    format!("({})", names.unwrap_or_default())
}

fn prompt_parameters(prompt: &Value) -> String {
    let names = items(prompt, "arguments").iter().map(|argument| {
        let name = text_of(argument, "name");
        let is_required = argument.get("required") == Some(&Value::Bool(true));
        if is_required { name.to_owned() } else { format!("{name}?") }
    });
    format!("({})", names.collect::<Vec<_>>().join(", "))
}

fn tool_result(out: &mut String, result: &Value) {
    for block in items(result, "content") {
        line(out, &block_text(block));
    }
    // Most servers mirror structured content as text; it is shown only where they do not.
    if items(result, "content").is_empty()
        && let Some(structured) = result.get("structuredContent")
    {
        line(out, &format!("{structured:#}"));
    }
}

fn server(out: &mut String, result: &Value) {
    let meta = result.get("_meta").and_then(|meta| meta.get("io.modelcontextprotocol/serverInfo"));
    let unknown = json!({ "name": "(unnamed)" });
    let info = result.get("serverInfo").or(meta).unwrap_or(&unknown);
    line(out, format!("{} {}", text_of(info, "name"), text_of(info, "version")).trim_end());
    line(out, &format!("protocol: {}", text_of(result, "protocolVersion")));
    let supported: Vec<_> =
        items(result, "supportedVersions").iter().filter_map(Value::as_str).collect();
    if !supported.is_empty() {
        line(out, &format!("supported: {}", supported.join(", ")));
    }
    let capabilities = result.get("capabilities").and_then(Value::as_object);
    let names: Vec<_> =
        capabilities.map(|it| it.keys().map(String::as_str).collect()).unwrap_or_default();
    line(out, &format!("capabilities: {}", names.join(", ")));
    let instructions = text_of(result, "instructions");
    if !instructions.is_empty() {
        line(out, &format!("\n{instructions}"));
    }
}

fn block_text(block: &Value) -> String {
    match text_of(block, "type") {
        "text" => text_of(block, "text").to_owned(),
        "resource" => block.get("resource").map(contents_text).unwrap_or_default(),
        "resource_link" => format!("[link {}]", text_of(block, "uri")),
        other => format!(
            "[{other} {}, {} bytes of base64]",
            text_of(block, "mimeType"),
            text_of(block, "data").len()
        ),
    }
}

fn contents_text(contents: &Value) -> String {
    match contents.get("text").and_then(Value::as_str) {
        Some(text) => text.to_owned(),
        None => format!(
            "[{} {}, {} bytes of base64]",
            text_of(contents, "uri"),
            text_of(contents, "mimeType"),
            text_of(contents, "blob").len()
        ),
    }
}

fn items<'a>(value: &'a Value, member: &str) -> &'a [Value] {
    value.get(member).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn text_of<'a>(value: &'a Value, member: &str) -> &'a str {
    value.get(member).and_then(Value::as_str).unwrap_or_default()
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    if !text.ends_with('\n') {
        out.push('\n');
    }
}

/// Shows control characters instead of obeying them: a server must not steer the terminal.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() && !matches!(character, '\n' | '\t') {
            // Writing to a `String` does not fail.
            let _written = write!(out, "{}", character.escape_unicode());
        } else {
            out.push(character);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(shape: Shape, result: Value, expected: &str) {
        assert_eq!(human(&Answer { shape, result }), expected);
    }

    #[test]
    fn a_tool_shows_its_parameters_and_the_first_line_of_its_description() {
        let tool = json!({
            "name": "add",
            "description": "Adds.\nSlowly.",
            "inputSchema": {"properties": {"a": {}, "b": {}}, "required": ["a"]},
        });
        check(Shape::List(Kind::Tools), json!({ "tools": [tool] }), "add(a, b?)  Adds.\n");
    }

    #[test]
    fn structured_content_shows_where_no_text_mirrors_it() {
        let result = json!({"content": [], "structuredContent": {"a": 1}});
        check(Shape::ToolResult, result, "{\n  \"a\": 1\n}\n");
    }

    #[test]
    fn a_server_cannot_steer_the_terminal() {
        let result = json!({"content": [{"type": "text", "text": "\u{1b}[2Jgone"}]});
        check(Shape::ToolResult, result, "\\u{1b}[2Jgone\n");
    }
}
