//! Each request of a line as a call of the official client.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use rmcp::model::{CallToolRequestParams, LoggingLevel, RequestMetaObject, SubscriptionFilter};
use rmcp::service::RunningService;
use rmcp::{RoleClient, ServiceError};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::client::{Interop, Seen};

/// An open client, and what it was told to go on with.
pub(crate) struct Driver {
    running: RunningService<RoleClient, Interop>,
    seen: Arc<Seen>,
    is_stateless: bool,
    level: Option<LoggingLevel>,
    listener: Option<JoinHandle<()>>,
}

impl Driver {
    pub(crate) fn new(
        running: RunningService<RoleClient, Interop>,
        seen: Arc<Seen>,
        is_stateless: bool,
    ) -> Self {
        Self { running, seen, is_stateless, level: None, listener: None }
    }

    /// Ends the client, and with it a server that it has started.
    pub(crate) async fn close(mut self) -> Result<()> {
        if let Some(listener) = self.listener.take() {
            listener.abort();
        }
        self.running.cancel().await?;
        Ok(())
    }

    /// What the server answers to the request of a line, or what it refuses it with.
    pub(crate) async fn ask(&mut self, line: &str) -> Result<Value, Value> {
        self.answer(line).await.map_err(|error| {
            let refused = error.downcast_ref::<ServiceError>();
            let code = match refused {
                Some(ServiceError::McpError(error)) => json!(error.code),
                _ => Value::Null,
            };
            json!({ "code": code, "message": format!("{error:#}") })
        })
    }

    async fn answer(&mut self, line: &str) -> Result<Value> {
        let request: Value = serde_json::from_str(line)?;
        let method = request.get("method").and_then(Value::as_str).context("no method")?;
        let params = request.get("params").cloned().unwrap_or_default();
        Ok(match method {
            "interop/opened" | "server/discover" => serde_json::to_value(self.running.peer_info())?,
            "interop/seen" => self.seen.tell(params.get("until").and_then(Value::as_str)).await,
            "tools/list" => json!({ "tools": self.running.list_all_tools().await? }),
            "resources/list" => json!({ "resources": self.running.list_all_resources().await? }),
            "resources/templates/list" => {
                json!({ "resourceTemplates": self.running.list_all_resource_templates().await? })
            }
            "prompts/list" => json!({ "prompts": self.running.list_all_prompts().await? }),
            "tools/call" => self.call(params).await?,
            "resources/read" => {
                let params = serde_json::from_value(params)?;
                serde_json::to_value(self.running.read_resource(params).await?)?
            }
            "prompts/get" => {
                let params = serde_json::from_value(params)?;
                serde_json::to_value(self.running.get_prompt(params).await?)?
            }
            "completion/complete" => {
                let params = serde_json::from_value(params)?;
                serde_json::to_value(self.running.complete(params).await?)?
            }
            "logging/setLevel" => self.set_level(params).await?,
            "resources/subscribe" => self.subscribe(params).await?,
            "resources/unsubscribe" => self.unsubscribe(params).await?,
            other => anyhow::bail!("this driver does not know {other}"),
        })
    }

    async fn call(&self, params: Value) -> Result<Value> {
        let mut params: CallToolRequestParams = serde_json::from_value(params)?;
        if let (true, Some(level)) = (self.is_stateless, self.level) {
            let mut meta = RequestMetaObject::default();
            meta.set_log_level(level);
            params.meta = Some(meta);
        }
        Ok(serde_json::to_value(self.running.call_tool(params).await?)?)
    }

    async fn set_level(&mut self, params: Value) -> Result<Value> {
        self.level = params.get("level").cloned().map(serde_json::from_value).transpose()?;
        if !self.is_stateless {
            self.running.set_level(serde_json::from_value(params)?).await?;
        }
        Ok(json!({}))
    }

    async fn subscribe(&mut self, params: Value) -> Result<Value> {
        if !self.is_stateless {
            self.running.subscribe(serde_json::from_value(params)?).await?;
            return Ok(json!({}));
        }
        let uri = params.get("uri").and_then(Value::as_str).context("no uri")?.to_owned();
        let mut filter = SubscriptionFilter::new();
        filter.tools_list_changed = Some(true);
        filter.resource_subscriptions = Some(vec![uri]);
        self.listen(filter).await
    }

    async fn unsubscribe(&mut self, params: Value) -> Result<Value> {
        if !self.is_stateless {
            self.running.unsubscribe(serde_json::from_value(params)?).await?;
            return Ok(json!({}));
        }
        let mut filter = SubscriptionFilter::new();
        filter.tools_list_changed = Some(true);
        self.listen(filter).await
    }

    /// Listens to this and to nothing that was listened to before.
    async fn listen(&mut self, filter: SubscriptionFilter) -> Result<Value> {
        if let Some(before) = self.listener.take() {
            before.abort();
        }
        let mut events = self.running.listen(filter).await?;
        let seen = Arc::clone(&self.seen);
        self.listener = Some(tokio::spawn(async move {
            while let Ok(Some(event)) = events.next().await {
                let event = serde_json::to_value(&event).unwrap_or_default();
                let method = event.get("method").and_then(Value::as_str).unwrap_or_default();
                seen.saw(method, event.get("params").unwrap_or(&Value::Null));
            }
        }));
        Ok(json!({}))
    }
}
