//! The client's side of the conversation: what it answers, and what it has seen.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{
    ClientCapabilities, ClientConfig, CreateMessageRequestParams, CreateMessageResult,
    ElicitRequestParams, ElicitResult, ElicitationAction, ErrorData, Implementation,
    ListRootsResult, LoggingMessageNotificationParam, ProgressNotificationParam, ProtocolVersion,
    ResourceUpdatedNotificationParam, Role, Root, SamplingMessage, SamplingMessageContentBlock,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ClientHandler, RoleClient};
use serde_json::{Map, Value, json};
use tokio::sync::Notify;

/// How long an event is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// What the server said and asked, until it is told.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    events: Mutex<Vec<Value>>,
    more: Notify,
}

impl Seen {
    pub(crate) fn saw(&self, method: &str, params: &Value) {
        let event = json!({ "method": method, "params": params });
        self.events.lock().unwrap_or_else(PoisonError::into_inner).push(event);
        self.more.notify_one();
    }

    /// All of it, once there is an event of this method.
    pub(crate) async fn tell(&self, until: Option<&str>) -> Value {
        let is_there = || {
            let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
            let method = |event: &Value| event.get("method").and_then(Value::as_str) == until;
            until.is_none() || events.iter().any(method)
        };
        let waits = async {
            while !is_there() {
                self.more.notified().await;
            }
        };
        // What is missing is for whoever asked to find.
        drop(tokio::time::timeout(PATIENCE, waits).await);
        let events =
            std::mem::take(&mut *self.events.lock().unwrap_or_else(PoisonError::into_inner));
        json!({ "events": events })
    }
}

/// A client that answers every question in the same way.
pub(crate) struct Interop {
    config: ClientConfig,
    seen: Arc<Seen>,
}

impl Interop {
    pub(crate) fn new(version: ProtocolVersion) -> Self {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(Default::default());
        capabilities.sampling = Some(Default::default());
        capabilities.roots = Some(Default::default());
        let identity = Implementation::new("interop-rust", "1.0.0");
        let config = ClientConfig::new(capabilities, identity).with_protocol_version(version);
        Self { config, seen: Arc::default() }
    }

    pub(crate) fn seen(&self) -> Arc<Seen> {
        Arc::clone(&self.seen)
    }

    fn saw(&self, method: &str, params: Result<Value, serde_json::Error>) {
        self.seen.saw(method, &params.unwrap_or_default());
    }
}

impl ClientHandler for Interop {
    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let asked = serde_json::to_value(&request).unwrap_or_default();
        let properties = asked.pointer("/requestedSchema/properties").and_then(Value::as_object);
        let given: Map<_, _> = properties
            .into_iter()
            .flat_map(Map::keys)
            .map(|name| (name.clone(), json!(format!("{name} of ada"))))
            .collect();
        self.saw("elicitation/create", Ok(asked));
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(Value::Object(given)))
    }

    async fn create_message(
        &self,
        params: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        self.saw("sampling/createMessage", serde_json::to_value(&params));
        let text = SamplingMessageContentBlock::text("the answer of a model");
        let message = SamplingMessage::new(Role::Assistant, text);
        Ok(CreateMessageResult::new(message, "a model".to_owned()))
    }

    async fn list_roots(
        &self,
        _: RequestContext<RoleClient>,
    ) -> Result<ListRootsResult, ErrorData> {
        self.seen.saw("roots/list", &json!({}));
        Ok(ListRootsResult::new(vec![Root::new("file:///one"), Root::new("file:///two")]))
    }

    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.saw("notifications/progress", serde_json::to_value(&params));
    }

    async fn on_logging_message(
        &self,
        params: LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.saw("notifications/message", serde_json::to_value(&params));
    }

    async fn on_resource_updated(
        &self,
        params: ResourceUpdatedNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.saw("notifications/resources/updated", serde_json::to_value(&params));
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.seen.saw("notifications/tools/list_changed", &json!({}));
    }

    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }
}
