//! The client itself: one method a request, and the raw exchange below them.

use std::collections::BTreeMap;
use std::fmt;

use aqueduct_protocol::capabilities::ClientCapabilities;
use aqueduct_protocol::method;
use aqueduct_protocol::version::ProtocolVersion;
use aqueduct_protocol::{meta, tools::CallToolResult};
use http::Extensions;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::context::{Head, Principal};
use crate::server::{BuildError, Server, Service};
use crate::transport::memory::{Exchange, exchange};

/// Calls a server in the same process.
///
/// ```
/// use aqueduct::prelude::*;
/// use aqueduct::testing::TestClient;
///
/// #[tool]
/// async fn greet(name: String) -> String {
///     format!("Hello, {name}!")
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let client = TestClient::new(Server::new("greeter", "1.0.0").tools(list![greet]))?;
/// let result = client.call_tool("greet", serde_json::json!({ "name": "Ann" })).await?;
/// assert_eq!(result.content[0].as_text(), Some("Hello, Ann!"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TestClient {
    service: Service,
    capabilities: ClientCapabilities,
    meta: Map<String, Value>,
    principal: Option<Principal>,
}

/// What a request came to: its result, and what was said before it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Answer {
    /// The result object.
    pub result: Value,
    /// The notifications before it.
    pub notifications: Vec<Value>,
}

/// Why a request of a test came to nothing.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TestError {
    /// The server answered with an error.
    Refused {
        /// The JSON-RPC code.
        code: i64,
        /// Its message.
        message: String,
        /// Its data, `null` when it has none.
        data: Value,
    },
    /// The answer was not what this client can read; the text is the answer.
    Unreadable(String),
}

impl fmt::Display for TestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { code, message, .. } => write!(f, "{message} ({code})"),
            Self::Unreadable(text) => write!(f, "cannot read the answer: {text}"),
        }
    }
}

impl std::error::Error for TestError {}

impl TestClient {
    /// A client of this server.
    ///
    /// # Errors
    /// When the server cannot be built.
    pub fn new(server: Server) -> Result<Self, BuildError> {
        Ok(Self::of(server.build()?))
    }

    /// A client of a server that is built already.
    #[must_use]
    pub fn of(service: Service) -> Self {
        Self {
            service,
            capabilities: ClientCapabilities::default(),
            meta: Map::new(),
            principal: None,
        }
    }

    /// What the client declares that it can do.
    #[must_use]
    pub fn capabilities(mut self, capabilities: ClientCapabilities) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// Adds a member to the `_meta` of every request.
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.insert(key.into(), value.into());
        self
    }

    /// Calls as this caller.
    #[must_use]
    pub fn principal(mut self, principal: Principal) -> Self {
        self.principal = Some(principal);
        self
    }

    /// Sends one message as it is and gives back all that came of it.
    pub async fn send(&self, text: impl Into<String>) -> Exchange {
        let mut service = self.service.clone();
        let stamp = self.service.stamp().clone();
        let mut extensions = Extensions::new();
        if let Some(principal) = &self.principal {
            extensions.insert(principal.clone());
        }
        exchange(&mut service, &stamp, text.into(), Head::bare(extensions)).await
    }

    /// Makes a request with complete metadata.
    ///
    /// # Errors
    /// The error that the server answered with.
    pub async fn request(&self, method: &str, params: Value) -> Result<Answer, TestError> {
        let mut params = match params {
            Value::Object(params) => params,
            _ => Map::new(),
        };
        let mut meta = self.meta.clone();
        meta.insert(meta::PROTOCOL_VERSION.into(), ProtocolVersion::LATEST.as_str().into());
        meta.insert(meta::CLIENT_CAPABILITIES.into(), json!(self.capabilities));
        params.insert(meta::MEMBER.into(), Value::Object(meta));
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        read(&self.send(message.to_string()).await)
    }

    async fn result<T: DeserializeOwned>(
        &self,
        method: &str,
        params: Value,
    ) -> Result<T, TestError> {
        let answer = self.request(method, params).await?;
        let text = answer.result.to_string();
        serde_json::from_value(answer.result).map_err(|_| TestError::Unreadable(text))
    }

    /// Calls a tool.
    ///
    /// # Errors
    /// A JSON-RPC error; a tool that failed is a result with `is_error`.
    pub async fn call_tool(
        &self,
        name: &str,
        arguments: Value,
    ) -> Result<CallToolResult, TestError> {
        let params = json!({ "name": name, "arguments": arguments });
        self.result(method::TOOLS_CALL, params).await
    }

    /// Reads a resource.
    ///
    /// # Errors
    /// The error that the server answered with.
    pub async fn read_resource(
        &self,
        uri: &str,
    ) -> Result<crate::resource::ReadResourceResult, TestError> {
        self.result(method::RESOURCES_READ, json!({ "uri": uri })).await
    }

    /// Gets a prompt's messages.
    ///
    /// # Errors
    /// The error that the server answered with.
    pub async fn get_prompt(
        &self,
        name: &str,
        arguments: BTreeMap<String, String>,
    ) -> Result<aqueduct_protocol::prompts::GetPromptResult, TestError> {
        self.result(method::PROMPTS_GET, json!({ "name": name, "arguments": arguments })).await
    }

    /// The names of all tools, over all pages.
    ///
    /// # Errors
    /// The error that the server answered with.
    pub async fn tool_names(&self) -> Result<Vec<String>, TestError> {
        let mut names = Vec::new();
        let mut params = json!({});
        loop {
            let page: aqueduct_protocol::tools::ListToolsResult =
                self.result(method::TOOLS_LIST, params).await?;
            names.extend(page.tools.into_iter().map(|tool| tool.name));
            match page.next_cursor {
                Some(cursor) => params = json!({ "cursor": cursor }),
                None => return Ok(names),
            }
        }
    }
}

fn read(exchange: &Exchange) -> Result<Answer, TestError> {
    let text = exchange.answer.clone().unwrap_or_default();
    let parse = |text: &str| serde_json::from_str::<Value>(text).ok();
    let mut answer = parse(&text).ok_or_else(|| TestError::Unreadable(text.clone()))?;
    if let Some(error) = answer.get("error") {
        return Err(TestError::Refused {
            code: error.get("code").and_then(Value::as_i64).unwrap_or_default(),
            message: error.get("message").and_then(Value::as_str).unwrap_or_default().to_owned(),
            data: error.get("data").cloned().unwrap_or_default(),
        });
    }
    let result = answer.get_mut("result").map(Value::take);
    Ok(Answer {
        result: result.ok_or(TestError::Unreadable(text))?,
        notifications: exchange.frames.iter().filter_map(|frame| parse(frame)).collect(),
    })
}
