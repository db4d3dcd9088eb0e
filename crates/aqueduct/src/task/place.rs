//! Where a task lies in the store: its record, its mark among those under way, its turn.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::context::Principal;
use crate::error::Error;
use crate::seal::Binding;

/// How long an id is: 128 bits in base64.
const ID: usize = 22;
/// What the turns of all tasks begin with.
pub(super) const READY: &str = "ready/";
/// What the marks of all tasks under way begin with.
pub(super) const ACTIVE: &str = "active/";

/// 128 bits that nobody can guess.
pub(super) fn random() -> Result<String, Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| Error::internal(error.to_string()))?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// Whose task, and which.
///
/// The owner is a part of every key, so a task of another is not found, just like one that never
/// was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Place {
    #[serde(rename = "o")]
    owner: String,
    #[serde(rename = "i")]
    pub(super) id: String,
}

impl Place {
    /// `None` for what cannot be the id of a task.
    pub(super) fn new(owner: Option<&Principal>, id: &str) -> Option<Self> {
        let letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let is_id = id.len() == ID && id.bytes().all(letter);
        is_id.then(|| Self { owner: folder(owner), id: id.to_owned() })
    }

    pub(super) fn record(&self) -> String {
        format!("task/{}/{}", self.owner, self.id)
    }

    pub(super) fn active(&self) -> String {
        format!("{ACTIVE}{}/{}", self.owner, self.id)
    }

    /// The turn of the task at a time, in milliseconds since 1970.
    pub(super) fn turn(&self, time: u64) -> String {
        format!("{}/{}", turns_until(time), self.id)
    }
}

/// What lies before every turn at this time or later.
pub(super) fn turns_until(time: u64) -> String {
    format!("{READY}{time:016}")
}

/// What the marks of a caller's tasks begin with.
pub(super) fn active_of(owner: Option<&Principal>) -> String {
    format!("{ACTIVE}{}/", folder(owner))
}

fn folder(owner: Option<&Principal>) -> String {
    let Some(owner) = owner else { return "anybody".to_owned() };
    let named = Binding::new().field(&owner.issuer).field(&owner.subject);
    let digest = Sha256::digest(named.as_bytes());
    URL_SAFE_NO_PAD.encode(digest.first_chunk::<16>().unwrap_or(&[0; 16]))
}

/// What a turn says: whose task it is, and for which tool.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Turn {
    #[serde(flatten)]
    pub(super) place: Place,
    #[serde(rename = "t")]
    pub(super) tool: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_lies_below_its_owner_and_nowhere_else() {
        let id = random().unwrap();
        let alice = Principal::new("a", "alice");
        let places = [None, Some(&alice), Some(&Principal::new("aa", "lice"))]
            .map(|owner| Place::new(owner, &id).unwrap().record());
        assert!(places[0] != places[1] && places[1] != places[2]);
        for odd in ["", "x", "../../../../../../../..", &format!("{id}x")] {
            assert_eq!(Place::new(None, odd), None, "{odd}");
        }
    }

    #[test]
    fn turns_are_in_the_order_of_their_times() {
        let place = Place::new(None, &random().unwrap()).unwrap();
        assert!(place.turn(999) < turns_until(1_000));
        assert!(place.turn(1_000) > turns_until(1_000));
        assert!(place.turn(10_000) > place.turn(9_999));
    }
}
