//! Answers that arrive at another process than the one that asked.
//!
//! The store holds which questions are open and what was answered, so that an answer that was
//! acknowledged is not lost; the bus tells the process that waits that there is one.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use aqueduct_protocol::jsonrpc::RawJson;
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::live::Answered;
use crate::store::{Bus, Expected, Put, Store, StoreError, Subscription};

/// The way between the processes that serve one session.
#[derive(Clone)]
pub(super) struct Relay {
    store: Arc<dyn Store>,
    bus: Arc<dyn Bus>,
    /// Tells the session from the others.
    session: String,
}

impl fmt::Debug for Relay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Relay").field("session", &self.session).finish_non_exhaustive()
    }
}

/// An answer, as it lies in the store.
#[derive(Serialize, Deserialize)]
enum Kept {
    #[serde(rename = "r")]
    Result(RawJson),
    #[serde(rename = "e")]
    Error(String),
}

impl Relay {
    #[cfg(feature = "http")]
    pub(super) fn new(
        store: Arc<dyn Store>,
        bus: Arc<dyn Bus>,
        session: impl fmt::Display,
    ) -> Self {
        Self { store, bus, session: session.to_string() }
    }

    fn key(&self, question: &str) -> String {
        format!("legacy/asked/{}/{question}", self.session)
    }

    /// Marks a question as open for this long, and hears of its answer from here on.
    pub(super) async fn open(
        &self,
        question: &str,
        time: Duration,
    ) -> Result<Subscription, StoreError> {
        let key = self.key(question);
        let heard = self.bus.subscribe(&key).await?;
        self.store.put(&key, Put::new("").ttl(time)).await?;
        Ok(heard)
    }

    /// Hands on an answer to whoever waits for it. One to no open question, or to one that was
    /// answered already, is dropped, as it is where there is one process.
    pub(super) async fn pass(&self, question: &str, answer: Answered) -> Result<(), StoreError> {
        let key = self.key(question);
        let Some(open) = self.store.get(&key).await? else { return Ok(()) };
        if !open.value.is_empty() {
            return Ok(());
        }
        let kept = match answer {
            Answered::Result(result) => Kept::Result(result),
            Answered::Error(message) => Kept::Error(message),
        };
        let value = serde_json::to_vec(&kept).unwrap_or_default();
        let put = Put::new(value).expected(Expected::Version(open.version)).ttl(LEFT);
        match self.store.put(&key, put).await {
            Ok(_) => self.bus.publish(&key, Bytes::new()).await,
            // Somebody else has answered it, or has waited long enough.
            Err(error) if error.is_conflict() => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The answer, if there is one.
    pub(super) async fn answer(&self, question: &str) -> Option<Answered> {
        let entry = self.store.get(&self.key(question)).await;
        let entry = entry.inspect_err(|error| tracing::warn!("an answer is not read: {error}"));
        match serde_json::from_slice(&entry.ok()??.value).ok()? {
            Kept::Result(result) => Some(Answered::Result(result)),
            Kept::Error(message) => Some(Answered::Error(message)),
        }
    }

    /// Closes a question: an answer that comes later is nobody's.
    pub(super) async fn close(&self, question: &str) {
        // What is left ends by itself.
        drop(self.store.delete(&self.key(question), Expected::Any).await);
    }
}

/// How long an answer lies in the store for a process that was told of it.
const LEFT: Duration = Duration::from_secs(60);
