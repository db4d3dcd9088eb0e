//! Changes told to the listeners of other nodes, and theirs to ours.
//!
//! What has changed is marked, as for a listener, and whoever publishes takes the marks: a bus that
//! does not answer costs marks and no messages. A node whose bus may have lost something tells its
//! listeners that everything has changed, so that they look for themselves.

use std::collections::BTreeSet;
use std::mem::take;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::task::AbortHandle;

use super::hub::{Change, Hub};
use crate::store::{Bus, Signal};

/// The topic on which the nodes tell each other of changes.
const TOPIC: &str = "changes";
/// How many updated resources wait to be told; beyond it any of them may have changed.
const MAX_URIS: usize = 1_024;
/// Any resource that is watched; no URI is empty.
const ANY: &str = "";
/// How many bytes of URIs one message has at most.
const MAX_BYTES: usize = 32 * 1024;
/// How long to wait before a bus is asked again that did not answer.
const PAUSE: Duration = Duration::from_millis(500);

/// The way to the other nodes.
pub(crate) struct Relay {
    bus: Arc<dyn Bus>,
    /// Which node this is: what it hears of itself it knows.
    node: u64,
    waiting: Mutex<Told>,
    wake: Arc<Notify>,
    is_started: AtomicBool,
    owned: Mutex<Vec<AbortHandle>>,
}

/// What has changed, as one node tells the others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Told {
    #[serde(rename = "n")]
    node: u64,
    #[serde(rename = "t", default)]
    tools: bool,
    #[serde(rename = "p", default)]
    prompts: bool,
    #[serde(rename = "r", default)]
    resources: bool,
    /// The updated resources; [`ANY`] stands for more than can be named.
    #[serde(rename = "u", default)]
    uris: BTreeSet<String>,
}

impl Relay {
    pub(crate) fn new(bus: Arc<dyn Bus>) -> Self {
        Self {
            bus,
            node: getrandom::u64().unwrap_or_else(|_| u64::from(std::process::id())),
            waiting: Mutex::default(),
            wake: Arc::default(),
            is_started: AtomicBool::new(false),
            owned: Mutex::default(),
        }
    }

    /// Marks a change for the other nodes.
    pub(super) fn mark(&self, change: Change<'_>) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        match change {
            Change::Tools => waiting.tools = true,
            Change::Prompts => waiting.prompts = true,
            Change::Resources => waiting.resources = true,
            Change::Updated(_) if waiting.uris.contains(ANY) => {}
            Change::Updated(uri) if waiting.uris.len() < MAX_URIS => {
                waiting.uris.insert(uri.to_owned());
            }
            Change::Updated(_) => {
                waiting.uris = BTreeSet::from([ANY.to_owned()]);
            }
            // Tasks have a topic of their own, and what is lost is told by each node for itself.
            Change::Task(_) | Change::Tasks | Change::AnyResource => return,
        }
        drop(waiting);
        self.wake.notify_one();
    }

    /// Begins to tell and to hear, once, if there is a runtime to do it in.
    pub(super) fn start(self: &Arc<Self>, hub: &Arc<Hub>) {
        if self.is_started.load(Ordering::Relaxed) {
            return;
        }
        let Ok(runtime) = Handle::try_current() else { return };
        if self.is_started.swap(true, Ordering::AcqRel) {
            return;
        }
        let tell = runtime.spawn(tell(Arc::downgrade(self))).abort_handle();
        let hear = runtime.spawn(hear(Arc::downgrade(self), Arc::downgrade(hub))).abort_handle();
        self.owned.lock().unwrap_or_else(PoisonError::into_inner).extend([tell, hear]);
    }

    /// All that waits, in messages of a bounded length.
    fn taken(&self) -> Vec<Told> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let mut first = take(&mut *waiting);
        drop(waiting);
        first.node = self.node;
        let rest = take(&mut first.uris);
        let mut messages = Vec::new();
        let mut next = first;
        for uri in rest {
            let bytes: usize = next.uris.iter().map(String::len).sum();
            if bytes + uri.len() > MAX_BYTES && !next.uris.is_empty() {
                let empty = Told { node: self.node, ..Told::default() };
                messages.push(std::mem::replace(&mut next, empty));
            }
            next.uris.insert(uri);
        }
        messages.push(next);
        messages.retain(|told| *told != Told { node: self.node, ..Told::default() });
        messages
    }

    /// Puts back what could not be told.
    fn put_back(&self, told: Told) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.tools |= told.tools;
        waiting.prompts |= told.prompts;
        waiting.resources |= told.resources;
        waiting.uris.extend(told.uris);
        if waiting.uris.len() > MAX_URIS {
            waiting.uris = BTreeSet::from([ANY.to_owned()]);
        }
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        for owned in self.owned.get_mut().unwrap_or_else(PoisonError::into_inner) {
            owned.abort();
        }
    }
}

/// Tells the other nodes what has changed here, until the server is gone.
async fn tell(relay: Weak<Relay>) {
    loop {
        let Some(relay) = relay.upgrade() else { return };
        let mut failed = false;
        for told in relay.taken() {
            let Ok(message) = serde_json::to_vec(&told) else { continue };
            if failed || relay.bus.publish(TOPIC, Bytes::from(message)).await.is_err() {
                failed = true;
                relay.put_back(told);
            }
        }
        // Whoever waits must not keep the relay, which ends with the server.
        let wake = Arc::clone(&relay.wake);
        drop(relay);
        if failed {
            tokio::time::sleep(PAUSE).await;
        } else {
            wake.notified().await;
        }
    }
}

/// Hears what has changed elsewhere, until the server is gone.
async fn hear(relay: Weak<Relay>, hub: Weak<Hub>) {
    let mut is_again = false;
    loop {
        let Some((bus, node)) = relay.upgrade().map(|relay| (Arc::clone(&relay.bus), relay.node))
        else {
            return;
        };
        if let Ok(mut subscription) = bus.subscribe(TOPIC).await {
            if std::mem::replace(&mut is_again, true)
                && let Some(hub) = hub.upgrade()
            {
                all(&hub);
            }
            drop(bus);
            while let Some(signal) = subscription.next().await {
                let Some(hub) = hub.upgrade() else { return };
                match signal {
                    Signal::Resync => all(&hub),
                    Signal::Message(message) => heard(&hub, node, &message),
                }
            }
        }
        is_again = true;
        tokio::time::sleep(PAUSE).await;
    }
}

/// Nobody knows what has changed, so everything may have.
fn all(hub: &Hub) {
    for change in
        [Change::Tools, Change::Prompts, Change::Resources, Change::AnyResource, Change::Tasks]
    {
        hub.mark(change);
    }
}

fn heard(hub: &Hub, node: u64, message: &[u8]) {
    let Ok(told) = serde_json::from_slice::<Told>(message) else { return };
    if told.node == node {
        return;
    }
    for (is_changed, change) in [
        (told.tools, Change::Tools),
        (told.prompts, Change::Prompts),
        (told.resources, Change::Resources),
        (told.uris.contains(ANY), Change::AnyResource),
    ] {
        if is_changed {
            hub.mark(change);
        }
    }
    for uri in told.uris.iter().filter(|uri| *uri != ANY) {
        hub.mark(Change::Updated(uri));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Memory;

    #[test]
    fn what_waits_is_told_in_messages_of_a_bounded_length() {
        let relay = Relay::new(Arc::new(Memory::new()));
        assert!(relay.taken().is_empty());
        relay.mark(Change::Tools);
        for number in 0..100 {
            relay.mark(Change::Updated(&format!("{}{number}", "x".repeat(1_000))));
        }
        let messages = relay.taken();
        assert!(messages.len() > 2 && messages[0].tools && !messages[1].tools);
        assert_eq!(messages.iter().map(|told| told.uris.len()).sum::<usize>(), 100);
        for told in &messages {
            assert!(serde_json::to_vec(told).unwrap().len() < 2 * MAX_BYTES);
        }
        assert!(relay.taken().is_empty());
    }

    #[test]
    fn more_than_can_be_named_is_any() {
        let relay = Relay::new(Arc::new(Memory::new()));
        for number in 0..=MAX_URIS {
            relay.mark(Change::Updated(&number.to_string()));
        }
        assert_eq!(relay.taken()[0].uris, BTreeSet::from([ANY.to_owned()]));
    }
}
