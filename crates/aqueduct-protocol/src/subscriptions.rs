//! A stream of changes.
//!
//! [Subscriptions](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions).

use crate::jsonrpc::{JsonRpcResultResponse, RequestId, notification, request};
use crate::meta::{Meta, RequestMeta, SUBSCRIPTION_ID};
use crate::method;
use crate::record::record;
use crate::result::{ResultType, result_body};

record! {
    /// Which changes a client wants to hear of, or a server will tell of.
    #[derive(Default, Eq)]
    SubscriptionFilter {
        /// The set of tools.
        tools_list_changed: Option<bool>,
        /// The set of prompts.
        prompts_list_changed: Option<bool>,
        /// The set of resources.
        resources_list_changed: Option<bool>,
        /// The contents of these resources.
        resource_subscriptions: Option<Vec<String>>,
        /// The state of these tasks; a member of the tasks extension.
        task_ids: Option<Vec<String>>,
    }
}

record! {
    /// The parameters of [`SubscriptionsListenRequest`].
    #[derive(Eq)]
    SubscriptionsListenRequestParams {
        /// What each request says about itself and its client.
        #[serde(rename = "_meta")]
        meta: RequestMeta,
        /// Which changes the client wants to hear of.
        notifications: SubscriptionFilter,
    }
}

request! {
    /// Opens a stream of changes.
    SubscriptionsListenRequest = method::SUBSCRIPTIONS_LISTEN, SubscriptionsListenRequestParams
}

record! {
    /// The stream has ended, by the server's wish; its `_meta` says which stream.
    #[derive(Default, Eq)]
    SubscriptionsListenResult {
        /// Which result this is.
        #[serde(default)]
        result_type: ResultType = ResultType::Complete,
        /// The stream's id rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

/// An answer to [`SubscriptionsListenRequest`].
pub type SubscriptionsListenResultResponse = JsonRpcResultResponse<SubscriptionsListenResult>;

result_body!(SubscriptionsListenResult);

impl SubscriptionsListenResult {
    /// The end of the stream that the request of this id opened.
    #[must_use]
    pub fn of(subscription: &RequestId) -> Self {
        Self::new().meta(subscription_meta(subscription))
    }
}

record! {
    /// The parameters of [`SubscriptionsAcknowledgedNotification`].
    #[derive(Eq)]
    SubscriptionsAcknowledgedNotificationParams {
        /// What of the wanted the server will tell of.
        notifications: SubscriptionFilter,
        /// The stream's id rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

impl SubscriptionsAcknowledgedNotificationParams {
    /// What the server will tell of on the stream that the request of this id opened.
    #[must_use]
    pub fn of(subscription: &RequestId, notifications: SubscriptionFilter) -> Self {
        Self::new(notifications).meta(subscription_meta(subscription))
    }
}

notification! {
    /// The first message of a stream.
    SubscriptionsAcknowledgedNotification = method::NOTIFICATIONS_SUBSCRIPTIONS_ACKNOWLEDGED,
    SubscriptionsAcknowledgedNotificationParams
}

/// The `_meta` of every message of a stream.
#[must_use]
pub fn subscription_meta(subscription: &RequestId) -> Meta {
    let id = match subscription {
        RequestId::Number(number) => (*number).into(),
        RequestId::String(text) => text.as_str().into(),
    };
    Meta::of_wire(serde_json::Map::from_iter([(SUBSCRIPTION_ID.to_owned(), id)]))
}
