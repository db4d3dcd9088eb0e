//! All requests that a client may send, and all notifications that a server may: by their method.

use serde::de::{self, Deserializer};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use super::{RawJson, decoded};
use crate::cancellation::CancelledNotification;
use crate::completion::CompleteRequest;
use crate::discover::DiscoverRequest;
use crate::logging::LoggingMessageNotification;
use crate::progress::ProgressNotification;
use crate::prompts::{GetPromptRequest, ListPromptsRequest, PromptListChangedNotification};
use crate::resources::{
    ListResourceTemplatesRequest, ListResourcesRequest, ReadResourceRequest,
    ResourceListChangedNotification, ResourceUpdatedNotification,
};
use crate::subscriptions::{SubscriptionsAcknowledgedNotification, SubscriptionsListenRequest};
use crate::tools::{CallToolRequest, ListToolsRequest, ToolListChangedNotification};

/// The member that tells messages apart.
#[derive(Deserialize)]
struct Named {
    method: String,
}

/// A set of messages, told apart by their method.
macro_rules! union {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident($message:ident),)+ }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$doc])* $variant(Box<$message>),)+
        }

        impl $name {
            /// The message's method.
            #[must_use]
            pub const fn method(&self) -> &'static str {
                match self { $(Self::$variant(_) => $message::METHOD,)+ }
            }
        }

        $(impl From<$message> for $name {
            fn from(message: $message) -> Self {
                Self::$variant(Box::new(message))
            }
        })+

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self { $(Self::$variant(message) => message.serialize(serializer),)+ }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let raw = RawJson::deserialize(deserializer)?;
                let Named { method } = decoded(&raw)?;
                match method.as_str() {
                    $($message::METHOD => decoded(&raw).map(Self::$variant),)+
                    _ => Err(de::Error::custom(format_args!("unknown method {method:?}"))),
                }
            }
        }
    };
}

union! {
    /// A request that a client may send.
    ClientRequest {
        /// What is the server.
        Discover(DiscoverRequest),
        /// A page of the tools.
        ListTools(ListToolsRequest),
        /// Run a tool.
        CallTool(CallToolRequest),
        /// A page of the resources.
        ListResources(ListResourcesRequest),
        /// A page of the resource templates.
        ListResourceTemplates(ListResourceTemplatesRequest),
        /// The contents of a resource.
        ReadResource(ReadResourceRequest),
        /// A page of the prompts.
        ListPrompts(ListPromptsRequest),
        /// The messages of a prompt.
        GetPrompt(GetPromptRequest),
        /// Suggestions for an argument.
        Complete(CompleteRequest),
        /// A stream of changes.
        SubscriptionsListen(SubscriptionsListenRequest),
    }
}

union! {
    /// A notification that a server may send.
    ServerNotification {
        /// A listen stream has ended.
        Cancelled(CancelledNotification),
        /// How far a request has come.
        Progress(ProgressNotification),
        /// A log message.
        LoggingMessage(LoggingMessageNotification),
        /// A watched resource has other contents.
        ResourceUpdated(ResourceUpdatedNotification),
        /// The set of resources is another.
        ResourceListChanged(ResourceListChangedNotification),
        /// The set of tools is another.
        ToolListChanged(ToolListChangedNotification),
        /// The set of prompts is another.
        PromptListChanged(PromptListChangedNotification),
        /// What a listen stream will carry.
        SubscriptionsAcknowledged(SubscriptionsAcknowledgedNotification),
    }
}
