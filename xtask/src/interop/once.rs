//! Clients that are programs: started once a request, connected anew each time.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::client::{Client, Endpoint, Reply};
use super::{Home, STATELESS};

/// Our command line, which speaks through the official Rust client.
pub(super) fn rust(home: &Home, endpoint: Endpoint) -> Box<dyn Client> {
    Box::new(Rust { program: home.cli.clone(), endpoint })
}

/// The command line of the MCP Inspector.
pub(super) fn inspector(home: &Home, endpoint: Endpoint) -> Box<dyn Client> {
    let script =
        home.node.script("@modelcontextprotocol/inspector/clients/launcher/build/index.js");
    Box::new(Inspector { script, endpoint, home: home.output.join("inspector-home") })
}

struct Rust {
    program: PathBuf,
    endpoint: Endpoint,
}

impl Client for Rust {
    fn ask(&mut self, method: &str, params: &Value) -> Result<Reply> {
        let mut words = vec!["--json".to_owned(), "--protocol".to_owned(), STATELESS.to_owned()];
        words.extend(request(method, params)?);
        let mut command = Command::new(&self.program);
        command.args(words);
        match &self.endpoint {
            Endpoint::Http { url } => command.arg(url),
            Endpoint::Stdio { program, args } => command.arg("--").arg(program).args(args),
        };
        let output = command.stdin(Stdio::null()).output().context("the aqueduct program")?;
        let Ok(said) = serde_json::from_slice::<Value>(&output.stdout) else {
            return Ok(Reply::Error(json!({ "message": words_of(&output) })));
        };
        // 1 is a tool's own error, which is a result.
        let code = output.status.code();
        if matches!(code, Some(0 | 1)) {
            return Ok(Reply::Result(said));
        }
        Ok(Reply::Error(said.get("error").cloned().unwrap_or(said)))
    }
}

/// The words of our command line for a request.
fn request(method: &str, params: &Value) -> Result<Vec<String>> {
    let member = |name: &str| text(params, name);
    let words = match method {
        "server/discover" => vec!["discover".to_owned()],
        "tools/list" => vec!["list".to_owned(), "tools".to_owned()],
        "resources/list" => vec!["list".to_owned(), "resources".to_owned()],
        "resources/templates/list" => vec!["list".to_owned(), "templates".to_owned()],
        "prompts/list" => vec!["list".to_owned(), "prompts".to_owned()],
        "resources/read" => vec!["read".to_owned(), member("uri")],
        "tools/call" => {
            let arguments = params.get("arguments").unwrap_or(&Value::Null);
            vec!["call".to_owned(), member("name"), arguments.to_string()]
        }
        "prompts/get" => {
            let mut words = vec!["prompt".to_owned(), member("name")];
            words.extend(pairs(params));
            words
        }
        "completion/complete" => {
            let (reference, argument) = (params.get("ref"), params.get("argument"));
            let (reference, argument) =
                reference.zip(argument).context("a completion has a reference and an argument")?;
            let (of, name) = match text(reference, "type").as_str() {
                "ref/prompt" => ("prompt", "name"),
                _ => ("resource", "uri"),
            };
            let words = [text(reference, name), text(argument, "name"), text(argument, "value")];
            [vec!["complete".to_owned(), of.to_owned()], words.to_vec()].concat()
        }
        other => bail!("the aqueduct program has no command for {other}"),
    };
    Ok(words)
}

struct Inspector {
    script: Command,
    endpoint: Endpoint,
    /// Where it may keep its files, so that it leaves the user's alone.
    home: PathBuf,
}

impl Client for Inspector {
    fn ask(&mut self, method: &str, params: &Value) -> Result<Reply> {
        std::fs::create_dir_all(&self.home)?;
        let mut command = Command::new(self.script.get_program());
        command.args(self.script.get_args()).arg("--cli").args(["--protocol-era", "modern"]);
        match method {
            "completion/complete" => {
                return Ok(Reply::Limit("Inspector 2.12.0 has no --method for it"));
            }
            // The name that it kept from the older revisions; in this era it asks server/discover.
            "server/discover" => command.args(["--method", "initialize"]),
            other => command.args(["--method", other]),
        };
        match method {
            "tools/call" => {
                let arguments = params.get("arguments").unwrap_or(&Value::Null);
                command.args(["--tool-name", &text(params, "name")]);
                command.args(["--tool-args-json", &arguments.to_string()]);
            }
            "resources/read" => {
                command.args(["--uri", &text(params, "uri")]);
            }
            "prompts/get" => {
                command.args(["--prompt-name", &text(params, "name"), "--prompt-args"]);
                command.args(pairs(params));
            }
            _ => {}
        }
        // An option with one value ends the list of prompt arguments before the target.
        command.args(["--format", "json"]);
        match &self.endpoint {
            Endpoint::Http { url } => command.args(["--transport", "http", url]),
            Endpoint::Stdio { program, args } => command.arg(program).args(args),
        };
        let output = command.env("HOME", &self.home).stdin(Stdio::null()).output();
        let output = output.context("the Inspector")?;
        let envelope = |bytes: &[u8], member: &str| {
            serde_json::from_slice::<Value>(bytes).ok().and_then(|it| it.get(member).cloned())
        };
        if let Some(result) = envelope(&output.stdout, "result") {
            return Ok(Reply::Result(result));
        }
        let error = envelope(&output.stderr, "error");
        Ok(Reply::Error(error.unwrap_or_else(|| json!({ "message": words_of(&output) }))))
    }
}

fn text(value: &Value, member: &str) -> String {
    value.get(member).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The arguments of a prompt as `key=value`.
fn pairs(params: &Value) -> Vec<String> {
    let arguments = params.get("arguments").and_then(Value::as_object);
    let pair =
        |(key, value): (&String, &Value)| format!("{key}={}", value.as_str().unwrap_or_default());
    arguments.map(|it| it.iter().map(pair).collect()).unwrap_or_default()
}

fn words_of(output: &Output) -> String {
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    format!("{}\n{stdout}{stderr}", output.status)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::request;

    fn check(method: &str, params: &Value, words: &[&str]) {
        assert_eq!(request(method, params).unwrap(), words, "{method}");
    }

    #[test]
    fn a_request_becomes_a_command_line() {
        check("tools/list", &json!({}), &["list", "tools"]);
        let call = json!({"name": "recall", "arguments": {"query": "x"}});
        check("tools/call", &call, &["call", "recall", r#"{"query":"x"}"#]);
        let prompt = json!({"name": "greet", "arguments": {"who": "Ada"}});
        check("prompts/get", &prompt, &["prompt", "greet", "who=Ada"]);
        let complete = json!({
            "ref": {"type": "ref/prompt", "name": "greet"},
            "argument": {"name": "who", "value": "A"},
        });
        let words = ["complete", "prompt", "greet", "who", "A"];
        check("completion/complete", &complete, &words);
    }
}
