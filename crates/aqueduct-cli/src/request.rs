//! One request, sent with the official client, and its answer as the server gave it.

use rmcp::model::{
    ArgumentInfo, CallToolRequestParams, CompleteRequestParams, GetPromptRequestParams,
    ReadResourceRequestParams, Reference, RequestMetaObject,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::{
    args::{Completed, Kind, Request},
    argument,
    connect::Client,
    failure::Failure,
};

/// What came back, with what is needed to show it.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) shape: Shape,
    pub(crate) result: Value,
}

/// Which result it is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Shape {
    List(Kind),
    ToolResult,
    Contents,
    Messages,
    Completion,
    Server,
}

/// Sends the request.
///
/// # Errors
///
/// When the server refuses it, is lost, or the arguments do not fit the tool.
pub(crate) async fn send(request: Request, client: &Client) -> Result<Answer, Failure> {
    let (shape, result) = match request {
        Request::List(kind) => (Shape::List(kind), list(kind, client).await?),
        Request::Call { name, arguments } => {
            let arguments = tool_arguments(client, &name, &arguments).await?;
            let params = CallToolRequestParams::new(name).with_arguments(arguments);
            (Shape::ToolResult, value(&client.call_tool(params).await?)?)
        }
        Request::Read { uri } => {
            let params = ReadResourceRequestParams::new(uri);
            (Shape::Contents, value(&client.read_resource(params).await?)?)
        }
        Request::Prompt { name, arguments } => {
            let arguments = argument::for_prompt(&arguments)?;
            let params = GetPromptRequestParams::new(name).with_arguments(arguments);
            (Shape::Messages, value(&client.get_prompt(params).await?)?)
        }
        Request::Complete { of, reference, argument, prefix } => {
            let reference = match of {
                Completed::Prompt => Reference::for_prompt(reference),
                Completed::Resource => Reference::for_resource(reference),
            };
            let params = CompleteRequestParams::new(reference, ArgumentInfo::new(argument, prefix));
            (Shape::Completion, value(&client.complete(params).await?)?)
        }
        Request::Discover => (Shape::Server, server(client).await?),
    };
    Ok(Answer { shape, result })
}

async fn list(kind: Kind, client: &Client) -> Result<Value, Failure> {
    Ok(match kind {
        Kind::Tools => json!({ "tools": client.list_all_tools().await? }),
        Kind::Resources => json!({ "resources": client.list_all_resources().await? }),
        Kind::Templates => {
            json!({ "resourceTemplates": client.list_all_resource_templates().await? })
        }
        Kind::Prompts => json!({ "prompts": client.list_all_prompts().await? }),
    })
}

/// Lists the tools only when the words cannot be read without their schema.
async fn tool_arguments(
    client: &Client,
    name: &str,
    words: &[String],
) -> Result<Map<String, Value>, Failure> {
    if !argument::need_schema(words) {
        return argument::for_tool(words, None);
    }
    let tools = client.list_all_tools().await?;
    let schema = tools
        .into_iter()
        .find(|tool| tool.name == name)
        .map(|tool| Value::Object((*tool.input_schema).clone()));
    argument::for_tool(words, schema.as_ref())
}

/// The answer to `server/discover`, or what `initialize` told when the server is older.
async fn server(client: &Client) -> Result<Value, Failure> {
    let Some(info) = client.peer_info() else {
        return Err(anyhow::anyhow!("the server did not introduce itself").into());
    };
    if info.protocol_version.has_initialize() {
        return value(&*info);
    }
    let mut result = value(&client.discover(RequestMetaObject::default()).await?)?;
    if let Value::Object(members) = &mut result {
        members.insert("protocolVersion".to_owned(), value(&info.protocol_version)?);
    }
    Ok(result)
}

fn value(result: &impl Serialize) -> Result<Value, Failure> {
    serde_json::to_value(result).map_err(|error| Failure::Transport(error.into()))
}
