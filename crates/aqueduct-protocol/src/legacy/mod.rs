//! What the handshake revisions have and the stateless one has not: 2025-03-26, 2025-06-18 and
//! 2025-11-25.
//!
//! What both have is in the other modules, in the form of 2026-07-28.
//! Requests of a server to its client are [`JsonRpcRequest`](crate::jsonrpc::JsonRpcRequest)s
//! whose method and parameters are those of an [`InputRequest`](crate::input::InputRequest); what
//! the client responds is read by [`decode`](crate::jsonrpc::decode) as every message is.

mod elicitation;
mod initialize;
mod logging;
mod ping;
mod result;
mod subscription;
mod task;

pub use elicitation::{
    ElicitUrlParams, ElicitationCompleteNotification, ElicitationCompleteNotificationParams,
};
pub use initialize::{
    InitializeRequest, InitializeRequestParams, InitializeResult, InitializeResultResponse,
    InitializedNotification, RootsListChangedNotification, choose,
};
pub use logging::{SetLevelRequest, SetLevelRequestParams};
pub use ping::PingRequest;
pub use result::PlainResult;
pub use subscription::{
    SubscribeRequest, SubscribeRequestParams, UnsubscribeRequest, UnsubscribeRequestParams,
};
pub use task::{CreateTaskResult, TASK, Task, TaskSupport, ToolExecution, related_task};
