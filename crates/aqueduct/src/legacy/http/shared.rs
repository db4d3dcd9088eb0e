//! Answers that arrive at another process than the one that asked.
//!
//! The store holds which questions are open and what was answered, so that an answer that was
//! acknowledged is not lost; the bus tells the process that waits that there is one.

use std::sync::Arc;
use std::time::Duration;

use aqueduct_protocol::jsonrpc::RawJson;
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::super::live::Answered;
use super::super::relay::Relay;
use super::token::Key;
use crate::store::{Bus, Expected, Pending, Put, Store, Subscription};

/// How long an answer lies in the store for a process that was told of it.
const LEFT: Duration = Duration::from_secs(60);

/// The store and the bus that the processes of a server share, for one session.
pub(super) struct Shared {
    pub(super) store: Arc<dyn Store>,
    pub(super) bus: Arc<dyn Bus>,
    /// Tells the session from the others.
    pub(super) session: Key,
}

/// An answer, as it lies in the store.
#[derive(Serialize, Deserialize)]
enum Kept {
    #[serde(rename = "r")]
    Result(RawJson),
    #[serde(rename = "e")]
    Error(String),
}

impl Shared {
    fn key(&self, question: &str) -> String {
        format!("legacy/asked/{}/{question}", self.session)
    }
}

impl Relay for Shared {
    fn open<'a>(&'a self, question: &'a str, time: Duration) -> Pending<'a, Subscription> {
        Box::pin(async move {
            let key = self.key(question);
            let heard = self.bus.subscribe(&key).await?;
            self.store.put(&key, Put::new("").ttl(time)).await?;
            Ok(heard)
        })
    }

    fn pass<'a>(&'a self, question: &'a str, answer: Answered) -> Pending<'a, ()> {
        Box::pin(async move {
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
            let put = Put::new(value).expected(open.version).ttl(LEFT);
            match self.store.put(&key, put).await {
                Ok(_) => self.bus.publish(&key, Bytes::new()).await,
                // Somebody else has answered it, or nobody waits any more.
                Err(error) if error.is_conflict() => Ok(()),
                Err(error) => Err(error),
            }
        })
    }

    fn answer<'a>(&'a self, question: &'a str) -> Pending<'a, Option<Answered>> {
        Box::pin(async move {
            let Some(entry) = self.store.get(&self.key(question)).await? else { return Ok(None) };
            Ok(match serde_json::from_slice(&entry.value) {
                Ok(Kept::Result(result)) => Some(Answered::Result(result)),
                Ok(Kept::Error(message)) => Some(Answered::Error(message)),
                // It is open still.
                Err(_) => None,
            })
        })
    }

    fn close<'a>(&'a self, question: &'a str) -> Pending<'a, ()> {
        Box::pin(async move {
            self.store.delete(&self.key(question), Expected::Any).await?;
            Ok(())
        })
    }
}
