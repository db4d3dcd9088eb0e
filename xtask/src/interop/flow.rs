//! What every client does with the memory server, and what must come back.
//!
//! To add a step, write a function and name it in `FLOW`; to ask something new, teach each client
//! the method in `driver.rs`'s programs and `once.rs`, or let it say that it cannot.

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value, json};

use super::STATELESS;
use super::client::{Client, Reply};
use super::leg::Leg;
use super::wire::Wire;

/// One line of the report.
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) run: fn(&mut Session<'_>) -> Result<Verdict>,
}

/// How a step ended; a mismatch is an error.
#[derive(Debug, Eq, PartialEq)]
pub(super) enum Verdict {
    Passed,
    /// The client cannot do it, which says nothing about our server.
    Limit(&'static str),
}

/// The steps, in order: a later one uses what an earlier one found.
pub(super) const FLOW: &[Step] = &[
    Step { name: "open", run: open },
    Step { name: "list tools", run: list_tools },
    Step { name: "list templates", run: list_templates },
    Step { name: "list prompts", run: list_prompts },
    Step { name: "call remember", run: remember },
    Step { name: "call recall", run: recall },
    Step { name: "list resources", run: list_resources },
    Step { name: "read resource", run: read_resource },
    Step { name: "get prompt", run: get_prompt },
    Step { name: "complete tag", run: complete_tag },
    Step { name: "refuse unknown tool", run: refuse_tool },
    Step { name: "refuse unknown resource", run: refuse_resource },
];

/// One client's way through the flow.
pub(super) struct Session<'a> {
    pub(super) client: &'a mut dyn Client,
    /// The revision that it speaks.
    pub(super) protocol: &'static str,
    /// What passes between it and the server.
    pub(super) wire: Wire,
    /// What is remembered, different for each client and transport.
    text: String,
    tag: String,
    tools: Value,
    templates: Value,
    prompts: Value,
    uri: Option<String>,
}

impl<'a> Session<'a> {
    pub(super) fn new(client: &'a mut dyn Client, leg: &Leg<'_>, wire: Wire) -> Self {
        let (name, transport) = (leg.row.name, leg.transport);
        Self {
            client,
            protocol: leg.row.protocol,
            wire,
            // Not ASCII alone: what is escaped on one side must be read back on the other.
            text: format!("{name} met an ötter \"over\" {transport} 🦦\nand told of it"),
            tag: format!("otters-{name}-{transport}"),
            tools: Value::Null,
            templates: Value::Null,
            prompts: Value::Null,
            uri: None,
        }
    }

    /// Asks and expects a result; `seen` looks at it and says what is wrong.
    pub(super) fn expect(
        &mut self,
        method: &str,
        params: &Value,
        seen: impl FnOnce(&mut Self, &Value) -> Result<()>,
    ) -> Result<Verdict> {
        match self.client.ask(method, params)? {
            Reply::Result(result) => {
                seen(self, &result).with_context(|| format!("{method} {params} gave {result}"))?;
                Ok(Verdict::Passed)
            }
            Reply::Error(error) => bail!("{method} {params} failed: {error:#}"),
            Reply::Limit(reason) => Ok(Verdict::Limit(reason)),
        }
    }

    /// Asks and expects a refusal, which has this code on the wire: a client may tell another one,
    /// or refuse by itself, with none.
    fn refused(&mut self, method: &str, params: &Value, code: i64) -> Result<Verdict> {
        let mark = self.wire.mark()?;
        match self.client.ask(method, params)? {
            Reply::Result(result) => bail!("{method} {params} was not refused but gave {result}"),
            Reply::Error(error) => {
                let is_own = error.get("code").and_then(Value::as_i64).is_none();
                let is_refused = is_own || self.wire.is_refused(mark, code)?;
                ensure!(is_refused, "{method} {params} was refused, not with {code}: {error}");
                Ok(Verdict::Passed)
            }
            Reply::Limit(reason) => Ok(Verdict::Limit(reason)),
        }
    }

    /// The first string that a tool's schema requires, or declares: the one its use turns on.
    fn main_argument(&self, tool: &str) -> Result<String> {
        let schema = find(&self.tools, "name", tool)?.get("inputSchema").unwrap_or(&Value::Null);
        let properties = schema.get("properties").and_then(Value::as_object);
        let properties = properties.with_context(|| format!("{tool} has no properties"))?;
        let is_string = |name: &&str| {
            let declared = properties.get(*name).and_then(|property| property.get("type"));
            declared == Some(&json!("string"))
        };
        let required = items(schema, "required").iter().filter_map(Value::as_str);
        let name = required.chain(properties.keys().map(String::as_str)).find(is_string);
        Ok(name.with_context(|| format!("{tool} takes no text: {schema}"))?.to_owned())
    }
}

fn open(session: &mut Session<'_>) -> Result<Verdict> {
    let method = if session.protocol == STATELESS { "server/discover" } else { "interop/opened" };
    session.expect(method, &json!({}), |_, result| {
        let capabilities = result.get("capabilities").context("no capabilities")?;
        for name in ["tools", "resources", "prompts", "completions"] {
            ensure!(capabilities.get(name).is_some(), "no capability {name}");
        }
        Ok(())
    })
}

fn list_tools(session: &mut Session<'_>) -> Result<Verdict> {
    session.expect("tools/list", &json!({}), |session, result| {
        session.tools = result.get("tools").cloned().unwrap_or_default();
        for name in ["remember", "recall"] {
            let schema = find(&session.tools, "name", name)?.get("inputSchema");
            let kind = schema.and_then(|schema| schema.get("type"));
            ensure!(kind == Some(&json!("object")), "{name} has no schema of type object");
        }
        Ok(())
    })
}

fn list_templates(session: &mut Session<'_>) -> Result<Verdict> {
    session.expect("resources/templates/list", &json!({}), |session, result| {
        session.templates = result.get("resourceTemplates").cloned().unwrap_or_default();
        let templates = session.templates.as_array().context("no list of templates")?;
        let is_memory = |template: &Value| text(template, "uriTemplate").starts_with("memory:///{");
        ensure!(templates.iter().any(is_memory), "no template memory:///{{…}}");
        Ok(())
    })
}

fn list_prompts(session: &mut Session<'_>) -> Result<Verdict> {
    session.expect("prompts/list", &json!({}), |session, result| {
        session.prompts = result.get("prompts").cloned().unwrap_or_default();
        let first = session.prompts.get(0).context("no prompt")?;
        ensure!(!text(first, "name").is_empty(), "a prompt without a name");
        Ok(())
    })
}

fn remember(session: &mut Session<'_>) -> Result<Verdict> {
    let arguments = json!({
        session.main_argument("remember")?: session.text,
        "tags": [session.tag],
    });
    let params = json!({ "name": "remember", "arguments": arguments });
    session.expect("tools/call", &params, |session, result| {
        ensure!(result.get("isError") != Some(&json!(true)), "the tool failed");
        let uri = memory_uri(result).context("no memory:///… and no id in the result")?;
        session.uri = Some(uri);
        Ok(())
    })
}

fn recall(session: &mut Session<'_>) -> Result<Verdict> {
    // A word of the text, the same for all, that no search can miss.
    let arguments = json!({ session.main_argument("recall")?: "ötter" });
    let params = json!({ "name": "recall", "arguments": arguments });
    session.expect("tools/call", &params, |session, result| {
        ensure!(result.get("isError") != Some(&json!(true)), "the tool failed");
        let text = &session.text;
        ensure!(mentions(result, text), "what was remembered is not recalled: {text:?}");
        Ok(())
    })
}

fn list_resources(session: &mut Session<'_>) -> Result<Verdict> {
    let uri = session.uri.clone().context("nothing was remembered")?;
    session.expect("resources/list", &json!({}), |_, result| {
        let resources = result.get("resources").unwrap_or(&Value::Null);
        find(resources, "uri", &uri).map(|_| ())
    })
}

fn read_resource(session: &mut Session<'_>) -> Result<Verdict> {
    let uri = session.uri.clone().context("nothing was remembered")?;
    session.expect("resources/read", &json!({ "uri": uri }), |session, result| {
        let contents = find(result.get("contents").unwrap_or(&Value::Null), "uri", &uri)?;
        let text = &session.text;
        ensure!(mentions(contents, text), "the resource does not hold {text:?}");
        Ok(())
    })
}

fn get_prompt(session: &mut Session<'_>) -> Result<Verdict> {
    let prompt = session.prompts.get(0).context("no prompt was listed")?;
    let required = |argument: &&Value| argument.get("required") == Some(&json!(true));
    let filled: Map<_, _> = items(prompt, "arguments")
        .iter()
        .filter(required)
        .map(|argument| (text(argument, "name").to_owned(), json!(session.tag)))
        .collect();
    let params = json!({ "name": text(prompt, "name"), "arguments": filled });
    session.expect("prompts/get", &params, |_, result| {
        let first = items(result, "messages").first().context("no messages")?;
        ensure!(matches!(text(first, "role"), "user" | "assistant"), "a message without a role");
        ensure!(first.get("content").is_some_and(Value::is_object), "a message without content");
        Ok(())
    })
}

fn complete_tag(session: &mut Session<'_>) -> Result<Verdict> {
    let (reference, argument) = tag_argument(&session.prompts, &session.templates)?;
    let tag = session.tag.clone();
    let prefix = tag.split('-').next().unwrap_or_default();
    let params = json!({
        "ref": reference,
        "argument": { "name": argument, "value": prefix },
    });
    session.expect("completion/complete", &params, |_, result| {
        let values = result.get("completion").map(|it| items(it, "values")).unwrap_or_default();
        ensure!(values.contains(&json!(tag)), "{prefix:?} is not completed to {tag:?}");
        Ok(())
    })
}

fn refuse_tool(session: &mut Session<'_>) -> Result<Verdict> {
    session.refused("tools/call", &json!({ "name": "no-such-tool", "arguments": {} }), -32602)
}

fn refuse_resource(session: &mut Session<'_>) -> Result<Verdict> {
    let code = if session.protocol == STATELESS { -32602 } else { -32002 };
    session.refused("resources/read", &json!({ "uri": "memory:///no-such-memory" }), code)
}

/// The argument of a prompt, or else the variable of a template, that is a tag.
fn tag_argument(prompts: &Value, templates: &Value) -> Result<(Value, String)> {
    for prompt in prompts.as_array().map(Vec::as_slice).unwrap_or_default() {
        let mut names = items(prompt, "arguments").iter().map(|argument| text(argument, "name"));
        if let Some(name) = names.find(|name| name.starts_with("tag")) {
            let reference = json!({ "type": "ref/prompt", "name": text(prompt, "name") });
            return Ok((reference, name.to_owned()));
        }
    }
    for template in templates.as_array().map(Vec::as_slice).unwrap_or_default() {
        let uri = text(template, "uriTemplate");
        let expressions = uri.split('{').skip(1).filter_map(|rest| rest.split('}').next());
        let mut variables = expressions.flat_map(|it| it.split([',', '?', '&', '*', '/']));
        if let Some(name) = variables.find(|name| name.starts_with("tag")) {
            return Ok((json!({ "type": "ref/resource", "uri": uri }), name.to_owned()));
        }
    }
    bail!("no prompt and no template takes a tag: {prompts} {templates}")
}

/// The URI of the memory in a tool's result, wherever it stands; or one made of the id.
fn memory_uri(result: &Value) -> Option<String> {
    let mut found = None;
    each_string(result, &mut |string| {
        if let Some(start) = string.find("memory:///") {
            let uri = string.get(start..).unwrap_or_default();
            let end = uri.find(|c: char| c.is_whitespace() || "\"'<>)]}".contains(c));
            found.get_or_insert_with(|| uri.get(..end.unwrap_or(uri.len())).map(str::to_owned));
        }
    });
    // Where the revision has no structured content, its text says the same.
    let mirrored = items(result, "content")
        .iter()
        .find_map(|block| serde_json::from_str(text(block, "text")).ok().filter(Value::is_object));
    let structured = result.get("structuredContent").or(mirrored.as_ref());
    let id = structured.and_then(|it| it.get("id"));
    let id = id.map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned));
    found.flatten().or_else(|| id.map(|id| format!("memory:///{id}")))
}

/// Whether a string anywhere in the value holds the text, plainly or as JSON in a string.
pub(super) fn mentions(value: &Value, wanted: &str) -> bool {
    let mut found = false;
    each_string(value, &mut |string| {
        found |= string.contains(wanted);
        if let Ok(inner @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str(string) {
            found |= mentions(&inner, wanted);
        }
    });
    found
}

fn each_string(value: &Value, visit: &mut dyn FnMut(&str)) {
    match value {
        Value::String(string) => visit(string),
        Value::Array(items) => items.iter().for_each(|item| each_string(item, visit)),
        Value::Object(members) => members.values().for_each(|item| each_string(item, visit)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

pub(super) fn find<'a>(list: &'a Value, member: &str, wanted: &str) -> Result<&'a Value> {
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter()
        .find(|item| text(item, member) == wanted)
        .with_context(|| format!("none of {} has the {member} {wanted}", list.len()))
}

pub(super) fn items<'a>(value: &'a Value, member: &str) -> &'a [Value] {
    value.get(member).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

pub(super) fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value.get(member).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_uri_of_a_memory_is_found_wherever_it_stands() {
        let check = |result: Value, uri: Option<&str>| {
            assert_eq!(memory_uri(&result).as_deref(), uri, "{result}");
        };
        let uri = Some("memory:///7");
        check(json!({"content": [{"type": "resource_link", "uri": "memory:///7"}]}), uri);
        check(json!({"content": [{"type": "text", "text": "see memory:///7 for it"}]}), uri);
        check(json!({"content": [{"type": "text", "text": "{\"uri\":\"memory:///7\"}"}]}), uri);
        check(json!({"structuredContent": {"id": 7}}), uri);
        check(json!({"content": [{"type": "text", "text": "{\"id\":\"7\"}"}]}), uri);
        check(json!({"content": []}), None);
    }

    #[test]
    fn a_text_is_found_in_json_inside_a_string() {
        let inner = json!([{"text": "a \"b\"\nc"}]).to_string();
        assert!(mentions(&json!({"content": [{"text": inner}]}), "a \"b\"\nc"));
        assert!(!mentions(&json!({"content": []}), "a"));
    }

    #[test]
    fn a_tag_is_looked_for_in_prompts_and_then_in_templates() {
        let prompts = json!([{"name": "p", "arguments": [{"name": "other"}]}]);
        let templates =
            json!([{"uriTemplate": "memory:///{id}"}, {"uriTemplate": "tags:///{tag}"}]);
        let (reference, name) = tag_argument(&prompts, &templates).unwrap();
        assert_eq!((reference["uri"].as_str(), name.as_str()), (Some("tags:///{tag}"), "tag"));
        assert!(tag_argument(&prompts, &json!([])).is_err());
    }
}
