//! What a call of several rounds carries from one to the next: answers, and effects that are done.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use aqueduct_protocol::jsonrpc::RawJson;
use serde::{Deserialize, Serialize};

/// What travels sealed with the client between two rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Carried {
    /// The answers of earlier rounds, by their keys.
    #[serde(rename = "a", default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) answers: BTreeMap<String, RawJson>,
    /// What `once` has done, by its keys.
    #[serde(rename = "o", default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) done: BTreeMap<String, RawJson>,
    /// What the handler itself wants to find again.
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    pub(crate) state: Option<RawJson>,
    /// How many rounds there were; makes every round's state another text.
    #[serde(rename = "n", default)]
    pub(crate) round: u32,
    /// Tells this state from every other one, for a store that remembers which were used.
    #[serde(rename = "u", default, skip_serializing_if = "String::is_empty")]
    pub(crate) mark: String,
}

/// The rounds of one call, as its handler sees them.
#[derive(Debug, Default)]
pub(crate) struct Replay(Mutex<Round>);

#[derive(Debug, Default)]
struct Round {
    carried: Carried,
    /// What the client answered on this round, not yet looked at.
    responses: BTreeMap<String, RawJson>,
}

impl Replay {
    pub(crate) fn new(carried: Carried, responses: BTreeMap<String, RawJson>) -> Self {
        Self(Mutex::new(Round { carried, responses }))
    }

    fn lock(&self) -> MutexGuard<'_, Round> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer to a question: that of this round, or else that of an earlier one.
    pub(crate) fn answer(&self, key: &str) -> Option<RawJson> {
        let round = self.lock();
        round.responses.get(key).or_else(|| round.carried.answers.get(key)).cloned()
    }

    /// All that the client answered on this round.
    pub(crate) fn responses(&self) -> BTreeMap<String, RawJson> {
        self.lock().responses.clone()
    }

    /// Keeps an answer that was found to be good, for the rounds to come.
    pub(crate) fn settle(&self, key: &str, answer: RawJson) {
        self.lock().carried.answers.insert(key.to_owned(), answer);
    }

    pub(crate) fn done(&self, key: &str) -> Option<RawJson> {
        self.lock().carried.done.get(key).cloned()
    }

    pub(crate) fn finish(&self, key: &str, value: RawJson) {
        self.lock().carried.done.insert(key.to_owned(), value);
    }

    pub(crate) fn state(&self) -> Option<RawJson> {
        self.lock().carried.state.clone()
    }

    /// The mark of the state that came along; empty on the first round.
    pub(crate) fn mark(&self) -> String {
        self.lock().carried.mark.clone()
    }

    /// All of it, as it is now: for a run that goes on elsewhere.
    pub(crate) fn parts(&self) -> (Carried, BTreeMap<String, RawJson>) {
        let round = self.lock();
        (round.carried.clone(), round.responses.clone())
    }

    /// What the next round has to find.
    pub(crate) fn carry(&self, state: Option<RawJson>) -> Carried {
        let mut carried = self.lock().carried.clone();
        carried.round += 1;
        if state.is_some() {
            carried.state = state;
        }
        carried
    }
}
