//! The waist of the framework: a [`Call`] goes in, a [`Reply`] comes out.
//!
//! Transports make calls and write replies; the dispatcher does the opposite; layers stand in
//! between. Everything that crosses is one of these two types.

use std::fmt;
use std::sync::Arc;

use aqueduct_protocol::completion::CompleteResult;
use aqueduct_protocol::input::InputRequiredResult;
use aqueduct_protocol::jsonrpc;
use aqueduct_protocol::prompts::{GetPromptResult, ListPromptsResult};
use aqueduct_protocol::resources::{
    ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult,
};
use aqueduct_protocol::result::{EmptyResult, ResultBody};
use aqueduct_protocol::skills::{GetSkillResult, ListSkillsResult, ReadResourceDirectoryResult};
use aqueduct_protocol::subscriptions::SubscriptionsListenResult;
use aqueduct_protocol::tasks::{CreateTaskResult, GetTaskResult};
use aqueduct_protocol::tools::{CallToolResult, ListToolsResult};
use bytes::Bytes;

use crate::context::{Outbound, Request};
use crate::error::Error;

/// One message of a client on its way to the handler.
#[derive(Debug)]
pub struct Call {
    /// Boxed, because a call is handed on many times before it is looked at.
    request: Box<Request>,
    outbound: Option<Arc<Outbound>>,
}

impl Call {
    /// A call whose notifications, if it makes any, go to `outbound`.
    pub(crate) fn new(request: impl Into<Box<Request>>, outbound: Option<Arc<Outbound>>) -> Self {
        Self { request: request.into(), outbound }
    }

    /// The message.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    pub(crate) fn into_parts(self) -> (Box<Request>, Option<Arc<Outbound>>) {
        (self.request, self.outbound)
    }
}

/// What became of a call.
///
/// ```
/// use aqueduct::call::Reply;
/// use aqueduct::Error;
///
/// let reply = Reply::Error(Error::not_found("no tool \"x\""));
/// assert!(reply.error().is_some_and(Error::is_not_found));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Reply {
    /// It was served.
    Result(Outcome),
    /// It could not be served.
    Error(Error),
    /// It asks for no answer: a notification.
    Silent,
}

impl Reply {
    /// The error, if that is what became of it.
    #[must_use]
    pub fn error(&self) -> Option<&Error> {
        match self {
            Self::Error(error) => Some(error),
            Self::Result(_) | Self::Silent => None,
        }
    }
}

impl<O: Into<Outcome>> From<Result<O, Error>> for Reply {
    fn from(result: Result<O, Error>) -> Self {
        match result {
            Ok(outcome) => Self::Result(outcome.into()),
            Err(error) => Self::Error(error),
        }
    }
}

/// A result, typed until its transport writes it, so that layers can read and change it.
#[derive(Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// Of `tools/call`.
    CallTool(CallToolResult),
    /// Of `resources/read`.
    ReadResource(ReadResourceResult),
    /// Of `prompts/get`.
    GetPrompt(GetPromptResult),
    /// Of `completion/complete`.
    Complete(CompleteResult),
    /// Of `tools/list`, when the list depends on the caller.
    ListTools(ListToolsResult),
    /// Of `resources/list`.
    ListResources(ListResourcesResult),
    /// Of `resources/templates/list`, when the list depends on the caller.
    ListResourceTemplates(ListResourceTemplatesResult),
    /// Of `prompts/list`, when the list depends on the caller.
    ListPrompts(ListPromptsResult),
    /// Of `skills/list`, when the list depends on the caller.
    ListSkills(ListSkillsResult),
    /// Of `skills/get`.
    GetSkill(GetSkillResult),
    /// Of `resources/directory/read`.
    ReadDirectory(ReadResourceDirectoryResult),
    /// Of a call that has to ask first: its questions, and the state to come back with.
    InputRequired(InputRequiredResult),
    /// Of `subscriptions/listen`, at its end.
    Listen(SubscriptionsListenResult),
    /// Of `tools/call`, when it goes on as a task.
    Task(CreateTaskResult),
    /// Of `tasks/get`.
    GetTask(Box<GetTaskResult>),
    /// Of `tasks/update` and `tasks/cancel`.
    Taken(EmptyResult),
    /// A whole result object, written when the server was built.
    Prebuilt(Prebuilt),
}

/// A result object that was written ahead of time, shared by all replies that carry it.
#[derive(Clone, Debug)]
pub struct Prebuilt {
    /// The object, and behind it the brace that closes the envelope: so a reply is two pieces,
    /// its own head and this, and neither is copied.
    closed: Bytes,
}

impl Prebuilt {
    pub(crate) fn new(mut object: Vec<u8>) -> Self {
        object.push(b'}');
        Self { closed: object.into() }
    }

    /// The result object as JSON.
    #[must_use]
    pub fn json(&self) -> &[u8] {
        self.closed.split_last().map_or(&[], |(_, object)| object)
    }

    pub(crate) fn closed(&self) -> &Bytes {
        &self.closed
    }
}

macro_rules! outcomes {
    ($($variant:ident($kind:ty))*) => {
        $(impl From<$kind> for Outcome {
            fn from(result: $kind) -> Self {
                Self::$variant(result)
            }
        })*

        impl Outcome {
            /// Writes the result object, with `stamp` as `_meta.serverInfo` unless the handler
            /// gave one; `None` when it cannot be written as JSON.
            pub(crate) fn write(self, out: &mut Vec<u8>, stamp: &Stamp) -> Option<()> {
                match self {
                    $(Self::$variant(result) => stamp.write(result, out),)*
                    Self::GetTask(result) => stamp.write(*result, out),
                    Self::Prebuilt(prebuilt) => {
                        out.extend_from_slice(prebuilt.json());
                        Some(())
                    }
                }
            }
        }
    };
}

outcomes! {
    CallTool(CallToolResult)
    ReadResource(ReadResourceResult)
    GetPrompt(GetPromptResult)
    Complete(CompleteResult)
    ListTools(ListToolsResult)
    ListResources(ListResourcesResult)
    ListResourceTemplates(ListResourceTemplatesResult)
    ListPrompts(ListPromptsResult)
    ListSkills(ListSkillsResult)
    GetSkill(GetSkillResult)
    ReadDirectory(ReadResourceDirectoryResult)
    InputRequired(InputRequiredResult)
    Listen(SubscriptionsListenResult)
    Task(CreateTaskResult)
    Taken(EmptyResult)
}

impl From<GetTaskResult> for Outcome {
    fn from(result: GetTaskResult) -> Self {
        Self::GetTask(Box::new(result))
    }
}

/// What goes into every result's `_meta`, written once when the server is built.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stamp {
    /// `"io.modelcontextprotocol/serverInfo":{…}`, or nothing.
    member: Bytes,
}

impl Stamp {
    pub(crate) fn new(server_info: &aqueduct_protocol::icons::Implementation) -> Self {
        let mut member = Vec::with_capacity(128);
        jsonrpc::write_string(&mut member, aqueduct_protocol::meta::SERVER_INFO);
        member.push(b':');
        match jsonrpc::write_value(&mut member, server_info) {
            Ok(()) => Self { member: member.into() },
            Err(_) => Self::default(),
        }
    }

    /// Writes `result` with the stamp spliced into its `_meta`.
    ///
    /// A result without `_meta`, which is nearly every one, is written by serde and gets its
    /// `_meta` appended as bytes; the other way, a map insert, costs ten allocations.
    pub(crate) fn write<R: ResultBody>(&self, mut result: R, out: &mut Vec<u8>) -> Option<()> {
        let meta = result.meta_mut().take();
        jsonrpc::write_value(out, &result).ok()?;
        let mut members = match &meta {
            Some(meta) if !meta.is_empty() => {
                let mut members = Vec::new();
                jsonrpc::write_value(&mut members, meta).ok()?;
                members
            }
            _ if self.member.is_empty() => return Some(()),
            _ => Vec::new(),
        };
        // The closing brace of the result comes back after `_meta`.
        out.pop();
        out.extend_from_slice(if out.last() == Some(&b'{') {
            b"\"_meta\":"
        } else {
            b",\"_meta\":"
        });
        if members.is_empty() {
            out.push(b'{');
            out.extend_from_slice(&self.member);
        } else {
            members.pop();
            out.extend_from_slice(&members);
            let named = meta
                .as_ref()
                .is_some_and(|meta| meta.contains_key(aqueduct_protocol::meta::SERVER_INFO));
            if !named && !self.member.is_empty() {
                out.push(b',');
                out.extend_from_slice(&self.member);
            }
        }
        out.extend_from_slice(b"}}");
        Some(())
    }
}

impl fmt::Debug for Outbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Outbound")
    }
}
