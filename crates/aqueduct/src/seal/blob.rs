//! Sealing what lies in a store or travels between nodes: bytes of any length, not a string.

use super::binding::Binding;
use super::key::{self, is_id};
use super::purpose::Purpose;
use super::token::{NONCE_BYTES, VERSION};
use super::{KeyRing, SealError, Unable, Unsealed};

impl KeyRing {
    /// `plain` as bytes that nobody else can read, change or make, for a place that takes bytes.
    ///
    /// They are written as `v1.<key id>.` and the bytes of nonce and ciphertext.
    ///
    /// # Errors
    ///
    /// When the operating system has no randomness to give.
    pub fn seal_bytes(
        &self,
        purpose: Purpose,
        binding: &Binding,
        plain: &[u8],
    ) -> Result<Vec<u8>, SealError> {
        let Some(key) = self.keys.first() else { return Err(SealError(Unable::Encrypt)) };
        let nonce: [u8; NONCE_BYTES] =
            key::random_bytes().map_err(|_| SealError(Unable::Random))?;
        let mut bytes = plain.to_vec();
        key.encrypt(purpose, &nonce, &associated_bytes(key.id(), binding), &mut bytes)
            .map_err(|_| SealError(Unable::Encrypt))?;
        let head = format!("{VERSION}.{}.", key.id());
        Ok([head.as_bytes(), &nonce, &bytes].concat())
    }

    /// What [`seal_bytes`](Self::seal_bytes) was given, if purpose and binding are the same.
    ///
    /// # Errors
    ///
    /// When `sealed` was not sealed so, by this ring.
    pub fn open_bytes(
        &self,
        purpose: Purpose,
        binding: &Binding,
        sealed: &[u8],
    ) -> Result<Vec<u8>, Unsealed> {
        let Some((id, nonce, bytes)) = parse(sealed) else { return Err(Unsealed("malformed")) };
        let mut reason = "sealed with a key that is not in the ring";
        for key in self.keys.iter().filter(|key| key.id() == id) {
            let mut bytes = bytes.to_vec();
            if key.decrypt(purpose, nonce, &associated_bytes(id, binding), &mut bytes).is_ok() {
                return Ok(bytes);
            }
            reason = "changed, or sealed for something else";
        }
        Err(Unsealed(reason))
    }
}

fn parse(sealed: &[u8]) -> Option<(&str, &[u8; NONCE_BYTES], &[u8])> {
    let rest = sealed.strip_prefix(VERSION.as_bytes())?.strip_prefix(b".")?;
    let dot = rest.iter().position(|byte| *byte == b'.')?;
    let (id, rest) = rest.split_at_checked(dot)?;
    let id = std::str::from_utf8(id).ok().filter(|id| is_id(id))?;
    let (nonce, bytes) = rest.get(1..)?.split_first_chunk()?;
    Some((id, nonce, bytes))
}

/// As for strings, and marked as bytes, so that neither opens as the other.
fn associated_bytes(id: &str, binding: &Binding) -> Binding {
    Binding::new().field(VERSION).field("bytes").field(id).field(binding)
}

#[cfg(test)]
mod tests {
    use super::super::Key;
    use super::*;

    const PURPOSE: Purpose = Purpose::STORED;

    fn ring(id: &str, first: u8) -> KeyRing {
        let secret: Vec<u8> = (first..first + 32).collect();
        KeyRing::new(Key::new(id, &secret).unwrap())
    }

    #[test]
    fn bytes_open_for_the_same_purpose_and_binding_only() {
        let keys = ring("a", 1);
        let here = Binding::new().field("here");
        let plain = vec![0; 100_000];
        let sealed = keys.seal_bytes(PURPOSE, &here, &plain).unwrap();
        assert_eq!(keys.open_bytes(PURPOSE, &here, &sealed).unwrap(), plain);
        let there = Binding::new().field("there");
        assert!(keys.open_bytes(PURPOSE, &there, &sealed).is_err());
        assert!(keys.open_bytes(Purpose::MESSAGE, &here, &sealed).is_err());
        assert!(ring("a", 2).open_bytes(PURPOSE, &here, &sealed).is_err());
        assert!(ring("b", 1).open_bytes(PURPOSE, &here, &sealed).is_err());
    }

    #[test]
    fn no_byte_can_be_changed_or_left_out() {
        let keys = ring("a", 1);
        let binding = Binding::new();
        let sealed = keys.seal_bytes(PURPOSE, &binding, b"plain").unwrap();
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert!(keys.open_bytes(PURPOSE, &binding, &changed).is_err(), "byte {at}");
            assert!(keys.open_bytes(PURPOSE, &binding, &sealed[..at]).is_err(), "cut at {at}");
        }
        assert!(keys.open_bytes(PURPOSE, &binding, b"plain").is_err());
    }
}
