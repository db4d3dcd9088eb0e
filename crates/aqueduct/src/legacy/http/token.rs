//! Session ids: a peer, sealed, so that nothing needs to be stored for a session to go on.

use std::fmt;
use std::time::{Duration, SystemTime};

use aqueduct_protocol::jsonrpc::RawJson;
use aqueduct_protocol::version::ProtocolVersion;
use sha2::{Digest, Sha256};

use super::super::peer::Peer;
use crate::context::Principal;
use crate::error::Error;
use crate::seal::{Binding, KeyRing, Purpose};

/// How long a session id opens; then the client shakes hands anew.
pub(super) const LIFE: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// How long a session id may be: it travels as a header, which others bound too.
const MAX_ID: usize = 4 * 1024;

/// Tells the sessions of a process apart: a digest of the session id, which is a secret.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key([u8; 16]);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Key {
    pub(super) fn of(id: &str) -> Self {
        let digest = Sha256::digest(id.as_bytes());
        Self(digest.first_chunk().copied().unwrap_or_default())
    }
}

impl Peer {
    /// A client that has said nothing about itself.
    pub(in crate::legacy) fn unknown(version: ProtocolVersion) -> Self {
        let nothing = serde_json::Value::Object(serde_json::Map::new());
        Self { version, capabilities: RawJson::from(&nothing), info: None }
    }

    /// The session id: this, sealed to the caller, so that any process with the keys can read it.
    ///
    /// # Errors
    /// When what the client says about itself is too long to be carried along.
    pub(super) fn seal(&self, keys: &KeyRing, caller: Option<&Principal>) -> Result<String, Error> {
        let plain = serde_json::to_vec(self).map_err(Error::internal)?;
        let expires = SystemTime::now() + LIFE;
        let id = keys
            .seal_until(Purpose::SESSION, &binding(caller), &plain, expires)
            .ok()
            .filter(|id| id.len() <= MAX_ID);
        match (id, &self.info) {
            (Some(id), _) => Ok(id),
            // Its name is of use in logs only; its capabilities are what it is served by.
            (None, Some(_)) => Self { info: None, ..self.clone() }.seal(keys, caller),
            (None, None) => Err(Error::invalid_params(
                "params.capabilities is too long to be kept in a session",
            )),
        }
    }

    /// Reads a session id; `None` for one that is none, is another caller's or has expired.
    pub(super) fn open(id: &str, keys: &KeyRing, caller: Option<&Principal>) -> Option<Self> {
        let opened = keys.open(Purpose::SESSION, &binding(caller), id);
        let plain = opened
            .inspect_err(|error| tracing::debug!(reason = error.reason(), "no session of this id"))
            .ok()?;
        serde_json::from_slice(&plain).ok()
    }
}

fn binding(caller: Option<&Principal>) -> Binding {
    match caller {
        Some(caller) => Binding::new().field("as").field(&caller.issuer).field(&caller.subject),
        None => Binding::new().field("anonymous"),
    }
}

#[cfg(test)]
mod tests {
    use aqueduct_protocol::capabilities::ClientCapabilities;
    use aqueduct_protocol::icons::Implementation;

    use super::*;

    fn peer() -> Peer {
        let capabilities = ClientCapabilities::default().elicitation(Default::default());
        let info = Some(Implementation::new("c", "1"));
        Peer::new(ProtocolVersion::V2025_06_18, capabilities, info).unwrap()
    }

    #[test]
    fn a_session_id_is_read_by_all_who_share_the_keys_and_for_its_own_caller() {
        let (keys, other) = (KeyRing::random().unwrap(), KeyRing::random().unwrap());
        let (ann, bob) = (Principal::new("i", "ann"), Principal::new("i", "bob"));
        let id = peer().seal(&keys, Some(&ann)).unwrap();
        assert_eq!(Peer::open(&id, &keys.clone(), Some(&ann)), Some(peer()));
        assert_eq!(Peer::open(&id, &keys, Some(&bob)), None);
        assert_eq!(Peer::open(&id, &keys, None), None);
        assert_eq!(Peer::open(&id, &other, Some(&ann)), None);
        assert!(id.bytes().all(|byte| (0x21..=0x7e).contains(&byte)), "{id}");
    }

    #[test]
    fn a_name_that_is_too_long_is_left_out_of_the_session() {
        let keys = KeyRing::random().unwrap();
        let info = Some(Implementation::new("c".repeat(8000), "1"));
        let peer = Peer::new(ProtocolVersion::V2025_11_25, Default::default(), info).unwrap();
        let id = peer.seal(&keys, None).unwrap();
        assert_eq!(Peer::open(&id, &keys, None).unwrap().info, None);
    }
}
