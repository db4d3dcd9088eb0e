//! A small server of the official Rust SDK, over HTTP on a port of its own.

use std::{net::SocketAddr, sync::Arc, thread};

use hyper_util::{rt::TokioIo, service::TowerToHyperService};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams,
        CompleteResult, CompletionInfo, ContentBlock, GetPromptRequestParams, GetPromptResponse,
        GetPromptResult, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
        ListToolsResult, PaginatedRequestParams, Prompt, PromptArgument, PromptMessage,
        ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Reference, Resource,
        ResourceContents, ResourceTemplate, Role, ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use serde_json::{Value, json};

/// Starts the server and tells its URL; it lives as long as the test's process.
pub(crate) fn start() -> String {
    let (sender, receiver) = std::sync::mpsc::channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
            sender.send(listener.local_addr().expect("an address")).expect("a listener");
            let service = StreamableHttpService::new(
                || Ok(Notes),
                Arc::new(LocalSessionManager::default()),
                StreamableHttpServerConfig::default(),
            );
            loop {
                let (stream, _) = listener.accept().await.expect("a connection");
                let service = TowerToHyperService::new(service.clone());
                tokio::spawn(
                    hyper::server::conn::http1::Builder::new()
                        .serve_connection(TokioIo::new(stream), service),
                );
            }
        });
    });
    let address: SocketAddr = receiver.recv().expect("the server starts");
    format!("http://{address}/mcp")
}

#[derive(Clone)]
struct Notes;

fn schema(value: Value) -> rmcp::model::JsonObject {
    serde_json::from_value(value).expect("a schema is an object")
}

impl ServerHandler for Notes {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .enable_completions()
            .build();
        ServerConfig::new(capabilities)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let add = schema(json!({
            "type": "object",
            "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
            "required": ["a", "b"],
        }));
        Ok(ListToolsResult::with_all_items(vec![
            Tool::new("add", "Add two numbers.", add),
            Tool::new("fail", "", schema(json!({"type": "object"}))),
        ]))
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = params.arguments.unwrap_or_default();
        let number = |name: &str| arguments.get(name).and_then(Value::as_i64);
        Ok(match (params.name.as_ref(), number("a"), number("b")) {
            ("add", Some(a), Some(b)) => {
                CallToolResult::success(vec![ContentBlock::text((a + b).to_string())]).into()
            }
            ("fail", ..) => CallToolResult::error(vec![ContentBlock::text("no luck")]).into(),
            (name, ..) => {
                return Err(ErrorData::invalid_params(format!("no tool {name}"), None));
            }
        })
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(vec![Resource::new("note:///1", "1")]))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let template = ResourceTemplate::new("note:///{id}", "note");
        Ok(ListResourceTemplatesResult::with_all_items(vec![template]))
    }

    async fn read_resource(
        &self,
        params: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let contents = ResourceContents::text("the first note", params.uri);
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let who = PromptArgument::new("who").with_required(true);
        let greet = Prompt::new("greet", Some("Say hello."), Some(vec![who]));
        Ok(ListPromptsResult::with_all_items(vec![greet]))
    }

    async fn get_prompt(
        &self,
        params: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = params.arguments.unwrap_or_default();
        let who = arguments.get("who").and_then(Value::as_str).unwrap_or("nobody");
        let message = PromptMessage::new_text(Role::User, format!("hello {who}"));
        Ok(GetPromptResult::new(vec![message]).into())
    }

    async fn complete(
        &self,
        params: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let known: &[&str] = match params.r#ref {
            Reference::Prompt(_) => &["Ada", "Alan", "Grace"],
            _ => &["1"],
        };
        let prefix = &params.argument.value;
        let values = known.iter().filter(|name| name.starts_with(prefix.as_str()));
        let values = values.map(|&name| name.to_owned()).collect();
        Ok(CompleteResult::new(CompletionInfo::new(values).expect("few values")))
    }
}
