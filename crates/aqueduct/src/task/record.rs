//! What is written down of a task: all that any process needs to go on with it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use aqueduct_protocol::errors;
use aqueduct_protocol::input::{InputRequest, InputRequests};
use aqueduct_protocol::jsonrpc::RawJson;
use aqueduct_protocol::tasks::{DetailedTask, TaskStatus};
use aqueduct_protocol::version::ProtocolVersion;
use serde::{Deserialize, Serialize};

use super::time::iso;
use crate::context::{Carried, Principal};

/// How long a status message may be.
const MAX_MESSAGE: usize = 500;

/// A task as it is stored.
///
/// It holds the request as its text, and who made it as far as that is no secret: headers and
/// credentials are not kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) tool: String,
    pub(super) status: TaskStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
    pub(super) created: u64,
    pub(super) updated: u64,
    /// Milliseconds from its creation.
    pub(super) ttl: u64,
    pub(super) poll: u64,
    /// Is it run again when its process has died?
    pub(super) rerun: bool,
    /// Gone with the end of the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) call: Option<Call>,
    /// Who runs it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) lease: Option<Lease>,
    /// How many runs have begun.
    #[serde(default)]
    pub(super) runs: u32,
    /// How many were lost with their processes.
    #[serde(default)]
    pub(super) lost: u32,
    /// Tells each write from every other one.
    #[serde(default)]
    pub(super) writes: u64,
    /// What the client is asked, by the keys that it sees.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) questions: BTreeMap<String, Asked>,
    /// All keys that the client has seen: none is used a second time.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) keys: BTreeSet<String>,
    /// What the client has answered since the last run, by the handler's keys.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) answers: BTreeMap<String, RawJson>,
    #[serde(default)]
    pub(super) carried: Carried,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<RawJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<errors::Error>,
}

/// The call that made a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Call {
    pub(super) request: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) version: Option<ProtocolVersion>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) owner: Option<Owner>,
}

/// A [`Principal`], as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Owner {
    issuer: String,
    subject: String,
    scopes: Vec<String>,
}

impl From<&Principal> for Owner {
    fn from(principal: &Principal) -> Self {
        let Principal { issuer, subject, scopes } = principal.clone();
        Self { issuer, subject, scopes }
    }
}

impl From<Owner> for Principal {
    fn from(owner: Owner) -> Self {
        Self::new(owner.issuer, owner.subject).scopes(owner.scopes)
    }
}

/// Who runs a task, and until when nobody else may.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Lease {
    pub(super) node: String,
    pub(super) until: u64,
}

/// A question, with the key that the handler knows it by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Asked {
    pub(super) key: String,
    pub(super) request: InputRequest,
}

impl Record {
    /// When it is gone, in milliseconds since 1970.
    pub(super) const fn expires(&self) -> u64 {
        self.created.saturating_add(self.ttl)
    }

    /// What is left of its time; at least a moment, because a store takes no less.
    pub(super) fn left(&self, now: u64) -> Duration {
        Duration::from_millis(self.expires().saturating_sub(now).max(1))
    }

    /// Does somebody run it, as far as is known?
    pub(super) fn is_leased(&self, now: u64) -> bool {
        self.lease.as_ref().is_some_and(|lease| lease.until > now)
    }

    pub(super) fn say(&mut self, message: &str) {
        let cut = crate::error::cut(message, MAX_MESSAGE);
        self.message = Some(cut.unwrap_or_else(|| message.to_owned()));
    }

    /// Ends it: what only runs need is forgotten.
    pub(super) fn end(&mut self, status: TaskStatus) {
        self.status = status;
        (self.call, self.lease) = (None, None);
        self.questions.clear();
        self.keys.clear();
        self.answers.clear();
        self.carried = Carried::default();
    }

    pub(super) fn complete(&mut self, result: RawJson) {
        self.end(TaskStatus::Completed);
        self.result = Some(result);
    }

    pub(super) fn fail(&mut self, error: errors::Error) {
        self.end(TaskStatus::Failed);
        self.say(&error.message);
        self.error = Some(error);
    }

    /// Waits for answers; a key that the client has seen before gets a number behind.
    pub(super) fn park(&mut self, asked: BTreeMap<String, InputRequest>, carried: Carried) {
        self.status = TaskStatus::InputRequired;
        self.lease = None;
        self.lost = 0;
        self.answers.clear();
        self.carried = carried;
        for (key, request) in asked {
            let mut seen = key.clone();
            let mut number = 1_u64;
            while self.keys.contains(&seen) {
                number += 1;
                seen = format!("{key}#{number}");
            }
            self.keys.insert(seen.clone());
            self.questions.insert(seen, Asked { key, request });
        }
    }

    /// Takes answers to what is asked, and no others; is there nothing left to ask?
    pub(super) fn answer(&mut self, given: BTreeMap<String, RawJson>) -> bool {
        for (seen, answer) in given {
            if let Some(Asked { key, .. }) = self.questions.remove(&seen) {
                self.answers.insert(key, answer);
            }
        }
        let is_done = self.status == TaskStatus::InputRequired && self.questions.is_empty();
        if is_done {
            self.status = TaskStatus::Working;
        }
        is_done
    }

    /// As a client reads it.
    pub(super) fn detailed(&self, id: &str) -> DetailedTask {
        let (created, updated) = (iso(self.created), iso(self.updated));
        let mut task = DetailedTask::new(id, self.status, created, updated, Some(self.ttl));
        task.status_message.clone_from(&self.message);
        task.poll_interval_ms = Some(self.poll);
        if self.status == TaskStatus::InputRequired {
            let asked = self.questions.iter();
            let asked = asked.map(|(key, asked)| (key.clone(), asked.request.clone()));
            task.input_requests = Some(asked.collect::<InputRequests>());
        }
        task.result.clone_from(&self.result);
        task.error.clone_from(&self.error);
        task
    }
}
